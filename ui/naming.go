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

// hintAtNames shows once how names are given, if nothing has one.
func (m *Model) hintAtNames() {
	if m.hintedAtNames || m.notice.text != "" || m.store.View().Rows() == 0 {
		return
	}
	m.hintedAtNames = true
	if in := m.store.Instruments(); len(in.Parties())+len(in.Markets()) == 0 {
		m.positions.SkipRawOrder() // this notice replaces the one about raw numbers
		m.notify(m.keys.Fill("Nothing has a name: {name} names a row; blotter config init lists all in a file."))
	}
}
