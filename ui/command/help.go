package command

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blotter/feed/sim"
	"blotter/ui"
	"blotter/ui/command/cli"
	"blotter/ui/command/config"
	"blotter/ui/draw"
	"blotter/ui/match"
	"blotter/ui/topics"
)

// helpWidth is the most cells that help takes in a line.
const helpWidth = 80

// newHelp shows the help of a command, or a topic.
func newHelp(p *program, root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [command or topic]",
		Short:   "Help about a command or a topic, and the list of topics",
		Long:    "Without a name it lists the topics.",
		Example: "  blotter help filters\n  blotter help positions",
		Args: func(_ *cobra.Command, arguments []string) error {
			if isTopic(arguments) {
				return nil
			}
			found, rest, err := root.Find(arguments)
			if found == root {
				err = cmp.Or(err, noTopic(root, rest))
			}
			return cmp.Or(err, noArguments(found, rest))
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return topicNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, arguments []string) error {
			if len(arguments) == 0 {
				return printLines(p.Output, topicList())
			}
			if topic, ok := topics.Find(arguments[0]); ok {
				return printLines(p.Output, p.topicLines(topic))
			}
			found, _, err := root.Find(arguments)
			if err != nil {
				return err
			}
			return printLines(p.Output, shortHelp(found))
		},
	}
}

// topicLines returns the page of a topic, in ASCII for a terminal without Unicode.
func (p *program) topicLines(topic topics.Topic) []string {
	k := ui.DefaultKeys()
	if !p.lacksUnicode() {
		return topic.Lines(topicFacts(), k, helpWidth)
	}
	k.NameInWords()
	lines := topic.Lines(topicFacts(), k, helpWidth)
	for i := range lines {
		lines[i] = draw.ASCII(lines[i])
	}
	return lines
}

func printLines(w io.Writer, lines []string) error {
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return cli.OutputError(err)
}

func isTopic(arguments []string) bool {
	return len(arguments) == 1 && slices.Contains(topicNames(), arguments[0])
}

func topicNames() []string {
	var names []string
	for _, topic := range topics.All() {
		names = append(names, topic.Name)
	}
	return names
}

// noTopic refuses a single name that neither a topic nor a command has. It names a topic with a similar name. It
// returns nil for other arguments, and for a name that is similar to that of a command.
func noTopic(root *cobra.Command, arguments []string) error {
	if len(arguments) != 1 {
		return nil
	}
	for _, name := range topicNames() {
		if strings.HasPrefix(name, arguments[0]) {
			return noTopicBut(arguments[0], name)
		}
	}
	if len(root.SuggestionsFor(arguments[0])) > 0 {
		return nil
	}
	if nearest := match.Nearest(arguments[0], topicNames()); nearest != "" {
		return noTopicBut(arguments[0], nearest)
	}
	return cli.UsageError("%q is not a command or a topic: see blotter --help, and blotter help for the topics", arguments[0])
}

func noTopicBut(name, meant string) error {
	return cli.UsageError("%q is not a topic: did you mean %q?", name, "blotter help "+meant)
}

// topicList is what blotter help prints.
func topicList() []string {
	lines := []string{"blotter help TOPIC", ""}
	for _, topic := range topics.All() {
		lines = append(lines, fmt.Sprintf("  %-16s %s", topic.Name, topic.Title))
	}
	return append(lines, "", ui.DefaultKeys().Fill("blotter --help lists the commands. In the dashboard, {help} is help."),
		strings.Join(rareCommands, ", ")+": "+rareAbout+".")
}

// topicFacts returns the tables of the command line that topics show.
func topicFacts() topics.Facts {
	root := newRoot(new(program))
	f := topics.Facts{
		Flags: flagTable(root), Settings: config.Describe(), Faults: sim.Faults(), DemoAlert: demoAlert.Filter,
		Rewind: fmt.Sprintf("%g hours", config.Default().Screen.Rewind.Hours()),
	}
	for _, command := range root.Commands() {
		f.Commands = append(f.Commands, topics.Entry{Name: command.Name(), Text: command.Long})
	}
	for _, exit := range cli.ExitCodes() {
		f.ExitCodes = append(f.ExitCodes, topics.Entry{Name: strconv.Itoa(exit.Code), Text: exit.Meaning})
	}
	return f
}

// flagUse is a flag, and the commands that have it with the same help.
type flagUse struct {
	topics.Entry
	commands []string
}

// flagTable returns every flag, by the commands that have it: first the flags of most commands.
func flagTable(root *cobra.Command) []topics.Entry {
	var uses []flagUse
	eachCommand(root, func(command *cobra.Command) {
		command.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			entry := topics.Entry{Name: flagName(flag), Text: flagHelp(flag)}
			if flag.Name == "help" || flag.Name == "version" {
				return
			}
			at := slices.IndexFunc(uses, func(use flagUse) bool { return use.Entry == entry })
			if at < 0 {
				at = len(uses)
				uses = append(uses, flagUse{Entry: entry})
			}
			uses[at].commands = append(uses[at].commands, command.CommandPath())
		})
	})
	var groups [][]flagUse // of the same commands
	for _, use := range uses {
		at := slices.IndexFunc(groups, func(g []flagUse) bool { return slices.Equal(g[0].commands, use.commands) })
		if at < 0 {
			at = len(groups)
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], use)
	}
	slices.SortStableFunc(groups, func(a, b []flagUse) int { return len(b[0].commands) - len(a[0].commands) })
	var table []topics.Entry
	for _, group := range groups {
		table = append(table, topics.Entry{Name: nameTogether(root, group[0].commands), IsHeading: true})
		for _, use := range group {
			table = append(table, use.Entry)
		}
	}
	return table
}

// nameTogether returns the names of commands, the name of the program before them. A command stands for all those below
// it.
func nameTogether(root *cobra.Command, commands []string) string {
	commands = slices.Clone(commands)
	for _, command := range root.Commands() {
		var below []string
		for _, each := range command.Commands() {
			below = append(below, each.CommandPath())
		}
		isMissing := func(path string) bool { return !slices.Contains(commands, path) }
		if at := slices.Index(commands, cmp.Or(below...)); len(below) > 0 && !slices.ContainsFunc(below, isMissing) {
			commands[at] = command.CommandPath()
			commands = slices.DeleteFunc(commands, func(path string) bool { return slices.Contains(below, path) })
		}
	}
	words := ""
	if commands[0] == root.Name() {
		words, commands = root.Name(), commands[1:]
	}
	if words != "" && len(commands) > 0 {
		words += ", and "
	}
	for i, path := range commands {
		if i == 0 {
			words += path
		} else {
			words += ", " + strings.TrimPrefix(path, root.Name()+" ")
		}
	}
	return words
}

// eachCommand calls do for a command and all those below it.
func eachCommand(command *cobra.Command, do func(*cobra.Command)) {
	do(command)
	for _, below := range command.Commands() {
		eachCommand(below, do)
	}
}

// flagName returns a flag as it is typed.
func flagName(flag *pflag.Flag) string {
	if flag.Shorthand != "" {
		return "-" + flag.Shorthand + " --" + flag.Name
	}
	return "--" + flag.Name
}

// flagHelp returns what a flag is for, with its default.
func flagHelp(flag *pflag.Flag) string {
	if usual := flag.DefValue; usual != "" && usual != "false" && usual != "0" && usual != "[]" {
		return flag.Usage + " (default " + usual + ")"
	}
	return flag.Usage
}
