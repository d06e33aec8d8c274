package command

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"blotter/feed"
	"blotter/ui/export"
)

// positionsCommand prints positions, once or as they change.
type positionsCommand struct {
	*program
	outputFlags
	metricsFlag
	recordFlags
	follow   bool
	replayed string // the recording to read from
}

func newPositions(p *program) *cobra.Command {
	c := &positionsCommand{program: p}
	command := &cobra.Command{
		Use:   "positions",
		Short: "Print all positions, once or as they change",
		Long: "Waits for a complete snapshot of the positions in scope, prints it and ends. Closed positions are included. " +
			"The scope is all positions of the given parties in the given markets.\n\n" +
			"With --follow each change is a line: the position as it is now, or where it is gone " +
			`{"marketId":"...","partyId":"...","removed":true}.` + "\n\n" + exitCodesHelp,
		Example: `  blotter positions --demo
  blotter positions --base-url https://node.example.com --party desk-1 -o csv
  blotter positions --market BTC/USDT -o json | jq length
  blotter positions -o ndjson --follow`,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
	c.outputFlags.register(command)
	command.Flags().BoolVar(&c.follow, "follow", false,
		"with -o ndjson, go on after the snapshot with each change")
	command.Flags().StringVar(&c.replayed, "replay", "", "ask no service: print the positions at the end of this recording")
	c.metricsFlag.register(command)
	c.recordFlags.register(command)
	p.flags.register(command)
	return command
}

func (c *positionsCommand) run(ctx context.Context) error {
	format, err := c.check()
	if err != nil {
		return err
	}
	if c.follow && format != export.NDJSON {
		return usage("--follow: needs -o ndjson")
	}
	if c.listen != "" && !c.follow {
		return usage("--metrics-listen: needs --follow")
	}
	if c.file != "" && !c.follow {
		return usage("--record: needs --follow")
	}
	if c.replayed != "" {
		return c.printReplayed(ctx, format)
	}
	timed, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	config, err := c.configure(timed)
	if err != nil {
		return err
	}
	defer config.close()
	if !c.follow {
		shortenBackoff(&config.feed.Times, c.timeout)
	}
	if err := c.record(c.recordFlags, config); err != nil {
		return err
	}
	source, err := config.newFeed()
	if err != nil {
		return err
	}

	w := newWatch(source, config.scope, config.feed.Limits.Rows, c.warn)
	if err := c.serveMetrics(ctx, c.metricsFlag, config, source, &w.figures); err != nil {
		return err
	}
	if err := w.snapshot(timed, c.timeout); err != nil {
		return err
	}
	rows := w.rows()
	err = printTo(c.Output, func(output io.Writer) error {
		return export.WritePositions(output, format, rows, config.tableOptions())
	})
	if err != nil || !c.follow {
		return err
	}
	return w.follow(ctx, rows, c.Output)
}

// printReplayed prints the positions at the end of a recording.
func (c *positionsCommand) printReplayed(ctx context.Context, format export.Format) error {
	if c.follow {
		return usage("--replay and --follow exclude each other")
	}
	config, player, err := c.replay(ctx, c.replayed)
	if err != nil {
		return err
	}
	defer config.close()
	w := newWatch(player, config.scope, config.feed.Limits.Rows, c.warn)
	rows, err := w.replayedPositions(ctx, player, c.replayed)
	if err != nil {
		return err
	}
	return printTo(c.Output, func(output io.Writer) error {
		return export.WritePositions(output, format, rows, config.tableOptions())
	})
}

// shortenBackoff makes sure that a failing service is tried several times within the timeout.
func shortenBackoff(times *feed.Times, timeout time.Duration) {
	times.MaxBackoff = min(times.MaxBackoff, timeout*2/5)
}
