package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/ui/command/exit"
	"blotter/ui/command/stdout"
)

// shells returns the names of the shells that there is a completion script for.
func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

func newCompletion(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that completes command lines in a shell",
		Long: "Prints a script for bash, zsh, fish or powershell. With it the shell completes commands and flags, and the parties, " +
			"markets, profiles and views of the configuration. The packages of a release install the scripts. The one for bash needs the package bash-completion.",
		Example: `  source <(blotter completion bash)
  blotter completion bash > ~/.local/share/bash-completion/completions/blotter
  blotter completion zsh > ~/.zfunc/_blotter
  blotter completion fish > ~/.config/fish/completions/blotter.fish
  blotter completion powershell >> $PROFILE`,
		DisableFlagsInUseLine: true,
		ValidArgs:             shells(),
		Args: func(_ *cobra.Command, arguments []string) error {
			if len(arguments) != 1 || !slices.Contains(shells(), arguments[0]) {
				return exit.Usage("completion: needs one of %s", strings.Join(shells(), ", "))
			}
			return nil
		},
		RunE: func(command *cobra.Command, arguments []string) error {
			return stdout.Error(p.printCompletion(command.Root(), arguments[0]))
		},
	}
}

// printCompletion prints the script for a shell.
func (p *program) printCompletion(root *cobra.Command, shell string) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(p.Output, true)
	case "zsh":
		return root.GenZshCompletion(p.Output)
	case "fish":
		return root.GenFishCompletion(p.Output, true)
	}
	return root.GenPowerShellCompletionWithDesc(p.Output)
}

// completeFlags makes the shell complete the values of a command's flags: the names in the configuration, its file, and
// for addresses nothing.
func (p *program) completeFlags(command *cobra.Command) {
	_ = command.MarkFlagFilename("config", "toml") // fails only for an unknown flag, as do the others
	for _, flag := range []string{"base-url", "metrics-listen"} {
		_ = command.RegisterFlagCompletionFunc(flag, cobra.NoFileCompletions)
	}
	for flag, names := range map[string]func(*cobra.Command) ([]cobra.Completion, error){
		"party":   p.partyNames,
		"market":  p.marketNames,
		"profile": p.profileNames,
		"view":    p.viewNumbers,
	} {
		if command.Flags().Lookup(flag) == nil {
			continue
		}
		complete := func(command *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			all, err := names(command)
			if err != nil {
				return cobra.AppendActiveHelp(nil, exit.Message(err)), cobra.ShellCompDirectiveNoFileComp
			}
			all = slices.DeleteFunc(all, func(name string) bool { return !strings.HasPrefix(name, begun) })
			return all, cobra.ShellCompDirectiveNoFileComp
		}
		_ = command.RegisterFlagCompletionFunc(flag, complete)
	}
}

func (p *program) partyNames(command *cobra.Command) ([]cobra.Completion, error) {
	known, err := p.knownInstruments(command)
	if err != nil {
		return nil, err
	}
	var names []cobra.Completion
	for _, id := range known.Parties() {
		names = appendName(names, known.Party(id).Name, id)
	}
	return names, nil
}

func (p *program) marketNames(command *cobra.Command) ([]cobra.Completion, error) {
	known, err := p.knownInstruments(command)
	if err != nil {
		return nil, err
	}
	var names []cobra.Completion
	for _, id := range known.Markets() {
		names = appendName(names, known.Market(id).Name, id)
	}
	return names, nil
}

func (p *program) profileNames(command *cobra.Command) ([]cobra.Completion, error) {
	file, err := p.readConfigFile(command.Context())
	if err != nil {
		return nil, err
	}
	return file.Profiles(), nil
}

// knownInstruments returns the instruments of the configuration, or those of the demo.
func (p *program) knownInstruments(command *cobra.Command) (*model.Instruments, error) {
	if p.demo {
		return instrumentsOf(sim.New(demoMarket).Instruments()), nil
	}
	file, err := p.readConfig(command.Context())
	if err != nil {
		return nil, err
	}
	return file.Instruments, nil
}

// appendName appends a name with its identifier as the description, or the identifier alone where there is no name. A
// name with control characters is left out.
func appendName(names []cobra.Completion, name string, id model.ID) []cobra.Completion {
	completion := id.String()
	if name != "" {
		completion = cobra.CompletionWithDesc(name, id.Label())
	}
	if model.Neutralise(name) != name || model.Neutralise(id.String()) != id.String() {
		return names
	}
	return append(names, completion)
}

// viewNumbers returns the numbers of the views in the configuration, with their names.
func (p *program) viewNumbers(command *cobra.Command) ([]cobra.Completion, error) {
	file, err := p.readConfig(command.Context())
	if err != nil {
		return nil, err
	}
	var numbers []cobra.Completion
	for _, v := range file.Views {
		number := fmt.Sprint(v.Number)
		if v.Name != "" {
			number = cobra.CompletionWithDesc(number, model.Neutralise(v.Name))
		}
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	return numbers, nil
}
