package book

import (
	"slices"

	"blotter/model"
)

// Book has the positions of all subscriptions, and the margin records. Each subscription has its own table, so that a
// new snapshot replaces a whole table at once. The subscriptions of a book do not overlap (see Scope.Subscriptions):
// each position is in one table.
type Book struct {
	tables   map[model.Key]*Table // by the key of the subscription
	byNumber []*Table             // by the number of the table; nil if none has the number
	by       partition
	margins  *Margins
	limit    int  // the largest number of positions; 0 is no limit
	count    int  // the number of positions
	leftOut  bool // new positions were left out because of the limit

	observers []ChangeObserver
	baselines baselines
	unwatched unwatched
	notAfter  int64                      // of the change that is applied, as in Updates
	adds      ChangeSource               // what adds a row
	before    model.Position             // the row that is changed, as it was: a field, so that no change allocates one
	numbers   [PrefetchedTogether]uint32 // of the rows that are prefetched: a field for the same reason
}

// Table has the positions of one subscription.
type Table struct {
	model.Subscription
	number    uint32 // in the book; entries of views have it
	rows      *Rows
	partial   bool   // the snapshot has no last page, and no audit has ended since: rows may be missing
	sent      RowSet // while partial: the rows that the open stream has sent, or an audit has corrected
	updated   RowSet // the rows that the open stream has updated
	audited   bool   // an audit has ended since the last snapshot
	audit     *audit // the audit that is running, or nil if there is none
	corrected RowSet // the rows that an audit has set and no update since: older updates may still come
}

// NewTable returns a table with rows for a book.
func NewTable(s model.Subscription, number uint32, rows *Rows) *Table {
	return &Table{Subscription: s, number: number, rows: rows}
}

// Number returns the number of the table in its book.
func (t *Table) Number() uint32 { return t.number }

// Rows returns the rows of the table. They are changed through the book only.
func (t *Table) Rows() *Rows { return t.rows }

// partition is how the positions of a book are divided into subscriptions.
type partition uint8

const (
	undivided partition = iota
	byParty
	byMarket
)

func partitionOf(key model.Key) partition {
	switch {
	case !key.Party.IsZero():
		return byParty
	case !key.Market.IsZero():
		return byMarket
	}
	return undivided
}

// New returns an empty book for at most limit positions; 0 is no limit.
func New(limit int) *Book { return newBook(limit, newMargins(maxMargins)) }

// maxMargins is how many margin records a book keeps at most. Each takes at most about 120 bytes.
const maxMargins = 1_000_000

func newBook(limit int, margins *Margins) *Book {
	return &Book{tables: make(map[model.Key]*Table), margins: margins, limit: limit, unwatched: make(unwatched)}
}

