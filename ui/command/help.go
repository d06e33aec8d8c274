package command

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blotter/feed/sim/faulty"
	"blotter/model/match"
	"blotter/ui"
	"blotter/ui/command/cli"
	"blotter/ui/command/config"
	"blotter/ui/draw"
	"blotter/ui/topics"
)

// helpWidth is the most cells that help takes in a line.
const helpWidth = 80

// newHelp returns the command that prints the help of a command, or a topic.
func newHelp(s *settings, root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [command or topic]",
		Short:   "Help about a command or a topic, and the list of topics",
		Long:    "Without a name it lists the topics.",
		Example: "  blotter help filters\n  blotter help positions",
		ValidArgsFunction: func(_ *cobra.Command, arguments []string, _ string) (names []string, _ cobra.ShellCompDirective) {
			found, rest, err := root.Find(arguments)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			if found == root {
				names = topicNames()
			}
			for _, command := range found.Commands() {
				if command.IsAvailableCommand() {
					names = append(names, command.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, arguments []string) error {
			lines, err := s.helpLines(root, arguments)
			if err != nil {
				return err
			}
			return s.printLines(lines)
		},
	}
}

// helpLines returns the list of topics, a topic, or the help of a command.
func (s *settings) helpLines(root *cobra.Command, arguments []string) ([]string, error) {
	if len(arguments) == 0 {
		return topicList(), nil
	}
	if isTopic(arguments) {
		topic, _ := topics.Find(arguments[0])
		return s.topicLines(topic), nil
	}
	found, rest, err := root.Find(arguments)
	if found == root {
		err = cmp.Or(err, noTopic(root, rest))
	}
	if err = cmp.Or(err, noArguments(found, rest)); err != nil {
		return nil, err
	}
	return shortHelp(found), nil
}

// topicLines returns the page of a topic, in ASCII for a terminal without Unicode.
func (s *settings) topicLines(topic topics.Topic) []string {
	k := ui.DefaultKeys()
	if !lacksUnicode(s.getenv) {
		return topic.Lines(topicFacts(), k, helpWidth)
	}
	k.NameInWords()
	lines := topic.Lines(topicFacts(), k, helpWidth)
	for i := range lines {
		lines[i] = draw.ASCII(lines[i])
	}
	return lines
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
	typed, names, meant := arguments[0], topicNames(), ""
	if at := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(name, typed) }); at >= 0 {
		meant = names[at]
	} else if len(root.SuggestionsFor(typed)) > 0 {
		return nil
	} else {
		meant = match.Nearest(typed, names)
	}
	if meant == "" {
		return cli.UsageError("%q is not a command or a topic: see blotter --help, and blotter help for the topics", typed)
	}
	return cli.UsageError("%q is not a topic: did you mean %q?", typed, "blotter help "+meant)
}

func topicList() []string {
	lines := []string{"blotter help TOPIC", ""}
	for _, topic := range topics.All() {
		lines = append(lines, fmt.Sprintf("  %-16s %s", topic.Name, topic.Title))
	}
	lines = append(lines, "", ui.DefaultKeys().Fill("blotter --help lists the commands. In the dashboard, {help} is help."))
	return append(lines, rareLines(helpWidth)...)
}

// topicFacts returns the tables of the command line that topics show.
func topicFacts() topics.Facts {
	root := newRoot(newProgram(Process{}))
	f := topics.Facts{
		Flags: flagTable(root), Settings: config.Describe(), Faults: faulty.Names(), DemoAlert: demoAlert.Filter,
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

// flagTable returns every flag, by the commands that have it with the same help: first the flags of most commands.
func flagTable(root *cobra.Command) []topics.Entry {
	var flags []topics.Entry
	users := make(map[topics.Entry][]string) // the commands that have a flag
	eachCommand(root, func(command *cobra.Command) {
		command.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			entry := topics.Entry{Name: flagName(flag), Text: flagHelp(flag)}
			if flag.Name == "help" || flag.Name == "version" {
				return
			}
			if users[entry] == nil {
				flags = append(flags, entry)
			}
			users[entry] = append(users[entry], command.CommandPath())
		})
	})
	var headings []string
	groups := make(map[string][]topics.Entry) // the flags under each heading
	for _, flag := range flags {
		heading := joinCommands(root, users[flag])
		if groups[heading] == nil {
			headings = append(headings, heading)
		}
		groups[heading] = append(groups[heading], flag)
	}
	slices.SortStableFunc(headings, func(a, b string) int { return len(users[groups[b][0]]) - len(users[groups[a][0]]) })
	var table []topics.Entry
	for _, heading := range headings {
		table = append(table, topics.Entry{Name: heading, IsHeading: true})
		table = append(table, groups[heading]...)
	}
	return table
}

// joinCommands returns the names of commands with commas between them, after the name of the program. If all commands
// below a command are among them, only that command is named.
func joinCommands(root *cobra.Command, commands []string) string {
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
	hasRoot := commands[0] == root.Name()
	if hasRoot {
		commands = commands[1:]
	}
	words := strings.ReplaceAll(strings.Join(commands, ", "), ", "+root.Name()+" ", ", ")
	switch {
	case hasRoot && words == "":
		return root.Name()
	case hasRoot:
		return root.Name() + ", and " + words
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
