package book

import (
	"maps"
	"math"

	"blotter/model"
	"blotter/model/modeltest"
)

// filledBook returns a book with so many positions of one subscription, each of another party and market.
func filledBook(s *modeltest.Sample, rows, digits int) *Book {
	book := New(0)
	for _, key := range s.Pairs(rows) {
		book.Merge(updateOf(model.Subscription{}, s.State(key, digits)))
	}
	return book
}

// updateOf returns updates of a subscription. No time is ahead of the clock.
func updateOf(s model.Subscription, positions ...model.Position) *Updates {
	return &Updates{Subscription: s, Positions: positions, NotAfter: math.MaxInt64}
}

// plainRows returns a snapshot of n positions or less, and the same as a map.
func plainRows(w *modeltest.World, s model.Subscription, n int) (*Rows, map[model.Key]model.Position) {
	rows, plain := NewRows(), make(map[model.Key]model.Position)
	for range w.IntN(n + 1) {
		p := w.Position(s)
		rows.Put(&p)
		plain[p.Key] = p
	}
	return rows, plain
}

// plainBook is a book as plain maps.
type plainBook map[model.Subscription]map[model.Key]model.Position

// all returns the positions of the book.
func (tr plainBook) all() map[model.Key]model.Position {
	all := make(map[model.Key]model.Position)
	for _, rows := range tr {
		maps.Copy(all, rows)
	}
	return all
}
