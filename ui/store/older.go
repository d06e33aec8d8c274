package store

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/ui/format"
)

// olderMsg is the message of what was read.
type olderMsg struct {
	started int
	recent  analysis.Recent
	trades  []event.Event // the latest first
	err     error
}

// maxOlderTrades is how many trades are kept of what was read.
const maxOlderTrades = 100

// readSpan is how far back it is read: the longest period, and what a point of it may be older.
const readSpan = time.Hour + 2*time.Minute

// Older reads what is recorded of positions, to tell why their PnL has changed in the last hour.
type Older struct{ of *Store }

// OlderOf returns what reads the past of positions of a store.
func OlderOf(s *Store) Older { return Older{s} }

// CanRead reports whether anything is recorded.
func (o Older) CanRead() bool { return o.of.options.Follow != nil }

// IsReading reports whether the past of a position is being read.
func (o Older) IsReading(key model.Key) bool {
	older := &o.of.moves.older
	return older.cancel != nil && older.key == key
}

// Stop ends the reading.
func (o Older) Stop() { o.of.moves.older.stop() }

// Read returns the command that reads the past of a position, up to now. It ends an earlier one.
func (o Older) Read(key model.Key) tea.Cmd {
	s := o.of
	reading := &s.moves.older
	reading.stop()
	ctx, cancel := context.WithCancel(s.flow.ctx)
	reading.key, reading.cancel = key, cancel
	started, to, in, follow := reading.started, s.Now(), s.data.instruments, s.options.Follow
	return func() tea.Msg {
		read := pastOf{in: in, at: to.Add(-readSpan)}
		err := follow(ctx, key, read.at, to, read.show)
		read.passTo(to)
		return olderMsg{started, read.recent, read.trades, err}
	}
}

// take keeps what was read for the position, if it is still wanted and older than what is known.
func (o Older) take(msg olderMsg) {
	s, reading := o.of, &o.of.moves.older
	if msg.started != reading.started {
		return
	}
	key, name := reading.key, s.format.Position(reading.key)
	reading.stop()
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) {
			s.notices.addNotice("The past of " + name + " cannot be read: " + format.Error(msg.err) + ".")
		}
		return
	}
	s.moves.trends.Follow(key, s.Now())
	row := s.moves.trends.Of(key)
	known, read := row.Recent.Reaches(), msg.recent.Reaches()
	if read.IsZero() || !known.IsZero() && !read.Before(known) {
		s.notices.addNotice("Nothing older is recorded of " + name + ".")
		return
	}
	row.Recent, row.Older = msg.recent, msg.trades
}

// pastOf collects what was recorded of a position.
type pastOf struct {
	in     *model.Instruments
	recent analysis.Recent
	trades []event.Event
	last   *model.Position // nil if there is none
	at     time.Time       // up to when it is told
}

// show takes the next state of the position.
func (p *pastOf) show(at time.Time, state *model.Position) {
	p.passTo(at)
	switch {
	case state == nil:
		p.recent = analysis.Recent{}
	case p.last == nil:
		p.at = at
	case !analysis.IsPriceAlone(p.last, state):
		p.recent.Note(p.last, state, p.in)
		if e, ok := event.New(p.last, state, book.ChangedByUpdate, at); ok {
			p.trades = append([]event.Event{e}, p.trades[:min(len(p.trades), maxOlderTrades-1)]...)
		}
	}
	p.last = nil
	if state != nil {
		copied := *state
		p.last = &copied
	}
}

// passTo tells that the position was as it is until a time, once a second.
func (p *pastOf) passTo(to time.Time) {
	for ; p.last != nil && !p.at.After(to); p.at = p.at.Add(time.Second) {
		p.recent.Sample(p.last, p.in, p.at)
	}
}
