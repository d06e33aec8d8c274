package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"blotter/feed"
	"blotter/feed/margins"
	"blotter/feed/record"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/command/cli"
	"blotter/ui/command/watch"
	"blotter/ui/export"
	"blotter/ui/metrics"
)

// positionsCommand prints positions, once or as they change.
type positionsCommand struct {
	*settings
	network *network
	outputFlags
	columnFlags
	metricsFlag
	recordFlags
	follow bool
	until  string // the filter to wait for
}

func newPositions(s *settings, n *network) *cobra.Command {
	c := &positionsCommand{settings: s, network: n}
	command := &cobra.Command{
		Use:   "positions",
		Short: "Print all positions, once or as they change",
		Long: "blotter positions waits for a complete snapshot of the positions in scope, with its last page, prints it and ends. Closed positions are included.\n\n" +
			"The scope is all positions of the given parties in the given markets.\n\n" +
			"With --follow positions are printed before the last page too, with a warning (PARTIAL), and each change is a line: the position as it is now, or if it is gone " +
			`{"marketId":"...","partyId":"...","removed":true}. ` +
			"With --filter, that line is also printed for a position that no longer matches. The filter is applied to a position when it changes. " +
			"Margin levels are read too: one that is newer than its position may show that an update was missed, which an audit then finds.\n\n" +
			"With --until it waits until a position matches, and prints those that do then. Positions that may be out of date do not count: " +
			"stale ones, those of a node that is behind by a minute or more, and those that a stream without a last page has not sent again after an outage.\n\n" +
			"If a column, the order or the filter needs margin ratios (uPnL/MM, trouble), all margin levels in scope are read too, one page after the other: " +
			"give --until a --timeout that is long enough for that. If an order by amounts needs assets that are not in the configuration, they are read from margin levels, " +
			"for 3 seconds at most.",
		Example: `  blotter positions --demo
  blotter positions --base-url https://node.example.com --party desk-1 -o csv
  blotter positions --market BTC/USDT -o json | jq length
  blotter positions --filter "upnl<-1.5k|status:distressed" --sort trouble
  blotter positions -o csv --names --scaled --columns party,market,size,unrealised,m%
  blotter positions --totals --group party
  blotter positions -o ndjson --follow
  blotter positions --until "status:distressed|uPnL/MM<-30%" --timeout 1h`,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
	c.outputFlags.register(command)
	c.columnFlags.register(command, export.PositionKeys(), positionSortKeys())
	command.Flags().BoolVar(&c.follow, "follow", false,
		"with -o ndjson, go on after the snapshot with each change")
	command.Flags().StringVar(&c.until, "until", "", "wait until a position matches this filter, at most for --timeout")
	c.replayed.register(command, "the positions")
	c.metricsFlag.register(command)
	c.recordFlags.register(command)
	s.registerFilter(command, "print only the positions that match, such as \"side:long upnl<-1000\"")
	s.flags.register(command)
	return command
}

func (c *positionsCommand) run(ctx context.Context) error {
	format, err := c.check()
	if err != nil {
		return err
	}
	if c.replayed.file != "" {
		return c.printReplayed(ctx, format)
	}
	c.filter = strings.TrimSpace(c.filter + " " + c.until)
	timed, config, err := c.configureWithin(ctx, c.timeout)
	if err != nil {
		return err
	}
	defer config.close()
	if !c.follow {
		shortenBackoff(&config.feed.Times, c.timeout)
	}
	source, err := c.newRecordedFeed(c.recordFlags, config)
	if err != nil {
		return err
	}

	w := c.newWatch(source, config, nil)
	if err := c.network.serveMetrics(ctx, c.metricsFlag, config, metrics.Source{Links: source.Links, Book: &w.Figures}); err != nil {
		return err
	}
	if c.isGiven("until") {
		if err := w.Until(timed, source, c.timeout); err != nil {
			return err
		}
		w.WarnOfUnaudited()
		if config.query.UsesMargins() { // they are in the book: newer ones might no longer match
			return c.printView(format, w, nil, config)
		}
		return c.printNow(timed, format, w, source, config)
	}
	if c.follow {
		if err := w.Begin(timed, c.timeout); err != nil {
			return err
		}
		rows := w.SortedRows()
		w.WarnOfUncompared()
		w.WarnOfUnaudited()
		options := c.exportOptions(&c.columnFlags, config)
		if err := c.print(format, rows, options); err != nil {
			return err
		}
		return w.WriteChanges(ctx, source, rows, c.stdout, export.NewPositionLines(options), c.warnOfUnscaled)
	}
	if err := w.Snapshot(timed, c.timeout); err != nil {
		return err
	}
	w.ConfirmEmpty(timed, source.Resync)
	w.WarnOfUnaudited()
	return c.printNow(timed, format, w, source, config)
}

// positionSortKeys are the orders of the screen that need no baseline.
func positionSortKeys() []string {
	return slices.DeleteFunc(view.SortKeys(), func(key string) bool {
		column, _ := view.ParseSortColumn(key)
		return column.NeedsBaseline() || column == view.DayColumn
	})
}

func (c *positionsCommand) check() (export.Format, error) {
	format, err := c.outputFlags.check()
	if err == nil {
		err = c.columnFlags.check()
	}
	if err == nil && c.follow && format != export.NDJSON {
		err = cli.UsageError("--follow: needs -o ndjson")
	}
	if err != nil {
		return "", err
	}
	return format, c.checkFilters()
}

// printNow prints the positions in the book, with their margin levels if these are needed.
func (c *positionsCommand) printNow(ctx context.Context, format export.Format, w *watch.Watch,
	source record.Feed, config *configuration) error {
	if !c.needsMargins(config) {
		records, err := c.readAssets(ctx, w, source, config)
		if err != nil {
			return err
		}
		return c.printView(format, w, records, config)
	}
	walked, err := source.Walk(ctx, model.PageRequest{Scope: config.scope, Size: margins.MaxPageSize}, 0)
	if err = marginsError(err, strings.Join(config.feed.BaseURLs, ", "), c.timeout); err != nil {
		return err
	}
	if err := w.AwaitPairs(ctx, walked.Records); err != nil {
		return err
	}
	warning := c.warnOf(&walked)
	return cmp.Or(c.printView(format, w, walked.Records, config), warning)
}

func (c *positionsCommand) needsMargins(config *configuration) bool {
	order, err := view.ParseSortColumn(c.sort)
	isOrderOfMargins := err == nil && order.UsesMargins()
	return config.query.UsesMargins() || isOrderOfMargins || slices.ContainsFunc(c.columns, columns.UsesMargins)
}

// printView prints the positions that match the filter, in order.
func (c *positionsCommand) printView(format export.Format, w *watch.Watch, levels []model.MarginLevels, config *configuration) error {
	w.Instruments = w.Instruments.Learn(levels)
	config.instruments = w.Instruments
	w.WarnOfUncompared()
	options := c.exportOptions(&c.columnFlags, config)
	var rows []book.Row
	switch {
	case c.sort != "" || c.needsMargins(config):
		var margins *view.Margins
		rows, margins = c.viewRows(w, levels, config)
		options.MarginRatio, options.Levels = margins.Ratio, margins.Open
	case c.totals: // BenchmarkExport/totals takes a tenth less than with sorted rows
		return c.print(format, w.Rows(), options)
	default:
		rows = w.SortedRows()
	}
	rows = groupRows(c.grouping, rows, func(row book.Row) model.ID {
		key := row.Key()
		return c.grouping.Of(key, config.instruments.Market(key.Market).Asset)
	})
	return c.print(format, rows, options)
}

// viewRows returns the positions that match the filter, in order, and their margin records.
func (c *positionsCommand) viewRows(w *watch.Watch, levels []model.MarginLevels,
	config *configuration) (rows []book.Row, records *view.Margins) {
	order := view.Order{Column: view.PartyColumn, Descending: c.descending}
	if c.sort != "" {
		order.Column, _ = view.ParseSortColumn(c.sort) // which was checked
	}
	now := w.Now()
	filter := view.Filter{Text: c.filter, ShowClosed: true, Now: now}
	v := view.New(w.Book(), w.Scope, filter, order, config.instruments)
	v.MergeMargins(&model.Page{Rows: levels, ReadAt: now})
	for p := range v.Shown {
		t, number := w.Book().Row(p.Key)
		rows = append(rows, t.Rows().Row(number))
	}
	if c.sort == "" {
		slices.SortFunc(rows, func(a, b book.Row) int { return a.Key().Compare(b.Key()) })
	} else if order.Column.HasAmounts() {
		c.putUnknownAssetsLast(rows, config.instruments)
	}
	return rows, v.Margins()
}

// print prints positions, or their totals.
func (c *positionsCommand) print(format export.Format, rows []book.Row, options export.Options) error {
	return c.printResult(func(output io.Writer) (export.Result, error) {
		if c.totals {
			return export.WritePositionTotals(output, format, rows, c.sort != "", c.grouping, options)
		}
		return export.WritePositions(output, format, rows, options)
	})
}

// checkFilters refuses filters that cannot be understood, and those with margin ratios if there is --follow, which
// keeps no margin levels.
func (c *positionsCommand) checkFilters() error {
	query, err := c.query()
	if err != nil {
		return err
	}
	_, err = filter.Parse(c.until)
	switch {
	case err != nil:
		return cli.UsageError("--until: %w", err)
	case c.isGiven("until") && strings.TrimSpace(c.until) == "":
		return cli.UsageError("--until: is empty, and would match any position") // a variable of a script that is not set
	case c.follow && (query.UsesMargins() || slices.ContainsFunc(c.columns, columns.UsesMargins)):
		return cli.UsageError("uPnL/MM and the other numbers of margin records cannot be used with --follow, which keeps no margin levels")
	}
	return nil
}

func (c *positionsCommand) printReplayed(ctx context.Context, format export.Format) error {
	r, err := c.replayedAt(ctx, &c.replayed)
	if err != nil {
		return err
	}
	defer r.close()
	if err := r.checkComplete(); err != nil {
		return err
	}
	if c.replayed.at != "" && r.player.Header().Thinned {
		c.warn(fmt.Errorf("%s: %s: rows may be up to a second older than --at", c.replayed.file, thinnedWords))
	}
	levels := r.margins()
	if c.needsMargins(r.configuration) {
		c.warnOfNoMargins(levels)
	}
	return c.printView(format, r.watch, levels, r.configuration)
}

// shortenBackoff makes sure that a failing service is tried several times within the timeout.
func shortenBackoff(times *feed.Times, timeout time.Duration) {
	times.MaxBackoff = min(times.MaxBackoff, timeout*2/5)
}
