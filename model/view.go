package model

import (
	"cmp"
	"slices"
)

// View is the rows of a book that are in scope and match a filter, in order, with their totals. It follows each change
// of the book; a change costs about the same however many rows there are.
//
// NewView costs as much as a sort. So the view of a large book is made outside of the screen's loop, while nobody
// changes the book.
type View struct {
	Filter     Filter
	Order      Order
	scope      Scope
	book       *Book
	encoder    *encoder
	compare    func(p, q *Position) int // by the column alone
	matcher    *matcher
	visibility [2][sides]visibility // by whether the terms match (0 or 1) and by side
	rankOf     func(entry) rank
	index      orderedIndex // of all rows in scope, so that another filter needs no sort
	counts     counts
	covered    int // how many open positions in scope have a margin record
}

// visibility is whether a view shows a row, and if not, why.
type visibility uint8

const (
	shown visibility = iota
	hiddenAsClosed
	filteredOut
	visibilities
)

// counts are the numbers of rows in scope, and their totals.
type counts struct {
	rows   [visibilities]int
	open   int
	totals totals // of all rows in scope, whatever is shown
}

// NewView returns a view of the book. From then on the book may be changed by Merge, Compare and MergeMargins of the
// view only.
func NewView(book *Book, scope Scope, filter Filter, order Order, instruments *Instruments) *View {
	v := &View{
		Order: order, scope: scope, book: book,
		encoder: &encoder{instruments: instruments, margins: book.margins},
	}
	v.compare = order.columnComparer(v.encoder)
	entries := v.encoder.entries(book, &v.scope)
	v.counts.totals.addAll(entries, v.encoder)
	v.rankOf = order.sort(entries, v.encoder)
	v.index = newOrderedIndex(entries, order.comparer(v.encoder))
	v.covered = v.encoder.covered(entries...)
	return v.Refiltered(filter)
}

// Refiltered returns the view with another filter. It reads the entries of all rows, but sorts nothing. From then on
// the new view must be used for changes. The old one can be read until the book changes.
func (v *View) Refiltered(filter Filter) *View {
	r := *v
	r.Filter = filter
	query, _ := ParseQuery(filter.Text) // no query, where it is refused
	r.matcher = newMatcher(query, filter.Now, v.Order, v.encoder)
	r.visibility = [...][sides]visibility{{filteredOut, filteredOut, filteredOut}, {hiddenAsClosed, shown, shown}}
	if filter.ShowClosed {
		r.visibility[1][flat] = shown
	}
	r.index.isShown = func(e entry) bool { return r.visibilityOf(e) == shown }
	r.index.buckets = slices.Clone(v.index.buckets) // v keeps its counts
	r.countAll()
	return &r
}

// visibilityOf returns whether a row is shown, and if not, why.
func (v *View) visibilityOf(e entry) visibility {
	return v.visibilityIf(v.matcher.matches(e), e.side())
}

func (v *View) visibilityIf(matches bool, side side) visibility {
	if matches {
		return v.visibility[1][side]
	}
	return v.visibility[0][side]
}

// countAll counts all rows by their visibility.
func (v *View) countAll() {
	v.counts = counts{totals: v.counts.totals}
	var matched [matchedTogether]bool
	for i := range v.index.buckets {
		b := &v.index.buckets[i]
		before := v.counts.rows[shown]
		for part := range slices.Chunk(b.entries, matchedTogether) {
			v.matcher.matchAll(part, &matched)
			for i := range part {
				v.counts.rows[v.visibilityIf(matched[i], part[i].side())]++
				v.counts.open += part[i].open()
			}
		}
		b.shown = v.counts.rows[shown] - before
	}
}

// Scope returns the scope of the view.
func (v *View) Scope() Scope { return v.scope }

// Book returns the book that the view shows.
func (v *View) Book() *Book { return v.book }

// Instruments returns the names and decimals that the view uses.
func (v *View) Instruments() *Instruments { return v.encoder.instruments }

// Len returns how many rows are shown.
func (v *View) Len() int { return v.counts.rows[shown] }

// Rows returns how many positions are in scope.
func (v *View) Rows() int {
	return v.counts.rows[shown] + v.counts.rows[hiddenAsClosed] + v.counts.rows[filteredOut]
}

// Open returns how many of the positions in scope are open.
func (v *View) Open() int { return v.counts.open }

// ClosedHidden returns how many positions match the filter but are hidden because they are closed.
func (v *View) ClosedHidden() int { return v.counts.rows[hiddenAsClosed] }

