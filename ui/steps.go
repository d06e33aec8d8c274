package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/views"
)

// A step is something that esc undoes: a page that covers the panes, the full screen, another pane, a filter, another
// scope, groups, or a view. The latest is undone first. Each kind except scope and view exists at most once: each page
// once, and a filter and a grouping once since the latest view, which has its own.

// stepKind is what a step did.
type stepKind uint8

const (
	pageStep stepKind = iota
	fullScreenStep
	paneStep
	filterStep
	eventFilterStep
	scopeStep
	viewStep
	groupStep
)

// step is one step, with what is needed to undo it.
type step struct {
	kind  stepKind
	page  page        // of a pageStep: the page that was opened
	scope model.Scope // of a scopeStep: the scope before it

	// Of a viewStep: what was shown before it, the view that was applied before it, and its filter.
	shown   views.View
	applied views.View
	filter  string

	group view.Grouping // of a groupStep: the grouping before it
}

// maxSteps is how many steps are kept. The oldest changes of scope and view are forgotten first.
const maxSteps = 30

// steps are what the trader did, the latest last.
type steps []step

// changesScope reports whether a step may have changed the scope.
func (s *step) changesScope() bool { return s.kind == scopeStep || s.kind == viewStep }

// add adds a step. Except for a change of scope or view, a step that is there already becomes the latest one.
func (s *steps) add(added step) {
	if !added.changesScope() {
		s.remove(added.kind, added.page)
	}
	*s = append(*s, added)
	if len(*s) > maxSteps {
		s.forgetOldest()
	}
}

// forgetOldest forgets the oldest change of scope or view, and the filter and the groups that a forgotten view
// replaced.
func (s *steps) forgetOldest() {
	oldest := slices.IndexFunc(*s, func(each step) bool { return each.changesScope() })
	before, after := (*s)[:oldest], (*s)[oldest+1:]
	if (*s)[oldest].kind == viewStep {
		before = slices.DeleteFunc(before, func(each step) bool { return each.kind == filterStep || each.kind == groupStep })
	}
	*s = append(before, after...)
}

// latestView returns where the latest view is; -1 where there is none.
func (s steps) latestView() int {
	for i, each := range slices.Backward(s) {
		if each.kind == viewStep {
			return i
		}
	}
	return -1
}

// remove removes the step of a kind, of a page: what it did was undone in another way.
func (s *steps) remove(kind stepKind, page page) {
	since := 0
	if kind == filterStep || kind == groupStep {
		since = s.latestView() + 1
	}
	rest := slices.DeleteFunc((*s)[since:], func(each step) bool { return each.kind == kind && each.page == page })
	*s = (*s)[:since+len(rest)]
}

// latest returns the step that esc undoes.
func (s steps) latest() (step, bool) {
	if len(s) == 0 {
		return step{}, false
	}
	return s[len(s)-1], true
}

// setStep adds or removes the step of a kind that is either there or not.
func (s *steps) setStep(kind stepKind, there bool) {
	if there {
		s.add(step{kind: kind})
	} else {
		s.remove(kind, noPage)
	}
}

// back undoes the latest step. It never quits.
func (m *Model) back() tea.Cmd {
	latest, ok := m.steps.latest()
	if !ok {
		return nil
	}
	switch latest.kind {
	case pageStep:
		m.closePage()
	case fullScreenStep:
		m.setZoomed(false)
	case paneStep:
		m.setFocus(positionsPane)
	case filterStep:
		return m.setFilter(m.appliedFilter())
	case eventFilterStep:
		m.setEventFilter("")
	case viewStep:
		return m.undoView(latest)
	case groupStep:
		m.steps = m.steps[:len(m.steps)-1]
		return m.setGrouping(latest.group)
	case scopeStep:
		m.steps = m.steps[:len(m.steps)-1]
		return m.watchScope(latest.scope)
	}
	return nil
}

// noStep returns why esc can undo nothing; empty where it can.
func (m *Model) noStep() string {
	if len(m.steps) == 0 {
		return "no step to undo"
	}
	return ""
}

// open covers the panes with a page, as a step.
func (m *Model) open(page page) {
	m.steps.add(step{kind: pageStep, page: page})
	m.page = page
	m.scroll.First()
	if page == detailPage {
		m.positions.Rows.Stay() // or another position would come in its place while it is read
	}
}

// closePage closes the page that covers the panes. Where another page is open below, that one is shown again.
func (m *Model) closePage() {
	m.steps.remove(pageStep, m.page)
	if m.page == eventsPage {
		m.closeEvents()
	}
	m.page = noPage
	for _, each := range m.steps {
		if each.kind == pageStep {
			m.page = each.page
		}
	}
	m.scroll.First()
}

// closePages shows the panes again.
func (m *Model) closePages() {
	m.steps = slices.DeleteFunc(m.steps, func(each step) bool { return each.kind == pageStep })
	m.closeEvents()
	m.page = noPage
}

// setFocus gives the focus to a pane. Any pane but the first is a step.
func (m *Model) setFocus(to focus) {
	m.focus = to
	m.scroll.First()
	m.steps.setStep(paneStep, to != positionsPane)
	if to == detailPane {
		m.positions.Rows.Stay() // as for the page
	}
}

// setZoomed gives the focused pane the whole screen, or shows the others again.
func (m *Model) setZoomed(zoomed bool) {
	m.zoomed = zoomed
	m.steps.setStep(fullScreenStep, zoomed)
}

// quit closes what covers the screen, and quits where nothing does.
func (m *Model) quit() tea.Cmd {
	switch {
	case m.page != noPage:
		m.closePage()
	case m.zoomed:
		m.setZoomed(false)
	default:
		return tea.Quit
	}
	return nil
}

// group groups the rows, as a step.
func (m *Model) group(by view.Grouping) tea.Cmd {
	before := m.store.Settings().Group
	if at := m.steps.groupStep(); at >= 0 {
		before = m.steps[at].group
	}
	if m.steps.remove(groupStep, noPage); by != before {
		m.steps.add(step{kind: groupStep, group: before})
	}
	if by == view.Ungrouped {
		m.notify("Not grouped.")
	} else {
		m.notify("Grouped by " + by.String() + ".")
	}
	return m.setGrouping(by)
}

// setGrouping groups the rows. It adds no step.
func (m *Model) setGrouping(by view.Grouping) tea.Cmd {
	settings := m.store.Settings()
	settings.Group = by
	return m.store.Set(settings)
}

// groupStep returns where the step of groups since the latest view is; -1 if there is none.
func (s steps) groupStep() int {
	for i := len(s) - 1; i > s.latestView(); i-- {
		if s[i].kind == groupStep {
			return i
		}
	}
	return -1
}
