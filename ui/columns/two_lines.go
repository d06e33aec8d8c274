package columns

import (
	"cmp"

	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/table"
)

// TwoLinesBelow is the width of screen below which each position takes two lines: market, party, unrealised PnL and
// margin ratio on the first, the rest on the second.
const TwoLinesBelow = 60

// firstLineColumns are the columns on the first of the two lines, with the column that sorts the rows.
var firstLineColumns = []view.Column{view.MarketColumn, view.PartyColumn, view.UnrealisedColumn, view.MarginRatioColumn}

// secondLineColumns are the columns on the second line, from left to right.
var secondLineColumns = []view.Column{view.SizeColumn, view.EntryColumn, view.StatusColumn, view.AgeColumn}

// SecondLine draws size, entry, the unit of the row, status and age of the position, below its row, if each row takes
// two lines.
func (r *Row) SecondLine(row *table.Row, width int) string {
	base := r.Styles.Table().Of(row)
	l := draw.NewLine(width).Put(base, row.Mark+"  ")
	put := func(cell draw.Cell, number bool) {
		style := base
		if !row.Stale {
			style += cell.Style
		}
		if number {
			l.PutNumber(style, cell.Marked(draw.RawMark)) // no heading has the marks
		} else {
			l.Put(style, draw.FirstThatFits(l.Left(), cell.Text, cmp.Or(cell.Short, cell.Text)))
		}
	}
	cells := r.AppendCells(nil, secondLineColumns, view.Ungrouped)
	put(cells[0], true)
	l.Put(base+r.Styles.Dim, " @ ")
	put(cells[1], true)
	l.Put(base, "  ")
	if row.Unit != "" {
		l.Put(base+r.Styles.Dim, row.Unit+"  ")
	}
	put(cells[2], false)
	if age := cells[3]; draw.Width(age.Text)+1 < l.Left() {
		l.StyledSpace(base, l.Left()-draw.Width(age.Text))
		put(age, false)
	}
	if row.Cursor {
		l.StyledSpace(base, l.Left())
	}
	return l.String()
}
