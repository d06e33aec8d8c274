package command

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"blotter/feed/endpoint"
	"blotter/ui"
	"blotter/ui/command/exit"
	"blotter/ui/command/panics"
	"blotter/ui/command/saved"
	"blotter/ui/command/terminal"
	"blotter/ui/welcome"
)

// dashboardCommand shows positions and margin levels until it is quit.
type dashboardCommand struct {
	*program
	metrics   metricsFlag
	recording recordFlags
	state     stateFlags
	looks     looksFlags
	view      viewFlag
}

func newDashboard(p *program) *cobra.Command {
	c := &dashboardCommand{program: p}
	command := &cobra.Command{
		Use:   "blotter",
		Short: "Show positions and margin levels of a trading data service, live",
		Long: "Shows positions and margin levels of a trading data service live in the terminal. It only reads.\n\n" +
			"Without an address you can enter one, or see a demo.\n\n" +
			"Flags override the environment, and the environment overrides the configuration file.",
		Example: `  blotter --demo
  blotter --base-url https://node.example.com --party desk-1 --party desk-2
  BLOTTER_BASE_URL=http://127.0.0.1:8080 blotter --market BTC/USDT
  blotter --demo --mouse --theme blue-orange
  blotter --demo --plain
  blotter positions -o json | jq length`,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
	p.flags.register(command)
	p.registerFilter(command, filterHelp)
	c.metrics.register(command)
	c.recording.register(command)
	c.state.register(command)
	c.looks.register(command)
	c.view.register(command)
	return command
}

// stateFlags choose where the screen remembers columns, order and the like from one run to the next.
type stateFlags struct {
	path string
	none bool
}

func (f *stateFlags) register(command *cobra.Command) {
	set := command.Flags()
	set.StringVar(&f.path, "state", "", "remember columns, order and the like in this file (default blotter/state.json in $XDG_STATE_HOME, or where this system keeps such files)")
	set.BoolVar(&f.none, "no-state", false, "remember nothing, and begin as the configuration says")
	_ = command.MarkFlagFilename("state", "json")
}

// file returns the path of the state; empty where nothing is remembered.
func (f *stateFlags) file(getenv func(string) string) string {
	switch {
	case f.none:
		return ""
	case f.path != "":
		return f.path
	}
	return saved.StatePath(getenv)
}

func (c *dashboardCommand) run(ctx context.Context) error {
	if c.state.none && c.state.path != "" {
		return exit.Usage("--state and --no-state exclude each other")
	}
	if err := c.looks.check(); err != nil {
		return err
	}
	plain := c.isPlain(&c.looks)
	if !plain && (c.terminal.Input == nil || c.terminal.Output == nil) {
		return exit.Usage("the dashboard needs a terminal; for pipes and scripts use blotter positions or blotter margins")
	}
	config, err := c.configure(ctx)
	if errors.Is(err, errNoAddress) && !plain {
		if chosen, err := c.welcome(ctx); err != nil || !chosen {
			return err
		}
		config, err = c.configure(ctx)
	}
	if err != nil {
		return err
	}
	defer config.close()
	source, err := c.newRecordedFeed(c.recording, config)
	if err != nil {
		return err
	}
	file := saved.NewStateFile(c.state.file(c.Getenv))
	profiles := c.newProfileSwitch(ctx, config, source, &c.looks)
	profiles.remember = file.Remember
	defer profiles.close()
	if err := c.serveMetrics(ctx, c.metrics, config, profiles.links, &profiles.figures); err != nil {
		return err
	}
	if plain {
		options := profiles.screenOptions(config, nil)
		if err := c.view.begin(&options); err != nil {
			return err
		}
		return c.runPlain(ctx, source, options)
	}
	return c.showRemembering(ctx, file, profiles)
}

// showRemembering runs the screen as the last run left it, and remembers how this run leaves it.
func (c *dashboardCommand) showRemembering(ctx context.Context, file *saved.StateFile, profiles *profileSwitch) error {
	state, problem := file.Open()
	options := profiles.optionsOf(profiles.first, state)
	if err := c.view.begin(&options); err != nil {
		return err
	}
	if problem != nil {
		options.Notice = problem.Error()
	}
	screen := ui.New(ctx, profiles.present.Load(), options)
	file.Begin(screen.State())
	err := c.show(ctx, screen)
	if panics.Of(ctx) != nil {
		return err
	}
	if failed := file.Close(screen.State()); failed != nil {
		c.warn(failed)
	}
	return err
}

// welcome shows a form for the address of a service, or the demo, and sets the flag that was left out. It returns false
// where nothing was chosen.
func (c *dashboardCommand) welcome(ctx context.Context) (chosen bool, err error) {
	file, err := c.readConfig(ctx)
	if err != nil {
		return false, err
	}
	looks := c.program.looks(&c.looks, &file.Screen, file.IsSet)
	screen := welcome.New(looks.Theme, looks.ASCII, func(address string) error {
		_, err := endpoint.ParseBaseURL(address)
		return err
	})
	if err := c.show(ctx, screen); err != nil {
		return false, err
	}
	address, demo, chosen := screen.Choice()
	if c.demo = demo; chosen && !demo {
		c.baseURLs = []string{address}
	}
	return chosen, nil
}

// minThreads is how many threads run Go code at the same time, also with fewer processors. When all are busy, the
// kernel starts a thread that a key press woke within a few milliseconds; in Go's scheduler a goroutine waits ten or
// more.
const minThreads = 4

// framesPerSecond is how often the screen is drawn at most. Updates come less often, and most of the work of an idle
// screen is to wake up and find nothing to draw.
const framesPerSecond = 40

// collectAt is by how many percent the memory may grow before the garbage collector runs. A million rows have hardly a
// pointer, so it takes little time also where it runs twice as often as by default.
const collectAt = 50

// show runs the screen on the terminal until the user quits, ctx is done or the terminal is closed.
func (p *program) show(ctx context.Context, screen tea.Model) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	program := tea.NewProgram(p.panics.Screen(screen), tea.WithContext(ctx), tea.WithoutSignalHandler(),
		tea.WithInput(terminal.NewInput(p.terminal.Input, cancel)), tea.WithOutput(p.terminal.Output), tea.WithFPS(framesPerSecond),
		tea.WithEnvironment(environment()))
	if p.log != nil { // for a panic in a goroutine of a library, which cannot be recovered here
		_ = debug.SetCrashOutput(p.log.File(), debug.CrashOptions{})
	}
	runtime.GOMAXPROCS(max(minThreads, runtime.GOMAXPROCS(0)))
	debug.SetGCPercent(collectAt)
	p.terminal.HasScreen.Store(true)
	_, err := program.Run()
	p.terminal.HasScreen.Store(false)
	return screenError(ctx, err)
}

