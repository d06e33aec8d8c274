package ui

import (
	"slices"

	"blotter/ui/alerts"
	"blotter/ui/history"
	"blotter/ui/margins"
	"blotter/ui/persist"
	"blotter/ui/store"
)

// State returns what the screen remembers now. It must not be called while the program runs.
func (m *Model) State() persist.State {
	now, state := m.views.Remembered(m.shown()), m.options.Remembered
	state.Note(&now, &m.views.Default.Shown)
	state.Views, state.Split = m.views.Saved(), m.layout.Split
	state.Groups = persist.GroupsOfRows(m.service().store.Instruments().Groups())
	state.Alerts = alerts.Remember(m.service().store.Alerts().Rules(), &state.Alerts)
	if m.margins.Size() != m.options.PageSize {
		state.PageSize = m.margins.Size()
	}
	return state
}

// Days returns what is kept of days for the next run. It must not be called while a command runs.
func (m *Model) Days() history.Kept {
	s := m.service().store
	return history.Kept{Lines: store.DaysIn(s).Clone(), Numbers: store.DayNumbers(s)()}
}

// maxSplit limits a remembered split: no screen has more lines.
const maxSplit = 1000

// Use sets the options to what a state remembers, except those whose key the configuration sets.
func (o *Options) Use(s *persist.State, isConfigured func(key string) bool) {
	o.Remembered = *s
	o.Split = max(-maxSplit, min(s.Split, maxSplit))
	if slices.Contains(o.Appearance.Themes.Names(), s.Theme) && !isConfigured("screen.theme") {
		o.Appearance.Theme = s.Theme
	}
	s.Remembered.Use(&o.Shown, isConfigured)
	o.Alerts, o.Remembered.Alerts = s.Alerts.With(o.Alerts)
	if len(s.Groups) > 0 {
		o.Instruments = persist.WithGroups(o.Instruments, s.Groups)
	}
	o.SavedViews = nil
	for i := range s.Views {
		o.SavedViews = append(o.SavedViews, s.Views[i].View())
	}
	if slices.Contains(margins.Sizes, s.PageSize) && !isConfigured("screen.page_size") {
		o.PageSize = s.PageSize
	}
}
