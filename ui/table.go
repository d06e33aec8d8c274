package ui

import (
	"slices"
	"strings"
)

// column is one column of a table.
type column struct {
	title  string
	number bool // set right, at the decimal point
	least  int  // cells that it keeps, whatever is in it
	most   int  // cells that it never exceeds
	rank   int  // where the screen is too narrow, the columns of the highest rank go first
	from   int  // the width of screen from which it is shown, and then only if anything is in it; 0: always
}

// cell is what stands in a row and column: safe text and its look.
type cell struct {
	text string
	look style

	size  int // how many cells of the screen it takes
	point int // where the decimal point of a number stands
}

// tableRow is one row on the screen.
type tableRow struct {
	cells  []cell // one for each column of the table
	mark   string // one cell at the row's left
	cursor bool
	stale  bool

	measured bool // the cells know their sizes
	drawn    *drawnRow
}

// drawnRow is a row as it was last drawn. Most rows are drawn again as they were.
type drawnRow struct {
	mark          string
	cursor, stale bool
	slots         []slot
	width         int
	line          string
}

// measure has the cells know their sizes.
func (r *tableRow) measure() {
	if r.measured {
		return
	}
	for i := range r.cells {
		c := &r.cells[i]
		c.size, c.point = cells(c.text), point(c.text)
	}
	r.measured = true
}

// slot is where a column stands on a line.
type slot struct {
	column int // in the table
	gap    int // free cells before it
	width  int
	tail   int // cells kept free at the right for shorter fractions; -1: set flush right
}

// numberCells is how wide a number may be and still be shown in a table. One that is wider widens no column, so that
// it takes no room from the others.
const numberCells = 26

// point is where the decimal point of a number stands, or would stand.
func point(text string) int {
	if at := strings.IndexAny(text, "."+rawMark); at >= 0 {
		return cells(text[:at])
	}
	return cells(text)
}

// span is how much room the cells of a column take.
type span struct {
	used                    bool // any row has something in the column
	widest, whole, fraction int  // the latter two of numbers: before and from the decimal point on
}

// spansOf are the spans of all columns in the rows on the screen.
func spansOf(columns []column, rows []tableRow) []span {
	spans := make([]span, len(columns))
	for r := range rows {
		rows[r].measure()
		for i := range columns {
			cell, s := &rows[r].cells[i], &spans[i]
			s.used = s.used || cell.text != ""
			switch {
			case !columns[i].number:
				s.widest = max(s.widest, cell.size)
			case cell.text != "" && cell.size <= numberCells:
				s.widest = max(s.widest, cell.size)
				s.whole, s.fraction = max(s.whole, cell.point), max(s.fraction, cell.size-cell.point)
			}
		}
	}
	return spans
}

// measure finds the widths of the columns from their spans: as they are, with the numbers of a column under each
// other at the point where that fits, and with fewer columns where it does not.
func measure(columns []column, spans []span, width int) []slot {
	kept := make([]int, 0, len(columns))
	for i := range columns {
		if columns[i].from == 0 || width >= columns[i].from && spans[i].used {
			kept = append(kept, i)
		}
	}
	for {
		for _, tight := range []int{0, 1, 2} {
			if slots := widths(columns, spans, kept, tight); total(slots) <= width || len(kept) == 1 {
				return spread(slots, width)
			}
		}
		last := slices.MaxFunc(kept, func(a, b int) int { return columns[a].rank - columns[b].rank })
		kept = slices.DeleteFunc(kept, func(i int) bool { return i == last })
	}
}

// leavingOrder are the titles of the columns in the order in which they go where the screen is too narrow, but for
// those that stay until the last.
func leavingOrder(columns []column) []string {
	sorted := slices.Clone(columns)
	slices.SortFunc(sorted, func(a, b column) int { return b.rank - a.rank })
	var titles []string
	for _, c := range sorted {
		if c.rank > 1 {
			titles = append(titles, c.title)
		}
	}
	return titles
}

