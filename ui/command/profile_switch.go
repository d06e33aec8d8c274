package command

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"blotter/feed/record"
	"blotter/model"
	"blotter/ui"
	"blotter/ui/command/credentials"
	"blotter/ui/command/saved"
	"blotter/ui/history"
	"blotter/ui/metrics"
	"blotter/ui/persist"
	"blotter/ui/store"
	"blotter/ui/views"
)

// profileSwitch opens the profile that the trader chooses on the screen. The log, the metrics and the remembered state
// are those of the run, whatever profile is shown. The scope and the filter of the command line are used only for the
// first profile.
type profileSwitch struct {
	*settings
	first     *configuration // of the profile that the run began with
	screen    *screenFlags
	statePath string                          // the file with the states of the screen for the next run; empty if none is kept
	state     atomic.Pointer[saved.StateFile] // of the current profile
	figures   metrics.Book                    // of the current screen

	ctx     context.Context
	stop    context.CancelFunc
	current atomic.Pointer[profileSource]

	opening sync.Mutex     // held while a profile is opened
	before  *profileSource // that of the previous profile, which the screen closes; nil before the first change
}

// profileSource is the feed of a profile. Close also closes what else was opened for the profile.
type profileSource struct {
	record.Feed
	end func()
}

func (s *profileSource) Close() { s.end() }

// newProfileSwitch returns a switch from the profile of a configuration, whose feed is the source.
func newProfileSwitch(ctx context.Context, from *settings, first *configuration, source record.Feed, screen *screenFlags) *profileSwitch {
	s := &profileSwitch{settings: from, first: first, screen: screen}
	s.ctx, s.stop = context.WithCancel(ctx)
	s.current.Store(&profileSource{source, source.Close})
	s.state.Store(saved.NewStateFile("", first.service)) // nothing is remembered
	return s
}

// close ends what is being opened and closes all feeds.
func (s *profileSwitch) close() {
	s.stop()
	s.opening.Lock()
	defer s.opening.Unlock()
	s.current.Load().Close()
	if s.before != nil {
		s.before.Close()
	}
}

func (s *profileSwitch) links() []model.Link { return s.current.Load().Links() }

// screenOptions returns the options of a screen that shows a configuration, and cannot be switched. The state may be
// nil.
func (s *profileSwitch) screenOptions(c *configuration, state *persist.State) ui.Options {
	options := c.uiOptions()
	options.Appearance = s.screen.appearance(s.settings, c.file, c.demo)
	if state != nil {
		isSet := isSet(s.getenv, c.file)
		options.Use(state, func(key string) bool { return isSet(key) || key == "screen.theme" && s.screen.theme != "" })
	}
	c.addViews(&options)
	return options
}

// startPrograms starts the programs of the alerts of a configuration. Failures go to warn; if it is nil, the screen
// shows them.
func (s *profileSwitch) startPrograms(c *configuration, file *saved.StateFile, options *ui.Options, warn func(error)) {
	programs, problem := s.programs.start(s.ctx, c, file, warn)
	options.Note(problem)
	options.Programs = programs
}

func (s *profileSwitch) openState(c *configuration) (file *saved.StateFile, state *persist.State, problem error) {
	file = saved.NewStateFile(s.statePath, c.service)
	state, problem = file.Open()
	return file, state, problem
}

