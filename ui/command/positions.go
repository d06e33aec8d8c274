package command

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"blotter/feed"
	"blotter/model"
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
			`{"marketId":"...","partyId":"...","removed":true}. ` +
			"With --filter, that line also stands for a position that no longer matches. A position is matched when it changes.\n\n" + exitCodesHelp,
		Example: `  blotter positions --demo
  blotter positions --base-url https://node.example.com --party desk-1 -o csv
  blotter positions --market BTC/USDT -o json | jq length
  blotter positions --filter "upnl<-1.5k|status:distressed"
  blotter positions -o ndjson --follow`,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
	c.outputFlags.register(command)
	command.Flags().BoolVar(&c.follow, "follow", false,
		"with -o ndjson, go on after the snapshot with each change")
	command.Flags().StringVar(&c.replayed, "replay", "", "ask no service: print the positions at the end of this recording")
	c.metricsFlag.register(command)
	c.recordFlags.register(command)
	p.registerFilter(command, "print only the positions that match, such as \"side:long upnl<-1000\"")
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
	if err := c.checkFilter(); err != nil {
		return err
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
	w.matches = config.matches
	if err := c.serveMetrics(ctx, c.metricsFlag, config, source, &w.figures); err != nil {
		return err
	}
	if err := w.snapshot(timed, c.timeout); err != nil {
		return err
	}
	rows := w.rows()
	c.warnOfUncompared(w.markets(), config)
	err = printTo(c.Output, func(output io.Writer) error {
		return export.WritePositions(output, format, rows, config.tableOptions())
	})
	if err != nil || !c.follow {
		return err
	}
	return w.follow(ctx, rows, c.Output)
}

// checkFilter refuses a filter that needs what the command does not read.
func (c *positionsCommand) checkFilter() error {
	query, err := c.query()
	if err == nil && query.UsesMargins() {
		return usage("--filter: m%% needs margin levels, which positions does not read")
	}
	return err
}

// warnOfUncompared warns of markets whose numbers the filter cannot compare.
func (c *positionsCommand) warnOfUncompared(markets []model.ID, config *configuration) {
	if n := len(config.query.Uncompared(markets, config.instruments)); n > 0 {
		c.warn(fmt.Errorf("--filter: %s without known decimals, so none of their numbers match; size>5r compares raw numbers", model.Counted(n, "market")))
	}
}

// matches reports whether a position matches the filter now.
func (c *configuration) matches(p *model.Position) bool {
	return c.query.Matches(p, model.MatchContext{Instruments: c.instruments, Now: time.Now().In(c.screen.Zone)})
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
	w.matches = config.matches
	rows, err := w.replayedPositions(ctx, player, c.replayed)
	if err != nil {
		return err
	}
	c.warnOfUncompared(w.markets(), config)
	return printTo(c.Output, func(output io.Writer) error {
		return export.WritePositions(output, format, rows, config.tableOptions())
	})
}

// shortenBackoff makes sure that a failing service is tried several times within the timeout.
func shortenBackoff(times *feed.Times, timeout time.Duration) {
	times.MaxBackoff = min(times.MaxBackoff, timeout*2/5)
}
