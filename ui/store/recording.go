package store

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model/book"
	"blotter/model/event"
)

// takeEvents takes the events of a recording that belong to the rows that were applied. After a jump they begin a new
// log.
func (s *Store) takeEvents() {
	if s.options.Events == nil {
		return
	}
	restart, events := s.options.Events()
	if restart {
		s.log = new(event.Log)
	}
	for i := range events {
		s.log.Add(events[i])
	}
}

// restart begins again with the rows of another time of a recording. Totals and trends that are later are dropped.
func (s *Store) restart(hasRows bool) {
	s.data.restarted = true
	if baseline := &s.data.baseline; baseline.isJumping && !s.options.IsJumping() {
		switch {
		case baseline.isDelayed && hasRows:
			baseline.action, baseline.at = takeBaseline, s.Now()
		case baseline.isDelayed:
			s.notices.add("No baseline: there were no positions yet.")
		}
		baseline.isJumping, baseline.isDelayed = false, false
	}
	s.data.heldPages = nil
	s.walk.watch(s.source, s.data.scope)
	s.moves.dropAfter(s.Now())
}

// Jump notes that a recording goes to a time. If it goes back, what is later is dropped: totals, trends and a
// baseline.
func (s *Store) Jump(to time.Time, isBack bool) tea.Cmd {
	d := &s.data
	s.flow.ended, d.baseline.isJumping = "", true // the rows of another time can perhaps be read
	if !isBack {
		return nil
	}
	s.moves.dropAfter(to)
	if at, ok := d.book.Baseline().At(); ok && at.After(to) && d.book.HasTakenBaseline() {
		s.notices.add("Baseline removed: it was taken at " + s.format.ClockOn(at, s.Now()) + ", later than now.")
		return s.Baseline().Drop()
	}
	return nil
}

// takeRecorded takes the margin levels of a recording, which come with the rows of their time. No view may be in
// preparation.
func (s *Store) takeRecorded(reads []book.MarginsRead) tea.Cmd {
	var learned []tea.Cmd
	for i := range reads {
		readAt := s.Now()
		if page := reads[i].Page; page != nil {
			readAt = page.ReadAt
			s.data.view.MergeMargins(page)
		}
		s.walk.note(&reads[i], readAt)
	}
	for i := range reads { // the first one may begin a view
		if page := reads[i].Page; page != nil {
			learned = append(learned, s.learnAssets(page))
		}
	}
	return tea.Batch(learned...)
}
