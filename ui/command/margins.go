package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"blotter/feed/endpoint"
	"blotter/feed/margins"
	"blotter/model"
	"blotter/ui/command/cli"
	"blotter/ui/export"
)

// marginsCommand prints margin records, all or the first of them.
type marginsCommand struct {
	*settings
	outputFlags
	columnFlags
	limit, pageSize int
	oldestFirst     bool
}

func newMargins(s *settings) *cobra.Command {
	c := &marginsCommand{settings: s}
	command := &cobra.Command{
		Use:   "margins",
		Short: "Print margin levels",
		Long: "blotter margins reads all pages of margin levels in scope and prints each record once, the newest copy of it.\n\n" +
			"With --limit, a record that changes while the pages are read can be missed, but not with --oldest-first. An end of the list counts only from a node " +
			"that is not behind. If records may be missing or old, blotter prints what it has read and says why, with exit code 3.",
		Example: `  blotter margins --demo
  blotter margins --base-url https://node.example.com --party desk-1 --limit 20
  blotter margins --oldest-first --page-size 500 -o ndjson
  blotter margins --sort maintenance --descending -o csv --names --scaled
  blotter margins --totals`,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
	c.outputFlags.register(command)
	c.columnFlags.register(command, export.MarginKeys(), model.MarginSortKeys())
	set := command.Flags()
	set.IntVar(&c.limit, "limit", 0, "print at most this number of records; 0 for all")
	set.IntVar(&c.pageSize, "page-size", 1000, "how many records in one request")
	set.BoolVar(&c.oldestFirst, "oldest-first", false, "begin with the records that have not changed for longest")
	c.replayed.register(command, "the newest copy of each record")
	s.registerFilter(command, "print only the records whose party, market or asset matches, such as \"party:desk-1 asset:usdt|eur\"")
	s.flags.register(command)
	return command
}

func (c *marginsCommand) check() (export.Format, error) {
	switch {
	case c.limit < 0:
		return "", cli.UsageError("--limit: must be 0 or more, not %d", c.limit)
	case c.pageSize < 1 || c.pageSize > margins.MaxPageSize:
		return "", cli.UsageError("--page-size: must be from 1 to %d, not %d", margins.MaxPageSize, c.pageSize)
	}
	query, err := c.query()
	if err == nil && !query.OnlyNames() {
		err = cli.UsageError("--filter: a margin record has only a party, a market and an asset to filter by")
	}
	if err != nil {
		return "", err
	}
	if err := c.columnFlags.check(); err != nil {
		return "", err
	}
	return c.outputFlags.check()
}

func (c *marginsCommand) run(ctx context.Context) error {
	format, err := c.check()
	if err != nil {
		return err
	}
	if c.replayed.file != "" {
		return c.printReplayed(ctx, format)
	}
	timed, config, err := c.configureWithin(ctx, c.timeout)
	if err != nil {
		return err
	}
	defer config.close()
	address := strings.Join(config.feed.BaseURLs, ", ")
	config.feed.Logger = slog.New(slog.NewMultiHandler(&firstWarning{to: c.stderr, address: address}, config.feed.Logger.Handler()))
	source, err := c.openSource(config)
	if err != nil {
		return err
	}

	request := model.PageRequest{Scope: config.scope, Size: c.pageSize, NewestFirst: !c.oldestFirst}
	walked, err := source.Walk(timed, request, c.walkLimit())
	if err = marginsError(err, address, c.timeout); err != nil {
		return err
	}
	warning := c.warnOf(&walked)
	return cmp.Or(c.print(format, c.narrowed(walked.Records, config), config), warning)
}

// print prints the first margin records in the order of the flags, up to the limit, or their totals.
func (c *marginsCommand) print(format export.Format, rows []model.MarginLevels, config *configuration) error {
	if c.sort != "" {
		if err := model.SortMargins(rows, c.sort, c.descending, config.instruments); err != nil {
			return cli.UsageError("--sort: %w", err)
		}
	}
	if c.limit > 0 {
		rows = rows[:min(c.limit, len(rows))]
	}
	rows = groupRows(c.grouping, rows, func(m model.MarginLevels) model.ID { return c.grouping.Of(m.Key, m.Asset) })
	options := c.exportOptions(&c.columnFlags, config)
	return c.printResult(func(output io.Writer) (export.Result, error) {
		if c.totals {
			return export.WriteMarginTotals(output, format, rows, c.grouping, options)
		}
		return export.WriteMargins(output, format, rows, options)
	})
}

func (c *marginsCommand) printReplayed(ctx context.Context, format export.Format) error {
	r, err := c.replayedAt(ctx, &c.replayed)
	if err != nil {
		return err
	}
	defer r.close()
	rows := r.margins()
	c.warnOfNoMargins(rows)
	if c.oldestFirst {
		slices.Reverse(rows)
	}
	return c.print(format, c.narrowed(rows, r.configuration), r.configuration)
}

// walkLimit returns how many records are read: with a filter or an order all.
func (c *marginsCommand) walkLimit() int {
	if c.filter != "" || c.sort != "" {
		return 0
	}
	return c.limit
}

// warnOf prints the warning of a walk. If records may be missing, the warning is returned in its place, as the error
// of the command after it has printed what was read.
func (o *outputs) warnOf(walked *margins.Walked) error {
	switch {
	case walked.IsIncomplete:
		return cli.UnavailableError("%s", walked.Warning)
	case walked.Warning != "":
		o.warn(errors.New(walked.Warning))
	}
	return nil
}

func (c *marginsCommand) narrowed(rows []model.MarginLevels, config *configuration) []model.MarginLevels {
	return slices.DeleteFunc(rows, func(r model.MarginLevels) bool { return !config.query.MatchesLevels(&r, config.instruments) })
}

// marginsError returns the error of a walk with its exit code. After an error that may be temporary, requests
// were repeated until the timeout.
func marginsError(err error, address string, timeout time.Duration) error {
	status, hasStatus := errors.AsType[*endpoint.StatusError](err)
	switch {
	case err == nil || errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return cli.UnavailableError("not all margin levels within %s: %w", timeout, lastError(err, address))
	case hasStatus && !status.Retryable():
		err = status
	case hasStatus && status.RetryAfter > 0:
		err = fmt.Errorf("%w; the next request is allowed in %s", err, status.RetryAfter)
	}
	return &cli.ExitError{Code: cli.FeedExitCode(err), Err: fmt.Errorf("%s: %w", address, err)}
}

// lastError returns the last error of an address before the timeout.
func lastError(err error, address string) error {
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return errors.New("no response")
	}
	all := joined.Unwrap()
	return fmt.Errorf("%s: %w", address, all[len(all)-1])
}

// firstWarning is a log handler that writes the first warning of each kind to standard error: it may be long until the
// command ends.
type firstWarning struct {
	to      io.Writer
	address string
	written sync.Map // by the first words of the warnings
}

func (f *firstWarning) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn
}

func (f *firstWarning) Handle(_ context.Context, record slog.Record) error {
	kind, _, _ := strings.Cut(record.Message, ":")
	if _, again := f.written.LoadOrStore(kind, nil); !again {
		fmt.Fprintln(f.to, cli.Message(fmt.Errorf("%s: %s", f.address, record.Message)))
	}
	return nil
}

// The log of the feed has no attributes of its own and no groups.
func (f *firstWarning) WithAttrs([]slog.Attr) slog.Handler { return f }

func (f *firstWarning) WithGroup(string) slog.Handler { return f }
