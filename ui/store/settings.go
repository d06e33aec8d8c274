package store

import (
	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/filter"
	"blotter/model/view"
)

// Settings returns the settings of the view that is shown, or that is being made.
func (s *Store) Settings() view.Settings {
	d := &s.data
	return view.Settings{Scope: d.scope, Filter: d.filter.Text, ShowClosed: d.filter.ShowClosed, Order: d.order, Group: d.groups.By}
}

// Set changes the settings. Rows that are not in the scope are no longer shown at once, and a change of the scope ends
// a freeze.
func (s *Store) Set(to view.Settings) tea.Cmd {
	before := s.Settings()
	if to.Equal(&before) {
		return nil
	}
	d := &s.data
	d.filter.Text, d.filter.ShowClosed, d.order = to.Filter, to.ShowClosed, to.Order
	d.filter.Now = s.ServiceNow().In(s.options.Location)
	if d.groups.By != to.Group {
		d.groups = view.Groups{By: to.Group} // with no group folded
	}
	if to.Scope.Equal(before.Scope) {
		return d.prepare(s.Now())
	}
	s.Freeze(false)
	return follow(s, to.Scope)
}

// Subscriptions are the streams that are watched.
func (s *Store) Subscriptions() []model.Subscription { return s.data.subscriptions }

// Folding are the groups that are folded now.
func (s *Store) Folding() view.Folding { return s.data.groups.Folding }

// Fold folds these groups. It takes little time, so it is done at once and not in a command.
func (s *Store) Fold(folding view.Folding) {
	s.data.groups.Folding = folding
	s.data.fold()
}

// SetInstruments replaces the names and decimals, at once. A survey with those of before is dropped.
func (s *Store) SetInstruments(in *model.Instruments) tea.Cmd {
	s.data.instruments, s.format = in, s.options.Format(in)
	s.surveys.drop()
	s.data.viewInstruments = in
	if f := s.data.frozen; f != nil {
		f.instruments = in
	}
	return s.data.prepare(s.Now())
}

// refilter matches the rows again if ages decide on them. While the rows are frozen, they stay as they are.
func (s *Store) refilter() tea.Cmd {
	d := &s.data
	query, err := filter.Parse(d.filter.Text)
	if err != nil || !query.UsesTime() || d.makesView() || d.frozen != nil {
		return nil
	}
	d.filter.Now = s.ServiceNow().In(s.options.Location)
	return d.prepare(s.Now())
}

// FilterContext returns what filters of events are matched with now.
func (s *Store) FilterContext() filter.Context {
	return filter.Context{Instruments: s.data.instruments, Now: s.ServiceNow().In(s.options.Location)}
}
