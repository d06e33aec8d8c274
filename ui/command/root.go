package command

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blotter/model/match"
	"blotter/ui/command/cli"
	"blotter/ui/command/system"
	"blotter/ui/command/terminal"
)

// program is one run of the program: the parts that commands use, each those that it needs, and how the run ends.
type program struct {
	Process
	*settings
	display *display
	network *network
	failure error                     // what the command failed with
	runs    atomic.Pointer[asService] // nil if the command does not run as a service
}

func newProgram(process Process) *program {
	panics := new(system.PanicHandler)
	outputs := &outputs{stdout: &cli.CheckedOutput{Writer: process.Output}, stderr: process.Errors, panics: panics}
	display := &display{outputs: outputs, terminal: terminal.Find(process.Input, process.Output), wrap: process.WrapScreen}
	return &program{
		Process: process, display: display, network: &network{outputs: outputs, listen: process.Listen},
		settings: &settings{
			outputs: outputs, getenv: process.Getenv, dial: process.Dial, configureFeed: process.ConfigureFeed,
			hasScreen: display.terminal.HasScreen.Load,
		},
	}
}

// newRoot returns the tree of commands. The error of a command is kept here and not returned through cobra, so that
// other errors are those of the command line.
func newRoot(p *program) *cobra.Command {
	root := newDashboard(p.settings, p.display, p.network)
	root.AddCommand(
		newPositions(p.settings, p.network),
		newMargins(p.settings),
		newEvents(p.settings),
		newReplay(p.settings, p.display),
		newDoctor(p.settings),
		newServe(p.settings, p.display, p.network, &p.runs),
		newSimulate(p.settings, p.network),
		newConfig(p.settings),
		newSchema(p.outputs),
		newCompletion(p.outputs),
		newMan(p.outputs),
	)
	root.SetHelpCommand(newHelp(p.settings, root))
	root.SetHelpFunc(func(command *cobra.Command, _ []string) {
		if arguments := command.Flags().Args(); command == root && len(arguments) > 0 && p.failure == nil {
			p.failure = noArguments(command, arguments)
			return
		}
		_ = p.printLines(shortHelp(command))
	})
	root.SetFlagErrorFunc(flagError)
	root.Version, root.SilenceUsage, root.SilenceErrors = cli.Version().String(), true, true
	p.prepare(root)
	return root
}

// prepare sets what all commands have in common, for a command and those below it.
func (p *program) prepare(command *cobra.Command) {
	if command.Args == nil {
		command.Args = noArguments
	}
	command.SuggestionsMinimumDistance = 2
	p.completeFlags(command)
	run := command.RunE
	command.RunE = func(command *cobra.Command, arguments []string) error {
		p.given = command.Flags()
		if p.failure = cmp.Or(refuseEmptyTexts(p.given), checkTogether(p.given)); p.failure == nil {
			p.failure = p.runCommand(command, func() error { return run(command, arguments) })
		}
		return nil
	}
	for _, below := range command.Commands() {
		p.prepare(below)
	}
}

// runCommand runs a command: one that writes now and then only as long as its output is read.
func (p *program) runCommand(command *cobra.Command, run func() error) error {
	if !p.writesNowAndThen() {
		return run()
	}
	return p.whileRead(command.Context(), func(ctx context.Context) error {
		command.SetContext(ctx)
		return run()
	})
}

// refuseEmptyTexts returns an error for a flag with an empty text, such as an unset variable of a script: with it,
// nothing would be recorded, or the data would be of another service. An empty filter or group means none, and --until
// has its own error.
func refuseEmptyTexts(given *pflag.FlagSet) (err error) {
	given.Visit(func(flag *pflag.Flag) {
		mayBeEmpty := flag.Value.Type() != "string" || slices.Contains([]string{"filter", "group", "until"}, flag.Name)
		if !mayBeEmpty && flag.Value.String() == "" {
			err = cli.UsageError("--%s: must not be empty", flag.Name)
		}
	})
	return err
}

