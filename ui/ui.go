// Package ui is the shell of the screen: a Bubble Tea model that has the panes, the overlays over them, the steps that
// esc undoes, and the message line. What is shown is in package store; the contracts are in package pane.
//
//	key, mouse, paste ─> shell ─┬─> overlay on top, if there is one ─┐
//	                            └─> pane with the focus ─────────────┴─> effects ─> the shell applies them
//	message of the store ─> store ─> each pane is synced ─> View: each pane draws in its rectangle
//
// Handlers and View wait for no I/O and do no long work. A command changes nothing: its result comes back as a message.
//
// Files whose names begin with the same word belong together:
//
//	ui, update, view    the model, its messages, and the whole screen
//	keys, active_keys   the actions with their keys, and which of them work now
//	message_line        the second line
//	layout, mouse       where the parts of the screen are
//	panes               the panes, the store that they show, and which messages are theirs
//	pages, overlays     the pages and the overlays that keys open
//	left                what is typed in overlays that are left
//	effects, actions    what is done for panes, pages and overlays
//	steps               what esc undoes
//	views               how views are applied and saved
//	rewind              the past in place of the service
//	profiles, state     switching to another profile; what the screen remembers
//	plain               the program of --plain
package ui

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/filter"
	"blotter/ui/alerts"
	"blotter/ui/format"
	"blotter/ui/history"
	"blotter/ui/keys"
	"blotter/ui/layout"
	"blotter/ui/pane"
	"blotter/ui/persist"
	"blotter/ui/replay"
	"blotter/ui/store"
	"blotter/ui/theme"
	"blotter/ui/topics"
	"blotter/ui/views"
)

// Options are the settings of the screen. The zero value of each field but Service and Extent is its default. No zero
// value gives access to anything: the screen of a trader of a desk gets only what is set for it.
type Options struct {
	Service     string             // the name or address of the service, for the first line
	Instruments *model.Instruments // names and decimals from the configuration; none if nil
	views.Shown                    // what is on the screen at first
	PageSize    int                // margin records on a page; 0 is 50
	OldestFirst bool               // the order of margin records at first
	Location    *time.Location     // the zone of times; time.Local if nil
	Now         func() time.Time   // the clock; time.Now if nil
	Log         *slog.Logger       // gets what audits corrected; none if nil
	Extent      store.Extent       // what the screen may have of the service

	// DisplayDecimals returns how many decimals of profits, margins and notional values in an asset tables show; two of
	// each if nil.
	DisplayDecimals func(asset model.ID) int

	Appearance theme.Appearance // how the screen is drawn
	// WithoutMarks is true if changed cells are not marked.
	WithoutMarks bool

	Views      []views.View        // the views of the configuration
	SavedViews []views.View        // the views that were saved from the screen
	View       int                 // the number of the view that the screen begins with
	Profiles   views.ProfileSwitch // what the trader can switch to
	// OpenProfile returns the source of a profile, which has no request yet, and the options of its screen. The state
	// is that of the previous screen. It may block. The screen closes the previous source.
	OpenProfile func(name string, state persist.State) (store.Source, Options, error)

	Split  int          // how many lines the split of the panes was moved down
	Topics topics.Facts // what the topics of help show of the command line
	// Remembered is the argument of Use; of its alerts, it has those for which there is no room.
	Remembered persist.State
	Keep       persist.Keeper // keeps what the next run begins with
	Days       *history.Days  // the totals of days of earlier runs; nil if there are none
	Notices    []string       // the texts of the message line at first, one after the other
	// WatchAllIfHeldBack watches the whole service from when a proxy holds back all streams of the scope.
	WatchAllIfHeldBack bool
	// OnStats, if it is not nil, is called once a second with figures of what is watched. It must not block.
	OnStats func(store.Stats)

	Alerts   []alerts.Rule
	Programs alerts.Programs // the programs of rules; nil if none is run
	Desk     store.Desk      // evaluates the rules of the configuration of a desk; nil without a desk

	Files     pane.Files    // writes files that the trader asks for; nil if it cannot
	Names     persist.Names // keeps the names that are given on the screen; nil if they are for this run only
	Keys      keys.Settings // the keys of actions, if the configuration sets them; they were checked
	Demo      bool          // shown on the first line
	Recording func() error  // why the recording that is made has stopped; nil if none is made
	Replay    replay.Clock  // the clock of the recording that is shown, and Now returns its time; nil if it is a service
	Memory    replay.Memory // the recording that is made of the screen itself; nil if there is none
	// TickAfter returns how long after each whole second the clock is drawn; nil is at once. The screens of a desk take
	// turns.
	TickAfter func() time.Duration
}

