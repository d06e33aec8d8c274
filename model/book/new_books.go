package book

import (
	"maps"
	"time"

	"blotter/model"
)

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
	narrowed.left = b.left.clone()
	for t := range b.tables.all {
		if !narrowed.Has(t.Subscription) {
			t.rows.keepWaiting(narrowed.unwatched)
			narrowed.left.putDropped(t.rows)
		}
	}
	return narrowed
}

// Emptied returns a book without positions and margin records, for those of another time of a recording. It has the
// baselines of b; what it lacks of the first one, because that was later, is taken again.
func (b *Book) Emptied(at time.Time) *Book {
	emptied := newBook(b.limit, newMargins(maxMargins))
	emptied.baselines.first, emptied.baselines.taken = b.baselines.first.UpTo(at), b.baselines.taken
	return emptied
}

// Rebased returns the book with baselines that a function has changed. It shares everything else with b.
func Rebased(b *Book, change func(*Baselines)) *Book {
	rebased := *b
	rebased.list, rebased.baselines = changeList{}, b.baselines.copied(b.tables)
	change(&rebased.baselines)
	return &rebased
}

// NewPast returns an empty book for at most limit positions of a past, with the first baseline of the service.
func NewPast(limit int, first *Baseline) *Book {
	b := New(limit)
	b.baselines.first = first
	return b
}
