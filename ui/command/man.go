package command

import (
	"fmt"
	"strings"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"

	"blotter/ui"
	"blotter/ui/command/cli"
	"blotter/ui/topics"
)

func newMan(o *outputs) *cobra.Command {
	return &cobra.Command{
		Use:   "man [TOPIC]",
		Short: "Print the man page, or that of a topic",
		Long: "Prints the man page, or that of a topic of blotter help, in roff, for man and groff. Packages for Debian and Red Hat " +
			"install all of them.",
		Example: `  blotter man > ~/.local/share/man/man1/blotter.1
  blotter man filters | man -l -`,
		DisableFlagsInUseLine: true,
		ValidArgs:             topicNames(),
		Args: func(command *cobra.Command, arguments []string) error {
			if len(arguments) == 0 || isTopic(arguments) {
				return nil
			}
			return cli.UsageError("man: the topics are %s", strings.Join(topicNames(), ", "))
		},
		RunE: func(command *cobra.Command, arguments []string) error {
			page, err := manPage(command.Root())
			if len(arguments) > 0 {
				topic, _ := topics.Find(arguments[0])
				page, err = topic.Man(topicFacts(), ui.DefaultKeys(), cli.Version().Number), nil
			}
			if err != nil {
				return err
			}
			return o.printText(page)
		},
	}
}

// environmentHelp and filesHelp are sections of the man page.
const (
	environmentHelp = "BLOTTER_BASE_URL: the addresses of the service, with spaces between them.\n" +
		"BLOTTER_TOKEN: the token that is sent to them.\n" +
		"BLOTTER_CONFIG: the configuration file.\n" +
		"HTTPS_PROXY, HTTP_PROXY, NO_PROXY: the proxy, and the hosts that are reached without one.\n" +
		"NO_COLOR: if it is not empty, there are no colours."
	filesHelp = "blotter/config.toml in $XDG_CONFIG_HOME or your configuration folder: the configuration. " +
		"blotter config path prints where it is; config.example.toml has every key.\n" +
		"blotter/state.json in $XDG_STATE_HOME or where the system keeps such files: what is remembered of the screen."
)

// manPage returns the man page of a tree of commands. It has no date: the same program prints the same page.
func manPage(root *cobra.Command) (string, error) {
	page, err := mango.NewManPage(1, root)
	if err != nil {
		return "", err
	}
	page.WithSection("Examples", examples(root))
	for _, command := range root.Commands() {
		if command.IsAvailableCommand() && command.Long != "" {
			page.WithSection(command.CommandPath(), command.Long+"\n\n"+examples(command))
		}
	}
	page.WithSection("Environment", environmentHelp)
	page.WithSection("Files", filesHelp)
	page.WithSection("Exit status", exitStatus())
	_, body, _ := strings.Cut(page.Build(document{roff.NewDocument()}), "\n") // its first line has the date of today
	return fmt.Sprintf(".TH BLOTTER 1 %q %q %q\n%s", "", "blotter "+cli.Version().Number, "User Commands", withMinusSigns(body)), nil
}

func exitStatus() string {
	var lines []string
	for _, exit := range cli.ExitCodes() {
		lines = append(lines, fmt.Sprintf("%d %s", exit.Code, exit.Meaning))
	}
	return strings.Join(lines, "\n") + "\n\nSee also: blotter-" + strings.Join(topicNames(), "(1), blotter-") + "(1)"
}

// examples returns the examples of a command, each on a line of its own.
func examples(command *cobra.Command) string {
	return strings.ReplaceAll(strings.TrimSpace(command.Example), "\n  ", "\n")
}

// document writes texts as they are. A roff.Document uses them as formats.
type document struct{ *roff.Document }

func (d document) Text(text string) { d.Document.Text(escapePercent(text)) }

func (d document) TextBold(text string) { d.Document.TextBold(escapePercent(text)) }

func (d document) TextItalic(text string) { d.Document.TextItalic(escapePercent(text)) }

func escapePercent(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// withMinusSigns makes each - of a text a minus sign, which can be copied into a shell. Without it man prints a hyphen.
func withMinusSigns(page string) string {
	lines := strings.Split(page, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, ".") {
			lines[i] = strings.ReplaceAll(line, "-", `\-`)
		}
	}
	return strings.Join(lines, "\n")
}
