package ui

import (
	"fmt"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// drawRowCounts draws how many rows are shown and why others are not.
func (m *Model) drawRowCounts(width int) string {
	return draw.Text(width, m.styles.Dim, " "+m.rowCounts()[0])
}

// rowCounts returns how many rows are shown and why others are not. Shorter words come after longer ones.
func (m *Model) rowCounts() []string {
	view := m.data.view
	if m.data.slow(m.now()) {
		return []string{"sorting..."}
	}
	if view.Rows() == 0 {
		return []string{""}
	}
	short := format.Grouped(view.Len()) + " of " + format.Grouped(view.Rows())
	if view.Groups.By != model.Ungrouped {
		return []string{m.groupCounts(), short}
	}
	text := model.Counted(view.Len(), "position")
	if w := &m.positions.window; view.Len() > w.Height() {
		text = fmt.Sprintf("rows %s–%s of %s", format.Grouped(w.Top()+1), format.Grouped(min(w.Top()+w.Height(), view.Len())), format.Grouped(view.Len()))
	} else if view.Len() != view.Rows() {
		text = format.Grouped(view.Len()) + " of " + model.Counted(view.Rows(), "position")
	}
	if view.ClosedHidden() > 0 {
		text += fmt.Sprintf(", %s closed hidden", format.Grouped(view.ClosedHidden()))
	}
	return []string{text, short}
}
