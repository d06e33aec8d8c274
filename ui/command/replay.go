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
	"blotter/ui"
	"blotter/ui/command/cli"
	"blotter/ui/command/config"
	"blotter/ui/command/system"
	"blotter/ui/command/watch"
	"blotter/ui/format"
	"blotter/ui/views"
)

// replayCommand shows a recording in place of a service.
type replayCommand struct {
	*settings
	display *display
	speed   float64
	from    string
	screen  screenFlags
}

func newReplay(s *settings, d *display) *cobra.Command {
	c := &replayCommand{settings: s, display: d}
	command := &cobra.Command{
		Use:   "replay FILE",
		Short: "Show a recording as it was",
		Long: "blotter replay plays a recording that was made with --record through the dashboard. No service is used: it shows what " +
			"was shown while the recording was made.\n\n" +
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
	set.StringVar(&c.from, "from", "", "begin at this time, such as 14:02, 14:02:30, 2026-03-02T14:02 or 2026-03-02T14:02Z")
	s.flags.registerFile(command)
	s.flags.registerScope(command)
	s.registerFilter(command, filterHelp)
	c.screen.register(command)
	set.StringVar(&s.logFile, "log-file", "", "write a line for each connection and error to this file")
	return command
}

func (c *replayCommand) run(ctx context.Context, path string) error {
	if !(c.speed >= record.MinSpeed && c.speed <= record.MaxSpeed) { // also if it is NaN
		return cli.UsageError("--speed: must be from %g to %d", record.MinSpeed, record.MaxSpeed)
	}
	plain, err := c.display.check(&c.screen, c.settings, "blotter positions --replay")
	if err != nil {
		return err
	}
	config, player, err := c.replay(ctx, path)
	if err != nil {
		return err
	}
	defer config.close()
	if err := c.screen.checkTheme(config.file); err != nil {
		return err
	}
	player.SetSpeed(c.speed)
	if c.from != "" {
		from, err := parseRecordedTime(c.from, player, config)
		if err != nil {
			return cli.UsageError("--from: %w", err)
		}
		player.Jump(from)
	}
	options := config.uiOptions()
	options.Topics = topicFacts()
	options.Now, options.Replay = player.Now, player
	if player.Header().Thinned {
		options.Notices = append(options.Notices, "The recording was "+thinnedWords+".")
	}
	options.Appearance = c.screen.appearance(c.settings, config.file, false)
	options.Profiles = config.profilesWithout("a recording is shown")
	config.addViews(&options)
	if err := c.screen.beginWithView(&options); err != nil {
		return err
	}
	if plain {
		err = c.display.runPlain(ctx, player, options, c.stdout)
	} else {
		err = c.display.show(ctx, ui.New(ctx, player, options))
	}
	if err != nil {
		return err
	}
	if _, _, _, problem := player.State(); problem != nil {
		c.warn(problem)
	}
	return nil
}

// thinnedWords are about a recording that was saved from memory.
const thinnedWords = "saved from rewind, with at most one state of a row in a second"

// parseRecordedTime reads a time that is not before a recording. A time after its end is allowed: perhaps nothing has
// changed since then. A time of day is of the day on which the recording begins; if that is before the recording, it is
// of the next day if the recording lasts until then. A date and time without a zone is in the zone of the screen.
func parseRecordedTime(text string, player *record.Player, c *configuration) (time.Time, error) {
	zone := cmp.Or(c.file.Screen.Zone, time.Local)
	oldest, newest := player.Range()
	oldest, newest = oldest.In(zone), newest.In(zone)
	at, isTimeOfDay, err := parseTime(text, oldest)
	if err != nil {
		return time.Time{}, err
	}
	first := oldest.Truncate(time.Minute) // a time without seconds may be of the minute in which it begins
	if isTimeOfDay && at.Before(first) && !at.AddDate(0, 0, 1).After(newest) {
		at = at.AddDate(0, 0, 1)
	}
	if at.Before(first) {
		return time.Time{}, fmt.Errorf("%s is before the recording, which has %s to %s", text,
			oldest.Format(time.DateTime), newest.Format(time.DateTime))
	}
	return at, nil
}

// parseTime reads a time. A time of day is of the given day, in its zone.
func parseTime(text string, day time.Time) (at time.Time, isTimeOfDay bool, err error) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if at, err := time.ParseInLocation(layout, text, day.Location()); err == nil {
			return at, false, nil
		}
	}
	for _, layout := range []string{"15:04:05", "15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			return time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), at.Second(), 0, day.Location()), true, nil
		}
	}
	return time.Time{}, false, errors.New("must be a time such as 14:02, 14:02:30, 2026-03-02T14:02 or 2026-03-02T14:02Z")
}

