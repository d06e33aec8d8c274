package book

import "blotter/model"

// ChangeSource is what changed a row of a book.
type ChangeSource uint8

// The sources of changes.
const (
	ChangedByUpdate   ChangeSource = iota // the active stream
	ChangedByAudit                        // the correction of an audit
	ChangedBySnapshot                     // a snapshot, or a page of one that came after updates
)

// ChangeObserver gets a row before and after a change. before is nil for a new row, and after for a removed one. Both
// are valid only during the call, and must not be changed.
type ChangeObserver func(before, after *model.Position, source ChangeSource)

// ChangedKey returns the key of the row of a change.
func ChangedKey(before, after *model.Position) model.Key {
	if after != nil {
		return after.Key
	}
	return before.Key
}

// Observe calls observer for each row that updates and audits set or remove from now on, also in the books that are
// made from b. It is also called for rows outside of the scope of a view, and if a row is set to its present values.
// It is not called for the rows of a snapshot: see SnapshotChanges. In a table whose snapshot has no last page, it is
// not called for new rows: the service may have had them before. If the stream sends a row of an earlier stream, even
// in an update, that is a change by a snapshot: it may have happened earlier. Both end with an audit.
func (b *Book) Observe(observer ChangeObserver) { b.observers = append(b.observers, observer) }

func (b *Book) reportChange(before, after *model.Position, source ChangeSource) {
	for _, observe := range b.observers {
		observe(before, after, source)
	}
}

// set sets the row with the number to p, or adds a row if the number is 0. It returns the number of the row, and 0
// if the book is full.
func (b *Book) set(t *Table, number uint32, p *model.Position, to RowWriter, source ChangeSource) uint32 {
	if number == 0 {
		b.adds = source
		if number = to.AddRow(t, p); number != 0 && !t.partial {
			b.reportChange(nil, p, source)
		}
		return number
	}
	t.rows.get(number, &b.before)
	to.ChangeRow(t, number, &b.before, p)
	if as, isChange := t.reportedAs(number, source); isChange {
		b.reportChange(&b.before, p, as)
	}
	return number
}

// reportedAs returns as what a change of the row with the number is reported, and whether it is reported: see Observe.
func (t *Table) reportedAs(number uint32, source ChangeSource) (as ChangeSource, isChange bool) {
	switch {
	case !t.partial || source == ChangedByAudit:
		return source, true
	case t.sent.Has(number):
		return source, source == ChangedByUpdate // two pages of a snapshot may have the same row
	}
	return ChangedBySnapshot, true
}

func (b *Book) remove(t *Table, number uint32, to RowWriter, source ChangeSource) {
	t.rows.get(number, &b.before)
	for _, rows := range []RowSet{t.corrected, t.sent, t.updated} {
		rows.remove(number)
	}
	to.RemoveRow(t, number, &b.before)
	b.reportChange(&b.before, nil, source)
}

// SnapshotChanges calls observer for each row that the snapshot changes in the book, and before that for each change by
// the updates that the snapshot has superseded. It changes nothing. If the book has no table of the subscription
// yet, the rows of the snapshot are not changes.
func (b *Book) SnapshotChanges(s *Snapshot, observer ChangeObserver) {
	c := snapshotComparison{table: b.Table(s.Subscription), updated: make(map[model.Key]*model.Position), observer: observer}
	for i := range s.Superseded {
		p := &s.Superseded[i]
		if !c.isOlderThanAudit(p, s.NotAfter) {
			c.compare(p, ChangedByUpdate)
			c.updated[p.Key] = p
		}
	}
	if c.table == nil && len(c.updated) == 0 { // the first rows of a subscription are no changes
		return
	}
	for after := range s.Rows.All {
		c.compare(&after, ChangedBySnapshot)
	}
	c.reportMissing(s.Rows)
}

// SupersededBy returns those of the superseded updates of a snapshot that the book would have taken: see takesUpdate.
func (b *Book) SupersededBy(s *Snapshot) []model.Position {
	c := snapshotComparison{table: b.Table(s.Subscription), updated: make(map[model.Key]*model.Position)}
	var taken []model.Position
	for i := range s.Superseded {
		if p := &s.Superseded[i]; !c.isOlderThanAudit(p, s.NotAfter) {
			c.updated[p.Key] = p
			taken = append(taken, *p)
		}
	}
	return taken
}

// snapshotComparison compares a snapshot with the table that it replaces.
type snapshotComparison struct {
	table    *Table                        // nil if there is none
	updated  map[model.Key]*model.Position // the newest superseded update of each row
	observer ChangeObserver
}

// before returns the state of a row before a change, nil if there was no such row, as what the change is reported, and
// whether it is.
func (c *snapshotComparison) before(key model.Key, source ChangeSource) (before *model.Position, as ChangeSource, isChange bool) {
	if before = c.updated[key]; before != nil {
		return before, source, true
	}
	if c.table == nil {
		return nil, source, false
	}
	number := c.table.rows.number(key)
	if number == 0 {
		return nil, source, !c.table.partial
	}
	row := c.table.rows.Position(number)
	if source == ChangedBySnapshot { // a whole one
		return &row, source, true
	}
	as, isChange = c.table.reportedAs(number, source)
	return &row, as, isChange
}

func (c *snapshotComparison) compare(after *model.Position, source ChangeSource) {
	before, as, isChange := c.before(after.Key, source)
	if isChange && (before == nil || !before.Equal(after)) {
		c.observer(before, after, as)
	}
}

// isOlderThanAudit reports whether the table would have skipped a superseded update: see takesUpdate.
func (c *snapshotComparison) isOlderThanAudit(p *model.Position, notAfter int64) bool {
	if c.table == nil || c.updated[p.Key] != nil {
		return false
	}
	number := c.table.rows.number(p.Key)
	return c.table.corrected.Has(number) && c.table.isOlderThanAudit(number, p, notAfter)
}

// reportMissing reports the rows that the snapshot does not have.
func (c *snapshotComparison) reportMissing(rows *Rows) {
	for key, before := range c.updated {
		if !rows.Has(key) {
			c.observer(before, nil, ChangedBySnapshot)
		}
	}
	if c.table == nil {
		return
	}
	for before := range c.table.rows.All {
		if c.updated[before.Key] == nil && !rows.Has(before.Key) {
			c.observer(&before, nil, ChangedBySnapshot)
		}
	}
}
