package positions

import (
	"slices"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/table"
)

// rows returns the rows on the screen, at most the given number.
func (p *Pane) rows(c *pane.Context, columns []view.Column, most int) []table.Row {
	_, hasCursor := p.Rows.Cursor()
	now, stale := p.store.ServiceNow(), p.store.Stale()
	positions := p.labelled(most)
	rows := make([]table.Row, 0, len(positions))
	for i, position := range positions {
		place, isRow := p.Rows.Top()+i, position != nil
		row := table.Row{Mark: " "}
		if isRow {
			row.Cells, row.Stale = p.Cells(c, position, columns, now), stale.HasRow(position.Key)
		} else if g, ok := p.groupAt(place); ok {
			row.Cells, row.Stale = p.heading(c, g).Cells(columns), p.isStaleGroup(g, stale)
		}
		if isRow && p.store.Alerts().IsActive(position.Key) {
			row.Mark = "!"
			if !row.Stale {
				row.MarkStyle = c.Styles.Alarm
			}
		}
		if row.Stale && !stale.All() {
			row.Mark = "?"
		}
		if isRow && p.marked[position.Key] {
			row.Cells[0].Style += c.Styles.Reverse
			if row.Mark == " " {
				row.Mark = "*"
			}
		}
		if closed, ok := p.closeOutOf(position); ok {
			row.Cells = closedOutCells(row.Cells, closed, p.store.Format(), columns)
			row.Stale = true // drawn dim
		}
		if hasCursor && place == p.Rows.Place() {
			row.Cursor = c.HasFocus
			if row.Mark == " " {
				row.Mark = "▌"
			} else {
				row.MarkStyle += c.Styles.Reverse // terminals of 16 colours do not show the background of the row
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// closeOutOf returns the close-out of a position whose row is still shown because of it, and false if it is not. The
// position may be nil.
func (p *Pane) closeOutOf(position *model.Position) (*store.CloseOut, bool) {
	if position == nil {
		return nil, false
	}
	return p.store.Incidents().CloseOuts.KeptOf(position, p.store.Now())
}

// closedOutCells returns the cells of a position that was closed out, with what that cost in place of its profit.
func closedOutCells(cells []draw.Cell, closed *store.CloseOut, f *format.Formatter, shown []view.Column) []draw.Cell {
	cost, ok := closed.Cost()
	if at := slices.Index(shown, view.UnrealisedColumn); at >= 0 && ok {
		cells[at] = f.NumberIn(cost, model.UnrealisedPnl, closed.Key.Market, true)
	}
	return cells
}

// labelled returns the positions on the screen, nil for a heading, after it has made the labels of all.
func (p *Pane) labelled(most int) []*model.Position {
	view, top := p.store.View(), p.Rows.Top()
	positions := make([]*model.Position, max(min(view.Lines()-top, most), 0))
	for i := range positions {
		if position, ok := view.At(top + i); ok {
			p.store.Format().Label(position.Key)
			positions[i] = &position
		}
	}
	return positions
}

// rowOf returns a position with what its cells need.
func (p *Pane) rowOf(c *pane.Context, position *model.Position, now time.Time) *columns.Row {
	row := &columns.Row{
		Position: position, Format: p.store.Format(), Styles: c.Styles, Now: now, Margin: p.marginOf(c, position, now),
		Marks: p.marks.Of(position.Key), ScreenNow: p.store.ScreenNow(),
	}
	row.Baseline, row.HasBaseline = p.store.View().BaselineOf(position.Key)
	return row
}

// Cells formats a position, one cell for each column.
func (p *Pane) Cells(c *pane.Context, position *model.Position, shown []view.Column, now time.Time) []draw.Cell {
	return p.rowOf(c, position, now).Cells(shown, p.store.View().Groups.By)
}

// Shown returns the texts that the row of a position shows with every digit.
func (p *Pane) Shown(c *pane.Context, of *model.Position) map[string]bool {
	shown := make(map[string]bool)
	if p.width == 0 {
		return shown
	}
	for _, cell := range p.Cells(c, of, p.columns.Shown(p.width, p.store.View()), p.store.ServiceNow()) {
		if !cell.Rounded && !cell.Raw && draw.Width(cell.Text) <= table.MaxNumber(p.width) {
			shown[cell.Text] = true
		}
	}
	return shown
}

// marginOf returns the margin ratio of a position at a time by the service's clock.
func (p *Pane) marginOf(c *pane.Context, position *model.Position, now time.Time) columns.Margin {
	var shown columns.Margin
	levels, _, ok := p.store.View().MarginLevels(position)
	if !ok {
		shown.IsNone = position.IsOpen() && p.store.Walk().IsComplete() && p.store.View().Covered() > 0
		return shown
	}
	if shown.Ratio, shown.HasRatio = store.ShownRatio(p.store, position); c.Recording.IsWhatIf { // each row moves with its price
		shown.Ratio, shown.HasRatio = p.store.View().MarginRatio(position)
	}
	shown.Recorded, shown.IsOld = format.AgeOf(levels.Timestamp, now), columns.IsOld(&levels, now)
	return shown
}

// Mark marks the cells that have changed on the screen since the last frame.
func (p *Pane) Mark() {
	if p.withMarks && !p.store.Flow().HasMore() {
		p.marks.Follow(p.store.View(), p.Rows.Top(), p.room, p.store.Format(), p.store.ScreenNow())
	}
}

// secondLine draws the second line of a row or a heading, on a screen on which each takes two.
func (p *Pane) secondLine(c *pane.Context, line int, row *table.Row, width int) string {
	if position, ok := p.store.View().At(line); ok {
		return p.rowOf(c, &position, p.store.ServiceNow()).SecondLine(row, width)
	}
	if g, ok := p.groupAt(line); ok {
		return p.heading(c, g).SecondLine(row, width)
	}
	return ""
}
