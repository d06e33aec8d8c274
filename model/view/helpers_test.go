package view

import (
	"math"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
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
	return &book.Updates{Subscription: s, Positions: positions, NotAfter: math.MaxInt64}
}

// putRecord stores a margin record, whatever its time is.
func putRecord(margins *book.Margins, levels model.MarginLevels) {
	margins.Merge(&model.Page{ReadAt: time.Unix(-10, 0), Rows: []model.MarginLevels{levels}}, func(levels *model.MarginLevels, before uint32, read book.ReadTimes) {
		margins.Put(levels, before, read.ReadAt)
	})
}

// takenAt is when the baselines of these tests were taken.
var takenAt = time.Date(2026, 3, 4, 13, 0, 0, 0, time.UTC)
