//go:build linux

package terminaltest

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"blotter/model/modeltest"
)

// desk is blotter serve beside blotter simulate, with traders who see different parties.
type desk struct {
	tb        testing.TB
	simulator *simulator
	process   *exec.Cmd
	address   string

	mu    sync.Mutex
	lines []string // what it printed
}

// deskOf is what a desk has.
type deskOf struct {
	parties, markets, rate, traders, partiesOfTrader int

	screen string // what the configuration says of the screen
}

// startDesk starts a desk. The parties of a trader follow those of the trader before, and begin again at the end of the
// list, so that each party is of several traders.
func startDesk(tb testing.TB, of deskOf) *desk {
	tb.Helper()
	folder := tb.TempDir()
	config := filepath.Join(folder, "desk.toml")
	d := &desk{tb: tb}
	d.simulator = startSimulator(tb, of.rate, "--parties", fmt.Sprint(of.parties), "--markets", fmt.Sprint(of.markets), "--write-config", config)
	text, err := os.ReadFile(config)
	if err != nil {
		tb.Fatal(err)
	}
	text = fmt.Appendf(text, "[screen]\n%s\n", of.screen)
	next := 0
	for trader := range of.traders {
		var parties []string
		for range of.partiesOfTrader {
			parties = append(parties, fmt.Sprintf("%q", fmt.Sprintf("desk-%d", next%(of.parties-1)+1))) // one party is the network
			next++
		}
		text = fmt.Appendf(text, "[[trader]]\nname = 'trader-%d'\nkeys = [%q]\nparties = [%s]\nmarkets = ['*']\n",
			trader, strings.TrimSpace(string(ssh.MarshalAuthorizedKey(clientKey(tb, trader).PublicKey()))), strings.Join(parties, ", "))
	}
	if err := os.WriteFile(config, text, 0o600); err != nil {
		tb.Fatal(err)
	}
	d.process = exec.Command(os.Args[0], "serve", "--config", config, "--listen", "127.0.0.1:0", "--state-folder", filepath.Join(folder, "state"))
	d.process.Env, d.process.Stderr = append(os.Environ(), "BLOTTER_TEST_MODE=main", "XDG_CONFIG_HOME="+folder, "XDG_STATE_HOME="+folder), os.Stderr
	output, err := d.process.StdoutPipe()
	if err == nil {
		err = d.process.Start()
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = d.process.Process.Kill(); _ = d.process.Wait() })
	lines := bufio.NewScanner(output)
	lines.Scan()
	d.address, _, _ = strings.Cut(strings.TrimPrefix(lines.Text(), "Listening at "), ". ")
	go func() {
		for lines.Scan() {
			d.mu.Lock()
			d.lines = append(d.lines, lines.Text())
			d.mu.Unlock()
		}
	}()
	return d
}

// clientKey returns the key of a trader.
func clientKey(tb testing.TB, trader int) ssh.Signer {
	tb.Helper()
	key, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{byte(trader + 1)}, ed25519.SeedSize)))
	if err != nil {
		tb.Fatal(err)
	}
	return key
}

// dial connects a client of a trader. The client ends with the test.
func (d *desk) dial(trader int) (*ssh.Client, *net.TCPConn) {
	d.tb.Helper()
	conn, err := net.Dial("tcp", d.address)
	if err != nil {
		d.tb.Fatal(err)
	}
	connection, channels, requests, err := ssh.NewClientConn(conn, d.address, &ssh.ClientConfig{
		User: "trader", Auth: []ssh.AuthMethod{ssh.PublicKeys(clientKey(d.tb, trader))}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		d.tb.Fatal(err)
	}
	client := ssh.NewClient(connection, channels, requests)
	d.tb.Cleanup(func() { client.Close() })
	return client, conn.(*net.TCPConn)
}

// shell shows a dashboard on a screen of a client.
func (d *desk) shell(client *ssh.Client) (*watchedScreen, *ssh.Session) {
	d.tb.Helper()
	session, err := client.NewSession()
	if err != nil {
		d.tb.Fatal(err)
	}
	keys, err := session.StdinPipe()
	if err != nil {
		d.tb.Fatal(err)
	}
	screen := newWatchedScreen(d.tb, keys)
	session.Stdout = screen
	if err := session.RequestPty("xterm-256color", 50, 160, nil); err != nil {
		d.tb.Fatal(err)
	}
	if err := session.Shell(); err != nil {
		d.tb.Fatal(err)
	}
	return screen, session
}

// ended returns how many lines of connections that ended have words.
func (d *desk) ended(words string) (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, line := range d.lines {
		if strings.HasSuffix(line, words) {
			n++
		}
	}
	return n
}

// awaits waits until something has happened.
func awaits(tb testing.TB, what string, is func() bool) {
	tb.Helper()
	for deadline := time.Now().Add(atTheLatest); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			tb.Fatalf("%s: it has not happened after %s", what, atTheLatest)
		}
	}
}

// shows waits until the screen shows a text.
func (s *watchedScreen) shows(text *regexp.Regexp) {
	s.tb.Helper()
	var last string
	defer func() {
		if s.tb.Failed() {
			s.tb.Log(last)
		}
	}()
	awaits(s.tb, "the screen shows "+text.String(), func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		last = s.emulator.String()
		return text.MatchString(last)
	})
}

// drawn returns how many bytes were written to the screen.
func (s *watchedScreen) drawn() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.Len()
}

// TestManySessions under 10,000 updates a second: all screens are live; clients that are killed, and one screen of a
// connection that several share, end nobody else's; and what they took is free afterwards.
func TestManySessions(t *testing.T) {
	if !modeltest.IsThorough {
		t.Skip("the tag thorough runs it")
	}
	const sessions = 50
	d := startDesk(t, deskOf{parties: 60, markets: 40, rate: 10_000, traders: sessions, partiesOfTrader: 10})
	live, gone := regexp.MustCompile(`LIVE`), "disconnected"
	var screens []*watchedScreen
	var connections []*net.TCPConn
	for trader := range sessions {
		client, conn := d.dial(trader)
		screen, _ := d.shell(client)
		screens, connections = append(screens, screen), append(connections, conn)
	}
	for _, screen := range screens {
		screen.shows(live)
	}
	// Half of the clients are killed: the kernel resets their connections, because there is something unread.
	for _, conn := range connections[:sessions/2] {
		if err := conn.SetLinger(0); err != nil {
			t.Fatal(err)
		}
		conn.Close()
	}
	awaits(t, "the killed clients have ended", func() bool { return d.ended(gone) == sessions/2 })
	for _, screen := range screens[sessions/2:] {
		before := screen.drawn()
		awaits(t, "the others are drawn", func() bool { return screen.drawn() > before })
		screen.types("?")
		screen.shows(regexp.MustCompile(`─ help ─`))
		screen.types("q")
	}
	// Screens of one connection, as with ControlMaster: one is closed, one is quit, and the third goes on.
	client, _ := d.dial(0)
	closed, session := d.shell(client)
	quit, _ := d.shell(client)
	third, _ := d.shell(client)
	for _, screen := range []*watchedScreen{closed, quit, third} {
		screen.shows(live)
	}
	session.Close()
	quit.types("q")
	quit.shows(regexp.MustCompile(`^\s*$`))
	before := third.drawn()
	awaits(t, "the third is drawn", func() bool { return third.drawn() > before })
	third.shows(live)
}
