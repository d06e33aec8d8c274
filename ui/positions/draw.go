package positions

import (
	"fmt"
	"image"

	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/table"
)

// linesPerRow returns how many lines a position takes in a table of a width.
func linesPerRow(width int) int {
	if width < columns.TwoLinesBelow {
		return 2
	}
	return 1
}

// Draw draws the table, its heading first, or why it is empty.
func (p *Pane) Draw(c *pane.Context, s pane.Size) []string {
	if p.store.View().Len() == 0 {
		return draw.Fit(p.empty.draw(c, s), s.Height)
	}
	t, shown := p.table(c, s.Width)
	rows := p.rows(c, shown, p.room)
	lines := t.Draw(rows, s.Width)
	if linesPerRow(s.Width) > 1 {
		both := lines[:1:1]
		for i := range rows {
			both = append(both, lines[i+1], p.cells.secondLine(c, p.Rows.Top()+i, &rows[i], s.Width))
		}
		lines = both
	}
	if p.hasEdge(s) {
		return append(draw.Fit(lines, s.Height-1), p.edge.draw(p, c, s.Width))
	}
	return draw.Fit(lines, s.Height)
}

// hasEdge reports whether there is a line below the rows that says what is not seen.
func (p *Pane) hasEdge(s pane.Size) bool {
	return p.edge != (edge{}) && s.Height > 1+p.room*linesPerRow(s.Width)
}

// table returns the table of a width without rows, and its columns.
func (p *Pane) table(c *pane.Context, width int) (*table.Table, []view.Column) {
	v := p.store.View()
	t := &table.Table{Chosen: -1, Units: linesPerRow(width) == 1, Styles: c.Styles.Table(), Widths: &p.widths}
	shown := p.shown(width)
	if t.Columns = p.columns.Table(shown, v); p.scrolled > 0 {
		columns.KeepFirst(t.Columns)
	}
	return t, shown
}

// foldCells is how many cells at the left of a group's heading fold the group.
const foldCells = 3

// Click moves the cursor to the line that was clicked. A click on the mark of a group also folds or unfolds it, and so
// does a click on its heading if the cursor is there already: a second click. A click on the headings of the columns
// sorts. A click on the line below the rows moves the window to the selected row, or else to the worst.
func (p *Pane) Click(c *pane.Context, s pane.Size, at image.Point) []pane.Effect {
	if at.Y == 0 {
		return p.clickHeading(c, s, at.X)
	}
	if p.hasEdge(s) && at.Y == s.Height-1 {
		if p.edge.selected == 0 {
			p.Rows.First()
		}
		p.Rows.Reveal()
		return nil
	}
	before, hadCursor := p.Rows.Place(), true
	if _, hadCursor = p.Rows.Cursor(); !p.Rows.Click((at.Y - 1) / linesPerRow(s.Width)) {
		return nil
	}
	wasThere := hadCursor && p.Rows.Place() == before
	if _, isGroup := headingAt(p.store.View(), p.Rows.Place()); isGroup && (at.X < foldCells || wasThere) {
		return p.toggleFold(c)
	}
	return nil
}

// clickHeading sorts by the column whose heading has a cell; done again, it reverses the order.
func (p *Pane) clickHeading(c *pane.Context, s pane.Size, x int) []pane.Effect {
	if p.store.View().Len() == 0 {
		return nil
	}
	t, shown := p.table(c, s.Width)
	t.Draw(p.rows(c, shown, p.room), s.Width)
	at, ok := t.ColumnAt(x)
	switch {
	case !ok:
		return nil
	case !shown[at].IsSortable():
		return pane.Saying("Rows cannot be sorted by " + columns.Title(shown[at]) + ".")
	}
	return p.SortBy(shown[at])
}

// FollowView adapts the table to the view that has replaced another one, and returns words about it; empty if there are
// none.
func (p *Pane) FollowView(c *pane.Context, before *view.View) string {
	p.Mark() // before changes that are held are applied to the rows
	hasSameSettings := haveSameSettings(before, p.store.View())
	if !hasSameSettings {
		p.Rows.Seek()
		p.followGroup(before)
		p.revealsCursor = true
	}
	if before.Len() == 0 || !hasSameSettings {
		p.widths.Forget()
	}
	return p.notices.next(c, p.store)
}

// haveSameSettings reports whether two views have the same scope, filter, order and groups, and a baseline in both or
// in none.
func haveSameSettings(v, w *view.View) bool {
	one, other := v.Settings(), w.Settings()
	return one.Equal(&other) && v.Book().Baselines().HasTaken() == w.Book().Baselines().HasTaken()
}

// Counts returns how many rows are shown and why others are not. Shorter words come after longer ones.
func (p *Pane) Counts() []string {
	v := p.store.View()
	switch {
	case p.store.IsSorting():
		return []string{"sorting..."}
	case v.Rows() == 0:
		return []string{""}
	}
	short := format.Grouped(v.Len()) + " of " + format.Grouped(v.Rows())
	text := format.Counted(v.Len(), "position")
	if v.Len() != v.Rows() {
		text = format.Grouped(v.Len()) + " of " + format.Counted(v.Rows(), "position")
	}
	isGrouped := v.Groups.By != view.Ungrouped
	if isGrouped {
		text += " in " + format.Counted(v.GroupCount(), "group")
	}
	if lines := v.Lines(); lines > p.Rows.Height() {
		last := min(p.Rows.Top()+p.Rows.Height(), lines)
		shown := fmt.Sprintf("%s–%s of %s", format.Grouped(p.Rows.Top()+1), format.Grouped(last), format.Grouped(lines))
		if isGrouped {
			text = "lines " + shown + ": " + text
		} else {
			text = "rows " + shown
		}
	}
	if v.ClosedHidden() > 0 {
		text += fmt.Sprintf(", %s closed hidden", format.Grouped(v.ClosedHidden()))
	}
	return []string{text, short}
}

// Found returns how many rows the filter finds, for the line in which it is typed.
func Found(c *pane.Context) string {
	v := c.Store.View()
	if v.Len() == 0 && v.Rows() > 0 && v.Uncompared()+v.NotLinear() == 0 {
		return "No position matches; esc clears the filter "
	}
	if n := v.NotLinear(); n > 0 {
		return format.Counted(n, "market") + " with linear = false left out "
	}
	if n := v.Uncompared(); n > 0 {
		return format.Counted(n, "market") + " without decimals left out; 5r compares raw "
	}
	return format.Counted(v.Len(), "row") + " of " + format.Grouped(v.Rows()) + "  esc clears "
}
