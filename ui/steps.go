package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/layout"
	"blotter/ui/views"
)

// step is something that esc undoes. The latest is undone first. Of all but scopes and views there is at most one: one
// of each page, and one filter and one grouping since the latest view, which has its own.
type step interface {
	// undo takes the step back, and removes it.
	undo(m *Model) tea.Cmd
}

// The steps, with what is needed to undo them.
type (
	pageStep        struct{ page page } // a page was opened
	fullScreenStep  struct{}
	paneStep        struct{} // another pane than the first got the focus
	filterStep      struct{}
	eventFilterStep struct{}
	groupStep       struct{ before view.Grouping }
	scopeStep       struct{ before model.Scope }
	viewStep        struct {
		shown   views.View // what was shown before it
		applied views.View // the view that was applied before it
		filter  string     // its own filter
	}
)

func (pageStep) undo(m *Model) tea.Cmd {
	m.closePage()
	return nil
}

func (fullScreenStep) undo(m *Model) tea.Cmd {
	m.setZoomed(false)
	return nil
}

func (paneStep) undo(m *Model) tea.Cmd {
	m.setFocus(layout.Positions)
	return nil
}

func (eventFilterStep) undo(m *Model) tea.Cmd {
	m.setEventFilter("")
	return nil
}

func (filterStep) undo(m *Model) tea.Cmd { return m.setFilter(m.steps.appliedFilter()) }

func (s groupStep) undo(m *Model) tea.Cmd {
	m.steps.pop()
	settings := m.store.Settings()
	settings.Group = s.before
	return m.store.Set(settings)
}

func (s scopeStep) undo(m *Model) tea.Cmd {
	m.steps.pop()
	settings := m.store.Settings()
	settings.Scope = s.before
	return m.set(settings)
}

// undo goes back to what was shown before the view was applied.
func (s viewStep) undo(m *Model) tea.Cmd {
	m.steps.pop()
	m.views.Applied = s.applied
	return m.show(s.shown)
}

// maxSteps is how many steps are kept. The oldest changes of scope and view are forgotten first.
const maxSteps = 30

// steps are what the trader did, the latest last.
type steps []step

// changesScope reports whether a step may have changed the scope.
func changesScope(s step) bool {
	switch s.(type) {
	case scopeStep, viewStep:
		return true
	}
	return false
}

// belongsToView reports whether a step changes a part of a view, so that each view has its own.
func belongsToView(s step) bool {
	switch s.(type) {
	case filterStep, groupStep:
		return true
	}
	return false
}

// areAlike reports whether there is at most one of two steps. Neither may be a scope or a view.
func areAlike(s, other step) bool {
	_, isGroup := s.(groupStep)
	_, areGroups := other.(groupStep)
	return isGroup && areGroups || s == other
}

// add adds a step. Except for a change of scope or view, a step that is there already becomes the latest one.
func (s *steps) add(added step) {
	if !changesScope(added) {
		s.remove(added)
	}
	*s = append(*s, added)
	if len(*s) > maxSteps {
		s.forgetOldest()
	}
}

// forgetOldest forgets the oldest change of scope or view, and the filter and the groups that a forgotten view
// replaced.
func (s *steps) forgetOldest() {
	oldest := slices.IndexFunc(*s, changesScope)
	before, after := (*s)[:oldest], (*s)[oldest+1:]
	if _, isView := (*s)[oldest].(viewStep); isView {
		before = slices.DeleteFunc(before, belongsToView)
	}
	*s = append(before, after...)
}

// latestView returns where the latest view is; -1 if there is none.
func (s steps) latestView() int {
	for i, each := range slices.Backward(s) {
		if _, isView := each.(viewStep); isView {
			return i
		}
	}
	return -1
}

// appliedFilter is the filter of the latest view; empty if there is no view.
func (s steps) appliedFilter() string {
	if at := s.latestView(); at >= 0 {
		return s[at].(viewStep).filter
	}
	return ""
}

// grouping returns the grouping before that of the latest view was changed, and false if it was not.
func (s steps) grouping() (before view.Grouping, ok bool) {
	for _, each := range s[s.latestView()+1:] {
		if of, isGroup := each.(groupStep); isGroup {
			return of.before, true
		}
	}
	return before, false
}

// remove removes the step that is like another: what it did was undone in another way.
func (s *steps) remove(gone step) {
	since := 0
	if belongsToView(gone) {
		since = s.latestView() + 1
	}
	rest := slices.DeleteFunc((*s)[since:], func(each step) bool { return areAlike(each, gone) })
	*s = (*s)[:since+len(rest)]
}

// pop removes the latest step.
func (s *steps) pop() { *s = (*s)[:len(*s)-1] }

// latest returns the step that esc undoes, nil if there is none.
func (s steps) latest() step {
	if len(s) == 0 {
		return nil
	}
	return s[len(s)-1]
}

// set adds or removes a step that is either there or not.
func (s *steps) set(one step, there bool) {
	if there {
		s.add(one)
	} else {
		s.remove(one)
	}
}

// back undoes the latest step. It never quits.
func (m *Model) back() tea.Cmd {
	if latest := m.steps.latest(); latest != nil {
		return latest.undo(m)
	}
	return nil
}

// noStep returns why esc can undo nothing; empty if it can.
func (m *Model) noStep() string {
	if len(m.steps) == 0 {
		return "no step to undo"
	}
	return ""
}

// open covers the panes with a page, as a step.
func (m *Model) open(page page) {
	m.steps.add(pageStep{page})
	m.page = page
	m.scroll.First()
	if page == detailPage {
		m.positions.Rows.Stay() // or another position would come in its place while it is read
	}
}

// closePage closes the page that covers the panes. If another page is open below, that one is shown again.
func (m *Model) closePage() {
	m.steps.remove(pageStep{m.page})
	if m.page == eventsPage {
		m.closeEvents()
	}
	m.page = noPage
	for _, each := range m.steps {
		if below, isPage := each.(pageStep); isPage {
			m.page = below.page
		}
	}
	m.scroll.First()
}

// closePages shows the panes again.
func (m *Model) closePages() {
	m.steps = slices.DeleteFunc(m.steps, func(each step) bool { _, isPage := each.(pageStep); return isPage })
	m.closeEvents()
	m.page = noPage
}

// setFocus gives the focus to a pane. Any pane but the first is a step.
func (m *Model) setFocus(to layout.Part) {
	m.layout.Focus = to
	m.scroll.First()
	m.steps.set(paneStep{}, to != layout.Positions)
	if to == layout.Detail {
		m.positions.Rows.Stay() // as for the page
	}
}

// setZoomed gives the focused pane the whole screen, or shows the others again.
func (m *Model) setZoomed(zoomed bool) {
	m.layout.IsZoomed = zoomed
	m.steps.set(fullScreenStep{}, zoomed)
}

// quit closes what covers the screen, and quits if nothing does.
func (m *Model) quit() tea.Cmd {
	switch {
	case m.page != noPage:
		m.closePage()
	case m.layout.IsZoomed:
		m.setZoomed(false)
	default:
		return tea.Quit
	}
	return nil
}

// group groups the rows, as a step.
func (m *Model) group(by view.Grouping) tea.Cmd {
	settings := m.store.Settings()
	before, wasChanged := m.steps.grouping()
	if !wasChanged {
		before = settings.Group
	}
	m.steps.set(groupStep{before}, by != before)
	if by == view.Ungrouped {
		m.notify("Not grouped.")
	} else {
		m.notify("Grouped by " + by.String() + ".")
	}
	settings.Group = by
	return m.store.Set(settings)
}
