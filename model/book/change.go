package book

import (
	"slices"

	"blotter/model"
	"blotter/model/book/pairs"
)

// ChangeSource is what changed a row of a book.
type ChangeSource uint8

// The sources of changes.
const (
	ChangedByUpdate   ChangeSource = iota // the active stream
	ChangedByAudit                        // the correction of an audit
	ChangedBySnapshot                     // a snapshot, or a page of one that came after updates
	// NoEvent is a change of what the book knows. The service may have had the row before: it is new in a table whose
	// snapshot has no last page, two pages of a snapshot have it, or it comes again as it was left. Or only its margin
	// ratio has changed.
	NoEvent
)

// Change is what has changed in a row of a book, also if it was set to the values that it had.
type Change struct {
	Table  *Table
	Row    uint32          // its number in the table
	Before *model.Position // nil for a new row
	After  *model.Position // nil for a removed row
	Source ChangeSource
	// IsOfRatio is true if the row has not changed, but no longer waits because of a margin record: see Rows.Waits.
	IsOfRatio bool
	WasUnsent bool // before the change: see Table.IsUnsent

	before model.Position // here, so that no change allocates one
	isNew  bool
	// waited is what the row waited for, if the change may have changed that: then hasWaited is true.
	waited    []pairs.LastRatio
	hasWaited bool
}

// Key returns the key of the row.
func (c *Change) Key() model.Key { return ChangedKey(c.Before, c.After) }

// ChangedKey returns the key of the row of a change. Before is nil for a new row, and after for a removed one.
func ChangedKey(before, after *model.Position) model.Key {
	if after != nil {
		return after.Key
	}
	return before.Key
}

// RatioBefore returns what Rows.Ratio returned before the change, for a row with this profit.
func (c *Change) RatioBefore(margins *Margins, record uint32, profit model.Amount) (model.MarginRatio, bool) {
	if record == 0 || !c.hasWaited {
		return c.Table.rows.Ratio(c.Row, margins, record, profit)
	}
	for i := range c.waited {
		if c.waited[i].Asset == margins.asset(record) {
			return c.waited[i].Ratio(profit, c.before.Number(model.OpenVolume))
		}
	}
	return pairs.Ratio(profit, margins.Amount(record, maintenanceMargin))
}

// MaxChanges is how many changes a list has at most: the rows of a list of updates are looked up together.
const MaxChanges = prefetchedTogether

// Changes is a list of changes of a book, which changes each row once at most. It can be used until the book changes
// again, or the memory of what was applied is used again.
type Changes struct {
	Of   model.Subscription
	Rows []Change // at most MaxChanges
	// IsAudit is true if an audit has made the changes. Begins and Ends are true if they are its first or last ones.
	IsAudit, Begins, Ends bool
	// More is true if not all was applied: the method that has returned the list must be called again.
	More bool
}

// changeList is the list of changes that a book makes. Its memory is used again.
type changeList struct{ changes []Change }

// isListed reports whether the list of changes that the book makes has the row with the number. 0 is no row.
func (r *Rows) isListed(number uint32) bool { return number != 0 && r.at(number).isListed }

func (l *changeList) isFull() bool { return len(l.changes) == MaxChanges }

// addChange adds a change of a row that is about to be changed, or is new.
func (l *changeList) addChange(t *Table, number uint32, source ChangeSource) *Change {
	l.changes = slices.Grow(l.changes, 1)[:len(l.changes)+1]
	c := &l.changes[len(l.changes)-1]
	c.Table, c.Row, c.Source, c.Before, c.After = t, number, source, nil, nil
	c.isNew, c.IsOfRatio, c.WasUnsent, c.hasWaited, c.waited = false, false, false, false, c.waited[:0]
	t.rows.at(number).isListed = true
	return c
}

// takeAll returns the list, and begins another one.
func (l *changeList) takeAll() []Change {
	taken := l.changes
	for i := range taken {
		c := &taken[i]
		if c.Table.rows.at(c.Row).isListed = false; !c.isNew {
			c.Before = &c.before
		}
		if c.IsOfRatio {
			c.After = &c.before
		}
	}
	l.changes = taken[:0]
	return taken
}

