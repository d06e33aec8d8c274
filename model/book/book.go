package book

import (
	"maps"

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

// Table has the positions of one subscription.
type Table struct {
	model.Subscription
	number  uint32 // in the book; entries of views have it
	rows    *Rows
	partial bool                // the snapshot has no last page, and no audit has ended since: rows may be missing
	sent    model.RowSet        // while partial: the rows that the open stream has sent, or an audit has corrected
	updated model.RowSet        // the rows whose state is of an update of the open stream
	audited bool                // an audit has ended since the last snapshot
	audit   *audit              // the audit that is running, or nil if there is none
	doubted map[uint32]struct{} // the rows that are marked, because they have been in doubt for some time
	// followed are the streams of a recording whose positions the table has; nil if it has all.
	followed []model.Key
}

// NewTable returns a table with rows for a book.
func NewTable(s model.Subscription, number uint32, rows *Rows) *Table {
	return &Table{Subscription: s, number: number, rows: rows}
}

// Number returns the number of the table in its book.
func (t *Table) Number() uint32 { return t.number }

// Rows returns the rows of the table. They are changed through the book only.
func (t *Table) Rows() *Rows { return t.rows }

// New returns an empty book for at most limit positions; 0 is no limit.
func New(limit int) *Book { return newBook(limit, newMargins(maxMargins)) }

// maxMargins is how many margin records a book keeps at most. Each takes at most about 120 bytes.
const maxMargins = 1_000_000

func newBook(limit int, margins *Margins) *Book {
	all := newTables()
	return &Book{
		tables: all, margins: margins, limit: limit, unwatched: make(pairs.Unwatched),
		baselines: Baselines{tables: all, unlisted: newUnlisted()},
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

// Margins returns the margin records. If there is a view of the book, they are changed through it only.
func (b *Book) Margins() *Margins { return b.margins }

// WithoutMargins returns the book without its margin records. It shares the tables with b.
func (b *Book) WithoutMargins() *Book {
	without := *b
	without.margins, without.list = newMargins(maxMargins), changeList{}
	return &without
}

// Replaced settles the snapshot and returns the book with it as the table of its subscription. It shares the other
// tables and the margin records with b: when the new book is changed, b must not be used any more.
func (b *Book) Replaced(s Snapshot) *Book {
	b.Settle(&s)
	replaced := newBook(b.limit, b.margins)
	replaced.leftOut, replaced.left = b.leftOut, b.left
	replaced.baselines = b.baselines.copied(replaced.tables)
	for t := range b.tables.all {
		if t.Key != s.Key {
			replaced.put(t)
		}
	}
	s.Rows.pairs.Begin(newestOf(s.Rows, s.NotAfter), s.Told, s.NotAfter)
	var from *Rows
	before := b.Table(s.Subscription)
	if before != nil {
		from = before.rows
		s.Rows.keepSizes(from, b.margins, s.NotAfter)
	}
	for key, c := range b.unwatched {
		if number := s.Rows.number(key); number != 0 {
			s.Rows.waitAgain(number, &c, b.margins, s.NotAfter)
		} else {
			replaced.unwatched[key] = c
		}
	}
	s.Rows.settle(from, b.margins, s.NotAfter)
	t := NewTable(s.Subscription, replaced.tables.freeNumber(), s.Rows)
	t.partial, t.sent, t.followed = s.IsPartial, s.Sent, s.Followed
	if before != nil {
		t.keepDoubts(before)
	}
	replaced.put(t)
	return replaced
}

// Narrowed returns the book with the tables of the given subscriptions only. It shares them with b.
func (b *Book) Narrowed(to []model.Subscription) *Book {
	narrowed := newBook(b.limit, b.margins)
	narrowed.baselines = b.baselines.copied(narrowed.tables)
	for _, s := range to {
		if t := b.Table(s); t != nil && !narrowed.Has(s) {
			narrowed.put(t)
		}
	}
	maps.Copy(narrowed.unwatched, b.unwatched)
	keepWaiting(b, narrowed)
	narrowed.left = b.left.clone()
	narrowed.left.putDropped(b, narrowed)
	return narrowed
}

// put adds a table.
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

// Followed returns the streams of a recording whose positions the table has; nil if it has all, or if t is nil.
func (t *Table) Followed() []model.Key {
	if t == nil {
		return nil
	}
	return t.followed
}
