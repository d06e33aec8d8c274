package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/layout"
	"blotter/ui/pane"
)

// step is something that esc undoes. The latest is undone first. There can be several changes of scope and view, but
// only one step of each other kind: one for each page, and one filter and one grouping since the latest view.
type step struct {
	kind   stepKind
	page   string         // the kind of the page that it is about; empty if it is about none
	opened pane.Pane      // this page, of the step that opened it
	before view.Settings  // what was set before a view, or before the first change of scope, filter or grouping
	undo   func() tea.Cmd // nil if it opened a page: that is closed
}

// stepKind is what a step has done.
type stepKind uint8

// The kinds of steps.
const (
	pageStep       stepKind = iota // a page was opened
	pageFilterStep                 // the rows of a page were narrowed
	fullScreenStep
	paneStep // another pane than the table of positions got the focus
	filterStep
	groupStep
	scopeStep
	viewStep
	rewindStep // the past is shown
)

// maxSteps is how many steps are kept. The oldest changes of scope and view are forgotten first.
const maxSteps = 30

// steps are what the trader did, the latest last: what esc undoes, one after the other. The pages that cover the panes
// are among them.
type steps []step

// changesScope reports whether a step may have changed the scope.
func (s *step) changesScope() bool { return s.kind == scopeStep || s.kind == viewStep }

// belongsToView reports whether steps of a kind change a part of a view, so that each view has its own.
func (k stepKind) belongsToView() bool { return k == filterStep || k == groupStep }

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
		before = slices.DeleteFunc(before, func(each step) bool { return each.kind.belongsToView() })
	}
	*s = append(before, after...)
}

// latestView returns where the latest view is; -1 if there is none.
func (s steps) latestView() int {
	for i := range slices.Backward(s) {
		if s[i].kind == viewStep {
			return i
		}
	}
	return -1
}

// before returns the settings before a step of a kind since the latest view, or those of now if there is none.
func (s steps) before(kind stepKind, now view.Settings) view.Settings {
	for _, each := range s[s.latestView()+1:] {
		if each.kind == kind {
			return each.before
		}
	}
	return now
}

// note adds a step for a change of scope, of filter and of grouping. If a filter or a grouping is set back to its value
// before the step, the step is removed. The function set changes the settings without a step.
func (s *steps) note(now, to view.Settings, set func(change func(*view.Settings)) tea.Cmd) {
	setting := func(change func(*view.Settings)) func() tea.Cmd {
		return func() tea.Cmd { return set(change) }
	}
	if !to.Scope.Equal(now.Scope) {
		s.add(step{kind: scopeStep, before: now, undo: setting(func(s *view.Settings) { s.Scope = now.Scope })})
	}
	if to.Filter != now.Filter {
		before := s.before(filterStep, now)
		undo := setting(func(s *view.Settings) { s.Filter = before.Filter })
		isChanged := strings.TrimSpace(to.Filter) != strings.TrimSpace(before.Filter)
		s.set(step{kind: filterStep, before: before, undo: undo}, isChanged)
	}
	if to.Group != now.Group {
		before := s.before(groupStep, now)
		undo := setting(func(s *view.Settings) { s.Group = before.Group })
		s.set(step{kind: groupStep, before: before, undo: undo}, to.Group != before.Group)
	}
}

// remove removes the step of a kind about a page, if there is one.
func (s *steps) remove(kind stepKind, page string) {
	since := 0
	if kind.belongsToView() {
		since = s.latestView() + 1
	}
	rest := slices.DeleteFunc((*s)[since:], func(each step) bool { return each.kind == kind && each.page == page })
	*s = (*s)[:since+len(rest)]
}

// hasPage reports whether a page of a kind is open, also below another one.
func (s steps) hasPage(page string) bool {
	return slices.ContainsFunc(s, func(each step) bool { return each.opened != nil && each.page == page })
}

// topPage returns the step that has opened the page that covers the panes; an empty one if none does.
func (s steps) topPage() step {
	for _, each := range slices.Backward(s) {
		if each.opened != nil {
			return each
		}
	}
	return step{}
}

// closeOf closes a page, if it is open, and removes all steps about it.
func (s *steps) closeOf(page string) {
	*s = slices.DeleteFunc(*s, func(each step) bool {
		if closes, ok := each.opened.(interface{ Close() }); ok && each.page == page {
			closes.Close()
		}
		return each.page == page
	})
}

// closePage closes the page that covers the panes, if one does. If another page is below, that one is shown again.
func (s *steps) closePage() {
	if page := s.topPage(); page.opened != nil {
		s.closeOf(page.page)
	}
}

// closePages shows the panes again.
func (s *steps) closePages() {
	for s.topPage().opened != nil {
		s.closePage()
	}
}

// back undoes the latest step. There must be one.
func (s *steps) back() tea.Cmd {
	latest := (*s)[len(*s)-1]
	if latest.opened != nil {
		s.closePage()
		return nil
	}
	*s = (*s)[:len(*s)-1]
	return latest.undo()
}

// set adds a step if isDone is true; else it removes the step of its kind and page.
func (s *steps) set(one step, isDone bool) {
	if isDone {
		s.add(one)
	} else {
		s.remove(one.kind, one.page)
	}
}

// undoesFilter reports whether esc would clear the filter.
func (s steps) undoesFilter() bool {
	return len(s) > 0 && s[len(s)-1].kind == filterStep && s[len(s)-1].before.Filter == ""
}

// path returns the scopes since the first one, the last of which is watched now, and the filter, in the order of the
// steps. The step of the filter is its own, or that of the latest view.
func (s steps) path(scope model.Scope) []layout.PathStep {
	var path []layout.PathStep // the latest first
	hasFilter := false
	for _, each := range slices.Backward(s) {
		if !hasFilter && (each.kind == filterStep || each.kind == viewStep) {
			hasFilter = true
			path = append(path, layout.PathStep{IsFilter: true})
		}
		if each.changesScope() {
			if !scope.Equal(each.before.Scope) {
				path = append(path, layout.PathStep{Scope: scope})
			}
			scope = each.before.Scope
		}
	}
	path = append(path, layout.PathStep{Scope: scope})
	slices.Reverse(path)
	return path
}
