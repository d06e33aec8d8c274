package view

import (
	"cmp"
	"iter"
	"slices"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/model/view/ordered"
	"blotter/model/view/sorting"
)

// View has the rows of a book that are in scope and match a filter, in order, with their totals. It is updated with
// each change of the book; a change costs about the same with any number of rows.
//
// New costs as much as a sort. So the view of a large book is made in a command, while the book does not change.
type View struct {
	Filter  Filter
	Order   Order
	Groups  Groups
	scope   model.Scope
	book    *book.Book
	ranks   sorting.Ranker
	margins Margins
	changes uint64
	rowIndex
}

// New returns a view of the book. From then on each list of changes of the book must be applied to the view, and margin
// levels may be merged by the view only.
func New(b *book.Book, scope model.Scope, filter Filter, order Order, instruments *model.Instruments) *View {
	return NewGrouped(b, scope, filter, order, Groups{}, instruments)
}

// NewGrouped returns a view of the book, as New does, with its rows in groups.
//
// The groups are in order, too. If the rows are ordered by profit or by margin ratio, that is the order of the
// groups' subtotals. In all other orders it is that of their first rows: in the order of trouble, the group with the
// worst row is first. Inside a group the rows are in order.
func NewGrouped(b *book.Book, scope model.Scope, filter Filter, order Order, groups Groups, instruments *model.Instruments) *View {
	v := &View{
		Order: order, Groups: groups, scope: scope, book: b,
		rowIndex: rowIndex{encoder: sorting.NewEncoder(b, instruments, keptOf(&filter))},
	}
	v.margins = Margins{book: b, scope: scope, encoder: v.encoder}
	entries := v.encoder.Entries(&v.scope)
	v.counts.totals.addAll(entries, v.encoder)
	for _, e := range entries {
		v.countBaseline(e, shown, +1)
		if v.encoder.IsOther(e) {
			of := &v.counts.totals[v.encoder.AssetCode(e)]
			of.baseline.addOther(func(f model.Field) model.Amount { return v.encoder.Amount(e, f) }, +1)
		}
	}
	v.ranks = order.sorter().Sort(entries, v.encoder)
	v.index = ordered.New(groups.By.inGroups(entries, v.encoder, order.sorter().Comparer(v.encoder)))
	v.margins.covered = v.encoder.Covered(entries...)
	return v.Refiltered(filter)
}

// Refiltered returns the view with another filter, and keeps the same rows. It reads the entries of all rows, but sorts
// nothing. From then on the new view must be used for changes. The old one can be read until the book changes.
func (v *View) Refiltered(f Filter) *View {
	r := *v
	r.Filter = f
	query, _ := filter.Parse(f.Text) // no query, if the text has an error
	r.matcher = newMatcher(query, f.Now, v.Order.sorter(), v.encoder)
	r.visibility = visibilityRules{{filteredOut, filteredOut, filteredOut, filteredOut}, {hiddenAsClosed, shown, shown, shown}}
	if f.ShowClosed {
		r.visibility[1][model.Flat] = shown
	}
	r.index = v.index.WithLines(func(e sorting.Entry) int { return r.visibilityOf(e).lines() })
	if v.Groups.By != Ungrouped {
		r.groups = newRowGroups(r.Groups, r.Order, r.encoder, r.index.Lines)
	}
	r.countAll()
	return &r
}

// Scope returns the scope of the view.
func (v *View) Scope() model.Scope { return v.scope }

// ChangesOf counts what has changed in the rows of a view, their margin records and which are kept: if two counts are
// equal, the rows are the same.
func ChangesOf(v *View) uint64 { return v.changes }

// Book returns the book that the view shows.
func (v *View) Book() *book.Book { return v.book }

// Markets returns the markets of the rows in scope, also of those that the filter hides. They must not be changed.
func (v *View) Markets() []model.ID { return v.encoder.Markets.Values() }

// Names returns the names that filters can be given: those of the instruments and of the rows.
func (v *View) Names() filter.Names {
	c := v.encoder
	return func(field filter.Field) []string { return namesOf(field, c) }
}

// Instruments returns the names and decimals that the view uses.
func (v *View) Instruments() *model.Instruments { return v.encoder.Instruments }

// Baseline returns the baseline of the changes in the view, or nil if there is none.
func (v *View) Baseline() *book.Baseline { return v.book.Baselines().Current() }

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

// Totals returns the sums of all rows in scope, one for each asset that has any: also of closed positions and of those
// that the filter hides. The asset with the most rows is first. The totals are copies.
func (v *View) Totals() []*Total {
	var totals []*Total
	for code, total := range v.counts.totals {
		if total.Rows > 0 {
			total.Asset = v.encoder.Assets.Values()[code]
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

// At returns the row at line i, and false if there is none, or a heading.
func (v *View) At(i int) (model.Position, bool) {
	if e, heading, ok := v.rowAt(i); ok && heading == nil {
		return v.encoder.Position(e), true
	}
	return model.Position{}, false
}

// Shown yields each row that is shown, in order, also those of folded groups. The book must not be changed during the
// loop.
func (v *View) Shown(yield func(model.Position) bool) {
	if v.groups != nil && v.Groups.By != GroupByOwn { // a row of two own groups is yielded once
		v.groups.allRows(&v.index, yield)
		return
	}
	for e := range v.index.All {
		if v.index.Lines(e) > 0 && !yield(v.encoder.Position(e)) {
			return
		}
	}
}

// MatchingOf yields each row of a view that matches its filter, also closed ones that are hidden. The book must not be
// changed during the loop.
func MatchingOf(v *View) iter.Seq[model.Position] {
	return func(yield func(model.Position) bool) {
		query, _ := filter.Parse(v.Filter.Text)
		own := newMatcher(query, v.Filter.Now, v.Order.sorter(), v.encoder) // that of the view may be in use meanwhile
		for e := range v.index.All {
			matches := v.index.Lines(e) > 0 || e.Side() == model.Flat && own.matches(e)
			if matches && !yield(v.encoder.Position(e)) {
				return
			}
		}
	}
}

// InScope yields each row in scope, in order, whatever the filter hides. The book must not be changed during the loop.
func (v *View) InScope(yield func(model.Position) bool) {
	for e := range v.index.All {
		if !yield(v.encoder.Position(e)) {
			return
		}
	}
}

// Place returns the line of the row with the key, and whether it is shown. For a row in scope that is not shown, it
// returns the line where it would be, and for one of a folded group that of the heading. For any other row it is -1.
func (v *View) Place(key model.Key) (int, bool) {
	t, number := v.book.Row(key)
	if number == 0 || !v.scope.Covers(key) {
		return -1, false
	}
	if v.groups != nil {
		return v.groups.place(v.entry(t, number), &v.index)
	}
	return v.index.Place(v.entry(t, number))
}

// entry returns the entry of a row as it is in the index.
func (v *View) entry(t *book.Table, number uint32) sorting.Entry {
	e := v.encoder.Entry(t, number)
	e.Rank = v.ranks.OfStored(e, v.encoder)
	return e
}
