package table

import (
	"cmp"
	"slices"

	"blotter/ui/draw"
)

// MaxNumber returns the largest width of a number that makes its column wider, in a table of a width. A wider number
// would take too much room from the other columns. On a wide screen, raw amounts of an asset of 18 decimals fit.
func MaxNumber(width int) int {
	if width < 80 {
		return 26
	}
	return widestNumber
}

const widestNumber = 34

// span is the room that the texts of a column take.
type span struct {
	used     bool // a row has a text in the column
	widest   int
	whole    int // the widest part of a number before the decimal point
	fraction int // the widest part from the decimal point on
	united   int // the widest part before the decimal point, with the unit of its row
}

func (t *Table) spans(rows []Row, width int) []span {
	most := MaxNumber(width)
	spans := make([]span, len(t.Columns))
	sizes := make([]size, len(rows)*len(t.Columns))
	for r := range rows {
		rows[r].sizes, sizes = sizes[:len(t.Columns)], sizes[len(t.Columns):]
		for i := range t.Columns {
			c, size, s := &rows[r].Cells[i], &rows[r].sizes[i], &spans[i]
			size.width = draw.Width(c.Text)
			s.used = s.used || c.Text != ""
			if !t.Columns[i].Number {
				s.widest = max(s.widest, size.width)
				continue
			}
			if c.Words || !hasDigit(c.Text) { // a word in place of a number is aligned right
				s.widest = max(s.widest, size.width)
				continue
			}
			size.point = pointOf(c.Text)
			if size.width <= most {
				s.widest = max(s.widest, size.width)
				s.whole, s.fraction = max(s.whole, size.point), max(s.fraction, size.width-size.point)
			}
			if rows[r].Unit != "" && t.hasUnits(i) {
				s.united = max(s.united, draw.Width(rows[r].Unit)+1+size.point)
			}
		}
	}
	return spans
}

func hasDigit(text string) bool {
	for i := range len(text) {
		if '0' <= text[i] && text[i] <= '9' {
			return true
		}
	}
	return false
}

// pointOf returns the cell of the decimal point of a number, or the cell after its last digit if it has none. A
// letter after the digits marks a number whose decimals are not known.
func pointOf(text string) int {
	for i := range len(text) {
		if text[i] == '.' || text[i] == 'r' {
			return draw.Width(text[:i])
		}
	}
	return draw.Width(text)
}

// Widths has how wide the columns of a table had to be since the trader last changed what it shows. Columns whose
// widths change with each number are hard to read.
type Widths struct{ spans []span }

// Forget removes the stored widths: the columns become as narrow as their texts.
func (w *Widths) Forget() { w.spans = nil }

// keep widens spans to their stored widths.
func (w *Widths) keep(spans []span) []span {
	if len(w.spans) != len(spans) {
		w.spans = spans
		return spans
	}
	for i, s := range spans {
		before := &w.spans[i]
		before.used = before.used || s.used
		before.widest = max(before.widest, s.widest)
		before.whole, before.fraction = max(before.whole, s.whole), max(before.fraction, s.fraction)
		before.united = max(before.united, s.united)
	}
	return w.spans
}

// slot is where a column is on a line.
type slot struct {
	column int
	gap    int // free cells before it
	width  int
	rest   int // cells after it for the rest of a cell
	tail   int // cells at the right that are free for shorter fractions; -1: numbers are aligned right
}

// layout finds the places of the columns: as wide as their texts, with numbers aligned at the point, if that fits;
// else narrower; else with fewer columns.
func (t *Table) layout(spans []span, width int) []slot {
	t.leftOut = false
	kept := make([]int, 0, len(t.Columns))
	for i := range t.Columns {
		if spans[i].used || !t.Columns[i].HideEmpty {
			kept = append(kept, i)
		}
	}
	for {
		for _, tight := range []tightness{loose, withoutRest, cutTexts, flushNumbers} {
			if slots := t.slots(spans, kept, tight); totalWidth(slots) <= width {
				t.widenTexts(slots, spans, width)
				return spread(slots, width)
			}
		}
		last := slices.MinFunc(kept, func(a, b int) int { return cmp.Compare(t.Columns[a].Keep, t.Columns[b].Keep) })
		if t.Columns[last].Keep == Always || len(kept) == 1 {
			return spread(t.slots(spans, kept, cutNumbers), width)
		}
		kept = slices.DeleteFunc(kept, func(i int) bool { return i == last })
		t.leftOut = true
	}
}

// widestName is how many cells a column of names takes at most, if there is room for all columns.
const widestName = 64

// widenTexts gives free cells to texts that are cut.
func (t *Table) widenTexts(slots []slot, spans []span, width int) {
	free := width - totalWidth(slots)
	for i := range slots {
		s := &slots[i]
		if c := &t.Columns[s.column]; !c.Number {
			most := c.Max
			if c.Name {
				most = widestName
			}
			more := max(min(free, spans[s.column].widest-s.width, most-s.width), 0)
			s.width, free = s.width+more, free-more
		}
	}
}

// tightness is how much is left out so that columns fit.
type tightness uint8

const (
	loose        tightness = iota
	withoutRest            // no cells are for the rest of numbers
	cutTexts               // texts are cut to what their column keeps
	flushNumbers           // and numbers are not aligned at the point
	cutNumbers             // and # replaces numbers that are wider than their column keeps
)

func (t *Table) slots(spans []span, kept []int, tight tightness) []slot {
	slots := make([]slot, 0, len(kept))
	for _, i := range kept {
		c, wide := &t.Columns[i], &spans[i]
		s := slot{column: i, tail: -1}
		if tight == loose {
			s.rest = c.Rest
		}
		if len(slots) > 0 {
			s.gap = max(c.Gap, 1)
		}
		switch {
		case c.Number && tight < flushNumbers && wide.whole+wide.fraction <= widestNumber:
			s.width, s.tail = max(wide.whole+wide.fraction, wide.widest, c.Min), wide.fraction
			if united := wide.united + wide.fraction; tight == loose && wide.united > 0 && united <= widestNumber {
				s.width = max(s.width, united)
			}
		case c.Number && tight < cutNumbers:
			s.width = max(wide.widest, c.Min)
		case tight < cutTexts:
			s.width = max(min(wide.widest, c.Max), c.Min)
		case c.Name: // short names need no more
			s.width = min(max(wide.widest, t.headings[i].width()), c.Min)
		default:
			s.width = c.Min
		}
		more := 2 // for a heading that is wider than the column
		if tight < cutNumbers {
			more += t.headings[i].marksWidth
		}
		s.width = max(s.width, min(t.headings[i].width(), s.width+more))
		slots = append(slots, s)
	}
	return slots
}

func totalWidth(slots []slot) int {
	sum := 1 // the mark
	for _, s := range slots {
		sum += s.gap + s.width + s.rest
	}
	return sum
}

// spread gives free cells to the gaps between columns, the same to each, up to a limit, so that the eye can follow a
// row.
func spread(slots []slot, width int) []slot {
	if len(slots) < 2 {
		return slots
	}
	more := min((width-totalWidth(slots))/(len(slots)-1), 3)
	for i := range slots[1:] {
		slots[i+1].gap += max(more, 0)
	}
	return slots
}