// optionsOf returns the options of a screen that shows a configuration, with the file of its state, which becomes the
// current one when the screen begins. The state may be nil, or copied from another service.
func (s *profileSwitch) optionsOf(c *configuration, file *saved.StateFile, state *persist.State, isCopied bool) ui.Options {
	options := s.screenOptions(c, state)
	options.Keep.State = file.Remember
	options.Keep.Begun = func(begun persist.State) {
		s.state.Store(file)
		file.Begin(begun, isCopied)
	}
	options.OnStats = func(of store.Stats) {
		s.figures.Rows.Store(int64(of.Rows))
		s.figures.UnsentRows.Store(int64(of.Unsent))
		s.figures.Corrections.Store(int64(of.Corrections))
		s.figures.AlertRules.Store(int64(of.Rules))
		s.figures.RowsWaiting.Store(int64(of.Waiting))
	}
	s.startPrograms(c, file, &options, nil)
	if file.KeepsBaselines() {
		var problem error
		options.Keep.Offered, problem = file.Baseline()
		options.Note(problem)
		options.Keep.Baseline = file.RememberBaseline
	}
	if file.KeepsDays() {
		kept, problem := file.Days()
		options.Note(problem)
		options.Days = history.NewDays(kept, c.file.Screen.DayBegins)
		options.Keep.Days = file.RememberDays
	}
	options.Topics = topicFacts()
	options.Profiles = c.profilesWithout(s.unavailable())
	if options.Profiles.Unavailable == "" {
		options.OpenProfile = s.open
	}
	return options
}

// profilesWithout returns the profiles of a screen that cannot switch to them for a reason, which may be empty. In the
// demo and in a replay, no service of the configuration is shown.
func (c *configuration) profilesWithout(reason string) views.ProfileSwitch {
	names := c.file.Choices()
	if c.demo || c.replayed {
		names = c.file.Profiles()
	}
	return views.ProfileSwitch{Names: names, Current: c.file.Profile, Unavailable: reason}
}

// unavailable returns why profiles cannot be switched; empty if they can.
func (s *profileSwitch) unavailable() string {
	switch {
	case s.demo:
		return "the demo has none"
	case s.first.recorder != nil:
		return "a recording is of one service"
	case len(s.baseURLs) > 0 || s.getenv("BLOTTER_BASE_URL") != "":
		return "the address is not from the configuration"
	case s.getenv("BLOTTER_TOKEN") != "":
		return credentials.TokenVariable + " is for one service"
	}
	return ""
}

// open opens a profile of the configuration file as it is now. No request is sent yet.
func (s *profileSwitch) open(name string, state persist.State) (_ store.Source, _ ui.Options, err error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if reason := s.unavailable(); reason != "" { // or the address and the token would not be those of the profile
		return nil, ui.Options{}, errors.New(reason)
	}
	kept := s.state.Load().Remember(state) // the profile may be of the same service
	c, err := s.configureProfile(s.ctx, s.first, name)
	if err != nil {
		return nil, ui.Options{}, err
	}
	defer c.closeAfter(&err)
	direct, err := c.newFeed()
	if err != nil {
		return nil, ui.Options{}, err
	}
	source, err := c.rewound(direct)
	if err = cmp.Or(err, s.ctx.Err()); err != nil {
		return nil, ui.Options{}, err
	}
	s.first.feed.Logger.Info("profile", "name", name, "service", c.service)
	file, own, problem := s.openState(c)
	if err := errors.Join(kept, problem); err != nil {
		s.first.feed.Logger.Warn("state", "err", err)
	}
	options, opened := s.optionsOf(c, file, cmp.Or(own, &state), own == nil), &profileSource{source, sync.OnceFunc(c.close)}
	options.Note(problem)
	s.before = s.current.Swap(opened)
	return opened, options, nil
}

// configureProfile returns the configuration with a profile, with the log of the first configuration. The address and
// the token are those of the file: neither the command line nor the environment gives others.
func (s *settings) configureProfile(ctx context.Context, first *configuration, name string) (*configuration, error) {
	file, err := s.readConfigFile(ctx)
	if err != nil {
		return nil, err
	}
	if file, err = file.WithProfile(name); err != nil {
		return nil, err
	}
	c := s.configurationOf(file)
	c.feed.Logger, c.feed.Secrets = first.feed.Logger, first.feed.Secrets
	switch err := s.connect(ctx, c); {
	case errors.Is(err, errNoAddress):
		return nil, errors.New("it has no address: set service.base_urls")
	case err != nil:
		return nil, err
	}
	c.scope.Parties = identifiers(file.Watch.Parties, c.instruments.FindParty)
	c.scope.Markets = identifiers(file.Watch.Markets, c.instruments.FindMarket)
	return c, nil
}
