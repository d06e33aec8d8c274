package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"blotter/model/filter"
	"blotter/ui/columns"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/views"
)

// newViews returns the views of the options. The default view is the screen as it is without another one.
func newViews(o *Options) views.Set {
	first := views.View{
		Name: "default", Scope: o.Scope, Filter: filter.Understood(filter.Parse, o.Filter), Order: o.Order, ShowClosed: o.ShowClosed,
		Columns: columns.Remembered(o.Columns).State(), Group: o.Group,
	}
	return views.NewSet(first, o.Views, o.SavedViews)
}

// beginWithView makes the options begin with their view, and returns the step to it from the default view.
func beginWithView(set *views.Set, o *Options) steps {
	view, found := set.Find(o.View)
	if !found || view.Shows(&set.Default) {
		return nil
	}
	if problem := view.Problem(); problem != "" {
		o.Notice = problem
		return nil
	}
	set.Apply(view, set.Default)
	o.Scope, o.Filter, o.Order, o.ShowClosed, o.Columns, o.Group = view.Scope, view.Filter, view.Order, view.ShowClosed, view.Columns, view.Group
	return steps{stepTo(&view, set.Default, set.Default)}
}

// stepTo is the step to a view: from what was shown before it, and the view that was applied before it.
func stepTo(view *views.View, shown, applied views.View) step {
	return step{kind: viewStep, scope: shown.Scope, filter: view.Filter, undo: []pane.Effect{pane.RestoreView{Shown: shown, Applied: applied}}}
}

// shownView returns what is on the screen as a view without number and name.
func (m *Model) shownView() views.View {
	now := m.store.Settings()
	return views.View{
		Scope: now.Scope, Filter: now.Filter, Order: now.Order, ShowClosed: now.ShowClosed, Columns: m.positions.Columns().State(), Group: now.Group,
	}
}

// applyNumbered applies the view with a number, as one step.
func (m *Model) applyNumbered(number int) tea.Cmd {
	view, found := m.views.Find(number)
	if !found {
		m.notify(m.keys.Fill(fmt.Sprintf("No view %d; {views} saves one.", number)))
		return nil
	}
	if problem := view.Problem(); problem != "" {
		m.notify(problem)
		return nil
	}
	m.closePages()
	shown := m.shownView()
	if shown.Shows(&view) {
		m.views.Apply(view, shown)
		m.notify("This is view " + view.Title() + ".")
		return nil
	}
	m.steps.add(stepTo(&view, shown, m.views.Applied))
	m.views.Apply(view, shown)
	return m.showView(view)
}

// showView changes the screen to a view. It adds no step.
func (m *Model) showView(view views.View) tea.Cmd {
	m.positions.Show(columns.Remembered(view.Columns), view.Order)
	return m.set(func(s *store.Settings) {
		*s = store.Settings{Scope: view.Scope, Filter: view.Filter, ShowClosed: view.ShowClosed, Order: view.Order, Group: view.Group}
	})
}
