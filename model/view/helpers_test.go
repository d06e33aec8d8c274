package view

import (
	"maps"
	"math"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// bookOf returns a book with this many rows of one subscription: one for each pair of the first parties and markets.
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

// rowsOf returns the rows of a snapshot of at most n positions, also as a map.
func rowsOf(w *modeltest.World, s model.Subscription, n int) (*book.Rows, map[model.Key]model.Position) {
	rows, plain := book.NewRows(), make(map[model.Key]model.Position)
	for range w.IntN(n + 1) {
		p := w.Position(s)
		rows.Put(&p)
		plain[p.Key] = p
	}
	return rows, plain
}

// plainBook has the positions of a book in plain maps.
type plainBook map[model.Subscription]map[model.Key]model.Position

// all returns the positions of the book.
func (b plainBook) all() map[model.Key]model.Position {
	all := make(map[model.Key]model.Position)
	for _, rows := range b {
		maps.Copy(all, rows)
	}
	return all
}

// putRecord stores a margin record, whatever its time is.
func putRecord(margins *book.Margins, levels model.MarginLevels) {
	margins.Merge(&model.Page{ReadAt: time.Unix(-10, 0), Rows: []model.MarginLevels{levels}}, margins.Put)
}

// takenAt is when the baselines of these tests were taken.
var takenAt = time.Date(2026, 3, 4, 13, 0, 0, 0, time.UTC)
