package follow

import (
	"hash/maphash"
	"maps"
	"math"

	"blotter/model"
)

// maxSampled is how many rows a sample has at most, in about 4 MB. A map of a third more would take twice the memory.
const maxSampled = 3 << 15

// sample is something for each row. Of very many rows it has only some: two samples with the same seed have the same
// ones.
type sample[V any] struct {
	byRow map[model.Key]V
	most  int // rows are kept
	seed  maphash.Seed
	mask  uint64 // a row is kept if these bits of its hash are 0
}

func newSample[V any](seed maphash.Seed) sample[V] {
	return sample[V]{byRow: make(map[model.Key]V), most: maxSampled, seed: seed}
}

// keeps reports whether the row is in the sample.
func (s *sample[V]) keeps(key model.Key) bool {
	return s.mask == 0 || maphash.Comparable(s.seed, key)&s.mask == 0
}

// set sets what there is for a row that the sample keeps.
func (s *sample[V]) set(key model.Key, v V) {
	s.byRow[key] = v
	for len(s.byRow) > s.most && s.mask != math.MaxUint64 {
		s.mask = s.mask<<1 | 1
		maps.DeleteFunc(s.byRow, func(key model.Key, _ V) bool { return !s.keeps(key) })
	}
}

// rowState is what is known of a state of a row.
type rowState struct {
	at     int64  // its time; 0 if it has no usable one
	values uint32 // a hash of the rest
	isOpen bool
}

func stateOf(p *model.Position, notAfter int64) rowState {
	at, usable := p.ChangedAt(notAfter)
	if !usable {
		at = 0
	}
	return rowState{at, uint32(p.ValuesHash()), p.IsOpen()}
}

// opens returns 1 if a state is open, else 0.
func opens(state rowState) int {
	if state.isOpen {
		return 1
	}
	return 0
}

// isOlderThan reports whether a state is older than another one, by times that are usable now.
func (s rowState) isOlderThan(other rowState, notAfter int64) bool {
	return 0 < s.at && s.at < other.at && other.at <= notAfter
}

// sentTimes are the states that one stream has sent, by row.
type sentTimes struct {
	sample[rowState]
	open    int   // how many rows of the sample are open
	count   int   // how many states came
	newest  int64 // the latest usable time
	untimed bool  // a state without a usable time came
	setBack bool  // a state came that is much older than one of the same row before it
}

func newSentTimes(seed maphash.Seed) *sentTimes { return &sentTimes{sample: newSample[rowState](seed)} }

// add records states that the stream has sent. It returns the latest usable time of them, and the latest of those that
// are later than a time that the stream has sent for the same row before. Both are 0 if there is none.
func (t *sentTimes) add(rows []model.Position, notAfter int64) (newest, moved int64) {
	for i := range rows {
		at, usable := rows[i].ChangedAt(notAfter)
		if !usable {
			at, t.untimed = 0, true
		}
		newest = max(newest, at)
		switch before := t.put(&rows[i], notAfter); {
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

// put records a state of a row. It returns the time of the states before. A state that is older than these does not
// count.
func (t *sentTimes) put(p *model.Position, notAfter int64) (before int64) {
	if !t.keeps(p.Key) {
		return 0
	}
	state, last := stateOf(p, notAfter), t.byRow[p.Key]
	if 0 < state.at && state.at < last.at {
		return last.at
	}
	mask := t.mask
	t.set(p.Key, state)
	if t.open += opens(state) - opens(last); t.mask != mask {
		t.open = 0
		for _, state := range t.byRow {
			t.open += opens(state)
		}
	}
	return last.at
}

// newerThan returns the rows of which t has a newer state than the other stream has sent, with its time. States without
// a usable time are not compared.
func (t *sentTimes) newerThan(other *sentTimes) map[model.Key]int64 {
	newer := make(map[model.Key]int64)
	for key, state := range t.byRow {
		if state.at == 0 || !other.keeps(key) {
			continue
		}
		if before, sent := other.byRow[key]; !sent || 0 < before.at && before.at < state.at {
			newer[key] = state.at
		}
	}
	return newer
}
