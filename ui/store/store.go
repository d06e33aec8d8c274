// Package store owns what is shown: the book of positions and the view of it, the settings of the view, the states of
// the streams, margin levels, corrections, the baseline, alerts, the log of events, and how totals have moved. It has
// no keys, no styles and no sizes; several screens could read one Store. It uses the packages of model, and packages
// alerts, history, format and format.
//
//	source.Next ──────── Received ────┐
//	prepare ──────────── Prepared ────┼─> Handle ─> what comes is held ─> Advance: applied to the book and the view,
//	source.NextMargins ─ walkedMsg ───┤                                   if no command reads them now
//	source.Page ──────── answeredMsg ─┘
//
// Handle gets the messages of the Store's own commands. Advance is called after each message of the program. Neither
// waits for I/O or does long work. A command changes nothing: its result comes back as a message.
//
//	store, settings, source   the Store, what the trader sets, and the flow of data from the source
//	prepare, next_book        the book and its view, and how the next view is made
//	margins, walk, request    margin levels: those of the whole scope, and single pages
//	recording                 what is different while a recording is shown
//
// Each of the other files has what its name says.
package store

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/format"
	"blotter/ui/history"
)

// Options are the settings of a Store. A field is needed unless its comment says what nil means.
type Options struct {
	Service     string // its name, for the events of alerts
	Settings    view.Settings
	Instruments *model.Instruments // names and decimals
	Extent      Extent
	Location    *time.Location   // the time zone of times in filters
	Now         func() time.Time // the clock; that of the recording in a replay
	// Events returns the events of the recording that is shown: see record.Player.TakeEvents. Alerts are then reported
	// only as notices. Nil if a service is shown: its events are found in the changes of rows.
	Events func() (restart bool, events []event.Event)
	// IsJumping reports whether the recording goes to another time; nil without a recording.
	IsJumping func() bool
	// Follow reads the states of a position in what is recorded; nil if nothing is.
	Follow   Follow
	Live     *Store       // the store of the service whose past is shown; nil if none is
	IsWhatIf bool         // its positions are shown at other mark prices
	Log      *slog.Logger // gets what audits corrected, and the problems of alerts
	Alerts   []alerts.Rule
	Programs alerts.Programs // the programs of rules; nil if none is run
	Desk     Desk            // evaluates the rules that are OfDesk; nil if there are none
	// Format returns what formats values with the names and decimals of the instruments.
	Format func(*model.Instruments) *format.Formatter
	// Days are the totals of days, also those of earlier runs. Nil: those of this run.
	Days *history.Days
	// WatchAllIfHeldBack watches the whole service from when a proxy holds back all streams of the scope.
	WatchAllIfHeldBack bool
}

// Store is what is shown.
type Store struct {
	source  Source
	options Options
	format  *format.Formatter
	started bool
	// watchesAll is true if one stream has all positions, because those of the scope are held back.
	watchesAll bool

	data    data
	flow    Flow
	walk    Walk
	alerts  Alerts
	log     *event.Log
	stories stories
	moves   Moves
	surveys Surveys
	notices notices
	ticks   ticks
	odd     oddFields
}

// Notice is a message for the trader.
type Notice struct {
	Text   string // a line of words
	IsKept bool   // it is said once: newer notices do not replace it
	// Sequences are escape sequences that ring the bell of the terminal or notify the desktop.
	Sequences []string
}

// New returns a Store without data. Its requests to the source end when ctx is done.
func New(ctx context.Context, source Source, options Options) *Store {
	s := &Store{
		source: source, options: options, format: options.Format(options.Instruments), data: newData(&options),
		flow: Flow{ctx: ctx, source: source}, walk: Walk{ctx: ctx, source: source}, log: new(event.Log), odd: newOddFields(),
	}
	s.data.filter.Now = s.Now().In(options.Location)
	s.alerts = newAlerts(s, options.Alerts, s.data.judged.alerts)
	s.alerts.since = s.Now()
	s.moves.of, s.surveys.of = s, s
	s.moves.days.all = cmp.Or(options.Days, new(history.Days))
	s.alerts.resume()
	resumeDay(s)
	return s
}

// Start starts the streams, and returns what waits for the programs of alerts and for the desk. The next Advance
// requests the first data.
func (s *Store) Start() tea.Cmd {
	s.started = true
	s.source.Watch(s.data.subscriptions)
	s.walk.watch(s.data.judged.followed)
	return tea.Batch(s.alerts.awaitOutcome(), awaitDesk(s))
}

// Handle handles a message of a command of the Store. It ignores other messages.
func (s *Store) Handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case Received:
		if s.flow.receive(msg, s.Now()) {
			s.data.baseline.isJumping, s.data.baseline.isDelayed = false, false // no rows come
		}
	case Prepared:
		s.flow.more = false // what is shown now is a frame of its own
		s.moves.learn(&msg)
		next := s.data.show(msg, s.log, s.Now())
		s.alerts.noteLosses(msg.losses)
		if !s.data.cleared { // it is shown
			s.alerts.updateWords() // alerts of groups that are not known any longer are gone
		}
		return next
	case Surveyed:
		return s.surveys.take(msg)
	case walkedMsg:
		return s.storeMarginPage(s.walk.takePage(msg, s.Now()))
	case answeredMsg:
		return s.storeMarginPage(msg.take(msg.response))
	case alertsMatchedMsg:
		return s.alerts.takeMatches(msg)
	case copiedMsg:
		s.data.job.copies--
		return msg.then
	case olderMsg:
		OlderOf(s).take(msg)
	case alertOutcomeMsg:
		return s.alerts.takeOutcome(msg)
	case deskMsg:
		return takeDesk(s, msg)
	}
	return nil
}

