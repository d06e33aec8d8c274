package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"blotter/feed/record"
	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/book"
	"blotter/ui"
	"blotter/ui/command/cli"
	"blotter/ui/command/config"
	"blotter/ui/command/system"
	"blotter/ui/command/watch"
)

// replayCommand shows a recording in place of a service.
type replayCommand struct {
	*program
	speed      float64
	from       string
	appearance appearanceFlags
	view       viewFlag
}

func newReplay(p *program) *cobra.Command {
	c := &replayCommand{program: p}
	command := &cobra.Command{
		Use:   "replay FILE",
		Short: "Show a recording as it was",
		Long: "Plays a recording that was made with --record through the dashboard. No service is used. Of margin levels it " +
			"shows what was shown while the recording was made.\n\n" +
			"space pauses, . steps to the next change, [ and ] play half or twice as fast, < and > jump a minute back or forward.",
		Example: `  blotter --record monday.zst
  blotter replay monday.zst
  blotter replay monday.zst --speed 10 --from 14:02`,
		Args: func(command *cobra.Command, arguments []string) error {
			if len(arguments) != 1 {
				return cli.UsageError("name one recording: see %s --help", command.CommandPath())
			}
			return nil
		},
		RunE: func(command *cobra.Command, arguments []string) error { return c.run(command.Context(), arguments[0]) },
	}
	set := command.Flags()
	set.Float64Var(&c.speed, "speed", 1, "how many times as fast as it was recorded")
	set.StringVar(&c.from, "from", "", "begin at this time, such as 14:02 or 14:02:30, or 2026-03-02T14:02:00Z")
	p.flags.registerFile(command)
	p.flags.registerScope(command)
	p.registerFilter(command, filterHelp)
	c.appearance.register(command)
	c.view.register(command)
	set.StringVar(&p.logFile, "log-file", "", "write a line for each connection and error to this file")
	return command
}

func (c *replayCommand) run(ctx context.Context, path string) error {
	if c.speed < record.MinSpeed || c.speed > record.MaxSpeed {
		return cli.UsageError("--speed: must be from %g to %d", record.MinSpeed, record.MaxSpeed)
	}
	if err := c.appearance.check(); err != nil {
		return err
	}
	plain := c.isPlain(&c.appearance)
	if !plain && (c.terminal.Input == nil || c.terminal.Output == nil) {
		return cli.UsageError("the dashboard needs a terminal; for pipes and scripts use blotter positions --replay")
	}
	config, player, err := c.replay(ctx, path)
	if err != nil {
		return err
	}
	defer config.close()
	player.SetSpeed(c.speed)
	if c.from != "" {
		from, err := timeOf(c.from, player.Header().Start.In(cmp.Or(config.screen.Zone, time.Local)))
		if err != nil {
			return cli.UsageError("--from: %w", err)
		}
		player.Jump(from)
	}
	options := config.uiOptions()
	options.Now, options.Replay = player.Now, player
	options.Appearance = c.program.appearance(&c.appearance, &config.screen, config.isSet)
	options.Profiles = config.profilesWithout("a recording is shown")
	config.addViews(&options)
	if err := c.view.begin(&options); err != nil {
		return err
	}
	if plain {
		err = c.runPlain(ctx, player, options)
	} else {
		err = c.show(ctx, ui.New(ctx, player, options))
	}
	if err != nil {
		return err
	}
	if _, _, _, problem := player.State(); problem != nil {
		c.warn(problem)
	}
	return nil
}

// timeOf reads a time: of the day of the recording, or of the next day if it is before the start of the recording.
func timeOf(text string, start time.Time) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	for _, layout := range []string{"15:04:05", "15:04"} {
		clock, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		at := time.Date(start.Year(), start.Month(), start.Day(), clock.Hour(), clock.Minute(), clock.Second(), 0, start.Location())
		if at.Before(start.Truncate(time.Minute)) {
			at = at.AddDate(0, 0, 1)
		}
		return at, nil
	}
	return time.Time{}, errors.New("must be a time such as 14:02, 14:02:30 or 2026-03-02T14:02:00Z")
}

