package book

import (
	"blotter/model"
	"blotter/model/book/pairs"
)

// Book has the positions of all subscriptions, and the margin records. Each subscription has its own table, so that a
// new snapshot replaces a whole table at once. The subscriptions of a book do not overlap (see Scope.Subscriptions):
// each position is in one table.
type Book struct {
	tables  *tables
	margins *Margins
	limit   int  // the largest number of positions; 0 is no limit
	count   int  // the number of positions
	leftOut bool // new positions were left out because of the limit

	baselines Baselines
	unwatched pairs.Unwatched
	left      leftRows
	list      changeList
	numbers   [prefetchedTogether]uint32 // of the rows of updates: a field, so that no list allocates it
}

// New returns an empty book for at most limit positions; 0 is no limit.
func New(limit int) *Book { return newBook(limit, newMargins(maxMargins)) }

// Baselines returns the baselines of the book.
func (b *Book) Baselines() *Baselines { return &b.baselines }

// maxMargins is how many margin records a book keeps at most. Each takes at most about 120 bytes.
const maxMargins = 1_000_000

func newBook(limit int, margins *Margins) *Book {
	all := newTables()
	return &Book{
		tables: all, margins: margins, limit: limit, unwatched: make(pairs.Unwatched),
		baselines: Baselines{tables: all, unlisted: &Unlisted{rows: NewRows(), limit: maxUnlisted}},
	}
}

// OddTime returns a time of a position that is not understood, and false if there was none.
func (b *Book) OddTime() (odd model.Amount, found bool) {
	for t := range b.tables.all {
		if odd, found = t.rows.OddTime(); found {
			return odd, true
		}
	}
	return odd, false
}

// NoNumbers calls yield with each number of a position that is a text and no number, in no order, until it returns
// false.
func NoNumbers(b *Book, yield func(key model.Key, f model.Field, text string) bool) {
	for t := range b.tables.all {
		isOver := !t.rows.eachNoNumber(func(key model.Key, f model.Field, text string) bool {
			return f.IsTime() || yield(key, f, text)
		})
		if isOver {
			return
		}
	}
}

// Margins returns the margin records. If there is a view of the book, they are changed through it only.
func (b *Book) Margins() *Margins { return b.margins }

func (b *Book) put(t *Table) {
	b.tables.put(t)
	b.count += t.rows.Len()
}

// Table returns the table of subscription s, and nil if it has none.
func (b *Book) Table(s model.Subscription) *Table { return b.tables.of(s) }

// LeftOut reports whether new positions were left out because the book was full.
func (b *Book) LeftOut() bool { return b.leftOut }

// Find returns the position with the key, and false if there is none.
func (b *Book) Find(key model.Key) (model.Position, bool) {
	t, number := b.Row(key)
	if number == 0 {
		return model.Position{}, false
	}
	return t.rows.Position(number), true
}

// Row returns the table and the number of the row with the key, and 0 if there is none.
func (b *Book) Row(key model.Key) (t *Table, number uint32) {
	if t = b.tables.covering(key); t != nil {
		number = t.rows.number(key)
	}
	return t, number
}

// HasAllOf reports whether all rows of the subscription that a position with the key belongs to are in the book.
func (b *Book) HasAllOf(key model.Key) bool {
	t := b.tables.covering(key)
	return t != nil && !t.partial
}

// IsPartial reports whether rows of subscription s may be missing, because its snapshot has no last page.
func (b *Book) IsPartial(s model.Subscription) bool {
	t := b.Table(s)
	return t != nil && t.partial
}

// Source returns the subscription that the position with the key comes from, and false if there is no such position.
func (b *Book) Source(key model.Key) (model.Subscription, bool) {
	t, number := b.Row(key)
	if number == 0 {
		return model.Subscription{}, false
	}
	return t.Subscription, true
}

// Has reports whether subscription s has a table, perhaps an empty one.
func (b *Book) Has(s model.Subscription) bool { return b.Table(s) != nil }

// IsAudited reports whether an audit of subscription s has ended since its last snapshot.
func (b *Book) IsAudited(s model.Subscription) bool {
	t := b.Table(s)
	return t != nil && t.audited
}

// Len returns the number of positions.
func (b *Book) Len() int { return b.count }

// All yields every position once, in no particular order.
func (b *Book) All(yield func(model.Position) bool) {
	for t, number := range b.AllRows {
		if !yield(t.rows.Position(number)) {
			return
		}
	}
}

// AllRows yields the table and the number of every row.
func (b *Book) AllRows(yield func(*Table, uint32) bool) {
	for t := range b.tables.all {
		for number := range t.rows.all {
			if !yield(t, number) {
				return
			}
		}
	}
}

// AllTables yields every table, in the order of their numbers.
func (b *Book) AllTables(yield func(*Table) bool) { b.tables.all(yield) }
