package ui

import (
	"cmp"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/views"
)

// newViews returns the views of the options. The default view is the screen as it is without another one.
func newViews(o *Options) views.Set {
	first := views.View{Name: "default", Shown: o.Shown}
	first.Filter = filter.ValidPart(filter.Parse, o.Filter)
	first.Columns = columns.SettingsOf(o.Columns).State()
	return views.NewSet(first, o.Views, o.SavedViews)
}

// beginWithView changes the options to those of the view that the screen begins with, and reports whether that is
// another one than the default view.
func beginWithView(set *views.Set, o *Options) (isOther bool) {
	view, found := set.Find(o.View)
	if !found || view.Shows(&set.Default.Shown) {
		return false
	}
	if problem := view.Problem(); problem != "" {
		o.Notices = append(o.Notices, problem)
		return false
	}
	set.Apply(view, set.Default.Shown)
	o.Shown = view.Shown
	return true
}

// stepFrom returns the step of a change to another view. It is undone by what was shown before, and the view that was
// applied then.
func (m *Model) stepFrom(shown views.Shown, applied views.View) step {
	return step{kind: viewStep, before: shown.Settings, undo: func() tea.Cmd {
		m.views.Applied = applied
		return m.restore(shown)
	}}
}

// applyNumbered applies the view with a number, as one step.
func (m *Model) applyNumbered(number int) tea.Cmd {
	view, found := m.views.Find(number)
	if problem := view.Problem(); !found || problem != "" {
		m.notice.say(cmp.Or(problem, m.keys.Fill(fmt.Sprintf("No view %d; {views} saves one.", number))))
		return nil
	}
	m.steps.closePages()
	shown := m.shown()
	if shown.Shows(&view.Shown) {
		m.views.Apply(view, shown)
		m.notice.say("This is view " + view.Title() + ".")
		return nil
	}
	m.steps.add(m.stepFrom(shown, m.views.Applied))
	m.views.Apply(view, shown)
	return m.restore(view.Shown)
}

// restore changes what is on the screen. It adds no step.
func (m *Model) restore(to views.Shown) tea.Cmd {
	m.positions.SetColumns(columns.SettingsOf(to.Columns))
	return m.set(func(s *view.Settings) { *s = to.Settings })
}
