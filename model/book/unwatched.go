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

// with returns both. It changes neither.
func (u unwatched) with(others unwatched) unwatched {
	both := maps.Clone(others)
	if both == nil {
		return u
	}
	for key, c := range u {
		if len(both) < maxUnwatched {
			both[key] = c
		}
	}
	return both
}

// waiting returns the rows of a table that wait.
func (r *Rows) waiting() unwatched {
	waiting := make(unwatched)
	for of, last := range r.waits.ratios {
		c, isKnown := waiting[of.Key]
		if !isKnown && len(waiting) == maxUnwatched {
			break
		}
		c.Key, c.At = of.Key, r.sizeChangedAt(r.number(of.Key))
		c.Last = append(c.Last, LastRatio{of.Asset, last})
		waiting[of.Key] = c
	}
	return waiting
}

// watched returns what is left when the rows of a snapshot are watched, which then wait again.
func (u unwatched) watched(rows *Rows, margins *Margins) (left unwatched) {
	for key, c := range u {
		if number := rows.number(key); number != 0 {
			rows.waitAgain(number, &c, margins)
			continue
		}
		if left == nil {
			left = make(unwatched)
		}
		left[key] = c
	}
	return left
}

// waitAgain makes a row of a new table wait as before, if its margin record is still older than its size, and the table
// does not know itself when that has changed.
func (r *Rows) waitAgain(number uint32, c *SizeChange, margins *Margins) {
	if r.IsSized(number) || r.Amount(number, model.OpenVolume).IsZero() {
		return
	}
	r.setSizeChangedAt(number, c.At)
	for record := range margins.withKey(c.Key) {
		if !margins.isBefore(record, c.At) {
			continue
		}
		last := model.MarginRatio{EndedAt: c.At}
		for _, known := range c.Last {
			if known.Asset == margins.asset(record) {
				last = known.MarginRatio
			}
		}
		r.wait(number, margins.marginKey(record), last)
	}
}
