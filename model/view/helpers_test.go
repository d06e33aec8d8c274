package view

import (
	"math"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
	"blotter/model/view/sorting"
)

// bookOf returns a book with the given number of rows of one subscription: one for each pair of the first parties and
// markets.
func bookOf(s *modeltest.Sample, rows, digits int) *book.Book {
	b := book.New(0)
	for _, key := range s.Pairs(rows) {
		b.Merge(updateOf(model.Subscription{}, s.State(key, digits)))
	}
	return b
}

// updateOf returns updates with positions. No time in them is too late to be used.
func updateOf(s model.Subscription, positions ...model.Position) *book.Updates {
	return &book.Updates{Subscription: s, Positions: positions, NotAfter: math.MaxInt64, AsIs: true}
}

// merge applies updates to the book of a view, and the changes to the view.
func merge(v *View, u *book.Updates) {
	for rest, more := *u, true; more; {
		changes := v.book.ApplyUpdates(&rest)
		v.Apply(changes)
		more = changes.More
	}
}

// compare does what merge does, with a page of an audit, and returns how many rows were corrected.
func compare(v *View, page *book.AuditPage) (corrected int) {
	for rest, more := *page, true; more; {
		changes := v.book.ApplyAudit(&rest)
		v.Apply(changes)
		corrected, more = corrected+len(changes.Rows), changes.More
	}
	return corrected
}

// putRecord stores a margin record, whatever its time is.
func putRecord(margins *book.Margins, levels model.MarginLevels) {
	for record := range margins.NewOf(&model.Page{ReadAt: time.Unix(-10, 0), Rows: []model.MarginLevels{levels}}) {
		margins.Put(record)
	}
}

// takenAt is when the baselines of these tests were taken.
var takenAt = time.Date(2026, 3, 4, 13, 0, 0, 0, time.UTC)

// entryOf returns the entry of p in a table of its own, which has the number.
func entryOf(c *sorting.Encoder, number int, p *model.Position) sorting.Entry {
	rows := book.NewRows()
	rows.Put(p)
	const first = 1 // the number of the first row
	e := c.Entry(book.NewTable(model.Subscription{}, uint32(number), rows), first)
	c.FindMarginRecord(e)
	return e
}
