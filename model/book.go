package model

// Book holds what every subscription told of its positions, merged on (party, market). Each subscription
// has a table of its own, so that a new snapshot takes its table's place at once, and a position
// knows who vouches for it.
//
// A position stands in two tables only where a service answers a subscription with rows that it was not
// asked for; then the newer one is shown.
type Book struct{ tables map[Subscription]*Rows }

// NewBook returns a book without positions.
func NewBook() *Book { return &Book{tables: make(map[Subscription]*Rows)} }

// Replaced is the book with rows as the whole table of subscription s. It shares the other tables with b,
// which must not be used any longer once the new one is.
func (b *Book) Replaced(s Subscription, rows *Rows) *Book {
	replaced := NewBook()
	for other, table := range b.tables {
		replaced.tables[other] = table
	}
	replaced.tables[s] = rows
	return replaced
}

// Narrowed is the book with the tables of the given subscriptions alone. It shares them with b.
func (b *Book) Narrowed(to []Subscription) *Book {
	narrowed := NewBook()
	for _, s := range to {
		if table, ok := b.tables[s]; ok {
			narrowed.tables[s] = table
		}
	}
	return narrowed
}

// Merge puts p in the table of s and in place of what was there. Updates can come for a subscription that
// never sent a snapshot: then they are all that it has.
func (b *Book) Merge(s Subscription, p *Position) {
	table, ok := b.tables[s]
	if !ok {
		table = NewRows()
		b.tables[s] = table
	}
	table.Put(p)
}

// Find is the position with the key, nil where there is none. It must not be changed.
func (b *Book) Find(key Key) *Position {
	var found *Position
	var by Subscription
	for s, table := range b.tables {
		row := table.Get(key)
		if row != nil && (found == nil || !found.Newer(row) || row.Newer(found) && s.Compare(by) < 0) {
			found, by = row, s
		}
	}
	return found
}

// Vouchers are the subscriptions that have the position.
func (b *Book) Vouchers(key Key) []Subscription {
	var vouchers []Subscription
	for s, table := range b.tables {
		if table.Get(key) != nil {
			vouchers = append(vouchers, s)
		}
	}
	return vouchers
}

// Has tells whether subscription s has a table, be it an empty one.
func (b *Book) Has(s Subscription) bool {
	_, ok := b.tables[s]
	return ok
}

// All yields every position once, in no order.
func (b *Book) All(yield func(*Position) bool) {
	for _, table := range b.tables {
		for row := range table.All {
			if len(b.tables) > 1 && b.Find(row.Key) != row {
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
	if len(b.tables) == 1 {
		for _, table := range b.tables {
			return table.Len()
		}
	}
	n := 0
	for range b.All {
		n++
	}
	return n
}
