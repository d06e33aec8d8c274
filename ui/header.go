package ui

import (
	"slices"

	"blotter/model"
	"blotter/ui/frame"
	"blotter/ui/pane"
)

// frame returns what the lines around the panes are drawn from.
func (m *Model) frame() *frame.Frame {
	prompt, _ := m.overlay().(pane.Prompt)
	return &frame.Frame{
		Context: m.context(), Streams: m.streams(), Service: m.options.Service, View: m.views.ShownTitle(m.shownView()), Path: m.steps.path(m.store.Settings().Scope),
		IsDemo: m.options.Demo, IsRecording: m.options.Recording != nil && m.options.Recording() == nil, Prompt: prompt,
		Counts: m.positions.Counts(), Totals: &m.totals,
		Maintenance: func(asset model.ID) (model.Amount, bool) { return m.margins.Pages().Maintenance(asset, m.store.Now()) },
		DrawKeys:    func(width int) string { return m.keys.DrawHints(m.hintedActions(), &m.styles, width) },
	}
}

// hintedActions are the actions that work now and have a word for the last line.
func (m *Model) hintedActions() []action {
	groups := append([]*group{&m.keys.replay, &m.keys.everywhere}, m.focusedGroups()...)
	if g := m.exclusiveGroup(); g != nil {
		groups = []*group{g}
	}
	var hinted []action
	for _, g := range groups {
		for _, a := range g.Actions {
			switch {
			case a.Hint == "" || a.Reason(m) != "":
			case m.page != noPage && g == &m.keys.everywhere && !a.Pinned: // works, but is of no interest on a page
			default:
				if a.Hint == nextPaneHint {
					a.Hint = m.layout.After(+1).Name()
				}
				hinted = append(hinted, a)
			}
		}
	}
	return hinted
}

// path returns the scopes since the first one, the last of which is watched now, and the filter, in the order of the
// steps.
func (s steps) path(scope model.Scope) []frame.Step {
	var scopes []model.Scope // the one before each change, and that of now
	for i := range s {
		switch each := s[i].(type) {
		case scopeStep:
			scopes = append(scopes, each.before)
		case viewStep:
			scopes = append(scopes, each.shown.Scope)
		}
	}
	scopes = append(scopes, scope)
	path := []frame.Step{{Scope: scopes[0]}}
	filterAt := s.filter()
	for i := range s {
		if changesScope(s[i]) {
			if !scopes[1].Equal(scopes[0]) {
				path = append(path, frame.Step{Scope: scopes[1]})
			}
			scopes = scopes[1:]
		}
		if i == filterAt {
			path = append(path, frame.Step{IsFilter: true})
		}
	}
	return path
}

// filter returns where the step is that set the filter of now: its own, or that of the latest view; -1 if there
// is neither.
func (s steps) filter() int {
	for i, each := range slices.Backward(s) {
		switch each.(type) {
		case filterStep, viewStep:
			return i
		}
	}
	return -1
}
