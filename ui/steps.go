package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/frame"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// step is something that esc undoes. The latest is undone first. Of all but scopes and views there is at most one: one
// of each page, and one filter and one grouping since the latest view, which has its own.
type step struct {
	kind   stepKind
	page   string        // the page that it is about; empty if it is about none
	scope  model.Scope   // what was watched before a change of scope or view
	group  view.Grouping // the grouping before it was changed
	filter string        // the filter of a view
	undo   func(*Model) tea.Cmd
}

type stepKind uint8

const (
	pageStep       stepKind = iota // a page was opened
	pageFilterStep                 // the rows of a page were narrowed
	fullScreenStep
	paneStep // another pane than the first got the focus
	filterStep
	groupStep
	scopeStep
	viewStep
	rewindStep // the past is shown
)

// maxSteps is how many steps are kept. The oldest changes of scope and view are forgotten first.
const maxSteps = 30

// steps are what the trader did, the latest last.
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

// appliedFilter is the filter of the latest view; empty if there is no view.
func (s steps) appliedFilter() string {
	if at := s.latestView(); at >= 0 {
		return s[at].filter
	}
	return ""
}

// grouping returns the grouping before that of the latest view was changed, or the one of now if it was not.
func (s steps) grouping(now view.Grouping) view.Grouping {
	for _, each := range s[s.latestView()+1:] {
		if each.kind == groupStep {
			return each.group
		}
	}
	return now
}

// remove removes the step of a kind about a page: what it did was undone in another way.
func (s *steps) remove(kind stepKind, page string) {
	since := 0
	if kind.belongsToView() {
		since = s.latestView() + 1
	}
	rest := slices.DeleteFunc((*s)[since:], func(each step) bool { return each.kind == kind && each.page == page })
	*s = (*s)[:since+len(rest)]
}

// removeOf removes all steps about a page.
func (s *steps) removeOf(page string) {
	*s = slices.DeleteFunc(*s, func(each step) bool { return each.page == page })
}

// pop removes the latest step and returns it, and false if there is none.
func (s *steps) pop() (latest step, ok bool) {
	if len(*s) == 0 {
		return step{}, false
	}
	latest = (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return latest, true
}

// applying is what undoes a step by an effect.
func applying(effect pane.Effect) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.apply(effect) }
}

// set adds or removes a step that is either there or not.
func (s *steps) set(one step, there bool) {
	if there {
		s.add(one)
	} else {
		s.remove(one.kind, one.page)
	}
}

// whyNone returns why esc can undo nothing; empty if it can.
func (s steps) whyNone() string {
	return keys.ReasonIf(len(s) == 0, "no step to undo")
}

// undoesFilter reports whether esc would clear the filter.
func (s steps) undoesFilter() bool {
	return len(s) > 0 && s[len(s)-1].kind == filterStep && s.appliedFilter() == ""
}

// path returns the scopes since the first one, the last of which is watched now, and the filter, in the order of the
// steps. The step of the filter is its own, or that of the latest view.
func (s steps) path(scope model.Scope) []frame.Step {
	var path []frame.Step // the latest first
	hasFilter := false
	for _, each := range slices.Backward(s) {
		if !hasFilter && (each.kind == filterStep || each.kind == viewStep) {
			hasFilter = true
			path = append(path, frame.Step{IsFilter: true})
		}
		if each.changesScope() {
			if !scope.Equal(each.scope) {
				path = append(path, frame.Step{Scope: scope})
			}
			scope = each.scope
		}
	}
	path = append(path, frame.Step{Scope: scope})
	slices.Reverse(path)
	return path
}
