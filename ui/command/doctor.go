package command

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"blotter/feed"
	"blotter/model"
)

// doctorCommand looks at the configuration and the service, and says what is wrong and what to do.
type doctorCommand struct {
	*program
	timeout time.Duration
}

func newDoctor(p *program) *cobra.Command {
	c := &doctorCommand{program: p}
	command := &cobra.Command{
		Use:   "doctor",
		Short: "Find out why nothing is shown",
		Long: "Looks at everything between the configuration and the first position, a line for each: what there is, what is\n" +
			"wrong, what to do.\n\n" + exitCodesHelp,
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
	config, err := c.configureWithin(ctx, c.timeout)
	if err != nil {
		return err
	}
	defer config.close()
	source, err := config.newFeed()
	if err != nil {
		return err
	}

	c.tell(feed.Finding{About: "configuration", Detail: config.origin})
	timed, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	err = source.Examine(timed, config.scope, c.tell)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return examined(err, c.timeout)
}

// examined is what a script is told of an examination: everything else has been said already.
func examined(err error, timeout time.Duration) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return unavailable("no address is well within %s: see above", timeout)
	}
	if err == nil {
		return nil
	}
	words := "no address is well: see above"
	if _, ok := errors.AsType[*feed.PartlyWellError](err); ok {
		words = "positions are well, margin levels are not: see above"
	}
	return &exitError{codeOfFeed(err), errors.New(words)}
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
	fmt.Fprintf(c.Output, "%-4s %-13s  %s%s\n", mark, finding.About, model.Neutralise(finding.Detail), advice)
}
