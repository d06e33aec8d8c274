package book

import (
	"maps"
	"math"

	"blotter/model"
	"blotter/model/modeltest"
)

// filledBook holds rows positions of one subscription for all, one for each pair of the first parties and markets.
func filledBook(s *modeltest.Sample, rows, digits int) *Book {
	book := New(0)
	for _, key := range s.Pairs(rows) {
		book.Merge(updateOf(model.Subscription{}, s.State(key, digits)))
	}
	return book
}

// updateOf has positions of a subscription change; every time decides.
func updateOf(s model.Subscription, positions ...model.Position) *Updates {
	return &Updates{Subscription: s, Positions: positions, NotAfter: math.MaxInt64}
}

// plainRows are a snapshot of n positions or less, also as a map.
func plainRows(w *modeltest.World, s model.Subscription, n int) (*Rows, map[model.Key]model.Position) {
	rows, plain := NewRows(), make(map[model.Key]model.Position)
	for range w.IntN(n + 1) {
		p := w.Position(s)
		rows.Put(&p)
		plain[p.Key] = p
	}
	return rows, plain
}

// truth is what a Book holds, in plain maps.
type truth map[model.Subscription]map[model.Key]model.Position

// all are the positions of the book.
func (tr truth) all() map[model.Key]model.Position {
	all := make(map[model.Key]model.Position)
	for _, rows := range tr {
		maps.Copy(all, rows)
	}
	return all
}
