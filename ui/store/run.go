package store

import (
	"cmp"
	"context"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/history"
)

// New returns a Store without data. Its requests to the source end when ctx is done.
func New(ctx context.Context, source Source, options Options) *Store {
	s := &Store{
		source: source, options: options, format: options.Format(options.Instruments), data: newData(&options),
		clock: clock{options.Now, options.Events != nil}, flow: Flow{ctx: ctx, source: source},
		walk: Walk{ctx: ctx, source: source}, odd: newOddFields(),
	}
	s.data.filter.Now = s.Now().In(options.Location)
	s.alerts = Alerts{
		data: &s.data, clock: s.clock, programs: options.Programs, all: options.Alerts,
		reports: alerts.NewReports(options.Alerts), since: s.Now(),
		warned: make(map[string]bool), failing: make(map[string]alerts.Outcome),
	}
	s.surveys = Surveys{data: &s.data, clock: s.clock, isWhatIf: options.IsWhatIf}
	s.moves = Moves{data: &s.data, clock: s.clock, days: days{all: cmp.Or(options.Days, new(history.Days))}}
	if options.Live != nil {
		s.moves.live = &options.Live.moves
	}
	resumeAlerts(s)
	resumeDay(s)
	return s
}

// newData returns an empty book with the scope of the options.
func newData(options *Options) data {
	first := &options.Settings
	d := data{
		scope:           first.Scope,
		judged:          judged{start: first.Scope, followed: first.Scope, alerts: view.NewAlerts(alerts.ForPositions(options.Alerts))},
		instruments:     options.Instruments,
		viewInstruments: options.Instruments,
		filter:          view.Filter{Text: first.Filter, ShowClosed: first.ShowClosed},
		order:           first.Order,
		groups:          view.Groups{By: first.Group},
		book:            book.New(options.Extent.rows),
		happening:       happenings{log: new(event.Log), finder: new(event.Finder), findsEvents: options.Events == nil},
		trades:          trades{first: analysis.NewLog()},
	}
	d.happening.troubles.Present = d.judged.alerts.Present()
	if options.Live != nil {
		d.book = book.NewPast(options.Extent.rows, options.Live.data.book.Baselines().First().UpTo(options.Now()))
	}
	d.judged.was = d.isJudged()
	d.subscriptions = options.Extent.subscriptions(d.scope, nil, d.epoch)
	d.view = d.viewOf(d.book)
	return d
}

// Start starts the streams, and returns what waits for the programs of alerts and for the desk. The next Advance
// requests the first data.
func (s *Store) Start() tea.Cmd {
	s.started = true
	s.source.Watch(s.data.subscriptions)
	s.walk.watch(s.data.judged.followed)
	return tea.Batch(s.alerts.awaitOutcome(s.flow.ctx), awaitDesk(s))
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
		next := s.data.show(msg, s.Now())
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
		return tea.Batch(s.alerts.takeOutcome(msg, s.options.Log, &s.notices), s.alerts.awaitOutcome(s.flow.ctx))
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
	alerted, settled := evaluateAlerts(s), settleEvents(s, s.Now())
	s.data.keepRows()
	if !s.started {
		return tea.Batch(frozen, applied, alerted, settled)
	}
	next := s.flow.next()
	shown := s.data.view
	if s.data.isApart() {
		shown = nil
	}
	s.walk.hurry(shown, s.data.judged.wide, s.ScreenNow(), s.ServiceNow())
	return tea.Batch(frozen, applied, alerted, settled, next, s.walk.next(len(s.data.heldPages) > 0))
}

// Tick does what must be done once a second. The trends follow the selected position too, nil if there is none; the
// rows are surveyed if that is wanted and it is time for it.
func (s *Store) Tick(selected *model.Position, wanted SurveysWanted) tea.Cmd {
	now := s.ScreenNow()
	if hasSlept, isClockUnsure := s.ticks.next(now); isClockUnsure {
		s.ticks.sureFrom = now.Add(clocksCompared) // the ages of all rows may be wrong at first
		if hasSlept {
			s.source.Resync() // connections may have been lost meanwhile
		}
	}
	s.odd.note(&s.data, s.format, &s.notices)
	sample(s, selected)
	tickStories(s)
	lookBack(s)
	extended, learned := s.data.extendBaseline(s, s.Now()), s.data.applyLearned(s.Now())
	// A survey and a match of the alerts do not begin while a view is made. A filter of time needs one each second, so
	// it comes after them.
	var survey tea.Cmd
	if wanted == SurveysOfPage || s.surveys.isOverdue() {
		survey = s.surveys.beginIfDue(wanted)
	}
	alerted := checkAlerts(s)
	if survey == nil {
		survey = s.surveys.beginIfDue(wanted)
	}
	return tea.Batch(watchAll(s), extended, learned, survey, alerted, s.refilter())
}

// applyHeld applies what is held, as far as that is possible now. The state of the subscriptions is applied together
// with the data that it belongs to.
func (s *Store) applyHeld() tea.Cmd {
	f, d := &s.flow, &s.data
	held := f.held
	if held == nil || d.isRead() {
		return nil
	}
	links := f.links
	if held.Links != nil {
		links = held.Links
	}
	d.arrival = event.NewArrival(links, s.Now())
	if snapshots := held.Snapshots; len(snapshots) > 0 || held.Restart {
		if held.Restart {
			s.restart(len(snapshots) > 0, held.Margins)
			held.Margins = nil
		}
		held.Snapshots, held.Restart = nil, false
		d.snapshots = append(d.snapshots, snapshots...)
		d.beginDay(s)
		return d.prepare(s.Now())
	}
	d.happening.log.AddMissed(held.Missed)
	held.Missed = 0
	ended, more := d.merge(held, &s.moves, s.Now())
	s.alerts.noteLosses(ended)
	reported := reportCorrections(ended, s.format, s.options.Log, &s.notices)
	var learned tea.Cmd
	if !more {
		learned, more = s.takeRecorded(held)
	}
	if more {
		return tea.Batch(reported, learned, func() tea.Msg { return unappliedMsg{} })
	}
	f.applyLinks(d)
	s.takeEvents()
	f.more = held.More
	f.held = nil
	return tea.Batch(reported, learned)
}

// Resync requests everything again but the pages of the margin levels that are on the screen.
func (s *Store) Resync() {
	s.source.Resync()
	s.flow.ended = ""
	s.walk.watch(s.data.judged.followed)
}

// Ask returns the command that sends a request. Handle gives the response to take, and stores the page that it returns;
// nil if there is none.
func (s *Store) Ask(request *Request, take func(Response) *model.Page) tea.Cmd {
	source := s.source
	return func() tea.Msg { return answeredMsg{request.Send(source.Page), take} }
}

// copiedMsg comes when a command has copied rows.
type copiedMsg struct{ then tea.Cmd }

// Copy returns a command that calls read, which may read all rows of the view and of the book as they are now, but
// change nothing. Until it has done so the rows do not change. Then the program runs the second command, nil if there
// is none.
func (s *Store) Copy(read func(), then tea.Cmd) tea.Cmd {
	s.data.job.copies++
	return func() tea.Msg {
		read()
		return copiedMsg{then}
	}
}
