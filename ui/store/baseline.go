package store

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model/book"
)

// baselineAction is a change of the baseline, which the next view makes.
type baselineAction uint8

const (
	keepBaseline baselineAction = iota
	takeBaseline
	dropBaseline
	extendBaseline // of rows that were out of date when they came
)

// baselineRequest is the change of the baseline that the trader has requested. The baseline itself is in the book.
type baselineRequest struct {
	action baselineAction // of the next view
	at     time.Time      // the time of the rows that it takes
}

// applyBaseline applies the request to a book, which must not be in use.
func (d *data) applyBaseline(b *book.Book) {
	b.ExtendBaselines(d.arrival.IsUsable, d.cycle.since)
	switch d.baseline.action {
	case takeBaseline:
		b.TakeBaseline(d.baseline.at)
	case dropBaseline:
		b.DropBaseline()
	}
}

// extendBaseline returns the command for a view with a baseline of the rows that are no longer out of date; nil if
// there are none.
func (d *data) extendBaseline(frozen bool, now time.Time) tea.Cmd {
	if d.cycle.preparing || frozen || !d.book.LacksBaseline(d.arrival.IsUsable) {
		return nil
	}
	d.baseline.action = extendBaseline
	return d.prepare(now)
}

// TakeBaseline takes a baseline of all rows as they are now, in place of the one before.
func (s *Store) TakeBaseline() tea.Cmd { return s.changeBaseline(takeBaseline) }

// DropBaseline removes the baseline that was taken.
func (s *Store) DropBaseline() tea.Cmd { return s.changeBaseline(dropBaseline) }

func (s *Store) changeBaseline(action baselineAction) tea.Cmd {
	s.data.baseline = baselineRequest{action: action, at: s.Now()}
	if s.flow.frozen {
		s.data.baseline.at = s.flow.since
	}
	s.survey.next = time.Time{}
	return s.data.prepare(s.Now())
}
