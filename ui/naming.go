package ui

import (
	"blotter/ui/pane"
)

// nameRow opens the dialog for the position under the cursor.
func nameRow(m *Model, c *pane.Context) []pane.Effect { return m.positions.Name(c) }

// whyNoDetailNaming returns why nothing can be named while one reads: only the detail is of a row.
func whyNoDetailNaming(m *Model, c *pane.Context) string {
	if len(m.pages) > 0 && m.pages.top().kind != pane.DetailKind {
		return "no row is shown here"
	}
	return m.positions.WhyNoNaming(c)
}