// widths are the columns as wide as their cells. With tight 1 words are cut to what the column keeps, with
// tight 2 numbers are set flush right too.
func widths(columns []column, spans []span, kept []int, tight int) []slot {
	slots := make([]slot, 0, len(kept))
	for _, i := range kept {
		c, wide := &columns[i], &spans[i]
		s := slot{column: i, gap: min(len(slots), 1), tail: -1}
		switch {
		case c.number && tight < 2 && wide.whole+wide.fraction <= numberCells:
			s.width, s.tail = max(wide.whole+wide.fraction, c.least), wide.fraction
		case c.number:
			s.width = max(wide.widest, c.least)
		case tight == 0:
			s.width = max(min(wide.widest, c.most), c.least)
		default:
			s.width = c.least
		}
		s.width = max(s.width, min(cells(c.title), s.width+2))
		slots = append(slots, s)
	}
	return slots
}

func total(slots []slot) int {
	sum := 1 // the mark
	for _, s := range slots {
		sum += s.gap + s.width
	}
	return sum
}

// spread gives free cells to the gaps between columns, the same to each, and not so much that an eye loses its row.
func spread(slots []slot, width int) []slot {
	if len(slots) < 2 {
		return slots
	}
	more := min((width-total(slots))/(len(slots)-1), 3)
	for i := range slots[1:] {
		slots[i+1].gap += max(more, 0)
	}
	return slots
}

// drawRow puts a row on a line. The row under the cursor is reversed and plain, one that cannot be vouched for dim
// and plain, any other has the looks of its cells.
func drawRow(columns []column, slots []slot, row *tableRow, s *styles, width int) string {
	if d := row.drawn; d != nil && d.mark == row.mark && d.cursor == row.cursor && d.stale == row.stale &&
		d.width == width && slices.Equal(d.slots, slots) {
		return d.line
	}
	row.measure()
	line := drawAnew(columns, slots, row, s, width)
	row.drawn = &drawnRow{row.mark, row.cursor, row.stale, slots, width, line}
	return line
}

func drawAnew(columns []column, slots []slot, row *tableRow, s *styles, width int) string {
	l := newLine(width)
	look := plain
	switch {
	case row.cursor && row.stale:
		look = s.doubted
	case row.cursor:
		look = s.cursor
	case row.stale:
		look = s.stale
	}
	// Cells in the row's look are gathered, so that it is switched on and off once.
	var run strings.Builder
	run.WriteString(row.mark)
	for _, slot := range slots {
		run.WriteString(spaces[:min(slot.gap, len(spaces))])
		c := &row.cells[slot.column]
		before, text, after := align(c, &columns[slot.column], slot)
		run.WriteString(spaces[:before])
		if look == plain && c.look != plain {
			l.put(plain, run.String()).put(c.look, text)
			run.Reset()
		} else {
			run.WriteString(text)
		}
		run.WriteString(spaces[:after])
	}
	if row.cursor {
		run.WriteString(strings.Repeat(" ", max(0, width-l.width-cells(run.String()))))
	}
	return l.put(look, run.String()).String()
}

// align cuts a text to its slot and says how many cells stay free on both sides. A number is never cut, because what
// is left would be another number: # fills the cells of one that does not fit.
func align(cell *cell, c *column, slot slot) (before int, shown string, after int) {
	switch {
	case !c.number && cell.size <= slot.width:
		return 0, cell.text, slot.width - cell.size
	case !c.number:
		text := cut(cell.text, slot.width)
		return 0, text, slot.width - cells(text)
	case cell.size > slot.width:
		return 0, strings.Repeat("#", slot.width), 0
	case slot.tail >= 0 && cell.text != "":
		after = min(max(slot.tail-(cell.size-cell.point), 0), slot.width-cell.size)
	}
	return slot.width - cell.size - after, cell.text, after
}

// drawHeading puts the titles of the columns over them.
func drawHeading(columns []column, slots []slot, chosen int, s *styles, width int) string {
	l := newLine(width).space(1)
	for _, slot := range slots {
		c := &columns[slot.column]
		title := cut(c.title, slot.width)
		free := slot.width - cells(title)
		l.space(slot.gap)
		look := s.dim
		if slot.column == chosen {
			look = s.reverse
		}
		if c.number {
			l.space(free).put(look, title)
		} else {
			l.put(look, title).space(free)
		}
	}
	return l.String()
}
