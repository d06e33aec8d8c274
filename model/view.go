package model

import (
	"slices"

	"github.com/tidwall/btree"
)

// View is the rows of a Book that match a filter, in order. It is kept up as rows change: the cost of an
// update grows with the depth of a tree, not with the number of rows.
//
// Making one costs as much as a sort, so for a large book it is made outside of the screen's loop, while
// nobody changes the book.
type View struct {
	Filter      Filter
	Order       Order
	instruments *Instruments
	book        *Book
	matches     *matcher
	compare     func(p, q *Position) int
	rows        *btree.BTreeG[*Position]
	tally       tally
}

// NewView puts the rows of the book that match in order. From then on the book changes by Merge alone.
func NewView(book *Book, filter Filter, order Order, instruments *Instruments) *View {
	v := &View{
		Filter: filter, Order: order, instruments: instruments, book: book,
		matches: newMatcher(filter, instruments),
		compare: order.comparer(instruments),
	}
	v.tally.totals = make(map[ID]*Total)
	var rows []*Position
	for row := range book.All {
		if v.enter(row) {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, v.compareWhole)
	v.rows = btree.NewBTreeGOptions(v.less, btree.Options{NoLocks: true})
	for _, row := range rows {
		v.rows.Load(row)
	}
	return v
}

// compareWhole orders all rows: no two are equal.
func (v *View) compareWhole(p, q *Position) int {
	if c := v.compare(p, q); c != 0 {
		return c
	}
	return p.Key.Compare(q.Key)
}

func (v *View) less(p, q *Position) bool { return v.compareWhole(p, q) < 0 }

// Book is the book that the view shows.
func (v *View) Book() *Book { return v.book }

// Instruments are the names and decimals that the view goes by.
func (v *View) Instruments() *Instruments { return v.instruments }

// Len is how many rows the view has.
func (v *View) Len() int { return v.rows.Len() }

// At is the row at place i. It must not be changed, and may change with the next Merge.
func (v *View) At(i int) *Position {
	row, _ := v.rows.GetAt(i)
	return row
}

// Place is where the row with the key stands, and whether the view has it. Where it has not, but the book
// does, it is where the row would stand.
func (v *View) Place(key Key) (int, bool) {
	row := v.book.Find(key)
	if row == nil {
		return 0, false
	}
	place := v.placeOf(row)
	return place, place < v.Len() && v.At(place) == row
}

// placeOf is how many rows come before row.
func (v *View) placeOf(row *Position) int {
	low, high := 0, v.Len()
	for low < high {
		middle := int(uint(low+high) >> 1)
		if v.less(v.At(middle), row) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// Merge puts p in the book, in place of what subscription s had for it, and keeps the view in order.
func (v *View) Merge(s Subscription, p *Position) {
	before := v.book.Find(p.Key)
	if before != nil && len(v.book.tables) == 1 && v.mergeInPlace(s, before, p) {
		return
	}
	if before != nil {
		v.leave(before)
		v.rows.Delete(before)
	}
	v.book.Merge(s, p)
	after := v.book.Find(p.Key)
	if v.enter(after) {
		v.rows.Set(after)
	}
}

// mergeInPlace changes a row that neither moves nor appears nor goes, which is what most updates do.
func (v *View) mergeInPlace(s Subscription, row, p *Position) bool {
	if v.compare(row, p) != 0 || v.shows(row) != v.shows(p) {
		return false
	}
	v.leave(row)
	v.book.Merge(s, p)
	v.enter(row)
	return true
}

// shows tells whether a row belongs in the view.
func (v *View) shows(p *Position) bool {
	return (v.Filter.ShowClosed || p.IsOpen()) && v.matches.words(p)
}

// enter counts a row in, and tells whether it is shown.
func (v *View) enter(p *Position) bool { return v.count(p, +1) }

// leave counts a row out.
func (v *View) leave(p *Position) { v.count(p, -1) }

func (v *View) count(p *Position, by int) bool {
	open, matches := p.IsOpen(), v.matches.words(p)
	v.tally.rows += by
	if open {
		v.tally.open += by
	}
	switch {
	case !matches:
		v.tally.filtered += by
		return false
	case !open && !v.Filter.ShowClosed:
		v.tally.closedHidden += by
		return false
	}
	v.tally.total(v.instruments.Market(p.Market).Asset).add(p, by)
	return true
}
