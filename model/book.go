package model

import "slices"

// Book holds the positions of every subscription. Each subscription has a table of its own, so that a new snapshot
// replaces its table at once. The subscriptions of a book do not overlap (Scope.Subscriptions): each position stands in
// one table.
type Book struct {
	tables map[Key]*table // by what the subscription asks for
	asked  asked
	limit  int // of positions; 0 for none
	count  int // of positions
	over   int // how many new positions were left out because of the limit
}

// table is what one subscription said.
type table struct {
	Subscription
	rows       *Rows
	audited    bool          // an audit has ended since the last snapshot
	audit      *audit        // the audit that is under way; nil where none is
	watermarks map[Key]int64 // the times of rows that an audit brought: the active stream may be behind them
}

// asked is what the subscriptions of a book ask for.
type asked uint8

const (
	byAll asked = iota
	byParty
	byMarket
)

func askedBy(key Key) asked {
	switch {
	case !key.Party.IsZero():
		return byParty
	case !key.Market.IsZero():
		return byMarket
	}
	return byAll
}

// NewBook returns a book without positions, for at most limit of them; 0 is no limit.
func NewBook(limit int) *Book { return &Book{tables: make(map[Key]*table), limit: limit} }

// Replaced is the book with rows as the whole table of subscription s. It shares the other tables with b, which must not
// be used any longer once the new one is.
func (b *Book) Replaced(s Subscription, rows *Rows) *Book {
	replaced := NewBook(b.limit)
	replaced.over = b.over
	for _, t := range b.tables {
		if t.Key != s.Key {
			replaced.put(t)
		}
	}
	if rows == nil {
		rows = NewRows()
	}
	replaced.put(&table{Subscription: s, rows: rows})
	return replaced
}

// Narrowed is the book with the tables of the given subscriptions alone. It shares them with b.
func (b *Book) Narrowed(to []Subscription) *Book {
	narrowed := NewBook(b.limit)
	for _, s := range to {
		if t := b.table(s); t != nil && !narrowed.Has(s) {
			narrowed.put(t)
		}
	}
	return narrowed
}

func (b *Book) put(t *table) {
	b.tables[t.Key] = t
	b.asked = askedBy(t.Key)
	b.count += t.rows.Len()
}

// table is the table of subscription s, nil where it has none.
func (b *Book) table(s Subscription) *table {
	if t := b.tables[s.Key]; t != nil && t.Subscription == s {
		return t
	}
	return nil
}

// tableOf is the table that the position with the key stands in, if it is there at all.
func (b *Book) tableOf(key Key) *table {
	switch b.asked {
	case byParty:
		return b.tables[Key{Party: key.Party}]
	case byMarket:
		return b.tables[Key{Market: key.Market}]
	}
	return b.tables[Key{}]
}

// Merge applies updates.
func (b *Book) Merge(u *Updates) { b.merge(u, b.putRow) }

// Compare applies a page of an audit and returns what the book had wrong. Where there is more to do, the page is to be
// applied once more, without positions.
func (b *Book) Compare(page *AuditPage) (corrections []Correction, more bool) {
	return b.compare(page, b.putRow, b.removeRow)
}

// merge applies updates by put, which changes the row with a number (0: a new one) and returns its number. Updates can come
// for a subscription that never sent a snapshot: then they are all that it has.
//
// In a large book most of the time goes into waiting for memory: it is asked for many rows at once before the first of
// them is needed.
func (b *Book) merge(u *Updates, put func(*table, uint32, *Position) uint32) {
	t := b.tables[u.Key]
	switch {
	case t == nil:
		t = &table{Subscription: u.Subscription, rows: NewRows()}
		b.put(t)
	case t.Subscription != u.Subscription:
		return // a subscription that has ended, or one that has not begun
	}
	for some := range slices.Chunk(u.Positions, prefetched) {
		t.rows.prefetch(some)
		for i := range some {
			p := &some[i]
			number := t.rows.number(p.Key)
			if !t.takesUpdate(number, p, u) {
				continue
			}
			if number = put(t, number, p); number != 0 {
				t.spoke(number)
			}
		}
	}
}

// putRow puts p in the table, in place of the row with the number, and returns its number; 0 where there is no room for a
// new row.
func (b *Book) putRow(t *table, number uint32, p *Position) uint32 {
	if number == 0 {
		if b.limit > 0 && b.count >= b.limit {
			b.over++
			return 0
		}
		b.count++
		return t.rows.Put(p)
	}
	*t.rows.row(number) = *p
	return number
}

func (b *Book) removeRow(t *table, number uint32) {
	t.rows.delete(t.rows.row(number).Key)
	b.count--
}

// LeftOut is how many new positions were left out because the book is full.
func (b *Book) LeftOut() int { return b.over }

// Find is the position with the key, nil where there is none. It must not be changed.
func (b *Book) Find(key Key) *Position {
	if t := b.tableOf(key); t != nil {
		return t.rows.Get(key)
	}
	return nil
}

// Source is the subscription that the position with the key comes from; false where there is no such position.
func (b *Book) Source(key Key) (Subscription, bool) {
	t := b.tableOf(key)
	if t == nil || t.rows.Get(key) == nil {
		return Subscription{}, false
	}
	return t.Subscription, true
}

// Has reports whether subscription s has a table, perhaps an empty one.
func (b *Book) Has(s Subscription) bool { return b.table(s) != nil }

// IsAudited reports whether an audit of subscription s has ended since its last snapshot.
func (b *Book) IsAudited(s Subscription) bool {
	t := b.table(s)
	return t != nil && t.audited
}

// All yields every position once, in no order.
func (b *Book) All(yield func(*Position) bool) {
	for _, t := range b.tables {
		for row := range t.rows.All {
			if !yield(row) {
				return
			}
		}
	}
}

// Len is how many positions there are.
func (b *Book) Len() int { return b.count }
