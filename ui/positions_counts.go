package ui

import (
	"fmt"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// drawRowCounts draws how many rows are shown and why others are not.
func (m *Model) drawRowCounts(width int) string {
	return draw.Text(width, m.styles.Dim, " "+m.rowCounts()[0])
}

// rowCounts returns how many rows are shown and why others are not. Shorter words come after longer ones.
func (m *Model) rowCounts() []string {
	v := m.data.view
	if m.data.slow(m.now()) {
		return []string{"sorting..."}
	}
	if v.Rows() == 0 {
		return []string{""}
	}
	short := format.Grouped(v.Len()) + " of " + format.Grouped(v.Rows())
	if v.Groups.By != view.Ungrouped {
		return []string{m.groupCounts(), short}
	}
	text := model.Counted(v.Len(), "position")
	if w := &m.positions.window; v.Len() > w.Height() {
		text = fmt.Sprintf("rows %s–%s of %s", format.Grouped(w.Top()+1), format.Grouped(min(w.Top()+w.Height(), v.Len())), format.Grouped(v.Len()))
	} else if v.Len() != v.Rows() {
		text = format.Grouped(v.Len()) + " of " + model.Counted(v.Rows(), "position")
	}
	if v.ClosedHidden() > 0 {
		text += fmt.Sprintf(", %s closed hidden", format.Grouped(v.ClosedHidden()))
	}
	return []string{text, short}
}
