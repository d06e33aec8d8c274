//go:build unix

package terminaltest

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"blotter/feed/sim"
)

// TestNextRunShowsTheNamesOfTheLast: a first run without names, n, and a second run; then a configuration that config
// init writes, beside the names.
func TestNextRunShowsTheNamesOfTheLast(t *testing.T) {
	y := newTTY(t).start("main", "sh", "-i").shows("$")
	y.before = y.stty()
	address := served(t, sim.Position{Party: "a1", Market: "b1", OpenVolume: -10000, AverageEntryPrice: "341010", UnrealisedPnl: "-44920"})
	run := func() *tty {
		return y.types("clear; " + os.Args[0] + " --no-state --base-url " + address + "\n").shows("LIVE")
	}
	run().shows("Nothing has a name: n names a row").shows("-10,000")
	y.types("nETH/USDT\t3\t2").shows("shown as SIZE -10.000   ENTRY 3,410.10").types("\t\tdesk-1\r").shows("Saved in ").shows("ETH/USDT · desk-1").types("q").isReset()
	run().shows("ETH/USDT · desk-1").shows("-10.000").shows("3,410.10").types("q").isReset()

	folder := filepath.Join(filepath.Dir(y.log), "blotter")
	text, err := os.ReadFile(filepath.Join(folder, "config.names.toml"))
	if err != nil || !strings.Contains(string(text), "id = \"b1\"\nname = \"ETH/USDT\"\nprice_decimals = 2\nsize_decimals = 3\n") {
		t.Errorf("the names are %s, %v", text, err)
	}
	y.types("clear; " + os.Args[0] + " config init --base-url " + address + "\n").shows("assets: 0; put in missing names")
	y.types("clear; " + os.Args[0] + " config check\n").shows("no problem found").shows("config.names.toml")
	y.types("clear; " + os.Args[0] + " --no-state\n").shows("LIVE").shows("ETH/USDT · desk-1").types("q").isReset()
}

// served serves positions on this machine until the test ends, and returns the address.
func served(t *testing.T, positions ...sim.Position) string {
	t.Helper()
	_, address := serve(t, positions...)
	return address
}

// serve does what served does, and returns the service too.
func serve(t *testing.T, positions ...sim.Position) (node *sim.Node, address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	node = sim.New(sim.Config{})
	node.Put(positions...)
	ctx, stop := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() { _ = node.Serve(ctx, listener) })
	t.Cleanup(func() { stop(); serving.Wait() })
	return node, "http://" + listener.Addr().String()
}