// What flags need, and with which they cannot be used. A pair is only for commands that have both.
var (
	flagNeeds = [][2]string{
		{"at", "replay"}, {"descending", "sort"}, {"metrics-listen", "follow"}, {"record", "follow"}, {"record-size", "record"},
		{"chaos", "demo"}, {"tls-cert", "tls"},
	}
	flagExcludes = [][2]string{
		{"totals", "columns"}, {"sort", "follow"}, {"group", "follow"}, {"totals", "follow"}, {"until", "follow"}, {"until", "replay"},
		{"replay", "follow"}, {"demo", "base-url"}, {"state", "no-state"},
		{"chaos", "nodes"}, {"chaos", "late"}, {"chaos", "proxy-buffer"}, {"chaos", "proxy-gzip"}, {"chaos", "margins-added"},
	}
)

// checkTogether returns an error for a flag without the one that it needs, or with one that excludes it.
func checkTogether(given *pflag.FlagSet) error {
	isUsed := func(name string) bool {
		flag := given.Lookup(name)
		return flag != nil && flag.Changed && flag.Value.String() != flag.DefValue
	}
	for _, pair := range flagNeeds {
		if isUsed(pair[0]) && given.Lookup(pair[1]) != nil && !isUsed(pair[1]) {
			return cli.UsageError("--%s: needs --%s", pair[0], pair[1])
		}
	}
	for _, pair := range flagExcludes {
		if isUsed(pair[0]) && isUsed(pair[1]) {
			return cli.UsageError("--%s and --%s cannot be used together", pair[0], pair[1])
		}
	}
	return nil
}

// noArguments refuses arguments that are not flags. The error names a command with a similar name.
func noArguments(command *cobra.Command, arguments []string) error {
	if len(arguments) == 0 {
		return nil
	}
	if meant := command.SuggestionsFor(arguments[0]); len(meant) > 0 {
		return cli.UsageError("%q is not a command: did you mean %q?", arguments[0], command.CommandPath()+" "+meant[0])
	}
	if command.HasSubCommands() {
		return cli.UsageError("%q is not a command: see %s --help", arguments[0], command.CommandPath())
	}
	return cli.UsageError("unexpected argument %q: see %s --help", arguments[0], command.CommandPath())
}

// flagError returns the error for a flag or its value in plain words, in place of those of the parser.
func flagError(command *cobra.Command, err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if ok && command.Root().Flags().Lookup(unknown.GetSpecifiedName()) != nil {
		return cli.UsageError("--%s: %s does not have this flag: see %[2]s --help", unknown.GetSpecifiedName(), command.CommandPath())
	}
	if ok && unknown.GetSpecifiedShortnames() == "" {
		return unknownFlag(command, unknown.GetSpecifiedName())
	}
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	problem := cmp.Or(map[string]string{
		"duration": "is not a duration, such as 15s", "bool": "must be true or false", "float64": "is not a number",
		"stringSlice": "must be names with commas between them",
	}[invalid.GetFlag().Value.Type()], "is not a whole number")
	if errors.Is(err, strconv.ErrRange) {
		problem = "is out of range"
	}
	return cli.UsageError("--%s: %q %s", invalid.GetFlag().Name, invalid.GetValue(), problem)
}

// unknownFlag returns the error for a flag that does not exist. It names a flag with a similar name.
func unknownFlag(command *cobra.Command, name string) error {
	var known []string
	command.Flags().VisitAll(func(flag *pflag.Flag) { known = append(known, flag.Name) })
	if nearest := match.Nearest(name, known); nearest != "" {
		return cli.UsageError("unknown flag: --%s: did you mean --%s?", name, nearest)
	}
	return cli.UsageError("unknown flag: --%s: see %s --help", name, command.CommandPath())
}

// asUsage gives an error of cobra the exit code cli.ExitUsage.
func asUsage(err error) error {
	if _, ok := errors.AsType[*cli.ExitError](err); ok || err == nil {
		return err
	}
	return &cli.ExitError{Code: cli.ExitUsage, Err: err}
}
