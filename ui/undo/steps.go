// Package undo has what esc undoes, one step after the other. The pages that cover the panes are among the steps. The
// package undoes nothing itself: each step has a function that does.
package undo

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/keys"
	"blotter/ui/layout"
	"blotter/ui/pane"
)

// Step is something that esc undoes. The latest is undone first. There can be several changes of scope and view, but
// only one step of each other kind: one for each page, and one filter and one grouping since the latest view.
type Step struct {
	Kind   Kind
	Page   string         // the kind of the page that it is about; empty if it is about none
	Opened pane.Pane      // this page, of the step that opened it
	Before view.Settings  // what was set before a view, or before the first change of scope, filter or grouping
	Undo   func() tea.Cmd // nil if it opened a page: that is closed
}

// Kind is what a step has done.
type Kind uint8

// The kinds of steps.
const (
	Page       Kind = iota // a page was opened
	PageFilter             // the rows of a page were narrowed
	FullScreen
	Pane // another pane than the table of positions got the focus
	Filter
	Group
	Scope
	View
	Rewind // the past is shown
)

// Max is how many steps are kept. The oldest changes of scope and view are forgotten first.
const Max = 30

// Steps are what the trader did, the latest last.
type Steps []Step

// changesScope reports whether a step may have changed the scope.
func (s *Step) changesScope() bool { return s.Kind == Scope || s.Kind == View }

// belongsToView reports whether steps of a kind change a part of a view, so that each view has its own.
func (k Kind) belongsToView() bool { return k == Filter || k == Group }

// Add adds a step. Except for a change of scope or view, a step that is there already becomes the latest one.
func (s *Steps) Add(added Step) {
	if !added.changesScope() {
		s.remove(added.Kind, added.Page)
	}
	*s = append(*s, added)
	if len(*s) > Max {
		s.forgetOldest()
	}
}

// forgetOldest forgets the oldest change of scope or view, and the filter and the groups that a forgotten view
// replaced.
func (s *Steps) forgetOldest() {
	oldest := slices.IndexFunc(*s, func(each Step) bool { return each.changesScope() })
	before, after := (*s)[:oldest], (*s)[oldest+1:]
	if (*s)[oldest].Kind == View {
		before = slices.DeleteFunc(before, func(each Step) bool { return each.Kind.belongsToView() })
	}
	*s = append(before, after...)
}

// latestView returns where the latest view is; -1 if there is none.
func (s Steps) latestView() int {
	for i := range slices.Backward(s) {
		if s[i].Kind == View {
			return i
		}
	}
	return -1
}

// before returns the settings before a step of a kind since the latest view, or those of now if there is none.
func (s Steps) before(kind Kind, now view.Settings) view.Settings {
	for _, each := range s[s.latestView()+1:] {
		if each.Kind == kind {
			return each.Before
		}
	}
	return now
}

// Note adds a step for a change of scope, of filter and of grouping. If a filter or a grouping is set back to its value
// before the step, the step is removed. The function set changes the settings without a step.
func (s *Steps) Note(now, to view.Settings, set func(change func(*view.Settings)) tea.Cmd) {
	setting := func(change func(*view.Settings)) func() tea.Cmd {
		return func() tea.Cmd { return set(change) }
	}
	if !to.Scope.Equal(now.Scope) {
		s.Add(Step{Kind: Scope, Before: now, Undo: setting(func(s *view.Settings) { s.Scope = now.Scope })})
	}
	if to.Filter != now.Filter {
		before := s.before(Filter, now)
		undo := setting(func(s *view.Settings) { s.Filter = before.Filter })
		isChanged := strings.TrimSpace(to.Filter) != strings.TrimSpace(before.Filter)
		s.Set(Step{Kind: Filter, Before: before, Undo: undo}, isChanged)
	}
	if to.Group != now.Group {
		before := s.before(Group, now)
		undo := setting(func(s *view.Settings) { s.Group = before.Group })
		s.Set(Step{Kind: Group, Before: before, Undo: undo}, to.Group != before.Group)
	}
}

// remove removes the step of a kind about a page, if there is one.
func (s *Steps) remove(kind Kind, page string) {
	since := 0
	if kind.belongsToView() {
		since = s.latestView() + 1
	}
	rest := slices.DeleteFunc((*s)[since:], func(each Step) bool { return each.Kind == kind && each.Page == page })
	*s = (*s)[:since+len(rest)]
}

// Has reports whether a page of a kind is open, also below another one.
func (s Steps) Has(page string) bool {
	return slices.ContainsFunc(s, func(each Step) bool { return each.Opened != nil && each.Page == page })
}

// PageStep returns the step that has opened the page that covers the panes; an empty one if none does.
func (s Steps) PageStep() Step {
	for _, each := range slices.Backward(s) {
		if each.Opened != nil {
			return each
		}
	}
	return Step{}
}

// CloseOf closes a page, if it is open, and removes all steps about it.
func (s *Steps) CloseOf(page string) {
	*s = slices.DeleteFunc(*s, func(each Step) bool {
		if closes, ok := each.Opened.(interface{ Close() }); ok && each.Page == page {
			closes.Close()
		}
		return each.Page == page
	})
}

// ClosePage closes the page that covers the panes, if one does. If another page is below, that one is shown again.
func (s *Steps) ClosePage() {
	if page := s.PageStep(); page.Opened != nil {
		s.CloseOf(page.Page)
	}
}

// ClosePages shows the panes again.
func (s *Steps) ClosePages() {
	for s.PageStep().Opened != nil {
		s.ClosePage()
	}
}

// Back undoes the latest step. There must be one.
func (s *Steps) Back() tea.Cmd {
	latest := (*s)[len(*s)-1]
	if latest.Opened != nil {
		s.ClosePage()
		return nil
	}
	*s = (*s)[:len(*s)-1]
	return latest.Undo()
}

// Set adds a step if isDone is true; else it removes the step of its kind and page.
func (s *Steps) Set(one Step, isDone bool) {
	if isDone {
		s.Add(one)
	} else {
		s.remove(one.Kind, one.Page)
	}
}

// WhyNone returns why esc can undo nothing; empty if it can.
func (s Steps) WhyNone() string {
	return keys.ReasonIf(len(s) == 0, "no step to undo")
}

// UndoesFilter reports whether esc would clear the filter.
func (s Steps) UndoesFilter() bool {
	return len(s) > 0 && s[len(s)-1].Kind == Filter && s[len(s)-1].Before.Filter == ""
}

// Path returns the scopes since the first one, the last of which is watched now, and the filter, in the order of the
// steps. The step of the filter is its own, or that of the latest view.
func (s Steps) Path(scope model.Scope) []layout.PathStep {
	var path []layout.PathStep // the latest first
	hasFilter := false
	for _, each := range slices.Backward(s) {
		if !hasFilter && (each.Kind == Filter || each.Kind == View) {
			hasFilter = true
			path = append(path, layout.PathStep{IsFilter: true})
		}
		if each.changesScope() {
			if !scope.Equal(each.Before.Scope) {
				path = append(path, layout.PathStep{Scope: scope})
			}
			scope = each.Before.Scope
		}
	}
	path = append(path, layout.PathStep{Scope: scope})
	slices.Reverse(path)
	return path
}
