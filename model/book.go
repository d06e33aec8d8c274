package model

import (
	"cmp"
	"slices"
)

// Book holds what every subscription told of its positions, merged on (party, market). Each subscription
// has a table of its own, so that a new snapshot takes its table's place at once, and a position
// knows who vouches for it.
//
// A position stands in two tables only where a service answers a subscription with rows that it was not
// asked for; then the newer one is shown.
type Book struct {
	tables  map[Key][]*table // by whom the subscription names; more than one where only their epochs differ
	kinds   [kinds]bool      // which kinds of subscriptions have a table: as a rule one
	strayed []*table         // those that have strays
}

// table is what one subscription told.
type table struct {
	Subscription
	rows   *Rows
	strays bool // there are rows that the subscription did not ask for
}

// What a subscription asks for: the positions of all, of a party, of a market, or one.
const (
	ofAll = iota
	ofParty
	ofMarket
	ofPair
	kinds
)

func kindOf(asked Key) int {
	switch {
	case asked == Key{}:
		return ofAll
	case asked.Market.IsZero():
		return ofParty
	case asked.Party.IsZero():
		return ofMarket
	}
	return ofPair
}

// NewBook returns a book without positions.
func NewBook() *Book { return &Book{tables: make(map[Key][]*table)} }

// Replaced is the book with rows as the whole table of subscription s. It shares the other tables with b,
// which must not be used any longer once the new one is.
func (b *Book) Replaced(s Subscription, rows *Rows) *Book {
	replaced := NewBook()
	for t := range b.all {
		if t.Subscription != s {
			replaced.put(t)
		}
	}
	if rows == nil {
		rows = NewRows()
	}
	t := &table{Subscription: s, rows: rows}
	if s.Key != (Key{}) {
		for row := range rows.All {
			t.strays = t.strays || !s.covers(row.Key)
		}
	}
	replaced.put(t)
	return replaced
}

// Narrowed is the book with the tables of the given subscriptions alone. It shares them with b.
func (b *Book) Narrowed(to []Subscription) *Book {
	narrowed := NewBook()
	for _, s := range to {
		if t := b.table(s); t != nil && !narrowed.Has(s) {
			narrowed.put(t)
		}
	}
	return narrowed
}

// Merge puts p in the table of s and in place of what was there. Updates can come for a subscription that
// never sent a snapshot: then they are all that it has.
func (b *Book) Merge(s Subscription, p *Position) {
	t := b.table(s)
	if t == nil {
		t = &table{Subscription: s, rows: NewRows()}
		b.put(t)
	}
	if !t.strays && !s.covers(p.Key) {
		t.strays = true
		b.strayed = append(b.strayed, t)
	}
	t.rows.Put(p)
}

func (b *Book) put(t *table) {
	b.tables[t.Key] = append(b.tables[t.Key], t)
	b.kinds[kindOf(t.Key)] = true
	if t.strays {
		b.strayed = append(b.strayed, t)
	}
}

// table is the table of subscription s, nil where it has none.
func (b *Book) table(s Subscription) *table {
	for _, t := range b.tables[s.Key] {
		if t.Subscription == s {
			return t
		}
	}
	return nil
}

// all yields every table.
func (b *Book) all(yield func(*table) bool) {
	for _, tables := range b.tables {
		for _, t := range tables {
			if !yield(t) {
				return
			}
		}
	}
}

// find is the position with the key and the table that it stands in, nil where there is none. Alone is false
// where others have it too. Of several the newest counts, and among those that are equally new that of the
// lowest subscription.
//
// It is looked for where it can be, and not in all tables, of which there may be hundreds.
func (b *Book) find(key Key) (found *Position, in *table, alone bool) {
	alone = true
	consider := func(t *table) {
		row := t.rows.Get(key)
		if row == nil || t == in {
			return
		}
		if found == nil {
			found, in = row, t
			return
		}
		alone = false
		if cmp.Or(compareAge(row, found), t.Compare(in.Subscription)) < 0 {
			found, in = row, t
		}
	}
	for kind, asked := range [kinds]Key{ofParty: {Party: key.Party}, ofMarket: {Market: key.Market}, ofPair: key} {
		if !b.kinds[kind] {
			continue
		}
		for _, t := range b.tables[asked] {
			consider(t)
		}
	}
	for _, t := range b.strayed {
		consider(t)
	}
	return found, in, alone
}

// fetch has the rows of s with the keys of positions in the processor's caches.
func (b *Book) fetch(s Subscription, positions []Position) {
	if t := b.table(s); t != nil {
		t.rows.fetch(positions)
	}
}

// compareAge puts the newer of two positions first, and one whose time is no integer last.
func compareAge(p, q *Position) int {
	x, y := p.Number(UpdatedAt), q.Number(UpdatedAt)
	switch isX, isY := x.IsInteger(), y.IsInteger(); {
	case isX && isY:
		return y.Compare(x)
	case isX:
		return -1
	case isY:
		return +1
	}
	return 0
}

// Find is the position with the key, nil where there is none. It must not be changed.
func (b *Book) Find(key Key) *Position {
	found, _, _ := b.find(key)
	return found
}

// Vouchers are the subscriptions that have the position, in order.
func (b *Book) Vouchers(key Key) []Subscription {
	var vouchers []Subscription
	for t := range b.all {
		if t.rows.Get(key) != nil {
			vouchers = append(vouchers, t.Subscription)
		}
	}
	slices.SortFunc(vouchers, Subscription.Compare)
	return vouchers
}

// Has tells whether subscription s has a table, be it an empty one.
func (b *Book) Has(s Subscription) bool { return b.table(s) != nil }

// All yields every position once, in no order.
func (b *Book) All(yield func(*Position) bool) {
	tables := slices.Collect(b.all)
	for _, t := range tables {
		for row := range t.rows.All {
			if len(tables) > 1 && b.Find(row.Key) != row {
				continue
			}
			if !yield(row) {
				return
			}
		}
	}
}

// Len is how many positions there are.
func (b *Book) Len() int {
	n := 0
	for range b.All {
		n++
	}
	return n
}
