package book

import (
	"maps"

	"blotter/model"
)

// unwatched is what is known of rows whose table was dropped while they waited for a margin record (see waits): the
// trader watches something else. If they are watched again before a newer record is there, they still wait.
type unwatched map[model.Key]SizeChange

// maxUnwatched is how many rows are remembered at most. Each takes about 200 bytes.
const maxUnwatched = 1 << 16

// put keeps what is known of a row, if there is room for it.
func (u unwatched) put(c SizeChange) {
	if _, isKnown := u[c.Key]; isKnown || len(u) < maxUnwatched {
		u[c.Key] = c
	}
}

// putDropped keeps what is known of the unwatched rows of a book, and of the rows that wait in those of its tables that
// another book does not have.
func (u unwatched) putDropped(from, to *Book) {
	maps.Copy(u, from.unwatched)
	for t := range from.tables.all {
		if to.Has(t.Subscription) {
			continue
		}
		for of := range t.rows.waits.pairs {
			number := t.rows.number(of.Key)
			c := t.rows.sizeChange(number, from.margins)
			c.Side = model.SideOf(t.rows.Amount(number, model.OpenVolume))
			u.put(c)
		}
	}
}

// watched returns what is left when the rows of a snapshot are watched, which then wait again.
func (u unwatched) watched(rows *Rows, margins *Margins, notAfter int64) unwatched {
	left := make(unwatched)
	for key, c := range u {
		if number := rows.number(key); number != 0 {
			rows.waitAgain(number, &c, margins, notAfter)
		} else {
			left[key] = c
		}
	}
	return left
}

// waitAgain makes a row of a new table wait as before, if it still must, and the table does not have the time of that
// change. If its side has changed meanwhile, it has no ratio while it waits.
func (r *Rows) waitAgain(number uint32, c *SizeChange, margins *Margins, notAfter int64) {
	if r.waits.sizeChangedAt(number) != 0 || r.Amount(number, model.OpenVolume).IsZero() {
		return
	}
	if c.At != 0 {
		r.waits.setSizeChangedAt(number, c.At)
	}
	isOtherSide := c.Side != model.Flat && c.Side != model.SideOf(r.Amount(number, model.OpenVolume))
	for record := range margins.withKey(c.Key) {
		until, mustWait := r.waits.mustWait(number, margins.Amount(record, marginTimestamp), ReadTimes{NotAfter: notAfter})
		if !mustWait {
			continue
		}
		w := wait{last: model.MarginRatio{EndedAt: max(c.At, 1)}}
		for i := range c.Last {
			if c.Last[i].Asset == margins.asset(record) && !isOtherSide {
				w = c.Last[i].wait()
			}
		}
		w.until = until
		r.wait(number, margins.marginKey(record), w)
	}
}
