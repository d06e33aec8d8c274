package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/ui/command/cli"
	"blotter/ui/command/config"
)

// shells returns the names of the shells that there is a completion script for.
func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

func newCompletion(o *outputs) *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that completes command lines in a shell",
		Long: "Prints a script for bash, zsh, fish or powershell. With it the shell completes commands and flags, and the parties, " +
			"markets, profiles and views of the configuration. Names with characters other than ASCII letters, digits and _./:@+- are left out, because a shell may run them as code. " +
			"Packages for Debian and Red Hat install the scripts. The one for bash needs the package bash-completion.",
		Example: `  source <(blotter completion bash)
  blotter completion bash > ~/.local/share/bash-completion/completions/blotter
  blotter completion zsh > ~/.zfunc/_blotter
  blotter completion fish > ~/.config/fish/completions/blotter.fish
  blotter completion powershell >> $PROFILE`,
		DisableFlagsInUseLine: true,
		ValidArgs:             shells(),
		Args: func(_ *cobra.Command, arguments []string) error {
			if len(arguments) != 1 || !slices.Contains(shells(), arguments[0]) {
				return cli.UsageError("completion: needs one of %s", strings.Join(shells(), ", "))
			}
			return nil
		},
		RunE: func(command *cobra.Command, arguments []string) error {
			return cli.OutputError(o.printCompletion(command.Root(), arguments[0]))
		},
	}
}

func (o *outputs) printCompletion(root *cobra.Command, shell string) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(o.stdout, true)
	case "zsh":
		return root.GenZshCompletion(o.stdout)
	case "fish":
		return root.GenFishCompletion(o.stdout, true)
	}
	return root.GenPowerShellCompletionWithDesc(o.stdout)
}

// completion is a value that a shell may complete, and what is said about it.
type completion struct{ text, about string }

// completeFlags makes the shell complete the values of a command's flags: the names in the configuration, its file, and
// for addresses nothing.
func (s *settings) completeFlags(command *cobra.Command) {
	_ = command.MarkFlagFilename("config", "toml") // fails only for an unknown flag, as do the others
	for _, flag := range []string{"base-url", "metrics-listen"} {
		_ = command.RegisterFlagCompletionFunc(flag, cobra.NoFileCompletions)
	}
	for _, flag := range []string{"party", "market", "profile", "view"} {
		if command.Flags().Lookup(flag) == nil {
			continue
		}
		complete := func(command *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			all, err := s.completions(command.Context(), flag)
			if err != nil {
				return cobra.AppendActiveHelp(nil, cli.Message(err)), cobra.ShellCompDirectiveNoFileComp
			}
			all = slices.DeleteFunc(all, func(c completion) bool { return !strings.HasPrefix(c.text, begun) })
			return harmless(all), cobra.ShellCompDirectiveNoFileComp
		}
		_ = command.RegisterFlagCompletionFunc(flag, complete)
	}
}

// listCompletions completes the last of several values with commas between them. Those before it are left out.
func listCompletions(values []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begun string) (completions []cobra.Completion, _ cobra.ShellCompDirective) {
		before := begun[:strings.LastIndexByte(begun, ',')+1]
		for _, value := range values {
			if !slices.Contains(strings.Split(before, ","), value) {
				completions = append(completions, before+value)
			}
		}
		return completions, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// harmless returns the completions that are no code in any shell. A service chooses the names of its parties, and
// config init writes them into the configuration. The scripts of cobra evaluate the whole command line at the next TAB,
// and bash puts what several completions have in common on it as it is.
func harmless(completions []completion) []cobra.Completion {
	var kept []cobra.Completion
	for _, c := range completions {
		if c.text == "" || strings.ContainsFunc(c.text, isSpecial) {
			continue
		}
		if c.about == "" || strings.ContainsFunc(strings.ReplaceAll(c.about, " ", ""), isSpecial) {
			kept = append(kept, c.text)
		} else {
			kept = append(kept, cobra.CompletionWithDesc(c.text, c.about))
		}
	}
	return kept
}

// isSpecial reports whether a character may have a meaning of its own in a shell.
func isSpecial(r rune) bool {
	isLetterOrDigit := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	return !isLetterOrDigit && !strings.ContainsRune("_./:@+-", r)
}

// completions returns the values of a flag that the configuration has, or the demo.
func (s *settings) completions(ctx context.Context, flag string) (all []completion, err error) {
	file := config.Default()
	switch {
	case flag == "profile":
		file, err = s.readConfigFile(ctx)
	case s.demo && flag != "view":
		file.Instruments = instrumentsOf(sim.New(demoMarket).Instruments())
	default:
		file, err = s.readConfig(ctx)
	}
	if err != nil {
		return nil, err
	}
	known := file.Instruments
	switch flag {
	case "party":
		all = namesOrIDs(known.Parties(), func(id model.ID) string { return known.Party(id).Name })
	case "market":
		all = namesOrIDs(known.Markets(), func(id model.ID) string { return known.Market(id).Name })
	case "profile":
		for _, name := range file.Profiles() {
			all = append(all, completion{text: name})
		}
	case "view":
		for _, v := range file.Views {
			all = append(all, completion{fmt.Sprint(v.Number), v.Name})
		}
		slices.SortFunc(all, func(a, b completion) int { return strings.Compare(a.text, b.text) })
	}
	return all, nil
}

// namesOrIDs returns names with their identifiers as descriptions, and the identifier alone if there is no name.
func namesOrIDs(ids []model.ID, name func(model.ID) string) (all []completion) {
	for _, id := range ids {
		if name := name(id); name != "" {
			all = append(all, completion{name, id.Label()})
		} else {
			all = append(all, completion{text: id.String()})
		}
	}
	return all
}
