package pairs

import "blotter/model"

// decide makes a row wait because of a record, or no longer. If it begins to wait, it has what pair returns.
func (t *Table) decide(number uint32, record *Record, until int64, waits bool, pair func() LastRatio) {
	switch l := t.Waiting(number, record.Asset); {
	case !waits:
		t.endRecord(number, record.Asset)
	case l != nil:
		t.wait(number, record.Asset, *l, until)
	default:
		t.wait(number, record.Asset, pair(), until)
	}
}

// Put makes a row wait because of a new record, or no longer. Before is the record that it replaces.
func (t *Table) Put(row Row, record, before Record, read ReadTimes) {
	until, waits := t.mustWait(row.Number, record.At, read)
	t.decide(row.Number, &record, until, waits, func() LastRatio {
		return pairOf(&row, &before, t.knownTo(row.Number, until, read.NotAfter))
	})
}

// Resize notes that the size of a row has changed, at a time. Then Resized must be called with each of its records.
func (t *Table) Resize(now Row, at int64) {
	if t.SetSizedAt(now.Number, at); now.side() == model.Flat {
		t.endAll(now.Number)
	}
}

// Resized makes a row wait because of a record, or no longer, after its size has changed.
func (t *Table) Resized(now, before Row, record Record, at, notAfter int64) {
	if now.side() == model.Flat {
		return
	}
	until, waits := t.stillWaits(now.Number, &record, notAfter)
	isOtherSide := now.side() != before.side()
	if isOtherSide {
		t.endRecord(now.Number, record.Asset)
	}
	t.decide(now.Number, &record, until, waits, func() LastRatio {
		if isOtherSide {
			return none(at)
		}
		return pairOf(&before, &record, at)
	})
}

// IsSettled reports whether no row of a table waits because of records of which the newest has this time.
func (t *Table) IsSettled(newest int64) bool {
	return t.hasTimes && t.told >= newest && len(t.sizedAt)+len(t.waits) == 0
}

// Settle makes an open row of a new table wait because of a record that was there already, or no longer. Before returns
// the row as it was in the table that this one replaces, and that table; nil if it was not there.
func (t *Table) Settle(row Row, record Record, before func() (Row, *Table), notAfter int64) {
	until, waits := t.stillWaits(row.Number, &record, notAfter)
	t.decide(row.Number, &record, until, waits, func() LastRatio {
		knownTo := t.knownTo(row.Number, until, notAfter)
		was, from := before()
		if from == nil || was.side() != row.side() {
			return none(knownTo)
		}
		if l := from.Waiting(was.Number, record.Asset); l != nil {
			return *l
		}
		return pairOf(&was, &record, max(knownTo, from.told))
	})
}

// Forget removes what is known of a row that is removed.
func (t *Table) Forget(number uint32) {
	delete(t.sizedAt, number)
	t.endAll(number)
}

// Begin notes that the rows are those of a new snapshot, as Tell does.
func (t *Table) Begin(newest, upTo, notAfter int64) {
	t.told, t.hasTimes = 0, false
	t.Tell(newest, upTo, notAfter)
}

// Tell notes what has come: its newest usable time, 0 if there is none, and up to which time it tells something, 0 if
// that is not said. Then rows may be due: see Due.
func (t *Table) Tell(newest, upTo, notAfter int64) {
	if newest > 0 && !t.hasTimes {
		t.told, t.hasTimes = 0, true
	}
	switch {
	case upTo != 0:
	case t.hasTimes:
		upTo = newest
	default:
		upTo = ReceivedAt(notAfter)
	}
	t.told = max(t.told, upTo)
}

// Told returns up to which time something is told; 0 if that is not known.
func (t *Table) Told() int64 { return t.told }

// ForgetTold forgets what is told: another stream has told it.
func (t *Table) ForgetTold() { t.told = 0 }

// Due returns the rows that have waited for what is told now, in no particular order.
func (t *Table) Due() (due []uint32) {
	if t.next == 0 || t.next > t.told {
		return nil
	}
	t.next = 0
	for number, of := range t.waits {
		isDue := false
		for i := range of {
			switch until := of[i].Until; {
			case until == 0:
			case until <= t.told:
				isDue = true
			case t.next == 0 || until < t.next:
				t.next = until
			}
		}
		if isDue {
			due = append(due, number)
		}
	}
	return due
}

// EndDue makes a row no longer wait for what is told now.
func (t *Table) EndDue(number uint32) {
	t.end(number, func(l *LastRatio) bool { return 0 < l.Until && l.Until <= t.told })
}

// SizeChange is when the size of a row last changed, and the last ratios of a pair, if the row waits.
type SizeChange struct {
	model.Key
	At   int64       `json:"at"` // in nanoseconds since the Unix epoch; 0 if that is not known
	Last []LastRatio `json:"last,omitempty"`
	Side model.Side  `json:"side,omitempty"` // of a row that is not watched now; Flat if that is not known
}

// Change returns what is known of a row.
func (t *Table) Change(number uint32, key model.Key) SizeChange {
	return SizeChange{Key: key, At: t.sizedAt[number], Last: t.AppendLast(nil, number)}
}

// AppendLast appends what a row that waits has.
func (t *Table) AppendLast(to []LastRatio, number uint32) []LastRatio {
	if !t.Waits(number) {
		return to
	}
	return append(to, t.waits[number]...)
}

// Changes yields the number of each row of which something is known.
func (t *Table) Changes(yield func(number uint32) bool) {
	for number := range t.sizedAt {
		if !yield(number) {
			return
		}
	}
	for number := range t.waits {
		if t.sizedAt[number] == 0 && !yield(number) {
			return
		}
	}
}

// Restore sets what Change has returned.
func (t *Table) Restore(number uint32, c *SizeChange) {
	if c.At != 0 {
		t.SetSizedAt(number, c.At)
	}
	for i := range c.Last {
		t.wait(number, c.Last[i].Asset, c.Last[i], c.Last[i].Until)
	}
}

// Unwatched is what is known of rows whose table was dropped while they waited: the trader watches something else. If
// they are watched again before a newer record is there, they still wait.
type Unwatched map[model.Key]SizeChange

// MaxUnwatched is how many rows are remembered at most. Each takes about 200 bytes.
const MaxUnwatched = 1 << 16

// Put keeps what is known of a row, if there is room for it.
func (u Unwatched) Put(c SizeChange) {
	if _, isKnown := u[c.Key]; isKnown || len(u) < MaxUnwatched {
		u[c.Key] = c
	}
}

// WatchAgain makes an open row that is watched again wait as before because of a record, if it still must. If its side
// has changed meanwhile, it has no ratio while it waits.
func (t *Table) WatchAgain(row Row, c *SizeChange, record Record, notAfter int64) {
	until, waits := t.mustWait(row.Number, record.At, ReadTimes{NotAfter: notAfter})
	if !waits {
		return
	}
	last := none(max(c.At, 1))
	for i := range c.Last {
		if c.Last[i].Asset == record.Asset && (c.Side == model.Flat || c.Side == row.side()) {
			last = c.Last[i]
		}
	}
	t.wait(row.Number, record.Asset, last, until)
}