// uiOptions returns how the screen begins.
func (c *configuration) uiOptions() ui.Options {
	var recording func() error
	if c.recorder != nil {
		recording = c.recorder.Err
	}
	options := ui.Options{
		Service:         c.service,
		Instruments:     c.instruments,
		Scope:           c.scope,
		Filter:          c.screen.Filter,
		Order:           c.screen.Order,
		Group:           c.screen.Group,
		ShowClosed:      c.screen.ShowClosed,
		PageSize:        c.screen.PageSize,
		OldestFirst:     c.screen.OldestFirst,
		Location:        c.screen.Zone,
		DisplayDecimals: c.displayDecimals,
		Keys:            c.keys,
		WithoutMarks:    !c.screen.MarkChanges,
		Demo:            c.demo,
		Recording:       recording,
		Log:             c.feed.Logger,
		Rows:            c.feed.Limits.Rows,
		Alerts:          c.screenAlerts(),
	}
	if c.names != nil {
		options.Names = c.names
	}
	if c.namesProblem != nil {
		options.Notice = c.namesProblem.Error()
	}
	return options
}

// screenError returns why the screen ended, and nil where it was quit.
func screenError(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, tea.ErrInterrupted):
		return context.Canceled
	}
	return fmt.Errorf("the screen ended: %w", err)
}
