package positions

import (
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/table"
)

// rows returns the rows on the screen, at most the given number.
func (p *Pane) rows(c *pane.Context, columns []view.Column, most int) []table.Row {
	_, hasCursor := p.Rows.Cursor()
	now, stale := p.store.ServiceNow(), p.store.Stale()
	positions := p.labelled(most)
	clear(p.cells.drawn) // no text of the frame before stays in memory
	p.cells.isWide, p.cells.drawn = p.width >= longStoryFrom, p.cells.drawn[:0]
	rows := make([]table.Row, 0, len(positions))
	v := p.store.View()
	units := assetUnits{format: p.store.Format(), isShown: v.Order.Column.HasAmounts() && v.HasSeveralAssets()}
	for i, position := range positions {
		place, isRow := p.Rows.Top()+i, position != nil
		row := table.Row{Mark: " "}
		if isRow {
			row.Stale = stale.HasRow(position.Key)
			row.Cells, row.Unit = p.cells.of(c, position, columns, now, row.Stale), units.next(position.Market)
		} else if g, ok := headingAt(p.store.View(), place); ok {
			row.Cells, row.Stale = p.cells.heading(c, g).Cells(columns), p.cells.isStale(g, stale)
		}
		if isRow && p.store.Alerts().IsActive(position.Key) {
			row.Mark = "!"
			if !row.Stale {
				row.MarkStyle = c.Styles.Risk
			}
		}
		if row.Stale && !stale.All() {
			row.Mark = "?"
		}
		if isRow && p.marked[position.Key] {
			row.Cells[0].Style += c.Styles.Accent + c.Styles.Strong
			if row.Mark == " " {
				row.Mark = "*"
			}
		}
		if isRow && p.cells.current.Story != "" {
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

// assetUnits has the names of assets for the first row of each on the screen, in an order by amounts of several assets.
type assetUnits struct {
	format  *format.Formatter
	isShown bool
	before  model.ID // the asset of the row before
}

// next returns the name for the next row, which is of a market; empty if it has none.
func (u *assetUnits) next(market model.ID) string {
	if !u.isShown {
		return ""
	}
	asset := u.format.Instruments().Market(market).Asset
	isFirst := asset != u.before
	if u.before = asset; !isFirst || asset.IsZero() {
		return ""
	}
	return u.format.Asset(asset)
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

// Cells formats a position, one cell for each column.
func (p *Pane) Cells(c *pane.Context, position *model.Position, shown []view.Column, now time.Time) []draw.Cell {
	return p.cells.row(c, position, now, false).AppendCells(nil, shown, p.store.View().Groups.By)
}

// Mark marks the cells that have changed on the screen since the last frame.
func (p *Pane) Mark() { p.cells.follow(p.Rows.Top(), p.room) }