// replay returns a recording in place of a feed, and the configuration for what shows it: of the file all but how the
// service is reached. The scope is that of the flags, or else that of the recording.
func (s *settings) replay(ctx context.Context, path string) (_ *configuration, _ *record.Player, err error) {
	if len(s.baseURLs) > 0 || s.demo {
		return nil, nil, cli.UsageError("--replay: no service is used: leave out --base-url and --demo")
	}
	c, err := s.configureWithoutService(ctx)
	if err != nil {
		return nil, nil, err
	}
	c.replayed = true
	defer c.closeAfter(&err)
	player, err := record.Open(path, c.feed.Limits.Rows)
	if err != nil {
		return nil, nil, cli.UsageError("the recording: %w", system.WithoutPath(err))
	}
	c.closers = append(c.closers, player.Close)
	header := player.Header()
	c.service = header.Service
	if header.Service == demoName {
		c.useNamesOf(sim.New(demoMarket))
	} else {
		s.warnOfNames()
	}
	if err = s.addScreenGroups(c); err != nil {
		return c, player, err
	}
	c.file.Watch = config.Watch{Parties: views.TextsOf(header.Scope.Parties), Markets: views.TextsOf(header.Scope.Markets)}
	if c.scope, err = s.scope(c.file, c.instruments); err == nil {
		err = c.checkRecorded(&header)
	}
	return c, player, err
}

// checkRecorded refuses a market of which a recording of other markets has nothing. With --market alone it is looked
// for: the dashboard may have changed its scope while it was recorded.
func (c *configuration) checkRecorded(header *record.Header) error {
	recorded := &header.Scope
	if len(recorded.Parties) > 0 || len(recorded.Markets) == 0 || len(c.scope.Parties) == 0 {
		return nil
	}
	for _, market := range c.scope.Markets {
		if !slices.Contains(recorded.Markets, market) {
			return cli.UsageError("--market: %q was not recorded; %s", c.instruments.Market(market).Label(), c.recordedWords(header))
		}
	}
	return nil
}

// recordedWords names what was recorded, at the start of the recording.
func (c *configuration) recordedWords(header *record.Header) string {
	switch scope := &header.Scope; {
	case len(scope.Parties) > 0:
		return "it was recorded with --party " + firstLabels(scope.Parties,
			func(id model.ID) string { return c.instruments.Party(id).Label() })
	case len(scope.Markets) > 0:
		return "it was recorded with --market " + firstLabels(scope.Markets,
			func(id model.ID) string { return c.instruments.Market(id).Label() })
	}
	return "it was recorded with all positions"
}

// firstLabels returns the first labels of a list.
func firstLabels(ids []model.ID, label func(model.ID) string) string {
	const most = 5
	var labels []string
	for _, id := range ids[:min(most, len(ids))] {
		labels = append(labels, label(id))
	}
	if more := len(ids) - most; more > 0 {
		labels = append(labels, fmt.Sprintf("%d more", more))
	}
	return strings.Join(labels, ", ")
}

// replayedFlags are the flags of the commands that can print what a recording has.
type replayedFlags struct{ file, at string }

func (f *replayedFlags) register(command *cobra.Command, what string) {
	set := command.Flags()
	set.StringVar(&f.file, "replay", "", "print "+what+" of this recording; no service is used")
	set.StringVar(&f.at, "at", "", "with --replay: up to this time, such as 14:02, 14:02:30, 2026-03-02T14:02 or 2026-03-02T14:02Z; else up to its end")
}

// replayed is a recording at the time of the flags.
type replayed struct {
	*configuration
	player *record.Player
	at     time.Time
	watch  *watch.Watch // the positions in scope at that time
}

// replayedAt returns a recording at the time of the flags. What is damaged is left out, with a warning.
func (s *settings) replayedAt(ctx context.Context, f *replayedFlags) (_ *replayed, err error) {
	c, player, err := s.replay(ctx, f.file)
	if err != nil {
		return nil, err
	}
	r := &replayed{configuration: c, player: player}
	defer c.closeAfter(&err)
	_, r.at = player.Range()
	if f.at != "" {
		r.at, err = parseRecordedTime(f.at, player, c)
	}
	if damage := player.Damage(); damage != nil && (f.at == "" || err != nil) {
		s.warn(damage)
	}
	if err != nil {
		return nil, cli.UsageError("--at: %w", err)
	}
	if n := player.Dropped(); n > 0 {
		s.warn(fmt.Errorf("%s: %s of rows were not recorded, because the disk was too slow; the last of each row and all events were", f.file, format.Counted(n, "state")))
	}
	r.watch = s.newWatch(player, c, player.Now)
	delta, err := player.At(r.at)
	if err != nil {
		return nil, err
	}
	r.watch.Apply(delta)
	return r, ctx.Err()
}

// checkComplete returns an error if there is no complete snapshot of what is watched. It warns of positions that were
// left out, and if they were stale.
func (r *replayed) checkComplete() error {
	if !r.watch.IsComplete() {
		header := r.player.Header()
		return cli.UnavailableError("the recording has no complete snapshot of these positions; %s", r.recordedWords(&header))
	}
	r.watch.WarnOfRowsLeftOut()
	r.watch.WarnOfStale()
	return nil
}

// margins returns the margin records in scope, the newest first.
func (r *replayed) margins() []model.MarginLevels {
	all, _, _ := r.player.Margins()
	return slices.DeleteFunc(all, func(m model.MarginLevels) bool { return !r.scope.Covers(m.Key) })
}

// warnOfNoMargins warns if a recording has no margin records. It is called when they are needed.
func (o *outputs) warnOfNoMargins(records []model.MarginLevels) {
	if len(records) == 0 {
		o.warn(errors.New("the recording has no margin levels for this; only the dashboard records them"))
	}
}
