package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"blotter/feed/doctor"
	"blotter/model"
	"blotter/ui/command/cli"
)

// doctorCommand looks for what is wrong with the configuration and the service.
type doctorCommand struct {
	*settings
	timeout     time.Duration
	instruments *model.Instruments
}

func newDoctor(s *settings) *cobra.Command {
	c := &doctorCommand{settings: s}
	command := &cobra.Command{
		Use:   "doctor",
		Short: "Find out why nothing is shown",
		Long: "blotter doctor reads the configuration, and then checks each address: a line for each check says what was found, what is wrong and " +
			"what to do. The streams of all subscriptions are opened side by side, as a dashboard does, up to the limit of the service.\n\n" +
			"If one address works, the exit code is 0. Else it is that of the worst problem: 3 if another try can help, 4 if the service refuses. " +
			"It is 2 if the configuration is wrong, or has no address.",
		Example: `  blotter doctor
  blotter doctor --base-url https://node.example.com --party desk-1`,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
	command.Flags().DurationVar(&c.timeout, "timeout", 15*time.Second, "the longest time for all checks")
	s.flags.register(command)
	return command
}

func (c *doctorCommand) run(ctx context.Context) error {
	timed, config, err := c.configureWithin(ctx, c.timeout)
	if err != nil {
		return err
	}
	defer config.close()
	c.instruments = config.instruments
	source, err := config.newFeed()
	if err != nil {
		return err
	}

	c.print(doctor.Finding{About: "configuration", Detail: config.origin})
	err = source.Examine(timed, config.scope, c.print)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return doctorError(err, c.timeout)
}

// doctorError returns the error of an examination with its exit code. The findings have been printed already.
func doctorError(err error, timeout time.Duration) error {
	degraded, isDegraded := errors.AsType[*doctor.DegradedError](err)
	words := "no address works"
	switch {
	case err == nil:
		return nil
	case isDegraded:
		words = degraded.Words
	case errors.Is(err, context.DeadlineExceeded):
		words = fmt.Sprintf("no address works within %s", timeout)
	}
	return &cli.ExitError{Code: cli.FeedExitCode(err), Err: errors.New(words + ": see above")}
}

// print prints a finding. On a terminal its lines end between words.
func (c *doctorCommand) print(finding doctor.Finding) {
	fmt.Fprintln(c.stdout, strings.Join(c.lines(finding, c.stdout.Width()), "\n"))
}

// lines returns a finding in lines of a width, or in one line if that is 0: its mark, what it is about, what was found,
// and what to do.
func (c *doctorCommand) lines(finding doctor.Finding, width int) []string {
	mark, detail, advice := "ok", finding.Detail, finding.Advice
	switch {
	case finding.Err != nil:
		mark = "FAIL"
	case advice != "":
		mark = "warn"
	}
	if advice != "" {
		detail = strings.TrimSuffix(detail, ".") + "; " + advice // a service may end its words with a full stop
	}
	head := fmt.Sprintf("%-4s %-13s  ", mark, finding.About)
	text := model.Neutralise(c.subscription(finding.Of) + detail)
	if width == 0 {
		return []string{head + text}
	}
	return beside(head, text, width)
}

// subscription returns the name of the subscription of a finding if there are several.
func (c *doctorCommand) subscription(key model.Key) string {
	var names []string
	if !key.Party.IsZero() {
		names = append(names, c.instruments.Party(key.Party).Label())
	}
	if !key.Market.IsZero() {
		names = append(names, c.instruments.Market(key.Market).Label())
	}
	if names == nil {
		return ""
	}
	return strings.Join(names, " · ") + ": "
}
