package ui

import (
	"slices"

	"blotter/model"
	"blotter/ui/frame"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// frame returns what the lines around the panes are drawn from.
func (m *Model) frame() *frame.Frame {
	prompt, _ := m.overlay().(pane.Prompt)
	around := &frame.Frame{
		Context: m.context(), Streams: m.connection.Streams(m.context()), Service: m.options.Service, Flags: m.options.flags(),
		View: m.views.ShownTitle(m.shownNow()), Path: m.steps.path(m.store.Settings().Scope), Prompt: prompt,
		Counts:      m.positions.Counts(),
		Maintenance: func(asset model.ID) (model.Amount, bool) { return m.margins.Maintenance(asset, m.store.Now()) },
		DrawKeys:    func(width int) string { return m.keys.DrawHints(m.hintedActions(), &m.colours.styles, width) },
	}
	if m.past != nil {
		around.Past = &m.past.frame
	}
	return around
}

// hintedActions are the actions that work now and have a word for the last line.
func (m *Model) hintedActions() []keys.Action[any] {
	var hinted []keys.Action[any]
	parts, c, everywhere := m.allParts(), m.context(), m.keys.Of(m)[0]
	groups := m.activeGroups()
	if at := slices.Index(groups, everywhere); at > 0 { // before those of the pane
		groups = slices.Insert(slices.Delete(groups, at, at+1), len(m.replayKeys()), everywhere)
	}
	for _, g := range groups {
		for _, a := range g.Actions {
			switch {
			case a.Hint == "" || a.ShownKeys() == "" || keys.Reason(&a, parts, c) != "":
			case m.steps.page().opened != nil && g == everywhere && !a.Pinned: // works, but is of no interest on a page
			default:
				switch {
				case a.Hint == nextPaneHint:
					a.Hint = m.layout.After(+1).Name()
				case a.Hint == quitHint && m.past != nil:
					a.Hint = "live"
				}
				hinted = append(hinted, a)
			}
		}
	}
	return hinted
}
