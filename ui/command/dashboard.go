package command

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"blotter/feed/endpoint"
	"blotter/ui"
	"blotter/ui/command/saved"
	"blotter/ui/command/system"
	"blotter/ui/metrics"
	"blotter/ui/welcome"
)

// dashboardCommand shows positions and margin levels until it is quit.
type dashboardCommand struct {
	*settings
	display   *display
	network   *network
	metrics   metricsFlag
	recording recordFlags
	screen    screenFlags
}

func newDashboard(s *settings, d *display, n *network) *cobra.Command {
	c := &dashboardCommand{settings: s, display: d, network: n}
	command := &cobra.Command{
		Use:   "blotter",
		Short: "Show positions and margin levels of a trading data service, live",
		Long: "Shows positions and margin levels of a trading data service live. It only reads.\n\n" +
			"Without an address you can enter one, or see a demo.\n\n" +
			"Flags override the environment, and the environment overrides the configuration file.",
		Example: `  blotter --demo
  blotter --base-url https://node.example.com --party desk-1 --party desk-2
  BLOTTER_BASE_URL=http://127.0.0.1:8080 blotter --market BTC/USDT
  blotter --demo --theme blue-orange
  blotter --demo --plain
  blotter positions -o json | jq length`,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
	s.flags.register(command)
	s.registerFilter(command, filterHelp)
	c.metrics.register(command)
	c.recording.register(command)
	c.state.register(command)
	c.screen.register(command)
	return command
}

func (c *dashboardCommand) run(ctx context.Context) error {
	plain, err := c.display.check(&c.screen, c.settings, "blotter positions or blotter margins")
	if err != nil {
		return err
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
	if err := c.screen.checkTheme(config.file); err != nil {
		return err
	}
	source, err := c.newRecordedFeed(c.recording, config)
	if err == nil && !plain {
		source, err = config.rewound(source)
	}
	if err != nil {
		return err
	}
	profiles := newProfileSwitch(ctx, c.settings, config, source, &c.screen)
	profiles.statePath = c.state.file(c.getenv, config.demo)
	defer profiles.close()
	figures := metrics.Source{Links: profiles.links, Book: &profiles.figures, Programs: c.programs.Figures}
	if err := c.network.serveMetrics(ctx, c.metrics, config, figures); err != nil {
		return err
	}
	if plain {
		options := profiles.screenOptions(config, nil)
		profiles.startPrograms(config, saved.NewStateFile(profiles.statePath, config.service), &options, c.warn)
		if err := c.screen.beginWithView(&options); err != nil {
			return err
		}
		return c.display.runPlain(ctx, source, options, c.stdout)
	}
	return c.showWithState(ctx, profiles)
}

// showWithState runs the screen with the state of the last run, and saves its state at the end.
func (c *dashboardCommand) showWithState(ctx context.Context, profiles *profileSwitch) error {
	file, state, problem := profiles.openState(profiles.first)
	options := profiles.optionsOf(profiles.first, file, state, false)
	if err := c.screen.beginWithView(&options); err != nil {
		return err
	}
	options.Note(problem)
	screen := ui.New(ctx, profiles.current.Load(), options)
	err := c.display.show(ctx, screen)
	if system.PanicOf(ctx) != nil {
		return err
	}
	last := profiles.state.Load()
	if failed := errors.Join(last.RememberDays(screen.Days()), last.Close(screen.State())); failed != nil {
		c.warn(failed)
	}
	return err
}

// welcome shows a form for the address of a service, or the demo, and sets the flag that was left out. It returns false
// if nothing was chosen.
func (c *dashboardCommand) welcome(ctx context.Context) (chosen bool, err error) {
	file, err := c.readConfig(ctx)
	if err != nil {
		return false, err
	}
	if err := c.screen.checkTheme(file); err != nil {
		return false, err
	}
	appearance := c.screen.appearance(c.settings, file, false)
	screen := welcome.New(&appearance, func(address string) error {
		_, err := endpoint.ParseBaseURL(address)
		return err
	})
	if err := c.display.show(ctx, screen); err != nil {
		return false, err
	}
	address, demo, chosen := screen.Choice()
	if c.demo = demo; chosen && !demo {
		c.baseURLs = []string{address}
	}
	return chosen, nil
}
