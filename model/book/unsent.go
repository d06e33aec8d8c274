package book

import "blotter/model"

// IsUnsent reports whether the row with the key may be out of date: see Table.IsUnsent.
func (b *Book) IsUnsent(key model.Key) bool {
	t, number := b.Row(key)
	return number != 0 && t.IsUnsent(number)
}

// Unsent returns how many rows of subscription s may be out of date: see Table.IsUnsent.
func (b *Book) Unsent(s model.Subscription) int {
	t := b.Table(s)
	switch {
	case t == nil:
		return 0
	case !t.partial:
		return len(t.doubted)
	}
	unsent := t.rows.Len() - t.sent.Len()
	for number := range t.doubted {
		if t.sent.Has(number) {
			unsent++
		}
	}
	return unsent
}

// AllUnsent returns how many rows of all subscriptions may be out of date: see Table.IsUnsent.
func (b *Book) AllUnsent() (rows int) {
	for t := range b.tables.all {
		rows += b.Unsent(t.Subscription)
	}
	return rows
}

// markSent records that the open stream has sent the row with the number: in a page of its snapshot, or in an update.
// If the table has not taken that, it is older than the row: then it does not show that the row is current.
func (t *Table) markSent(number uint32, source ChangeSource, isTaken bool) {
	if isTaken && t.audit != nil {
		t.audit.active.Add(number)
	}
	if isTaken && t.partial {
		t.sent.Add(number)
	}
	if isTaken && source == ChangedByUpdate {
		t.updated.Add(number)
	}
}
