package store

import (
	tea "charm.land/bubbletea/v2"

	"blotter/model"
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
		s.data.happening.log, s.alerts.lines = new(event.Log), alertLines{}
		s.stories.told = 0
		s.data.happening.troubles.Restart()
		s.data.happening.troubles.Present.ForgetNumbers()
	}
	for i := range events {
		s.data.happening.take(events[i])
	}
	lookBack(s)
	if restart { // nothing is told of what happened before
		s.stories.told = s.data.happening.log.NewestLasting()
		tickStories(s)
	}
}

// lookBack finds which positions were in alert at the time of the past, in the log of the service.
func lookBack(s *Store) {
	a, live := &s.alerts, s.options.Live
	if live == nil || s.options.IsWhatIf {
		return
	}
	type alertOf struct {
		rule string
		key  model.Key
	}
	isKnown, now := make(map[alertOf]bool), s.ServiceNow()
	a.inPast = make(map[model.Key]bool)
	for _, e := range live.data.happening.log.Lasting() { // the newest first
		if e.Alert == nil || !e.HasPosition() || e.SeenAt().After(now) {
			continue
		}
		if of := (alertOf{e.Alert.Rule, e.Key}); !isKnown[of] {
			isKnown[of] = true
			a.inPast[e.Key] = a.inPast[e.Key] || e.Alert.Begins
		}
	}
}

// restart begins again with the rows and the margin levels of another time of a recording. If the recording does not go
// on to another one, what is later is dropped: totals, trends and a baseline.
func (s *Store) restart(hasRows bool, margins []book.MarginsRead) {
	d := &s.data
	d.restarted = restarted{true, margins}
	d.happening.troubles.Restart()
	d.happening.keptChanged = true
	d.heldPages = nil
	s.data.judged.alerts.Restart(s.Now())
	s.walk.watch(d.judged.followed)
	s.walk.noteRecorded(margins, s.Now())
	s.learnAssets(margins...)
	if s.options.IsJumping() {
		return
	}
	s.moves.dropAfter(s.Now())
	if at, ok := d.book.Baselines().Current().At(); ok && at.After(s.Now()) && d.book.Baselines().HasTaken() {
		s.notices.addNotice("Baseline removed: it was taken at " + s.format.ClockOn(at, s.Now()) + ", later than now.")
		d.baseline.action = dropBaseline
	}
	switch {
	case d.baseline.isDelayed && hasRows:
		d.baseline.action, d.baseline.at = takeBaseline, s.Now()
	case d.baseline.isDelayed:
		s.notices.addNotice("No baseline: there were no positions yet.")
	}
	d.baseline.isJumping, d.baseline.isDelayed = false, false
}

// isRestarting reports whether the rows of a recording are not yet those of its time.
func isRestarting(s *Store) bool {
	return s.data.baseline.isJumping || s.data.job.restarts || s.flow.held != nil && s.flow.held.Restart
}

// Jump notes that a recording goes to another time, whose rows can perhaps be read.
func (s *Store) Jump() { s.flow.ended, s.data.baseline.isJumping = "", true }

// maxRecorded is about how many margin records of a recording are taken at once. That takes a few milliseconds.
const maxRecorded = 5000

// takeRecorded takes the margin levels of a recording, which come with the rows of their time. If it reports more, they
// are left in the Delta, for another call. No view may be in preparation.
func (s *Store) takeRecorded(held *book.Delta) (learned tea.Cmd, more bool) {
	n := 0
	for records := 0; n < len(held.Margins) && records < maxRecorded; n++ {
		if page := held.Margins[n].Page; page != nil {
			s.data.mergePage(page)
			records += len(page.Rows)
		}
	}
	s.walk.noteRecorded(held.Margins[:n], s.Now())
	s.learnAssets(held.Margins[:n]...)
	held.Margins = held.Margins[n:]
	return s.data.applyLearned(s.Now()), len(held.Margins) > 0
}

// Followed returns what was followed at the time of a recording, if that is not the whole scope; else nil.
func Followed(s *Store) *model.Scope { return s.data.followed() }
