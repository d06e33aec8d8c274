package book

import "blotter/model"

// A margin record can be read before the update with the size that it is for: the two are answers to different
// requests, perhaps of different nodes. So a record counts for a row only if the stream of the row, or an audit of its
// rows, has told something that is as new as the record, or newer: then the row has not changed up to that time.

// told is up to which time a stream has told something.
type told struct {
	// upTo is the newest time of any row that the stream or an audit has sent, in nanoseconds since the Unix epoch. If
	// its rows have no usable times, it is when something was received, by the clock of the service.
	upTo     int64
	hasTimes bool // some row has a usable time
}

// noteTold notes what has come: its newest usable time, 0 if there is none, and up to which time it tells something, 0
// if that is not said.
func (t *told) noteTold(newest, upTo, notAfter int64) {
	if newest > 0 && !t.hasTimes {
		*t = told{hasTimes: true}
	}
	switch {
	case upTo != 0:
	case t.hasTimes:
		upTo = newest
	default:
		upTo = receivedAt(notAfter)
	}
	t.upTo = max(t.upTo, upTo)
}

// receivedAt returns when something was received that has this NotAfter.
func receivedAt(notAfter int64) int64 { return notAfter - int64(model.AheadFor) }

// NewestTime returns the newest usable time of positions, and 0 if none is usable.
func NewestTime(positions []model.Position, notAfter int64) (newest int64) {
	for i := range positions {
		if at, usable := positions[i].ChangedAt(notAfter); usable {
			newest = max(newest, at)
		}
	}
	return newest
}

// newestOf returns the newest usable time of the rows, and 0 if none is usable.
func newestOf(r *Rows, notAfter int64) (newest int64) {
	for number := range r.all {
		if at, usable := r.Amount(number, model.UpdatedAt).UsableTime(notAfter); usable {
			newest = max(newest, at)
		}
	}
	return newest
}

// Told returns up to which time the stream of the table has told something, by the clock of the service, in nanoseconds
// since the Unix epoch. It is 0 if that is not known, also of a nil Table.
func (t *Table) Told() int64 {
	if t == nil {
		return 0
	}
	return t.rows.waits.told.upTo
}

// telling is what is left of tell, for updates or for a page of an audit.
type telling struct {
	newest int64 // the newest usable time of what was applied
	hasDue bool  // due was found
	due    []model.MarginKey
}

// tell notes what has come: up to which time it tells something, if that is said: see Updates.Told. The pairs that have
// waited for it agree then: at most a full list. It returns true if there are more.
func (b *Book) tell(t *Table, left *telling, upTo, notAfter int64) (more bool) {
	if !left.hasDue {
		t.rows.waits.told.noteTold(left.newest, upTo, notAfter)
		left.due, left.hasDue = t.rows.waits.due(), true
	}
	for ; len(left.due) > 0; left.due = left.due[1:] {
		key := left.due[0]
		number := t.rows.number(key.Key)
		switch {
		case number == 0:
			delete(t.rows.waits.pairs, key)
		case b.list.isFull() || t.rows.isListed(number):
			return true
		default:
			b.endWait(t, number, key)
		}
	}
	return false
}
