package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"blotter/feed"
	"blotter/model"
)

// doctorCommand looks at the configuration and the service, and says what is wrong and what to do.
type doctorCommand struct {
	*program
	timeout     time.Duration
	instruments *model.Instruments
}

func newDoctor(p *program) *cobra.Command {
	c := &doctorCommand{program: p}
	command := &cobra.Command{
		Use:   "doctor",
		Short: "Find out why nothing is shown",
		Long: "Looks at everything between the configuration and the positions, a line for each: what there is, what is wrong,\n" +
			"what to do. Of several subscriptions each is tried, of very many the first; the exit code is that of the worst.\n\n" + exitCodesHelp,
		Example: `  blotter doctor
  blotter doctor --base-url https://node.example.com --party desk-1`,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
	command.Flags().DurationVar(&c.timeout, "timeout", 15*time.Second, "how long to look at all of it")
	p.flags.register(command)
	return command
}

func (c *doctorCommand) run(ctx context.Context) error {
	if c.timeout <= 0 {
		return usage("--timeout: must be longer than 0s")
	}
	timed, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	config, err := c.configure(timed)
	if err != nil {
		return err
	}
	defer config.close()
	c.instruments = config.instruments
	source, err := config.newFeed()
	if err != nil {
		return err
	}

	c.tell(feed.Finding{About: "configuration", Detail: config.origin})
	err = source.Examine(timed, config.scope, c.tell)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return examined(err, c.timeout)
}

// examined is what a script is told of an examination: everything else has been said already.
func examined(err error, timeout time.Duration) error {
	partly, isPartly := errors.AsType[*feed.PartlyWellError](err)
	words := "no address is well"
	switch {
	case err == nil:
		return nil
	case isPartly:
		words = partly.Words
	case errors.Is(err, context.DeadlineExceeded):
		words = fmt.Sprintf("no address is well within %s", timeout)
	}
	return &exitError{codeOfFeed(err), errors.New(words + ": see above")}
}

// tell prints a finding on a line: how it is, what it is about, what there is, and what to do.
func (c *doctorCommand) tell(finding feed.Finding) {
	mark, advice := "ok", finding.Advice
	switch {
	case finding.Err != nil:
		mark = "FAIL"
	case advice != "":
		mark = "warn"
	}
	if advice != "" {
		advice = "; " + advice
	}
	detail := model.Neutralise(c.whose(finding.Of) + finding.Detail)
	fmt.Fprintf(c.Output, "%-4s %-13s  %s%s\n", mark, finding.About, detail, advice)
}

// whose names the subscription that a finding is about, where it is about one of several.
func (c *doctorCommand) whose(key model.Key) string {
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
