package model

import (
	"maps"
	"math"
)

// filledBook holds rows positions of one subscription for all, one for each pair of the first parties and markets.
func filledBook(s *sample, rows, digits int) *Book {
	book := NewBook(0)
	for _, key := range s.pairs(rows) {
		book.Merge(updateOf(Subscription{}, s.state(key, digits)))
	}
	return book
}

// updateOf has positions of a subscription change; every time decides.
func updateOf(s Subscription, positions ...Position) *Updates {
	return &Updates{Subscription: s, Positions: positions, NotAfter: math.MaxInt64}
}

// plainRows are a snapshot of n positions or less, also as a map.
func plainRows(w *world, s Subscription, n int) (*Rows, map[Key]Position) {
	rows, plain := NewRows(), make(map[Key]Position)
	for range w.IntN(n + 1) {
		p := w.position(s)
		rows.Put(&p)
		plain[p.Key] = p
	}
	return rows, plain
}

// truth is what a Book holds, in plain maps.
type truth map[Subscription]map[Key]Position

// all are the positions of the book.
func (tr truth) all() map[Key]Position {
	all := make(map[Key]Position)
	for _, rows := range tr {
		maps.Copy(all, rows)
	}
	return all
}
