package command

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"blotter/feed/sim"
	"blotter/feed/sim/faulty"
	"blotter/ui/command/cli"
	"blotter/ui/command/config"
	"blotter/ui/command/system"
)

// simulateCommand runs the simulated service on its own.
type simulateCommand struct {
	*settings
	network     *network
	listen      string
	tls         bool
	certificate string // the file for it
	writeConfig string
	market      sim.Config
	nodes       simulatedNodes
}

func newSimulate(s *settings, n *network) *cobra.Command {
	c := &simulateCommand{settings: s, network: n}
	command := &cobra.Command{
		Use:   "simulate",
		Short: "Run a simulated trading data service",
		Long: "blotter simulate runs a simulated trading data service. Start a dashboard in another terminal; then stop the service, " +
			"start it again, and see what the dashboard does. It runs until it is interrupted (exit code 130), and then prints what it did. The exit " +
			"code for an address that cannot be used is 2.\n\n" +
			"With --chaos it has one fault after another, such as streams that end and nodes that are behind: " +
			fmt.Sprintf("%d kinds in about ten minutes. ", len(faulty.Names())) +
			"It writes a line about each to standard error or to --log-file. blotter help simulation lists them.\n\n" +
			"With --nodes it has several nodes, and a connection reaches one of them at random: one that is correct, or one that --lag, --hang, --skip or --empty " +
			"make wrong, all the time.\n\n" +
			"A service does not send names and decimals, so a dashboard shows raw numbers: --write-config writes a configuration with names and decimals.",
		Example: `  blotter simulate
  blotter simulate --listen 127.0.0.1:8099 --parties 100 --markets 40 --rate 500
  blotter simulate --seed 7 --rate 0
  blotter simulate --chaos 7 --write-config simulate.toml
  blotter simulate --nodes 3 --lag 60s --hang 2m
  blotter simulate --proxy-buffer --parties 500 --rate 5
  blotter simulate --tls --tls-cert simulate.pem --write-config simulate.toml`,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
	set := command.Flags()
	set.StringVar(&c.listen, "listen", "127.0.0.1:8080", "the address to listen on; without a host only for this machine")
	set.IntVar(&c.market.Parties, "parties", 20, "how many parties trade, each in every market")
	set.IntVar(&c.market.Markets, "markets", 10, "how many markets there are")
	set.IntVar(&c.market.Rate, "rate", 50, "how many positions change in a second; 0 for none")
	set.Uint64Var(&c.market.Seed, "seed", 1, "the seed of the simulated market: the same seed makes the same market")
	set.Uint64Var(&c.chaos, "chaos", 0, "random faults with this seed; 0 for none")
	c.nodes.addFlags(set)
	set.BoolVar(&c.tls, "tls", false, "use TLS, with a self-signed certificate that is valid for a day")
	set.StringVar(&c.certificate, "tls-cert", "", "write the certificate to this file (default a new file in the temporary folder)")
	set.StringVar(&c.writeConfig, "write-config", "", "write a configuration for a dashboard on this service to this file")
	set.StringVar(&c.logFile, "log-file", "", "write the faults to this file, not to standard error")
	set.SortFlags = false
	return command
}

func (c *simulateCommand) run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.logFile != "" {
		if err := c.openLogFile(c.logFile); err != nil {
			return err
		}
		defer c.closeLog()
	}
	listener, err := c.network.listenAt(ctx, "--listen", c.listen, "this service")
	if err != nil {
		return err
	}
	defer listener.Close()
	c.market.Dense = true
	if c.chaos != 0 {
		c.market.Faults = faulty.New(c.chaos, c.faultLog())
	}
	node := sim.New(c.market)
	defer c.nodes.start(node, c.market.Seed)()
	address := "http://" + listener.Addr().String()
	if c.tls {
		if c.certificate == "" {
			folder, err := os.MkdirTemp("", "blotter-*")
			if err != nil {
				return cli.UsageError("--tls-cert: %w", err)
			}
			defer os.RemoveAll(folder)
			c.certificate = filepath.Join(folder, "simulate.pem")
		}
		address = "https://" + listener.Addr().String()
		if listener, err = c.secure(listener); err != nil {
			return err
		}
	}
	if err := c.printAddress(address, node); err != nil {
		return err
	}
	if err := node.Serve(ctx, listener); err != nil {
		return fmt.Errorf("serving at %s: %w", address, err)
	}
	did := node.Counters()
	fmt.Fprintf(c.stdout, "%d streams, %d of them dropped for being slow; %d writes waited for a reader, %d of them with updates; "+
		"%d positions in snapshots, %d in updates; %d pages of margin levels\n",
		did.StreamsOpened, did.StreamsDropped, did.BlockedWrites, did.BlockedUpdates, did.SnapshotRowsSent,
		did.UpdatesSent, did.MarginPages)
	return ctx.Err()
}

func (c *simulateCommand) faultLog() *slog.Logger {
	if c.log != nil {
		return c.log.Logger()
	}
	return slog.New(slog.NewTextHandler(c.stderr, nil))
}

// secure returns a listener with TLS, and writes the certificate to its file.
func (c *simulateCommand) secure(listener net.Listener) (net.Listener, error) {
	host, _, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return nil, cli.UsageError("--listen: %w", err)
	}
	certificate, text, err := sim.Certificate(host, "localhost", "127.0.0.1", "::1")
	if err != nil {
		return nil, err
	}
	if err := system.WriteSimulatedFile(c.certificate, text); err != nil {
		return nil, cli.UsageError("--tls-cert: %w", err)
	}
	return tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{certificate},
		MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}), nil
}

// printAddress prints the address of the service, and the command line that watches it.
func (c *simulateCommand) printAddress(address string, node *sim.Node) error {
	watch, caFile := "--base-url "+address, ""
	if c.tls {
		var err error
		if caFile, err = filepath.Abs(c.certificate); err != nil {
			return cli.UsageError("--tls-cert: %w", err)
		}
	}
	if c.writeConfig != "" {
		service := config.Service{Name: "simulate", BaseURLs: []string{address}, CAFile: caFile}
		if err := system.WriteSimulatedFile(c.writeConfig, config.Text(service, instrumentsOf(node.Instruments()))); err != nil {
			return cli.UsageError("--write-config: %w", err)
		}
		watch = "--config " + c.writeConfig
	}
	fmt.Fprintf(c.stdout, "%d positions at %s; watch them with: blotter %s\n", c.market.Parties*c.market.Markets, address, watch)
	if c.writeConfig == "" {
		fmt.Fprintln(c.stdout, "it sends no names and decimals: --write-config FILE writes a configuration with them")
	}
	if c.tls && c.writeConfig == "" {
		fmt.Fprintf(c.stdout, "its certificate is self-signed; for the dashboard to trust it, set under [service]: ca_file = %q\n", caFile)
	}
	return nil
}

// The largest simulated market. A larger one would need gigabytes.
const (
	maxParties = 100_000
	maxMarkets = 1000
	maxRate    = 1_000_000
)

func (c *simulateCommand) check() error {
	for _, flag := range []struct {
		name               string
		value, least, most int
	}{
		{"parties", c.market.Parties, 1, maxParties},
		{"markets", c.market.Markets, 1, maxMarkets},
		{"rate", c.market.Rate, 0, maxRate},
	} {
		if flag.value < flag.least || flag.value > flag.most {
			return cli.UsageError("--%s: must be from %d to %d, not %d", flag.name, flag.least, flag.most, flag.value)
		}
	}
	return c.nodes.check()
}