// IsData reports whether a message of the Store brings only positions or margin levels.
func IsData(msg tea.Msg) bool {
	switch msg.(type) {
	case Received, unappliedMsg, walkedMsg:
		return true
	}
	return false
}

// IsOwn reports whether a message is one of the Store's own commands.
func IsOwn(msg tea.Msg) bool {
	switch msg.(type) {
	case Prepared, Surveyed, answeredMsg, alertsMatchedMsg, alertOutcomeMsg, deskMsg, copiedMsg, olderMsg, slowMsg:
		return true
	}
	return IsData(msg)
}

// Advance applies what has come as far as that is possible now, evaluates the alerts, and returns the commands that
// bring what comes next.
func (s *Store) Advance() tea.Cmd {
	s.flow.more = false
	var frozen tea.Cmd
	if d := &s.data; !d.cleared && !d.job.running && d.isApart() != d.keepsView() { // the rows were frozen, or released
		frozen = d.prepare(s.Now())
	}
	advanceAlerts(s)
	applied := s.applyHeld()
	s.data.mergeMargins()
	if !s.flow.more && s.flow.held == nil {
		s.notices.addIf(tellStories(s))
	}
	alerted, settled := s.alerts.evaluate(), settleEvents(s, s.Now())
	s.data.keepRows()
	if !s.started {
		return tea.Batch(frozen, applied, alerted, settled)
	}
	next := s.flow.next()
	s.walk.hurry(&s.data, s.ScreenNow(), s.ServiceNow())
	return tea.Batch(frozen, applied, alerted, settled, next, s.walk.next(len(s.data.heldPages) > 0))
}

// Tick does what must be done once a second. The trends follow the selected position too, nil if there is none; the
// rows are surveyed if that is wanted and it is time for it.
func (s *Store) Tick(selected *model.Position, wanted SurveysWanted) tea.Cmd {
	now := s.ScreenNow()
	if hasSlept, isClockUnsure := s.ticks.next(now); isClockUnsure {
		s.alerts.timedFrom = now.Add(clocksCompared) // the ages of all rows may be wrong at first
		if hasSlept {
			s.source.Resync() // connections may have been lost meanwhile
		}
	}
	s.odd.note(&s.data, s.format, &s.notices)
	s.moves.sample(selected)
	tickStories(s)
	s.alerts.lookBack()
	extended, learned := s.data.extendBaseline(s, s.Now()), s.data.applyLearned(s.Now())
	// A survey and a match of the alerts do not begin while a view is made. A filter of time needs one each second, so
	// it comes after them.
	var survey tea.Cmd
	if wanted == SurveysOfPage || s.surveys.isOverdue() {
		survey = s.surveys.beginIfDue(wanted)
	}
	alerted := s.alerts.check()
	if survey == nil {
		survey = s.surveys.beginIfDue(wanted)
	}
	return tea.Batch(watchAll(s), extended, learned, survey, alerted, s.refilter())
}

// Now is the time by the clock of the options.
func (s *Store) Now() time.Time { return s.options.Now() }

// ScreenNow returns the time of the clock of notices and frames, which continues while the clock of a replay is
// stopped.
func (s *Store) ScreenNow() time.Time {
	if s.options.Events != nil {
		return time.Now()
	}
	return s.Now()
}

// ServiceNow returns the time by the clock of the service: all times that the service sends are compared with it.
func (s *Store) ServiceNow() time.Time { return model.ServiceTime(s.flow.links, s.Now()) }

// Notices returns the notices since the last call.
func (s *Store) Notices() []Notice {
	notices := s.notices
	s.notices = nil
	return notices
}

// notices are those that Notices has not returned yet.
type notices []Notice

func (n *notices) addNotice(text string) { *n = append(*n, Notice{Text: text, IsKept: true}) }

// addIf adds a text unless it is empty.
func (n *notices) addIf(text string) {
	if text != "" {
		n.addNotice(text)
	}
}

// View returns the rows that are shown.
func (s *Store) View() *view.View { return s.data.view }

// IsCleared reports whether the view shows nothing because its rows are not those of the scope.
func (s *Store) IsCleared() bool { return s.data.cleared }

// IsSorting reports whether a view is being made, and has taken long.
func (s *Store) IsSorting() bool {
	return s.MakesView() && s.Now().Sub(s.data.job.since) >= SlowAfter
}

// MakesView reports whether a view is being made.
func (s *Store) MakesView() bool { return s.data.makesView() }

// Format returns what formats values, with what is known of names and decimals.
func (s *Store) Format() *format.Formatter { return s.format }

// Instruments returns what is known of names and decimals.
func (s *Store) Instruments() *model.Instruments { return s.data.instruments }

// Corrections returns what audits corrected since the start.
func (s *Store) Corrections() *Corrections { return &s.data.happening.corrections }

// Events is the log of what has happened. After a jump in a recording it is another one.
func (s *Store) Events() *event.Log { return s.log }