// replay returns a recording in place of a feed, and the configuration for what shows it: of the file all but how the
// service is reached. The scope is that of the flags, or else that of the recording.
func (p *program) replay(ctx context.Context, path string) (_ *configuration, _ *record.Player, err error) {
	if len(p.baseURLs) > 0 || p.demo {
		return nil, nil, cli.UsageError("--replay: no service is used: leave out --base-url and --demo")
	}
	file, err := p.readConfig(ctx)
	if err != nil {
		return nil, nil, err
	}
	query, err := p.narrow(&file.Screen)
	if err != nil {
		return nil, nil, err
	}
	c := p.configurationOf(file)
	c.query, c.replayed = query, true
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	if err := p.openLog(c); err != nil {
		return nil, nil, err
	}
	player, err := record.NewPlayer(path, c.feed)
	if err != nil {
		return nil, nil, cli.UsageError("the recording: %w", system.WithoutPath(err))
	}
	c.closers = append(c.closers, player.Close)
	header := player.Header()
	c.service = header.Service
	if header.Service == demoName {
		c.instruments = instrumentsOf(sim.New(demoMarket).Instruments())
	} else {
		c.names, c.namesProblem = p.namesFile(file), p.namesProblem
		p.warnOfNames()
	}
	file.Watch = config.Watch{Parties: header.Parties, Markets: header.Markets}
	if c.scope, err = p.scope(file, c.instruments); err == nil {
		err = c.checkRecorded(&header)
	}
	return c, player, err
}

// checkRecorded refuses a market of which a recording of other markets has nothing. With --market alone it is looked
// for: the dashboard may have changed its scope while it was recorded.
func (c *configuration) checkRecorded(header *record.Header) error {
	if len(header.Parties) > 0 || len(header.Markets) == 0 || len(c.scope.Parties) == 0 {
		return nil
	}
	for _, market := range c.scope.Markets {
		if !slices.Contains(header.Markets, market.String()) {
			return cli.UsageError("--market: %q was not recorded; %s", c.instruments.Market(market).Label(), c.recordedWords(header))
		}
	}
	return nil
}

// recordedWords names what was recorded, at the start of the recording.
func (c *configuration) recordedWords(header *record.Header) string {
	switch {
	case len(header.Parties) > 0:
		return "it was recorded with --party " + firstLabels(header.Parties, func(id model.ID) string { return c.instruments.Party(id).Label() })
	case len(header.Markets) > 0:
		return "it was recorded with --market " + firstLabels(header.Markets, func(id model.ID) string { return c.instruments.Market(id).Label() })
	}
	return "it was recorded with all positions"
}

// firstLabels returns the first labels of a list.
func firstLabels(ids []string, label func(model.ID) string) string {
	const most = 5
	var labels []string
	for _, id := range ids[:min(most, len(ids))] {
		labels = append(labels, label(model.MakeID(id)))
	}
	if more := len(ids) - most; more > 0 {
		labels = append(labels, fmt.Sprintf("%d more", more))
	}
	return strings.Join(labels, ", ")
}

// newReplayedWatch returns a watch of the positions in scope of a recording.
func (p *program) newReplayedWatch(c *configuration, player *record.Player) *watch.Watch {
	options := p.watchOptions(c)
	options.Clock = player.Now
	return watch.New(player, player.Recorded(c.scope), options)
}

// playToEnd collects the positions at the end of a recording. It waits until all is played.
func (p *program) playToEnd(ctx context.Context, c *configuration, w *watch.Watch, player *record.Player) error {
	if err := finish(ctx, player, w.Apply, p.warn); err != nil {
		return err
	}
	if err := c.checkComplete(w, player); err != nil {
		return err
	}
	w.WarnOfRowsLeftOut()
	return nil
}

// checkComplete returns an error if a recording has no complete snapshot of what is watched.
func (c *configuration) checkComplete(w *watch.Watch, player *record.Player) error {
	if w.IsComplete() {
		return nil
	}
	header := player.Header()
	return cli.UnavailableError("the recording has no complete snapshot of these positions; %s", c.recordedWords(&header))
}

// finish plays a recording to its end. If it is damaged, it is played up to there, with a warning.
func finish(ctx context.Context, player *record.Player, take func(book.Delta), warn func(error)) error {
	err := player.Finish(ctx, take)
	_, damaged := errors.AsType[*record.DamagedError](err)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case damaged:
		warn(err)
		return nil
	}
	return err
}

// replayedMargins returns the newest margin records of a recording that are in scope. It waits until all is played.
func (p *program) replayedMargins(ctx context.Context, player *record.Player, scope model.Scope) ([]model.MarginLevels, error) {
	player.Watch(scope.Subscriptions(nil, 1))
	if err := finish(ctx, player, func(book.Delta) {}, p.warn); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(player.Margins(), func(m model.MarginLevels) bool { return !scope.Covers(m.Key) }), nil
}
