package ui

import (
	"slices"
	"time"

	"blotter/model"
)

// drawnPositions are the rows of the positions table as they were last drawn. To put a row into words takes much
// longer than to see that it is still the same, as most are from frame to frame.
type drawnPositions struct {
	format    *formatter
	styles    styles
	positions []drawnPosition
	rows      []tableRow
	heading   drawnHeading
	spans     []span // of all that was drawn since then
	since     time.Time
}

// steadyFor is how long columns stay as wide as they once had to be, unless a key is pressed or the view is another.
const steadyFor = time.Minute

// steady widens the spans of the columns to what they were lately: columns that move with each number are hard to
// read.
func (d *drawnPositions) steady(spans []span, now time.Time) []span {
	if d.spans == nil || now.Sub(d.since) >= steadyFor {
		d.spans, d.since = spans, now
		return spans
	}
	for i, s := range spans {
		before := &d.spans[i]
		before.used = before.used || s.used
		before.widest = max(before.widest, s.widest)
		before.whole, before.fraction = max(before.whole, s.whole), max(before.fraction, s.fraction)
	}
	return d.spans
}

// loosen has the columns measured anew.
func (d *drawnPositions) loosen() { d.spans = nil }

// drawnHeading is the line of titles, and what it says.
type drawnHeading struct {
	order  model.Order
	chosen int
	width  int
	slots  []slot
	line   string
}

// is tells whether the heading says the same.
func (h *drawnHeading) is(order model.Order, chosen, width int, slots []slot) bool {
	return h.line != "" && h.order == order && h.chosen == chosen && h.width == width && slices.Equal(h.slots, slots)
}

// drawnPosition is what a row was made of.
type drawnPosition struct {
	model.Position
	old time.Duration // in whole seconds
}

// begin forgets what was drawn in other words or looks.
func (d *drawnPositions) begin(format *formatter, styles *styles) {
	if d.format != format || d.styles != *styles {
		*d = drawnPositions{format: format, styles: *styles}
	}
}

// bring has what was drawn of the key, or an empty row, stand at place i. The rows above it have their places.
func (d *drawnPositions) bring(key model.Key, i int) {
	for at := i; at < len(d.rows); at++ {
		if d.positions[at].Key == key {
			d.positions[i], d.positions[at] = d.positions[at], d.positions[i]
			d.rows[i], d.rows[at] = d.rows[at], d.rows[i]
			return
		}
	}
	d.positions = slices.Insert(d.positions, i, drawnPosition{})
	d.rows = slices.Insert(d.rows, i, tableRow{})
}

// end forgets the rows that are not among the first n.
func (d *drawnPositions) end(n int) {
	d.positions = slices.Delete(d.positions, n, len(d.positions))
	d.rows = slices.Delete(d.rows, n, len(d.rows))
}

// positionRow is the row of a position, which stands i rows below the first.
func (m *Model) positionRow(i int, p *model.Position, now time.Time) *tableRow {
	d := &m.positions.drawn
	if i >= len(d.rows) || d.positions[i].Key != p.Key {
		d.bring(p.Key, i)
	}
	var old time.Duration
	if updated, ok := moment(p.Number(model.UpdatedAt)); ok {
		old = now.Sub(updated).Truncate(time.Second)
	}
	was, row := &d.positions[i], &d.rows[i]
	if same := row.cells != nil && was.Position == *p; !same || was.old != old {
		if age := ageOf(p.Number(model.UpdatedAt), now); !same || row.cells[ageColumn].text != age {
			*row = tableRow{cells: m.positionCells(p, age)}
		}
		*was = drawnPosition{*p, old}
	}
	return &d.rows[i]
}