// Filtered returns how many positions are hidden because they do not match the filter.
func (v *View) Filtered() int { return v.counts.rows[filteredOut] }

// Totals returns the sums of all rows in scope, one for each asset that has any: also of closed positions and of those that
// the filter hides. The asset with the most rows is first. The totals are copies.
func (v *View) Totals() []*Total {
	var totals []*Total
	for code, total := range v.counts.totals {
		if total.Rows > 0 {
			total.Asset = v.encoder.assets.values[code]
			totals = append(totals, &total)
		}
	}
	slices.SortFunc(totals, func(a, b *Total) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), a.Asset.Compare(b.Asset))
	})
	return totals
}

// Uncompared returns how many markets have amounts that match no comparison of the filter, because their decimals are
// not known.
func (v *View) Uncompared() int { return v.matcher.uncompared() }

// At returns the row at place i of the rows shown, and nil where there is none. The caller must not change it. The next
// Merge or Compare may change it.
func (v *View) At(i int) *Position { return v.index.at(i) }

// Shown calls yield with each row that is shown, in order, until it returns false. The caller must not change the rows.
func (v *View) Shown(yield func(*Position) bool) {
	for i := range v.index.buckets {
		for _, e := range v.index.buckets[i].entries {
			if v.index.isShown(e) && !yield(e.row) {
				return
			}
		}
	}
}

// Place returns the place of the row with the key among the rows shown, and whether it is shown. For a row in scope
// that is not shown, it returns the place where it would be.
func (v *View) Place(key Key) (int, bool) {
	row := v.book.Find(key)
	if row == nil || !v.scope.Covers(key) {
		return 0, false
	}
	return v.index.place(v.entry(row))
}

// Merge applies updates to the book and keeps the view in order.
func (v *View) Merge(u *Updates) { v.book.merge(u, v) }

// Compare does what Book.Compare does, and keeps the view in order.
func (v *View) Compare(page *AuditPage) (corrections []Correction, more bool) {
	return v.book.compare(page, v)
}

// putRow does what Book.putRow does, and keeps the view in order.
func (v *View) putRow(t *table, number uint32, p *Position) uint32 {
	switch {
	case !v.scope.Covers(p.Key):
		return v.book.putRow(t, number, p)
	case number != 0:
		v.change(t.rows.row(number), p)
		return number
	}
	if number = v.book.putRow(t, 0, p); number != 0 {
		e := v.entry(t.rows.row(number))
		v.matcher.matchNew()
		v.covered += v.encoder.covered(e)
		v.insert(e)
	}
	return number
}

// removeRow does what Book.removeRow does, and keeps the view in order.
func (v *View) removeRow(t *table, number uint32) {
	if row := t.rows.row(number); v.scope.Covers(row.Key) {
		e := v.entry(row)
		v.covered -= v.encoder.covered(e)
		v.remove(e)
	}
	v.book.removeRow(t, number)
}

// change sets row to p. Most changes do not move the row, and do not hide or show it.
func (v *View) change(row, p *Position) {
	before := v.encoder.entry(row)
	after := v.encoder.entryOf(p, before.party(), before.market())
	v.matcher.matchNew()
	if before.open() != after.open() {
		v.covered += v.encoder.covered(after) - v.encoder.covered(before)
	}
	visibility := v.visibilityOf(before)
	if before.codes == after.codes && visibility == v.visibilityOf(after) && v.compare(row, p) == 0 {
		v.count(before, visibility, -1)
		v.count(after, visibility, +1)
		*row = *p
		return
	}
	before.rank = v.rankOf(before)
	v.remove(before)
	*row = *p
	after.row = row
	after.rank = v.rankOf(after)
	v.insert(after)
}

// entry returns the entry of a row as the index has it.
func (v *View) entry(row *Position) entry {
	e := v.encoder.entry(row)
	e.rank = v.rankOf(e)
	return e
}

func (v *View) insert(e entry) {
	v.count(e, v.visibilityOf(e), +1)
	v.index.insert(e)
}

func (v *View) remove(e entry) {
	v.count(e, v.visibilityOf(e), -1)
	v.index.remove(e)
}

// count counts one row with sign +1, and takes it out of the counts with sign -1.
func (v *View) count(e entry, visibility visibility, sign int) {
	v.counts.rows[visibility] += sign
	v.counts.open += sign * e.open()
	asset := v.encoder.assetCodes[e.market()]
	v.counts.totals.add(e.row, asset, sign)
}
