package command

import (
	"context"
	"errors"
	"fmt"
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"blotter/feed"
	"blotter/ui"
)

func newDashboard(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "blotter",
		Short: "Positions and margin levels of a trading data service, live",
		Long: "Shows positions and margin levels of a trading data service live in the terminal. It only ever reads.\n\n" +
			"A flag counts for more than the environment, and that for more than the configuration file.",
		Example: `  blotter --demo
  blotter --base-url https://node.example.com --party desk-1 --party desk-2
  BLOTTER_BASE_URL=http://127.0.0.1:8080 blotter --market BTC/USDT
  blotter positions -o json | jq length`,
		RunE: func(command *cobra.Command, _ []string) error { return p.dashboard(command.Context()) },
	}
}

// dashboard runs the screen until it is quit.
func (p *program) dashboard(ctx context.Context) error {
	input, output := terminal(p.Input), terminal(p.Output)
	if input == nil || output == nil {
		return usage("the dashboard needs a terminal; for pipes and scripts there are: blotter positions, blotter margins")
	}
	config, err := p.configure(ctx)
	if err != nil {
		return err
	}
	defer config.close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	config.feed.OnPanic = func(reason any, stack []byte) { cancel(&defect{reason, stack}) }
	source, err := feed.New(config.feed)
	if err != nil {
		return usage("%w", err)
	}
	defer source.Close()
	defer keepTerminal(input)()

	screen := ui.New(ctx, source, config.uiOptions())
	program := tea.NewProgram(screen, tea.WithContext(ctx), tea.WithInput(input), tea.WithOutput(output), tea.WithoutSignalHandler())
	_, err = program.Run()
	return screenError(ctx, err)
}

// uiOptions are how the screen begins.
func (c *configuration) uiOptions() ui.Options {
	return ui.Options{
		Service:     c.service,
		Instruments: c.instruments,
		Scope:       c.scope,
		Filter:      c.screen.filter,
		Order:       c.screen.order,
		ShowClosed:  c.screen.showClosed,
		PageSize:    c.screen.pageSize,
		OldestFirst: c.screen.oldestFirst,
		Location:    c.screen.zone,
		Demo:        c.demo,
	}
}

// terminal is the file where it is a terminal.
func terminal(file any) *os.File {
	if f, ok := file.(*os.File); ok && term.IsTerminal(f.Fd()) {
		return f
	}
	return nil
}

// keepTerminal notes the modes of the terminal and returns what puts them back. Bubble Tea does so itself, but not
// while its output is blocked.
func keepTerminal(file *os.File) (restore func()) {
	state, err := term.GetState(file.Fd())
	if err != nil {
		return func() {}
	}
	return func() { _ = term.Restore(file.Fd(), state) }
}

// defect is a panic in a goroutine of the feed.
type defect struct {
	reason any
	stack  []byte
}

func (d *defect) Error() string { return fmt.Sprintf("a defect of blotter: %v\n%s", d.reason, d.stack) }

// screenError is why the screen ended, nil where it was quit.
func screenError(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if d, ok := errors.AsType[*defect](cause); ok {
		return d
	}
	switch {
	case err == nil:
		return nil
	case cause != nil:
		return context.Canceled
	case errors.Is(err, tea.ErrInterrupted):
		return context.Canceled
	}
	return fmt.Errorf("the screen ended: %w", err)
}
