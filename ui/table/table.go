// Package table draws tables: it finds the widths of the columns from the rows that are on the screen, aligns numbers
// at their decimal point, and leaves out columns if the screen is too narrow for all of them.
//
// It does not depend on what the cells mean or which pane the table is in.
package table

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"blotter/ui/draw"
)

// Column is one column of a table.
type Column struct {
	Title  string
	Order  string // the arrow after the title of the column that sorts the rows; else empty
	Number bool   // its texts are aligned right, at the decimal point, and never cut
	Name   bool   // its texts are names, which are cut in their middle, no two to the same text
	Min    int    // its least width
	Max    int    // its greatest width, if its texts are not numbers
	Gap    int    // how many cells are free before it at least; 0 is one
	Rest   int    // how many cells after its numbers are for the rest of a cell, if there is room
	Keep   int    // if there is no room for all columns, the column with the lowest Keep is left out first
	// HideEmpty leaves the column out if no row has a text in it.
	HideEmpty bool
}

// Always is the Keep of a column that is never left out.
const Always = math.MaxInt

// Row is one row on the screen.
type Row struct {
	Mark      string // one cell at the left
	MarkStyle draw.Style
	Cells     []draw.Cell // one for each column
	Unit      string      // before the number in the column that sorts the rows, if the table has units and there is room
	Cursor    bool        // the row is under the cursor
	Stale     bool        // the row may be out of date

	sizes []size // of its cells
}

// size is how a text of a cell is measured.
type size struct {
	width int
	point int // where the decimal point of a number is, or would be
}

// Styles are the styles of a table. On the row under the cursor, a cell has the style of the row and then its own. All
// cells of a stale row have the style Stale.
type Styles struct{ Heading, Chosen, Ordered, Unit, Cursor, Stale, StaleCursor draw.Style }

// Table is a table of some columns.
type Table struct {
	Columns []Column
	Chosen  int  // the column whose title has the style Chosen; -1: none
	Units   bool // the units of rows are drawn
	Styles  Styles
	Widths  *Widths // keeps the widths of columns, so that they do not change with each number; nil: they change

	headings []heading // of the columns
	drawn    []slot    // where the columns were drawn last
	leftOut  bool      // some of them had no room
}

// Draw returns the heading and then the rows, each on a line of a width.
func (t *Table) Draw(rows []Row, width int) []string {
	t.markNumbers(rows)
	spans := t.spans(rows, width)
	if t.Widths != nil {
		spans = t.Widths.keep(spans)
	}
	slots := t.layout(spans, width)
	t.drawn = slots
	t.cutNames(slots, rows)
	lines := make([]string, 0, 1+len(rows))
	lines = append(lines, t.drawHeadings(slots, width))
	for i := range rows {
		lines = append(lines, t.row(slots, &rows[i], width))
	}
	return lines
}

// Drawn returns how many columns there was room for when the table was drawn last.
func (t *Table) Drawn() int { return len(t.drawn) }

// LeavesOut reports whether a column had no room when the table was drawn last.
func (t *Table) LeavesOut() bool { return t.leftOut }

// ColumnAt returns the column that a cell of a line belongs to, as the table was drawn last; false if there is none.
func (t *Table) ColumnAt(cell int) (column int, ok bool) {
	end := 1 // the mark
	for _, slot := range t.drawn {
		if end += slot.gap + slot.width + slot.rest; cell < end {
			return slot.column, cell >= 0
		}
	}
	return 0, false
}

// cutNames cuts the names that are wider than their columns. It takes the shorter text of those that have one.
func (t *Table) cutNames(slots []slot, rows []Row) {
	for _, slot := range slots {
		tooWide := func(r Row) bool { return r.sizes[slot.column].width > slot.width }
		if !t.Columns[slot.column].Name || !slices.ContainsFunc(rows, tooWide) {
			continue
		}
		names := make([]string, len(rows))
		for i := range rows {
			cell := &rows[i].Cells[slot.column]
			if tooWide(rows[i]) {
				cell.Text = cmp.Or(cell.Short, cell.Text)
			}
			names[i] = cell.Text
		}
		cut := CutNames(names, slot.width)
		for i := range rows {
			cell := &rows[i].Cells[slot.column]
			cell.Text = cut[cell.Text]
			rows[i].sizes[slot.column].width = draw.Width(cell.Text)
		}
	}
}

