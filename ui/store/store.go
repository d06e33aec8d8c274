// Package store owns what is shown: the book of positions and the view of it, the settings of the view, the states of
// the streams, margin levels, corrections, the baseline, alerts, the log of events, and how totals have moved. It has
// no keys, no styles and no sizes; several screens could read one Store. It uses the packages of model, and packages
// alerts, history, format and story.
//
//	source.Next ──────── Received ────┐
//	prepare ──────────── Prepared ────┼─> Handle ─> what comes is held ─> Advance: applied to the book and the view,
//	source.NextMargins ─ walkedMsg ───┤                                   if no command reads them now
//	source.Page ──────── answeredMsg ─┘
//
// Handle gets the messages of the Store's own commands. Advance is called after each message of the program. Neither
// waits for I/O or does long work. A command changes nothing: its result comes back as a message.
//
// The floors, from the top. A file uses only what is on its own floor and below:
//
//	run                          what is done with a message, after each message, and once a second
//	recording, sample            what is different while a recording is shown; when totals are noted
//	alerts_..., stories          when the rules are evaluated, and what is kept of them; how close-outs ended
//	settings, follow, freeze     what the trader sets, and which streams that needs
//	store                        the Store and its options
//	alerts, history, survey      what is known of the alerts, and how totals have moved; all rows surveyed
//	prepare, next_book, judged   how the next view is made, and the rows that the rules watch
//	data, source, walk           the book and its view; the flow of data from the source, and of margin levels
//	trades, corrections, ...     what data has; they know no more than their own values
//
// Each file has what its name says.
package store

import (
	"context"
	"log/slog"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/format"
	"blotter/ui/history"
	"blotter/ui/story"
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
	clock   clock
	options Options
	format  *format.Formatter
	started bool
	// watchesAll is true if one stream has all positions, because those of the scope are held back.
	watchesAll bool

	data    data
	flow    Flow
	walk    Walk
	alerts  Alerts
	stories stories
	moves   Moves
	surveys Surveys
	notices notices
	ticks   ticks
	odd     oddFields
}

// Now is the time by the clock of the options.
func (s *Store) Now() time.Time { return s.clock.now() }

// ScreenNow returns the time of the clock of notices and frames, which continues while the clock of a replay is
// stopped.
func (s *Store) ScreenNow() time.Time { return s.clock.screenNow() }

// ServiceNow returns the time by the clock of the service: all times that the service sends are compared with it.
func (s *Store) ServiceNow() time.Time { return model.ServiceTime(s.flow.links, s.Now()) }

// Notices returns the notices since the last call.
func (s *Store) Notices() []Notice {
	notices := s.notices
	s.notices = nil
	return notices
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
func (s *Store) Events() *event.Log { return s.data.happening.log }

// Alerts returns the alerts, with what is known of them.
func (s *Store) Alerts() *Alerts { return &s.alerts }

// Moves returns how totals, and the numbers of some positions, have moved.
func (s *Store) Moves() *Moves { return &s.moves }

// Surveys returns the surveys.
func (s *Store) Surveys() *Surveys { return &s.surveys }

// IsOfRecording reports whether a recording is shown, also the past of a service.
func IsOfRecording(s *Store) bool { return s.clock.isOfRecording }

// stories are the stories of a log, read from it.
type stories struct {
	log    *event.Log
	newest uint64 // of the events that last, when they were read
	all    []*event.Story
	scope  model.Scope // the one that is watched
	told   uint64      // the number of the newest event whose story was told
}

// Follow calls show with the states of a position from one time to another, in what is recorded of it.
type Follow func(ctx context.Context, key model.Key, from, to time.Time, show func(at time.Time, state *model.Position)) error

// Desk is the desk that this screen is one of: it evaluates the rules of its configuration once, for all its screens.
type Desk interface {
	// NextAlerts waits for what the rules of the desk are in alert for, and returns it of those rules that have changed
	// since the last call: at first of all.
	NextAlerts(ctx context.Context) ([]view.DeskAlerts, error)
}

// Flow is the flow of data from the source.
func (s *Store) Flow() *Flow { return &s.flow }

// Book returns the positions that are shown, and those that the view does not show: those of other scopes, and while
// the rows of another scope are awaited, all.
func (s *Store) Book() *book.Book { return s.data.shownBook() }

// Walk returns how far the margin levels of the scope have been read.
func (s *Store) Walk() *Walk {
	if f := s.data.frozen; f != nil {
		return &f.walk
	}
	return &s.walk
}

// StoryWriter returns what writes stories, as of now.
func StoryWriter(s *Store) *story.Writer {
	return &story.Writer{Format: s.format, Book: s.Book(), Log: s.data.happening.log, Now: s.Now(), ServiceNow: s.ServiceNow()}
}
