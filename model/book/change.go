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

// SourceNames are the names of the sources of events in exports and recordings.
var SourceNames = [...]string{ChangedByUpdate: "update", ChangedByAudit: "audit", ChangedBySnapshot: "snapshot"}

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

// Correction returns what an audit has found wrong in a row.
func (c *Change) Correction() Correction {
	copied := Correction{Subscription: c.Table.Subscription}
	if c.Before != nil {
		before := *c.Before
		copied.Before = &before
	}
	if c.After != nil {
		after := *c.After
		copied.After = &after
	}
	return copied
}

// Correction is a row that an audit found wrong.
type Correction struct {
	model.Subscription
	Before *model.Position // nil: the row was missing
	After  *model.Position // nil: the row was removed
}

// Key returns the key of the row.
func (c *Correction) Key() model.Key {
	if c.Before != nil {
		return c.Before.Key
	}
	return c.After.Key
}
