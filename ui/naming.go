package ui

import (
	tea "charm.land/bubbletea/v2"

	"blotter/ui/pane"
)

// nameRow opens the dialog for the position under the cursor.
func (m *Model) nameRow() tea.Cmd { return m.apply(m.positions.Name(m.context())...) }

// whyNoDetailNaming returns why nothing can be named while one reads: only the detail is of a row.
func (m *Model) whyNoDetailNaming() string {
	if len(m.pages) > 0 && m.pages.top().kind != pane.DetailKind {
		return "no row is shown here"
	}
	return m.positions.WhyNoNaming(m.context())
}
