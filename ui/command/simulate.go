package command

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"blotter/feed/sim"
)

// simulateCommand runs the simulated service on its own.
type simulateCommand struct {
	*program
	listen      string
	tls         bool
	certificate string // the file for it
	folder      string // made for that file where none was asked for
	writeConfig string
	market      sim.Config
}

func newSimulate(p *program) *cobra.Command {
	c := &simulateCommand{program: p}
	command := &cobra.Command{
		Use:   "simulate",
		Short: "Run a made-up trading data service",
		Long: "Runs a made-up trading data service, so that a dashboard in another terminal can be tried against it: stop it and start " +
			"it again, and watch the dashboard notice and heal. It ends when it is interrupted (exit code 130) and then tells what it did. " +
			"An address that cannot be listened on is exit code 2.\n\n" +
			"With --chaos it does what a service can do wrong, one fault after another, and writes a line about each to standard error, or " +
			"to --log-file: " + strings.Join(sim.Faults(), "; ") + ". After each fault it tells the truth again.\n\n" +
			"Names and decimals, which a service does not tell, come from the file of --write-config.",
		Example: `  blotter simulate
  blotter simulate --listen 127.0.0.1:8099 --parties 100 --markets 40 --rate 500
  blotter simulate --seed 7 --rate 0
  blotter simulate --chaos 7 --write-config simulate.toml
  blotter simulate --tls --tls-cert simulate.pem --write-config simulate.toml`,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
	set := command.Flags()
	set.StringVar(&c.listen, "listen", "127.0.0.1:8080", "the address to listen on; without a host, loopback alone")
	set.IntVar(&c.market.Parties, "parties", 20, "how many parties trade, each in every market")
	set.IntVar(&c.market.Markets, "markets", 10, "how many markets there are")
	set.IntVar(&c.market.Rate, "rate", 50, "how many positions change in a second; 0 stands still")
	set.Uint64Var(&c.market.Seed, "seed", 1, "which market is made up: the same one for the same seed")
	set.Uint64Var(&c.chaos, "chaos", 0, "do what a service can do wrong, at random by this seed; 0 for none")
	set.BoolVar(&c.tls, "tls", false, "speak TLS, with a certificate that signs itself and is good for a day")
	set.StringVar(&c.certificate, "tls-cert", "", "write the certificate to this file, for clients that are to trust it (default a new file in the temporary folder)")
	set.StringVar(&c.writeConfig, "write-config", "", "write a configuration for a dashboard on this service to this file")
	set.StringVar(&c.logFile, "log-file", "", "tell the faults in this file, not on standard error")
	set.SortFlags = false
	return command
}

func (c *simulateCommand) run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.logFile != "" {
		var err error
		if c.log, err = openLogFile(c.logFile); err != nil {
			return usage("--log-file: %w", err)
		}
		defer c.closeLog()
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", loopbackByDefault(c.listen))
	if err != nil {
		return usage("--listen: %w", listenError(err))
	}
	defer listener.Close()
	c.warnOfOthers(listener.Addr())
	c.market.Chaos, c.market.Log = c.chaos, c.faultLog()
	c.market.Dense = true
	node := sim.New(c.market)
	address := "http://" + listener.Addr().String()
	if c.tls {
		defer c.removeFolder()
		address = "https://" + listener.Addr().String()
		if listener, err = c.secure(listener); err != nil {
			return err
		}
	}
	if err := c.introduce(address, node); err != nil {
		return err
	}
	if err := node.Serve(ctx, listener); err != nil {
		return fmt.Errorf("serving at %s: %w", address, err)
	}
	did := node.Counters()
	fmt.Fprintf(c.Output, "%d streams, %d of them dropped for being slow; %d writes waited for a reader, %d of them with updates; "+
		"%d positions in snapshots, %d in updates; %d pages of margin levels\n",
		did.StreamsOpened, did.StreamsDropped, did.BlockedWrites, did.BlockedUpdates, did.SnapshotsSent, did.UpdatesSent, did.MarginPages)
	return ctx.Err()
}

// faultLog is where faults are told.
func (c *simulateCommand) faultLog() *slog.Logger {
	if c.log != nil {
		return c.log.logger()
	}
	return slog.New(slog.NewTextHandler(c.Errors, nil))
}

// secure speaks TLS on the listener, and writes the certificate to its file.
func (c *simulateCommand) secure(listener net.Listener) (net.Listener, error) {
	host, _, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return nil, usage("--listen: %w", err)
	}
	certificate, text, err := sim.Certificate(host, "localhost", "127.0.0.1", "::1")
	if err != nil {
		return nil, err
	}
	if err := c.writeCertificate(text); err != nil {
		return nil, usage("--tls-cert: %w", err)
	}
	return tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}), nil
}

// writeCertificate writes the certificate to the file that was asked for, or else to a new one.
func (c *simulateCommand) writeCertificate(text []byte) error {
	if c.certificate == "" {
		folder, err := os.MkdirTemp("", "blotter-*")
		if err != nil {
			return err
		}
		c.folder = folder
		c.certificate = filepath.Join(folder, "simulate.pem")
	}
	return writeOwnFile(c.certificate, text)
}

// removeFolder removes the folder that was made for the certificate, if any.
func (c *simulateCommand) removeFolder() {
	if c.folder != "" {
		os.RemoveAll(c.folder)
	}
}

// introduce says where the service is and how it is watched.
func (c *simulateCommand) introduce(address string, node *sim.Node) error {
	watch, caFile := "--base-url "+address, ""
	if c.tls {
		var err error
		if caFile, err = filepath.Abs(c.certificate); err != nil {
			return usage("--tls-cert: %w", err)
		}
	}
	if c.writeConfig != "" {
		if err := newMarketFile(address, caFile, node.Instruments()).write(c.writeConfig); err != nil {
			return usage("--write-config: %w", err)
		}
		watch = "--config " + c.writeConfig
	}
	fmt.Fprintf(c.Output, "%d positions at %s; watch them with: blotter %s\n", c.market.Parties*c.market.Markets, address, watch)
	if c.tls && c.writeConfig == "" {
		fmt.Fprintf(c.Output, "its certificate signs itself; trust it in the configuration of the dashboard, under [service]: ca_file = %q\n", caFile)
	}
	return nil
}

// The bounds of what is made up: beyond, it would take gigabytes.
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
			return usage("--%s: must be from %d to %d, not %d", flag.name, flag.least, flag.most, flag.value)
		}
	}
	return nil
}

// loopbackByDefault has an address without a host mean this machine alone.
func loopbackByDefault(address string) string {
	if host, port, err := net.SplitHostPort(address); err == nil && host == "" {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return address
}

// warnOfOthers warns where the service does not listen on this machine alone.
func (c *simulateCommand) warnOfOthers(address net.Addr) {
	if tcp, ok := address.(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		c.warn(errors.New("--listen: other machines can reach this service"))
	}
}

// listenError says in a line why nobody can listen.
func listenError(err error) error {
	if opErr, ok := err.(*net.OpError); ok {
		err = opErr.Err
		if inner, ok := err.(*os.SyscallError); ok {
			err = inner.Err
		}
		if opErr.Addr != nil {
			return fmt.Errorf("%s: %w", opErr.Addr, err)
		}
	}
	return err
}
