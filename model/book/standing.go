package book

import (
	"maps"
	"slices"

	"blotter/model"
)

// Which state of a row stands?
//
// A row comes in updates of the open stream, in snapshots (after a reconnect, of another scope) and in audits. Each of
// these can be of another node, and some nodes are behind others. A snapshot can also be a block older than an update
// that was sent before it. So for each row the newest state by its own time stands, whatever has brought it:
//
//	what comes                      the row that stands                          what stands then
//	an update of the open stream    the open stream has updated it               the update: those of one stream are in order
//	                                something else has brought it                the newer one, else the update
//	a late page of that stream      the open stream has updated it               the newer one, else the row
//	                                something else has brought it                the newer one, else the page
//	a snapshot that has the row     any, also by updates that wait               the newer one, else the snapshot
//	a snapshot without the row      it is open                                   the row
//	                                it is flat                                   nothing: it was left out
//	an audit that has the row       sent by the open stream since it began       the newer one, else the row
//	                                any other                                    the newer one, else the audit
//	                                the same, and the audit is believed          the audit
//	an audit without the row        sent by the open stream since it began       the row
//	                                it is open                                   the row
//	                                it is flat                                   nothing: it was left out
//	                                any, and the audit is believed               nothing: it no longer exists
//
// "Else" is if the times do not decide: a time counts if it is usable (see model.Position.ChangedAt), and equal times
// decide nothing. No time of a whole stream is compared.
//
// Rows that were left out, and rows whose table was dropped, are kept for some minutes: see leftRows. They stand as the
// others do when the row comes again.
//
// A row that stands although a snapshot or an audit has an older state of it, or lacks it, is in doubt. Package follow
// counts that, and says in the end which keys are believed: AuditPage.Believed. What is a copy of a book, or was
// settled before, is not compared: its AsIs is true.

// takesUpdate reports whether an update, or a row of a late page, replaces the row with the number; 0 is a new row.
func (t *Table) takesUpdate(number uint32, p *model.Position, u *Updates, left *leftRows) bool {
	isUpdated := t.updated.Has(number)
	switch {
	case u.AsIs:
		return true
	case number == 0:
		return !left.isNewer(p, u.NotAfter)
	case isUpdated && !u.LatePage:
		return true
	}
	return replaces(p, t.rows.Amount(number, model.UpdatedAt), u.NotAfter, !isUpdated)
}

// Settle makes the rows of a snapshot those that stand when it replaces the table of its subscription, and drops the
// superseded updates that the book would not have taken. It does nothing the next time. SnapshotChanges and Replaced
// call it.
func (b *Book) Settle(s *Snapshot) {
	if s.Rows == nil {
		s.Rows = NewRows()
	}
	if s.AsIs {
		return
	}
	s.AsIs = true
	b.left.noteTime(s.NotAfter)
	x := settling{rows: s.Rows, left: &b.left, notAfter: s.NotAfter}
	t := b.Table(s.Subscription)
	taken, updated := x.superseded(t, s.Superseded)
	s.Superseded = taken
	for _, key := range s.Believed {
		if _, isUpdated := updated[key]; !isUpdated {
			updated[key] = nil // the row of the table does not stand
			delete(b.left.rows, key)
		}
	}
	if t != nil {
		maps.DeleteFunc(b.left.rows, func(key model.Key, _ leftRow) bool { return t.rows.Has(key) }) // before others are left out
		x.keepNewer(t.rows, updated)
	}
	for _, p := range updated {
		if p != nil {
			x.keep(p)
		}
	}
	s.asLeft = make(map[model.Key]struct{})
	for key, row := range b.left.rows {
		switch {
		case !s.Covers(key):
		case !b.left.isKept(&row):
			delete(b.left.rows, key)
		case x.rows.Has(key), row.IsOpen():
			x.keep(&row.Position)
			if p := x.rows.Position(x.rows.number(key)); b.left.isAsLeft(&p) {
				s.asLeft[key] = struct{}{}
			}
			delete(b.left.rows, key)
		}
	}
}

