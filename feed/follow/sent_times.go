package follow

import (
	"hash/maphash"
	"maps"
	"math"

	"blotter/model"
)

// maxSentTimes is how many rows a sentTimes keeps at most, in about 3 MB. A map of a third more would take twice the
// memory.
const maxSentTimes = 3 << 15

// sentTimes are the times of the states that one stream has sent, by row. Of very many rows it keeps only some. Two
// streams with the same seed keep the same ones.
type sentTimes struct {
	count   int   // how many states came
	newest  int64 // the latest usable time
	untimed bool  // a state without a usable time came
	setBack bool  // a state came that is much older than one of the same row before it
	byRow   map[model.Key]int64
	closed  map[model.Key]bool // the rows of byRow whose last state has no volume
	most    int                // rows are kept
	seed    maphash.Seed
	mask    uint64 // a row is kept if these bits of its hash are 0
}

func newSentTimes(seed maphash.Seed) *sentTimes {
	return &sentTimes{byRow: make(map[model.Key]int64), closed: make(map[model.Key]bool), most: maxSentTimes, seed: seed}
}

// latestOf returns the latest states of several; those that are nil do not count.
func latestOf(seed maphash.Seed, all ...*sentTimes) *sentTimes {
	latest := newSentTimes(seed)
	for _, t := range all {
		if t == nil {
			continue
		}
		for key, at := range t.byRow {
			latest.put(key, at, !t.closed[key])
		}
	}
	return latest
}

// forget removes a row.
func (t *sentTimes) forget(key model.Key) {
	delete(t.byRow, key)
	delete(t.closed, key)
}

// add records states that the stream has sent. It returns the latest usable time of them, and the latest of those that
// are later than a time that the stream has sent for the same row before. Both are 0 if there is none.
func (t *sentTimes) add(rows []model.Position, notAfter int64) (newest, moved int64) {
	for i := range rows {
		at, usable := rows[i].ChangedAt(notAfter)
		if !usable {
			at, t.untimed = 0, true
		}
		newest = max(newest, at)
		switch before := t.put(rows[i].Key, at, rows[i].IsOpen()); {
		case at == 0 || before == 0:
		case before < at:
			moved = max(moved, at)
		case before-at > int64(model.AheadFor) && before <= notAfter:
			t.setBack = true
		}
	}
	t.count += len(rows)
	t.newest = max(t.newest, newest)
	return newest, moved
}

// put records the time of a state of the row, 0 if it has none, and whether the row is open. It returns the time of the
// states before. A state that is older than these does not count.
func (t *sentTimes) put(key model.Key, at int64, isOpen bool) (before int64) {
	if !t.keeps(key) {
		return 0
	}
	before, sent := t.byRow[key]
	if sent && 0 < at && at <= before {
		return before
	}
	t.byRow[key] = at
	if delete(t.closed, key); !isOpen {
		t.closed[key] = true
	}
	for len(t.byRow) > t.most && t.mask != math.MaxUint64 {
		t.mask = t.mask<<1 | 1
		maps.DeleteFunc(t.byRow, func(key model.Key, _ int64) bool { return !t.keeps(key) })
		maps.DeleteFunc(t.closed, func(key model.Key, _ bool) bool { return !t.keeps(key) })
	}
	return before
}

// keeps reports whether the times of the row are kept.
func (t *sentTimes) keeps(key model.Key) bool {
	return t.mask == 0 || maphash.Comparable(t.seed, key)&t.mask == 0
}

// newerThan returns the rows of which t has a newer state than the other stream has sent, with its time. States without
// a usable time are not compared.
func (t *sentTimes) newerThan(other *sentTimes) map[model.Key]int64 {
	newer := make(map[model.Key]int64)
	for key, at := range t.byRow {
		if at == 0 || !other.keeps(key) {
			continue
		}
		if before, sent := other.byRow[key]; !sent || 0 < before && before < at {
			newer[key] = at
		}
	}
	return newer
}