// withDefaults sets the fields that have a default and are not set.
func (o Options) withDefaults() Options {
	o.Instruments = cmp.Or(o.Instruments, model.NewInstruments(nil, nil, nil))
	o.Location = cmp.Or(o.Location, time.Local)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.PageSize <= 0 {
		o.PageSize = 50
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.TickAfter == nil {
		o.TickAfter = func() time.Duration { return 0 }
	}
	if o.DisplayDecimals == nil {
		o.DisplayDecimals = func(model.ID) int { return 2 }
	}
	return o
}

func (o *Options) store() store.Options {
	settings := o.Settings
	settings.Filter = filter.ValidPart(filter.Parse, o.Filter)
	options := store.Options{
		Service: o.Service, Instruments: o.Instruments, Extent: o.Extent, Location: o.Location, Now: o.Now,
		Settings: settings, Log: o.Log, Alerts: o.Alerts, Programs: o.Programs, Desk: o.Desk,
		WatchAllIfHeldBack: o.WatchAllIfHeldBack && o.Replay == nil, Days: o.Days,
		Format: func(in *model.Instruments) *format.Formatter {
			return format.New(in, o.Location, o.DisplayDecimals, o.Appearance.ASCII).Within(o.Extent.Part())
		},
	}
	if o.Replay != nil {
		options.Events, options.IsJumping = o.Replay.TakeEvents, o.Replay.IsJumping
	}
	return options
}

// Note adds an error to the notices, if there is one.
func (o *Options) Note(problem error) {
	if problem != nil {
		o.Notices = append(o.Notices, format.Error(problem))
	}
}

func (o *Options) isRecording() bool { return o.Recording != nil && o.Recording() == nil }

// flags are states of the whole screen that do not depend on the data.
func (o *Options) flags() []string {
	var flags []string
	if o.Demo {
		flags = append(flags, "DEMO")
	}
	if o.isRecording() {
		flags = append(flags, "REC")
	}
	return flags
}

// recordingError returns what is wrong with the recording that is shown, or with the one that is made; nil if nothing.
func (o *Options) recordingError() error {
	if o.Replay != nil {
		if _, _, _, err := o.Replay.State(); err != nil {
			return err
		}
	}
	if o.Recording != nil {
		return o.Recording()
	}
	return nil
}

// Model is the whole screen, a tea.Model. It has the state of each pane, and the state that several panes use.
type Model struct {
	ctx     context.Context // of the requests that commands send
	*panes                  // those that are shown
	opening replay.Opening  // of the past
	options Options
	keys    *keys.Map
	colours theme.Current

	layout layout.Layout
	steps  steps // what esc undoes: the pages that cover the panes are among them
	notice messageLine
	last   struct { // the screen as it was drawn last
		view   tea.View
		at     time.Time
		sparks layout.Sparks
	}

	views     views.Set
	switching views.ProfileSwitch
	overlays  overlays
	keeper    persist.Keeper
}

// New returns a screen that shows what source sends, until ctx is done.
func New(ctx context.Context, source store.Source, options Options) *Model {
	m := new(Model)
	m.begin(ctx, source, options)
	return m
}

// begin makes m a new screen.
func (m *Model) begin(ctx context.Context, source store.Source, options Options) {
	options = options.withDefaults()
	views := newViews(&options)
	isOther := beginWithView(&views, &options)
	keys, taken := newKeys(options.Keys)
	*m = Model{
		ctx: ctx, panes: newPanes(ctx, source, &options, replay.Controls{Clock: options.Replay}, options.Now(), nil), options: options,
		keys: keys, colours: theme.Current{Terminal: theme.Terminal{IsDark: true, Colours: theme.AllColours},
			Themes: options.Appearance.Themes}, opening: m.opening,
		views: views, switching: options.Profiles, keeper: options.Keep, overlays: overlays{left: make(left)},
	}
	m.last.sparks = layout.Sparks{}
	m.notice.now = func() time.Time { return m.store.ScreenNow() }
	if options.Appearance.ASCII {
		m.keys.NameInWords()
	}
	notices := append(options.Notices, taken, wrongFilter(&options), options.Remembered.Alerts.LeftOutWords(options.Alerts))
	if kept := options.Keep.Offered; kept != nil {
		at, _ := kept.At()
		notices = append(notices, "The baseline of "+m.store.Format().ClockOn(at,
			m.store.Now())+m.keys.Fill(" was kept; {baseline} offers it."))
	}
	if options.Demo {
		m.notice.demoBegan = m.store.ScreenNow()
	}
	for _, each := range notices {
		m.notice.Then(each, m.store.ScreenNow())
	}
	if isOther {
		m.steps.add(m.stepFrom(m.views.Default.Shown, m.views.Default))
	} else {
		now := m.store.Settings()
		unfiltered := now
		unfiltered.Filter = ""
		m.steps.note(unfiltered, now, m.set)
	}
	m.colours.Use(options.Appearance.Theme)
	m.layout.Split = options.Split
	m.keeper.Begin(m.State(), m.store.ScreenNow())
}

// wrongFilter returns what is wrong with the filter at first, in words; empty if nothing is.
func wrongFilter(o *Options) string {
	if wrong := filter.FirstError(filter.Parse, o.Filter); wrong != nil {
		return "Filter: " + wrong.Words
	}
	return ""
}

// Init starts the streams and the first requests.
func (m *Model) Init() tea.Cmd {
	outcomes := m.store.Start()
	return withOwner(m.panes, tea.Batch(
		outcomes, m.store.Advance(), tick(m.options.TickAfter), m.apply(m.margins.Open()...), tea.RequestBackgroundColor))
}

// tickMsg comes once a second, so that ages and countdowns are right. Nothing else comes if nothing happens.
type tickMsg struct{}

// tick sends the next tick, a time after a whole second of the clock.
func tick(after func() time.Duration) tea.Cmd {
	return func() tea.Msg {
		rest := time.Second - (time.Duration(time.Now().UnixNano())-after())%time.Second
		return tea.Tick(rest, func(time.Time) tea.Msg { return tickMsg{} })()
	}
}
