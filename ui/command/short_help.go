package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blotter/ui/draw"
)

// commonFlags are the flags that --help shows; blotter help flags has all. The rareCommands share the lines of
// rareLines.
var (
	commonFlags = []string{
		"output", "columns", "sort", "totals", "names", "scaled", "filter", "follow", "until", "replay",
		"limit", "speed", "from", "listen", "parties", "markets",
		"rate", "write-config", "base-url", "party", "market", "demo",
	}
	rareCommands = []string{"completion", "man", "schema"}
	rareAbout    = "shell completions, man pages, JSON Schema"
)

// examplesShown is how many examples --help has at most; the man page has all.
const examplesShown = 2

// shortHelp returns what --help prints for a command. It fits a terminal of 80x24; blotter help flags, the topics and
// the man page have the rest.
func shortHelp(command *cobra.Command) []string {
	about, _, _ := strings.Cut(command.Long, "\n\n")
	lines := append(draw.WrapWords(about, helpWidth), "")
	shown, most := 0, examplesShown
	if command.HasSubCommands() { // which need the lines
		most = 1
	}
	for example := range strings.SplitSeq(command.Example, "\n") {
		if shown < most && len(example) <= helpWidth {
			lines, shown = append(lines, example), shown+1
		}
	}
	usage := command.UseLine()
	if command.HasSubCommands() {
		usage = command.CommandPath() + " [command] [flags]"
	}
	lines = append(lines, "", "Usage: "+usage)
	hasRare := false
	for _, below := range command.Commands() {
		switch {
		case below.Name() == "help": // the last line names it
		case slices.Contains(rareCommands, below.Name()):
			hasRare = true
		default:
			lines = append(lines, fmt.Sprintf("  %-11s %s", below.Name(), below.Short))
		}
	}
	if hasRare {
		for _, line := range rareLines(helpWidth - 2) {
			lines = append(lines, "  "+line)
		}
	}
	if command.HasSubCommands() {
		lines = append(lines, "")
	}
	lines = append(lines, flagRows(command)...)
	lines = append(lines, "", "More: blotter help flags, blotter help (topics), and the man page.")
	return slices.CompactFunc(lines, func(a, b string) bool { return a == "" && b == "" }) // some parts are empty
}

// rareLines returns the rareCommands and what they do, in lines of at most width cells.
func rareLines(width int) []string {
	return draw.WrapWords(strings.Join(rareCommands, ", ")+": "+rareAbout, width)
}

// flagRows returns the flags of a command that are common, each with the first part of its help.
func flagRows(command *cobra.Command) []string {
	var common []*pflag.Flag
	width := 0
	command.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		if slices.Contains(commonFlags, flag.Name) {
			common = append(common, flag)
			width = max(width, len(flagName(flag)))
		}
	})
	var rows []string
	for _, flag := range common {
		rows = append(rows, beside(fmt.Sprintf("  %-*s  ", width, flagName(flag)), firstClause(flag.Usage), helpWidth)...)
	}
	return rows
}

// beside returns a text in lines of a width, at the right of a head of ASCII. The text has at least 20 cells.
func beside(head, text string, width int) []string {
	lines := draw.WrapWords(text, max(width-len(head), 20))
	for i := range lines {
		lines[i] = head + lines[i]
		head = strings.Repeat(" ", len(head))
	}
	return lines
}

// firstClause returns the help of a flag up to what can be read in blotter help flags.
func firstClause(help string) string {
	for _, end := range []string{";", " (", ": ", ", with commas", ", such as"} {
		help, _, _ = strings.Cut(help, end)
	}
	return help
}
