package store

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"blotter/model/view"
	"blotter/ui/alerts"
)

// deskMsg has what has come from the desk.
type deskMsg struct{ news []view.DeskAlerts }

// awaitDesk returns the tea.Cmd that waits for the next alerts of the desk; nil if there is no desk.
func awaitDesk(s *Store) tea.Cmd {
	desk, ctx := s.options.Desk, s.flow.ctx
	if desk == nil || s.options.Events != nil {
		return nil
	}
	return func() tea.Msg {
		news, err := desk.NextAlerts(ctx)
		if err != nil {
			return nil // the session has ended
		}
		return deskMsg{news}
	}
}

// takeDesk takes what has come from the desk, and waits for more.
func takeDesk(s *Store, msg deskMsg) tea.Cmd {
	a := &s.alerts
	for i := range msg.news {
		of := &msg.news[i]
		followDesk(s, of)
		of.Changes = nil
		a.desk = slices.DeleteFunc(a.desk, func(known view.DeskAlerts) bool { return known.Rule == of.Rule })
		a.desk = append(a.desk, *of)
	}
	return tea.Batch(reportAlerts(s), awaitDesk(s))
}

// followDesk reports and logs what the desk knows of a rule and this screen does not, if the rule is on.
func followDesk(s *Store, of *view.DeskAlerts) {
	a := &s.alerts
	rule := alerts.Index(a.all, of.Rule)
	if rule < 0 || !a.all[rule].OfDesk || a.all[rule].IsOff {
		return
	}
	changes := a.watched().Follow(s.data.rulesView(), rule, of, s.Now())
	for i := range changes {
		if changes[i].At.Before(a.since) {
			a.since = changes[i].At
		}
	}
	noteAlerts(s, changes)
	a.updateWords()
}
