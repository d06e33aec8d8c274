package model

import "slices"

// View is the rows of a Book that match a filter, in order. It is kept up as rows change: the cost of an
// update hardly grows with the number of rows.
//
// Making one costs as much as a sort, so for a large book it is made outside of the screen's loop, while
// nobody changes the book.
type View struct {
	Filter    Filter
	Order     Order
	scope     Scope
	book      *Book
	directory *directory
	compare   func(p, q *Position) int // in the column alone
	matcher   *matcher
	standings [2][sides]standing // how a row stands, by whether its words match and by its side
	rankOf    func(entry) rank
	lineup    lineup // of all rows, so that another filter needs no sort
	tally     tally
}

// NewView puts the positions of the book that are in scope and match the filter in order. From then on the book changes by
// Merge and Compare of the view alone.
func NewView(book *Book, scope Scope, filter Filter, order Order, instruments *Instruments) *View {
	v := &View{
		Order: order, scope: scope, book: book,
		directory: &directory{instruments: instruments},
		compare:   order.comparer(instruments),
	}
	entries := v.directory.entries(book, &v.scope)
	v.tally.whole.addAll(entries, v.directory, +1)
	v.rankOf = order.sort(entries, v.directory)
	v.lineup = newLineup(entries, order.wholeComparer(instruments))
	return v.Refiltered(filter)
}

// Refiltered is the view with another filter. It costs a walk over the book's rows, but no sort. It takes the
// place of v, which may be read as long as the book does not change, but not be merged into any longer.
func (v *View) Refiltered(filter Filter) *View {
	r := *v
	r.Filter = filter
	r.matcher = newMatcher(parseTerms(filter.Text), v.directory)
	r.standings = [...][sides]standing{{filteredOut, filteredOut, filteredOut}, {hiddenAsClosed, shown, shown}}
	if filter.ShowClosed {
		r.standings[1][flat] = shown
	}
	r.lineup.shows = func(e entry) bool { return r.standing(e) == shown }
	r.count()
	return &r
}

// count counts all rows by how they stand. The totals of the rows shown are the sum of them, or the sum of all rows
// less the others, whichever seem to be fewer.
func (v *View) count() {
	v.tally = tally{whole: v.tally.whole}
	v.lineup.runs = slices.Clone(v.lineup.runs) // the old view's counts stay as they are
	by := +1
	if v.mostAreShown() {
		by, v.tally.shown = -1, slices.Clone(v.tally.whole)
	}
	some := make([]entry, 0, runMax)
	for i := range v.lineup.runs {
		r := &v.lineup.runs[i]
		some = some[:0]
		before := v.tally.rows[shown]
		for _, e := range r.entries {
			as := v.standing(e)
			v.tally.rows[as]++
			v.tally.open += e.open()
			if (as == shown) == (by > 0) {
				some = append(some, e)
			}
		}
		r.shown = v.tally.rows[shown] - before
		v.tally.shown.addAll(some, v.directory, by)
	}
}

// mostAreShown judges by some of the rows.
func (v *View) mostAreShown() bool {
	all, some := 0, 0
	for i := 0; i < len(v.lineup.runs); i += 16 {
		r := v.lineup.runs[i]
		r.count(v.lineup.shows)
		all, some = all+len(r.entries), some+r.shown
	}
	return some > all/2
}

// Scope is whose positions the view has.
func (v *View) Scope() Scope { return v.scope }

// Book is the book that the view shows.
func (v *View) Book() *Book { return v.book }

// Instruments are the names and decimals that the view goes by.
func (v *View) Instruments() *Instruments { return v.directory.instruments }

// Len is how many rows the view has.
func (v *View) Len() int { return v.tally.rows[shown] }

// At is the row at place i. It must not be changed, and may change with the next Merge.
func (v *View) At(i int) *Position { return v.lineup.at(i) }

// Place is where the row with the key stands, and whether the view has it. Where it has not, but the book
// does, it is where the row would stand.
func (v *View) Place(key Key) (int, bool) {
	row := v.book.Find(key)
	if row == nil || !v.scope.Covers(key) {
		return 0, false
	}
	return v.lineup.place(v.entry(row))
}

// entry is the entry of a row as it stands in the lineup.
func (v *View) entry(row *Position) entry {
	e := v.directory.entry(row)
	e.rank = v.rankOf(e)
	return e
}

// Merge applies updates to the book and keeps the view in order.
func (v *View) Merge(u *Updates) { v.book.merge(u, v.putRow) }

// Compare is Book.Compare that keeps the view in order.
func (v *View) Compare(page *AuditPage) (corrections []Correction, more bool) {
	return v.book.compare(page, v.putRow, v.removeRow)
}

// putRow is Book.putRow that keeps the view in order.
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
		v.matcher.learn()
		v.insert(e)
	}
	return number
}

// removeRow is Book.removeRow that keeps the view in order.
func (v *View) removeRow(t *table, number uint32) {
	if row := t.rows.row(number); v.scope.Covers(row.Key) {
		v.remove(v.entry(row))
	}
	v.book.removeRow(t, number)
}

// change makes row what p is. Most changes leave it where it is and as it stands.
func (v *View) change(row, p *Position) {
	before := v.directory.entry(row)
	after := v.directory.state(p, before.party(), before.market())
	v.matcher.learn()
	as := v.standing(before)
	if before.facets == after.facets && as == v.standing(after) && v.compare(row, p) == 0 {
		v.tally.count(before, as, v.directory, -1)
		v.tally.count(after, as, v.directory, +1)
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

func (v *View) insert(e entry) {
	v.tally.count(e, v.standing(e), v.directory, +1)
	v.lineup.insert(e)
}

func (v *View) remove(e entry) {
	v.tally.count(e, v.standing(e), v.directory, -1)
	v.lineup.remove(e)
}

// standing is whether the row is shown, and if not why.
func (v *View) standing(e entry) standing {
	matches := 0
	if v.matcher.matches(e) {
		matches = 1
	}
	return v.standings[matches][e.side()]
}
