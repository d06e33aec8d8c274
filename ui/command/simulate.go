package command

import (
	"context"
	"fmt"
	"net"
	"os"

	"github.com/spf13/cobra"

	"blotter/feed/sim"
)

// simulateCommand runs the simulated service on its own.
type simulateCommand struct {
	*program
	listen string
	market sim.Config
}

func newSimulate(p *program) *cobra.Command {
	c := &simulateCommand{program: p}
	command := &cobra.Command{
		Use:   "simulate",
		Short: "Run a made-up trading data service",
		Long: "Runs a made-up trading data service, so that a dashboard in another terminal can be tried against it: stop it and start " +
			"it again, and watch the dashboard notice and heal. It ends when it is interrupted (exit code 130) and then tells what it did. " +
			"An address that cannot be listened on is exit code 2.\n\n" +
			"The flags that say how to reach a service mean nothing here.",
		Example: `  blotter simulate
  blotter simulate --listen 127.0.0.1:8099 --parties 100 --markets 40 --rate 500
  blotter simulate --seed 7 --rate 0`,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
	set := command.Flags()
	set.StringVar(&c.listen, "listen", "127.0.0.1:8080", "the address to listen on; without a host, loopback alone")
	set.IntVar(&c.market.Parties, "parties", 20, "how many parties trade")
	set.IntVar(&c.market.Markets, "markets", 10, "how many markets there are")
	set.IntVar(&c.market.Rate, "rate", 50, "how many positions change in a second; 0 stands still")
	set.Uint64Var(&c.market.Seed, "seed", 1, "which market is made up: the same one for the same seed")
	return command
}

func (c *simulateCommand) run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", loopbackByDefault(c.listen))
	if err != nil {
		return usage("--listen: %w", listenError(err))
	}
	node := sim.New(c.market)
	address := "http://" + listener.Addr().String()
	fmt.Fprintf(c.Output, "%d positions at %s; watch them with: blotter --base-url %s\n", len(node.Positions()), address, address)
	if err := node.Serve(ctx, listener); err != nil {
		return fmt.Errorf("serving at %s: %w", address, err)
	}
	did := node.Counters()
	fmt.Fprintf(c.Output, "%d streams, %d of them dropped for being slow; %d positions in snapshots, %d in updates; %d pages of margin levels\n",
		did.StreamsOpened, did.StreamsDropped, did.SnapshotsSent, did.UpdatesSent, did.MarginPages)
	return ctx.Err()
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

// listenError says in a line why nobody can listen.
func listenError(err error) error {
	if syscall, ok := err.(*net.OpError); ok {
		err = syscall.Err
		if inner, ok := err.(*os.SyscallError); ok {
			err = inner.Err
		}
		if syscall.Addr != nil {
			return fmt.Errorf("%s: %w", syscall.Addr, err)
		}
	}
	return err
}
