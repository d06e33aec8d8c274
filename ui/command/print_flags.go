package command

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/command/cli"
	"blotter/ui/export"
)

// outputFlags are the flags of the commands that print and end.
type outputFlags struct {
	output   string
	timeout  time.Duration
	replayed replayedFlags // each command registers them, with its own words
}

func (o *outputFlags) register(command *cobra.Command) {
	set := command.Flags()
	set.StringVarP(&o.output, "output", "o", string(export.Table), "table, csv, json or ndjson")
	set.DurationVar(&o.timeout, "timeout", 15*time.Second, "the longest time from the start of the program to a complete result")
	completions := cobra.FixedCompletions(export.Formats(), cobra.ShellCompDirectiveNoFileComp)
	_ = command.RegisterFlagCompletionFunc("output", completions) // fails only for an unknown flag
}

func (o *outputFlags) check() (export.Format, error) {
	format, err := export.ParseFormat(o.output)
	if err != nil {
		return "", cli.UsageError("--output: %w", err)
	}
	return format, nil
}

// columnFlags are the flags that choose what is printed of each record, and in which order.
type columnFlags struct {
	formFlags
	columns    []string
	sort       string
	descending bool
	group      string
	totals     bool

	columnKeys, sortKeys []string      // those that can be given
	grouping             view.Grouping // group, after check
}

// formFlags are the flags that choose the form of names and numbers for programs.
type formFlags struct{ names, scaled bool }

func (f *formFlags) register(command *cobra.Command) {
	set := command.Flags()
	set.BoolVar(&f.names, "names", false, "names from the configuration in place of identifiers (csv, json and ndjson; tables have them always)")
	set.BoolVar(&f.scaled, "scaled", false, "numbers with their decimal points, and times in RFC 3339 (csv, json and ndjson); a number without known decimals is empty")
}

// register adds the flags. The keys are those of the columns, and those that records can be sorted by.
func (f *columnFlags) register(command *cobra.Command, columnKeys, sortKeys []string) {
	f.columnKeys, f.sortKeys = columnKeys, sortKeys
	set := command.Flags()
	set.StringSliceVar(&f.columns, "columns", nil, "print these columns, in this order, with commas between them: "+strings.Join(columnKeys, " "))
	f.formFlags.register(command)
	set.StringVar(&f.sort, "sort", "", "the order of rows: "+strings.Join(sortKeys, ", "))
	set.BoolVar(&f.descending, "descending", false, "with --sort: the largest first")
	set.StringVar(&f.group, "group", "", "print the rows of each party, market or asset together")
	set.BoolVar(&f.totals, "totals", false, "print totals in place of rows: one for each asset, or with --group for each group and asset")
	_ = command.RegisterFlagCompletionFunc("columns", listCompletions(columnKeys))
	for flag, values := range map[string][]string{"sort": sortKeys, "group": printedGroupings()} {
		_ = command.RegisterFlagCompletionFunc(flag,
			cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // fails only for an unknown flag
	}
}

func (f *columnFlags) check() (err error) {
	for i, key := range f.columns {
		f.columns[i] = view.KeyOf(strings.TrimSpace(key))
		if !slices.Contains(f.columnKeys, f.columns[i]) {
			return cli.UsageError("--columns: unknown column %q; columns: %s", f.columns[i], strings.Join(f.columnKeys, " "))
		}
		if slices.Contains(f.columns[:i], f.columns[i]) {
			return cli.UsageError("--columns: %s is given twice", f.columns[i]) // JSON would have a key twice
		}
	}
	if f.sort = view.KeyOf(f.sort); f.sort != "" && !slices.Contains(f.sortKeys, f.sort) {
		return cli.UsageError("--sort: must be one of %s, not %q", strings.Join(f.sortKeys, ", "), f.sort)
	}
	if f.grouping, err = view.ParseGrouping(f.group); err != nil || f.grouping == view.GroupByOwn {
		return cli.UsageError("--group: must be one of %s, or empty", strings.Join(printedGroupings(), ", "))
	}
	return nil
}

// printedGroupings are the names of the groupings of rows that are printed: those in which a row is in one group.
func printedGroupings() []string {
	return slices.DeleteFunc(view.GroupingKeys(), func(name string) bool { return name == view.GroupByOwn.String() })
}

func (f *formFlags) options(c *configuration) export.Options {
	return export.Options{Instruments: c.instruments, Zone: c.file.Screen.Zone, Names: f.names, Scaled: f.scaled}
}

// exportOptions are the options of what is printed to the output of the program.
func (o *outputs) exportOptions(f *columnFlags, c *configuration) export.Options {
	options := f.options(c)
	options.Columns, options.Width = f.columns, o.stdout.Width()
	return options
}

// groupRows puts the rows of each group together, in the order of the first row of each group.
func groupRows[R any](grouping view.Grouping, rows []R, groupOf func(R) model.ID) []R {
	if grouping == view.Ungrouped {
		return rows
	}
	place := make(map[model.ID]int)
	for _, row := range rows {
		if group := groupOf(row); place[group] == 0 {
			place[group] = len(place) + 1
		}
	}
	slices.SortStableFunc(rows, func(a, b R) int { return place[groupOf(a)] - place[groupOf(b)] })
	return rows
}
