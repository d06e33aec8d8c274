package ui

import (
	tea "charm.land/bubbletea/v2"

	"blotter/ui/layout"
	"blotter/ui/pane"
)

func (m *Model) parts() layout.Parts {
	parts := m.layout.Parts(m.steps.topPage().opened != nil)
	if m.overlays.covering() != nil && !parts.HasBorder() {
		return m.layout.Parts(true)
	}
	return parts
}

func contentOf(p *panes, c *pane.Context, width int) layout.Content {
	v := p.store.View()
	totals := v.Totals()
	content := layout.Content{Assets: len(totals), Known: layout.KnownAssets(totals)}
	content.HasMarks = p.past != nil && p.past.frame.Bar != nil
	if v.Len() > 0 {
		content.HasToday = layout.HasToday(p.store)
		content.Lines, content.Selected = p.positions.Height(width), p.detail.Height(c, width)
	}
	return content
}

// turnFocus returns the function of a key that gives the focus to the pane the given number of places further.
func turnFocus(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		m.steps.closePages()
		m.setFocus(m.layout.After(by))
		return nil
	}
}

// bySplit returns the function of a key that moves the split between positions and margin levels down by the given
// number of lines.
func bySplit(lines int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		if parts := m.parts(); parts.Margins == 0 || !m.layout.MoveSplit(lines) {
			m.notice.say("The split cannot be moved further.")
		}
		return nil
	}
}

// whyNoSplit returns why there is no split to move; empty if there is one.
func (m *Model) whyNoSplit(*pane.Context) string {
	switch {
	case m.options.Replay != nil || m.past != nil:
		return "not in a recording"
	case !m.layout.HasSplit():
		return "only one table is here"
	}
	return ""
}