// setBefore sets what the row is now.
func (c *Change) setBefore() {
	c.Table.rows.get(c.Row, &c.before)
	c.WasUnsent = c.Table.IsUnsent(c.Row)
}

// setWaited sets what the row waits for now.
func (c *Change) setWaited() {
	c.hasWaited = true
	c.waited = c.Table.rows.pairs.AppendLast(c.waited, c.Row)
}

// set sets the row with the number to p, or adds a row if the number is 0. It returns the number of the row, and 0
// if the book is full.
func (b *Book) set(t *Table, number uint32, p *model.Position, source ChangeSource, notAfter int64) uint32 {
	if number == 0 {
		if number = b.addRow(t, p, source, notAfter); number != 0 {
			if t.partial || b.left.isAsLeft(p) {
				source = NoEvent
			}
			c := b.list.addChange(t, number, source)
			c.After, c.isNew = p, true
		}
		return number
	}
	c := b.list.addChange(t, number, t.sourceOf(number, source))
	c.setBefore()
	c.After = p
	if c.before.Number(model.OpenVolume) != p.Number(model.OpenVolume) {
		c.setWaited()
		at := max(sizeTime(p, notAfter), t.rows.SizeChangedAt(number))
		t.rows.resize(number, &c.before, p, b.margins, at, notAfter)
	}
	t.rows.set(number, p)
	delete(t.doubted, number)
	return number
}

// extraIdentifiers is how many parties, or markets, a table may have beyond the limit of positions. A table keeps those
// of rows that were removed, until the next snapshot: a faulty service may have others in each audit.
const extraIdentifiers = 1 << 16

// addRow adds a row and returns its number, and 0 if the book is full.
func (b *Book) addRow(t *Table, p *model.Position, source ChangeSource, notAfter int64) uint32 {
	if b.limit > 0 && (b.count >= b.limit || t.rows.identifiers() >= b.limit+extraIdentifiers) {
		b.leftOut = true
		return 0
	}
	b.count++
	number := t.rows.set(0, p)
	c, isKnown := b.unwatched[p.Key]
	switch {
	case source == ChangedByUpdate && !t.partial:
		t.rows.resize(number, new(model.Position), p, b.margins, sizeTime(p, notAfter), notAfter) // this update has opened it
	case isKnown:
		t.rows.waitAgain(number, &c, b.margins, notAfter)
	}
	if isKnown {
		delete(b.unwatched, p.Key)
	}
	if t.Told() < b.margins.newest {
		t.rows.settleRow(number, nil, b.margins, notAfter)
	}
	return number
}

// sourceOf returns the source of a change of a row. If the stream sends a row of an earlier stream, even in an update,
// that is a change by a snapshot: it may have happened earlier. That ends with an audit.
func (t *Table) sourceOf(number uint32, source ChangeSource) ChangeSource {
	switch {
	case !t.partial || source == ChangedByAudit:
		return source
	case !t.sent.Has(number):
		return ChangedBySnapshot
	case source == ChangedBySnapshot: // two pages of a snapshot may have the same row
		return NoEvent
	}
	return source
}

func (b *Book) remove(t *Table, number uint32, source ChangeSource) {
	c := b.list.addChange(t, number, source)
	c.setBefore()
	c.setWaited()
	for _, rows := range []model.RowSet{t.sent, t.updated} {
		rows.Remove(number)
	}
	delete(t.doubted, number)
	t.rows.pairs.Forget(number)
	t.rows.delete(number)
	b.count--
}

// endDue makes a row no longer wait for what is told now.
func (b *Book) endDue(t *Table, number uint32) {
	c := b.list.addChange(t, number, NoEvent)
	c.IsOfRatio = true
	c.setBefore()
	c.setWaited()
	t.rows.pairs.EndDue(number)
}