func (t *Table) drawHeadings(slots []slot, width int) string {
	l := draw.NewLine(width).Space(1)
	for _, slot := range slots {
		c := &t.Columns[slot.column]
		title, titleWidth := t.headings[slot.column].cut(slot.width)
		free := slot.width - titleWidth
		style := t.Styles.Heading
		switch {
		case slot.column == t.Chosen:
			style = t.Styles.Chosen
		case c.Order != "":
			style = t.Styles.Ordered
		}
		l.Space(slot.gap)
		if c.Number {
			l.Space(free).PutSized(style, title, titleWidth).Space(slot.rest)
		} else {
			l.PutSized(style, title, titleWidth).Space(free)
		}
	}
	return l.String()
}

func (t *Table) row(slots []slot, row *Row, width int) string {
	l := draw.NewLine(width)
	style := t.Styles.Of(row)
	l.Put(style+row.MarkStyle, row.Mark)
	end := l.Width()
	for i, slot := range slots {
		c, size := &row.Cells[slot.column], row.sizes[slot.column]
		end += slot.gap + slot.width + slot.rest
		if c.Text == "" {
			continue
		}
		empty := end - slot.gap - slot.width - slot.rest - l.Width() // before it
		if !t.Columns[slot.column].Number && size.width > slot.width {
			slot.width += free(slots[i+1:], row, width-end)
			if taken := min(size.width-slot.width, empty); c.Spreads && taken > 0 {
				slot.width, empty = slot.width+taken, empty-taken
			}
		}
		before, text, textWidth, after := t.align(c, size, slot)
		t.putBefore(l, style, row, slot, empty+slot.gap+before)
		if row.Stale {
			l.PutSized(style, text, textWidth)
		} else {
			l.PutSized(style+c.Style, text, textWidth)
		}
		t.putRest(l, style, row, c, after, slot.rest)
	}
	l.StyledSpace(style, end-l.Width())
	if row.Cursor {
		l.StyledSpace(style, l.Left())
	}
	return l.String()
}

// putBefore puts the free cells before the text of a cell, with the unit of the row at their end.
func (t *Table) putBefore(l *draw.Line, style draw.Style, row *Row, of slot, free int) {
	width := draw.Width(row.Unit)
	if width == 0 || !t.hasUnits(of.column) || width+2 > free {
		l.StyledSpace(style, free)
		return
	}
	l.StyledSpace(style, free-width-1)
	if row.Stale {
		l.PutSized(style, row.Unit, width)
	} else {
		l.PutSized(style+t.Styles.Unit, row.Unit, width)
	}
	l.StyledSpace(style, 1)
}

// hasUnits reports whether the units of rows are drawn in a column.
func (t *Table) hasUnits(column int) bool { return t.Units && t.Columns[column].Order != "" }

// putRest puts the rest of a cell into the cells that are free after its text: at their end if they are for it, else at
// their beginning.
func (t *Table) putRest(l *draw.Line, style draw.Style, row *Row, c *draw.Cell, free, forRest int) {
	free += forRest
	if c.Rest == "" || free == 0 || row.Stale {
		l.StyledSpace(style, free)
		return
	}
	width := min(draw.Width(c.Rest), free)
	if forRest > 0 {
		l.StyledSpace(style, free-width)
	}
	l.PutSized(style+c.RestStyle, draw.Cut(c.Rest, width), width)
	if forRest == 0 {
		l.StyledSpace(style, free-width)
	}
}

// free returns how many cells after a text are free: those of the columns in which the row is empty. After the last
// column these are all that are left.
func free(after []slot, row *Row, left int) int {
	cells := 0
	for _, slot := range after {
		if row.Cells[slot.column].Text != "" {
			return cells
		}
		cells += slot.gap + slot.width + slot.rest
	}
	return left
}

// Of returns the style of a row, to which the styles of its cells are added.
func (s Styles) Of(row *Row) draw.Style {
	switch {
	case row.Cursor && row.Stale:
		return s.StaleCursor
	case row.Cursor:
		return s.Cursor
	case row.Stale:
		return s.Stale
	}
	return draw.Plain
}

// align cuts a text to its slot, and returns it with its width and with how many cells stay free on both sides. A
// number that was cut would be another number: # fills the slot of one that does not fit.
func (t *Table) align(cell *draw.Cell, size size, slot slot) (before int, text string, width, after int) {
	switch number := t.Columns[slot.column].Number; {
	case !number && size.width <= slot.width:
		return 0, cell.Text, size.width, slot.width - size.width
	case !number:
		text := draw.Cut(cmp.Or(cell.Short, cell.Text), slot.width)
		width := draw.Width(text)
		return 0, text, width, slot.width - width
	case size.width > slot.width:
		return 0, strings.Repeat("#", slot.width), slot.width, 0
	case slot.tail >= 0 && cell.Text != "" && !cell.Words:
		after = min(max(slot.tail-(size.width-size.point), 0), slot.width-size.width)
	}
	return slot.width - size.width - after, cell.Text, size.width, after
}
