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
}

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
	age time.Duration // in whole seconds
}

func newDrawnPositions(format *formatter, styles *styles, height int) drawnPositions {
	return drawnPositions{
		format: format, styles: *styles,
		positions: make([]drawnPosition, 0, height), rows: make([]tableRow, 0, height),
	}
}

func (d *drawnPositions) add(p drawnPosition, row tableRow) {
	d.positions = append(d.positions, p)
	d.rows = append(d.rows, row)
}

// find is the row that was drawn of the position as it is now. It is looked for first where it stands on the screen.
func (d *drawnPositions) find(p *drawnPosition, at int) (tableRow, bool) {
	if at < len(d.positions) && d.positions[at] == *p {
		return d.rows[at], true
	}
	for i := range d.positions {
		if d.positions[i].Key == p.Key {
			return d.rows[i], d.positions[i] == *p
		}
	}
	return tableRow{}, false
}

// addRow adds the row of a position.
func (m *Model) addRow(to *drawnPositions, p *model.Position, now time.Time) *tableRow {
	is := drawnPosition{Position: *p}
	if updated, ok := moment(p.Number(model.UpdatedAt)); ok {
		is.age = now.Sub(updated).Truncate(time.Second)
	}
	before := &m.positions.drawn
	row, ok := before.find(&is, len(to.rows))
	if !ok || before.format != to.format || before.styles != to.styles {
		row = tableRow{cells: m.positionCells(p, now)}
	}
	to.add(is, row)
	return &to.rows[len(to.rows)-1]
}
