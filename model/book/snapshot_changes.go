package book

import (
	"iter"

	"blotter/model"
)

// SnapshotChanges settles the snapshot and returns the rows that it changes in the book, and before these the changes
// by the updates that the snapshot has superseded. They have no number. If the book has no table of the subscription
// yet, the rows of the snapshot are not changes. A change can be used until the next one.
func (b *Book) SnapshotChanges(s *Snapshot) iter.Seq[*Change] {
	return func(yield func(*Change) bool) {
		b.Settle(s)
		c := snapshotComparison{table: b.Table(s.Subscription), asLeft: s.asLeft, updated: make(map[model.Key]*model.Position)}
		if c.superseded(s, yield) && c.rows(s.Rows, yield) {
			c.missing(s.Rows, yield)
		}
	}
}

// snapshotComparison compares a snapshot with the table that it replaces.
type snapshotComparison struct {
	table   *Table                        // nil if there is none
	asLeft  map[model.Key]struct{}        // rows that come again as they were left
	updated map[model.Key]*model.Position // the newest superseded update of each row
	change  Change                        // the one that is yielded
}

// superseded yields the changes by updates that the snapshot has superseded, and returns false if yield did.
func (c *snapshotComparison) superseded(s *Snapshot, yield func(*Change) bool) bool {
	for i := range s.Superseded {
		p := &s.Superseded[i]
		if !c.compare(p, ChangedByUpdate, yield) {
			return false
		}
		c.updated[p.Key] = p
	}
	return true
}

// rows yields the changes by the rows of the snapshot. The first rows of a subscription are none.
func (c *snapshotComparison) rows(rows *Rows, yield func(*Change) bool) bool {
	if c.table == nil && len(c.updated) == 0 {
		return true
	}
	for after := range rows.All {
		if !c.compare(&after, ChangedBySnapshot, yield) {
			return false
		}
	}
	return true
}

// before returns the state of a row before a change, nil if there was no such row, and the source of the change.
func (c *snapshotComparison) before(key model.Key, source ChangeSource) (before *model.Position, as ChangeSource) {
	if before = c.updated[key]; before != nil {
		return before, source
	}
	if c.table == nil {
		return nil, NoEvent
	}
	number := c.table.rows.number(key)
	if number == 0 {
		if c.table.partial {
			source = NoEvent
		}
		return nil, source
	}
	row := c.table.rows.Position(number)
	if source == ChangedBySnapshot { // a whole one
		return &row, source
	}
	return &row, c.table.sourceOf(number, source)
}

// compare yields the change of a row, unless it is none.
func (c *snapshotComparison) compare(after *model.Position, source ChangeSource, yield func(*Change) bool) bool {
	before, as := c.before(after.Key, source)
	_, isAsLeft := c.asLeft[after.Key]
	if as == NoEvent || before == nil && isAsLeft || before != nil && before.Equal(after) {
		return true
	}
	return c.yield(before, after, as, yield)
}

func (c *snapshotComparison) yield(before, after *model.Position, source ChangeSource, yield func(*Change) bool) bool {
	c.change = Change{Table: c.table, Before: before, After: after, Source: source}
	return yield(&c.change)
}

// missing yields the rows that the snapshot does not have.
func (c *snapshotComparison) missing(rows *Rows, yield func(*Change) bool) {
	for key, before := range c.updated {
		if !rows.Has(key) && !c.yield(before, nil, ChangedBySnapshot, yield) {
			return
		}
	}
	if c.table == nil {
		return
	}
	for before := range c.table.rows.All {
		if c.updated[before.Key] == nil && !rows.Has(before.Key) && !c.yield(&before, nil, ChangedBySnapshot, yield) {
			return
		}
	}
}
