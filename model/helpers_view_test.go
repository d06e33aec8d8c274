package model

import (
	"maps"
	"math"
	"time"
)

// bookOf holds rows positions of one subscription for all, one for each pair of the first parties and markets.
func bookOf(s *sample, rows, digits int) *Book {
	book := NewBook(0)
	for _, key := range s.pairs(rows) {
		book.Merge(updatesOf(Subscription{}, s.state(key, digits)))
	}
	return book
}

// updatesOf has positions of a subscription change; every time decides.
func updatesOf(s Subscription, positions ...Position) *Updates {
	return &Updates{Subscription: s, Positions: positions, NotAfter: math.MaxInt64}
}

// rowsOf are a snapshot of n positions or less, also as a map.
func rowsOf(w *world, s Subscription, n int) (*Rows, map[Key]Position) {
	rows, plain := NewRows(), make(map[Key]Position)
	for range w.IntN(n + 1) {
		p := w.position(s)
		rows.Put(&p)
		plain[p.Key] = p
	}
	return rows, plain
}

// plainBook is what a Book holds, in plain maps.
type plainBook map[Subscription]map[Key]Position

// all are the positions of the book.
func (tr plainBook) all() map[Key]Position {
	all := make(map[Key]Position)
	for _, rows := range tr {
		maps.Copy(all, rows)
	}
	return all
}

// putRecord keeps a margin record, whatever its time is.
func putRecord(margins *Margins, levels MarginLevels) {
	margins.Merge(&Page{ReadAt: time.Unix(-10, 0), Rows: []MarginLevels{levels}}, margins.put)
}

// takenAt is when the baselines of these tests were taken.
var takenAt = time.Date(2026, 3, 4, 13, 0, 0, 0, time.UTC)
