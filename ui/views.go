package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"blotter/model/filter"
	"blotter/ui/columns"
	"blotter/ui/format"
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
	if wrong := view.Wrong(); wrong != "" {
		o.Notice = notApplied(&view, wrong)
		return nil
	}
	set.Apply(view, set.Default)
	o.Scope, o.Filter, o.Order, o.ShowClosed, o.Columns, o.Group = view.Scope, view.Filter, view.Order, view.ShowClosed, view.Columns, view.Group
	return steps{stepTo(&view, set.Default, set.Default)}
}

// notApplied is the message about a view with a wrong filter.
func notApplied(view *views.View, wrong string) string {
	return "View " + format.OneLine(view.Title()) + " is not applied: " + wrong + "."
}

// stepTo is the step to a view: from what was shown before it, and the view that was applied before it.
func stepTo(view *views.View, shown, applied views.View) step {
	return viewStep{shown: shown, applied: applied, filter: view.Filter}
}

// shownView returns what is on the screen as a view without number and name.
func (m *Model) shownView() views.View {
	now := m.store.Settings()
	return views.View{
		Scope: now.Scope, Filter: now.Filter, Order: now.Order, ShowClosed: now.ShowClosed, Columns: m.positions.Columns().State(), Group: now.Group,
	}
}

// rememberedView returns the view that the next run begins with, as far as it is remembered: what is on the screen, but
// while one of 1 to 9 is, what was there before it.
func (m *Model) rememberedView() views.View {
	if m.views.Applied.Number > 0 {
		return m.views.Before
	}
	return m.shownView()
}

// applyNumbered applies the view with a number, as one step.
func (m *Model) applyNumbered(number int) tea.Cmd {
	view, found := m.views.Find(number)
	if !found {
		m.notify(m.keys.Fill(fmt.Sprintf("No view %d; {views} saves one.", number)))
		return nil
	}
	if wrong := view.Wrong(); wrong != "" {
		m.notify(notApplied(&view, wrong))
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
	return m.show(view)
}

// show changes the screen to a view. It adds no step.
func (m *Model) show(view views.View) tea.Cmd {
	m.positions.Show(columns.Remembered(view.Columns), view.Order)
	return m.set(store.Settings{Scope: view.Scope, Filter: view.Filter, ShowClosed: view.ShowClosed, Order: view.Order, Group: view.Group})
}

// viewWords returns the number and name of the view while nothing of it has changed; empty for the default view.
func (m *Model) viewWords() string {
	shown := m.shownView()
	if m.views.Applied.Number == 0 || !m.views.IsShown(&shown) {
		return ""
	}
	return m.views.Applied.Title()
}

// saveView saves what is on the screen as the view with a number.
func (m *Model) saveView(number int, name string) {
	view := m.shownView()
	view.Number, view.Name = number, name
	m.views.Save(view)
	m.memory.at = m.memory.at.Add(-rememberEvery) // it is written with the next tick
	switch {
	case m.views.IsConfigured(number):
		m.notify(fmt.Sprintf("Saved, but the configuration has its own view %d.", number))
		return
	case m.options.Remember == nil:
		m.notify("Saved as view " + view.Title() + " for this run: nothing is remembered.")
	default:
		m.notify("Saved as view " + view.Title() + ".")
	}
	m.views.Apply(view, m.shownView())
}

// deleteView deletes the saved view with a number.
func (m *Model) deleteView(number int) {
	m.views.Remove(number)
	m.memory.at = m.memory.at.Add(-rememberEvery)
	m.notify(fmt.Sprintf("Deleted the saved view %d.", number))
}