// settling settles a snapshot.
type settling struct {
	rows     *Rows // of the snapshot
	left     *leftRows
	notAfter int64
}

// keep keeps a state that stood before the snapshot, if it stands after it.
func (x *settling) keep(p *model.Position) {
	switch number := x.rows.number(p.Key); {
	case number == 0 && p.IsOpen():
		x.rows.set(0, p)
	case number == 0:
		x.left.put(p)
	case replaces(p, x.rows.Amount(number, model.UpdatedAt), x.notAfter, false):
		x.rows.set(number, p)
	}
}

// keepNewer does what keep does with each row of a table, except for those that were updated since or are believed.
func (x *settling) keepNewer(from *Rows, updated map[model.Key]*model.Position) {
	earlier, found := numbersIn(x.rows, from), NewRowSet(from)
	var p model.Position
	for number := range x.rows.all {
		before := earlier[number]
		if before == 0 {
			continue
		}
		found.Add(before)
		at, usable := x.rows.Amount(number, model.UpdatedAt).UsableTime(x.notAfter)
		if stood, usableBefore := from.Amount(before, model.UpdatedAt).UsableTime(x.notAfter); usable && usableBefore && stood > at {
			from.get(before, &p)
			if _, isUpdated := updated[p.Key]; !isUpdated {
				x.rows.set(number, &p)
			}
		}
	}
	if found.Len() == from.Len() {
		return
	}
	for number := range from.all {
		if !found.Has(number) {
			from.get(number, &p)
			if _, isUpdated := updated[p.Key]; !isUpdated {
				x.keep(&p)
			}
		}
	}
}

// superseded returns those of the superseded updates that a table, which may be nil, would have taken, and the last one
// of each row.
func (x *settling) superseded(t *Table, all []model.Position) (taken []model.Position, last map[model.Key]*model.Position) {
	last, u := make(map[model.Key]*model.Position), &Updates{NotAfter: x.notAfter}
	for i := range all {
		p := &all[i]
		if t == nil || last[p.Key] != nil || t.takesUpdate(t.rows.number(p.Key), p, u, x.left) {
			taken, last[p.Key] = append(taken, *p), p
		}
	}
	return taken, last
}

// KeepNewer puts into a table the rows of an earlier one that was never shown: those that it lacks, or of which it has
// an older state.
func KeepNewer(of, earlier *Rows, notAfter int64) {
	for p := range earlier.All {
		if number := of.number(p.Key); number == 0 || replaces(&p, of.Amount(number, model.UpdatedAt), notAfter, false) {
			of.set(number, &p)
		}
	}
}

// Mark marks the rows in doubt of a subscription.
func (b *Book) Mark(d *Doubts) {
	t := b.Table(d.Subscription)
	if t == nil {
		return
	}
	t.doubted = nil
	for _, key := range d.Keys {
		if number := t.rows.number(key); number != 0 {
			t.setDoubted(number)
		}
	}
}

func (t *Table) setDoubted(number uint32) {
	if t.doubted == nil {
		t.doubted = make(map[uint32]struct{})
	}
	t.doubted[number] = struct{}{}
}

// keepDoubts marks the rows that were marked in the table before, and have the same state.
func (t *Table) keepDoubts(from *Table) {
	for before := range from.doubted {
		p := from.rows.Position(before)
		if number := t.rows.number(p.Key); number != 0 {
			if now := t.rows.Position(number); now.Equal(&p) {
				t.setDoubted(number)
			}
		}
	}
}

// Doubts returns the keys of the marked rows of a table, in order. Of a nil Table there are none.
func (t *Table) Doubts() (keys []model.Key) {
	if t == nil {
		return nil
	}
	for number := range t.doubted {
		keys = append(keys, t.rows.key(number))
	}
	slices.SortFunc(keys, model.Key.Compare)
	return keys
}
