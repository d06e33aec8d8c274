package view

import (
	"maps"
	"math"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// bookOf holds rows positions of one subscription for all, one for each pair of the first parties and markets.
func bookOf(s *modeltest.Sample, rows, digits int) *book.Book {
	b := book.New(0)
	for _, key := range s.Pairs(rows) {
		b.Merge(updateOf(model.Subscription{}, s.State(key, digits)))
	}
	return b
}

// updateOf has positions of a subscription change; every time decides.
func updateOf(s model.Subscription, positions ...model.Position) *book.Updates {
	return &book.Updates{Subscription: s, Positions: positions, NotAfter: math.MaxInt64}
}

// rowsOf are a snapshot of n positions or less, also as a map.
func rowsOf(w *modeltest.World, s model.Subscription, n int) (*book.Rows, map[model.Key]model.Position) {
	rows, plain := book.NewRows(), make(map[model.Key]model.Position)
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

// putRecord keeps a margin record, whatever its time is.
func putRecord(margins *book.Margins, levels model.MarginLevels) {
	margins.Merge(&model.Page{ReadAt: time.Unix(-10, 0), Rows: []model.MarginLevels{levels}}, margins.Put)
}

// takenAt is when the baselines of these tests were taken.
var takenAt = time.Date(2026, 3, 4, 13, 0, 0, 0, time.UTC)