// OddTime returns a time of a position that is not understood, and false if there was none.
func (b *Book) OddTime() (odd model.Amount, found bool) {
	for _, t := range b.tables {
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
	without.margins = newMargins(maxMargins)
	return &without
}

// Replaced returns the book with the snapshot as the table of its subscription. It shares the other tables and the
// margin records with b: when the new book is changed, b must not be used any more.
func (b *Book) Replaced(s Snapshot) *Book {
	replaced := newBook(b.limit, b.margins)
	replaced.leftOut, replaced.observers, replaced.baselines = b.leftOut, b.observers, b.baselines
	for _, t := range b.tables {
		if t.Key != s.Key {
			replaced.put(t)
		}
	}
	if s.Rows == nil {
		s.Rows = NewRows()
	}
	s.Rows.told = told{}
	s.Rows.told.take(s.Rows.newestTime(s.NotAfter), s.Told, s.NotAfter)
	var from *Rows
	if t := b.Table(s.Subscription); t != nil {
		from = t.rows
		s.Rows.keepSizes(from, b.margins, s.NotAfter)
	}
	replaced.unwatched = b.unwatched.watched(s.Rows, b.margins, s.NotAfter)
	s.Rows.settle(from, b.margins, s.NotAfter)
	t := NewTable(s.Subscription, replaced.freeNumber(), s.Rows)
	t.partial, t.sent = s.IsPartial, s.Sent
	replaced.put(t)
	return replaced
}

// Narrowed returns the book with the tables of the given subscriptions only. It shares them with b.
func (b *Book) Narrowed(to []model.Subscription) *Book {
	narrowed := newBook(b.limit, b.margins)
	narrowed.observers, narrowed.baselines = b.observers, b.baselines
	for _, s := range to {
		if t := b.Table(s); t != nil && !narrowed.Has(s) {
			narrowed.put(t)
		}
	}
	narrowed.unwatched.putDropped(b, narrowed)
	return narrowed
}

func (b *Book) put(t *Table) {
	b.tables[t.Key] = t
	for int(t.number) >= len(b.byNumber) {
		b.byNumber = append(b.byNumber, nil)
	}
	b.byNumber[t.number] = t
	b.by = partitionOf(t.Key)
	b.count += t.rows.Len()
}

// freeNumber returns the lowest number that no table has.
func (b *Book) freeNumber() uint32 {
	if n := slices.Index(b.byNumber, nil); n >= 0 {
		return uint32(n)
	}
	return uint32(len(b.byNumber))
}

// Table returns the table of subscription s, and nil if it has none.
func (b *Book) Table(s model.Subscription) *Table {
	if t := b.tables[s.Key]; t != nil && t.Subscription == s {
		return t
	}
	return nil
}

// tableOf returns the table that a position with the key belongs to, or nil if there is none.
func (b *Book) tableOf(key model.Key) *Table {
	switch b.by {
	case byParty:
		return b.tables[model.Key{Party: key.Party}]
	case byMarket:
		return b.tables[model.Key{Market: key.Market}]
	}
	return b.tables[model.Key{}]
}

// Merge applies updates.
func (b *Book) Merge(u *Updates) { b.MergeThrough(u, b) }

// Compare compares a page of an audit with the book, corrects the book and returns the corrections. If it reports
// more, Compare must be called again with page.Rest().
func (b *Book) Compare(page *AuditPage) (corrections []Correction, more bool) {
	return b.CompareThrough(page, b)
}

// RowWriter changes the rows of a table: the book itself, or a view of the book, which calls these methods of the book.
type RowWriter interface {
	// AddRow adds a row and returns its number, and 0 if the book is full.
	AddRow(t *Table, p *model.Position) uint32
	// ChangeRow sets the row with the number, which was before until now, to p.
	ChangeRow(t *Table, number uint32, before, p *model.Position)
	// RemoveRow removes the row with the number, which was before until now.
	RemoveRow(t *Table, number uint32, before *model.Position)
	// EndWait makes a row no longer wait because of the margin record with the key: see Rows.Waits.
	EndWait(t *Table, number uint32, key model.MarginKey)
	// Prefetch gets the numbers of rows that are about to change; some may be 0.
	Prefetch(t *Table, numbers []uint32)
}

// MergeThrough applies updates through a writer.
//
// Updates of a subscription without a table make one: a stream may send updates without a snapshot before them.
//
// In a large book most of the time is spent waiting for memory. So the rows of many updates are prefetched together:
// without that, BenchmarkMerge of package view takes 1.5 times as long with a million rows.
func (b *Book) MergeThrough(u *Updates, to RowWriter) {
	t := b.tables[u.Key]
	switch {
	case t == nil && len(u.Positions) == 0 && !u.BeginsPartial:
		return // it only says what is told
	case t == nil:
		t = NewTable(u.Subscription, b.freeNumber(), NewRows())
		t.partial = true
		b.put(t)
	case t.Subscription != u.Subscription:
		return // of another epoch: a subscription that has ended
	}
	if u.BeginsPartial {
		t.partial, t.sent, t.updated, t.audited, t.audit = true, nil, nil, false, nil
		t.rows.told.upTo = 0 // another stream has told that
	}
	source := ChangedByUpdate
	if u.LatePage {
		source = ChangedBySnapshot
	}
	b.notAfter = u.NotAfter
	numbers := &b.numbers
	for some := range slices.Chunk(u.Positions, PrefetchedTogether) {
		t.rows.find(some, numbers)
		to.Prefetch(t, numbers[:len(some)])
		for i := range some {
			p, number := &some[i], numbers[i]
			if number == 0 { // it may be new in some
				number = t.rows.number(p.Key)
			}
			isTaken := t.takesUpdate(number, p, u)
			if isTaken {
				number = b.set(t, number, p, to, source)
			}
			if number != 0 {
				t.markSent(number, source, isTaken)
			}
		}
	}
	t.tell(NewestTime(u.Positions, u.NotAfter), u.Told, u.NotAfter, to)
}

// extraIdentifiers is how many parties, or markets, a table may have beyond the limit of positions. A table keeps those
// of rows that were removed, until the next snapshot: a faulty service may have others in each audit.
const extraIdentifiers = 1 << 16

// AddRow implements RowWriter.
func (b *Book) AddRow(t *Table, p *model.Position) uint32 {
	if b.limit > 0 && (b.count >= b.limit || t.rows.identifiers() >= b.limit+extraIdentifiers) {
		b.leftOut = true
		return 0
	}
	b.count++
	number := t.rows.set(0, p)
	c, isKnown := b.unwatched[p.Key]
	switch {
	case b.adds == ChangedByUpdate && !t.partial:
		t.rows.resize(number, new(model.Position), p, b.margins, sizeTime(p, b.notAfter), b.notAfter) // this update has opened it
	case isKnown:
		t.rows.waitAgain(number, &c, b.margins, b.notAfter)
	}
	if isKnown {
		delete(b.unwatched, p.Key)
	}
	if t.rows.told.upTo < b.margins.newest {
		t.rows.settleRow(number, nil, b.margins, b.notAfter)
	}
	return number
}

// Prefetch implements RowWriter. The rows themselves are in the processor's cache already.
func (b *Book) Prefetch(*Table, []uint32) {}

// ChangeRow implements RowWriter.
func (b *Book) ChangeRow(t *Table, number uint32, before, p *model.Position) {
	t.rows.changeSize(number, before, p, b.margins, b.notAfter)
	t.rows.set(number, p)
}

// RemoveRow implements RowWriter.
func (b *Book) RemoveRow(t *Table, number uint32, before *model.Position) {
	t.rows.forgetSize(number, before.Key, b.margins)
	t.rows.delete(number)
	b.count--
}

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
	if t = b.tableOf(key); t != nil {
		number = t.rows.number(key)
	}
	return t, number
}

// HasAllOf reports whether all rows of the subscription that a position with the key belongs to are in the book.
func (b *Book) HasAllOf(key model.Key) bool {
	t := b.tableOf(key)
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
