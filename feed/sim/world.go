package sim

import (
	"maps"
	"slices"
)

// world is the truth about positions: what a snapshot would say.
type world struct {
	rows []*row // nil where one was removed; the first place is never used
	at   map[Key]int32

	byParty, byMarket map[string][]int32
}

func newWorld() *world {
	return &world{rows: []*row{nil}, at: map[Key]int32{}, byParty: map[string][]int32{}, byMarket: map[string][]int32{}}
}

// put sets the row of its position.
func (w *world) put(r *row) {
	if r.slot != 0 && int(r.slot) < len(w.rows) && w.rows[r.slot] != nil {
		w.rows[r.slot] = r
		return
	}
	key := r.still.Key()
	slot, known := w.at[key]
	if !known {
		slot = int32(len(w.rows))
		w.rows = append(w.rows, nil)
		w.at[key] = slot
		w.byParty[key.Party] = append(w.byParty[key.Party], slot)
		w.byMarket[key.Market] = append(w.byMarket[key.Market], slot)
	}
	if r.slot != slot { // a replica that follows gives the row the slot that it has already
		r.slot = slot
	}
	w.rows[slot] = r
}

func (w *world) clone() *world {
	clone := &world{rows: slices.Clone(w.rows), at: maps.Clone(w.at), byParty: maps.Clone(w.byParty), byMarket: maps.Clone(w.byMarket)}
	for _, index := range []map[string][]int32{clone.byParty, clone.byMarket} {
		for id, slots := range index {
			index[id] = slices.Clone(slots)
		}
	}
	return clone
}

// remove forgets the position, if it is there.
func (w *world) remove(key Key) {
	slot, known := w.at[key]
	if !known {
		return
	}
	delete(w.at, key)
	w.rows[slot] = nil
}

// find returns the rows that the filter's snapshot has. They are copied: the
// snapshot is of one moment, whenever it is written.
func (w *world) find(f filter) []*row {
	var found []*row
	take := func(slots []int32) {
		for _, slot := range slots {
			if r := w.rows[slot]; r != nil {
				found = append(found, r)
			}
		}
	}
	party, market := f.names()
	switch {
	case f.party != nil && f.market != nil:
		if slot, known := w.at[Key{party, market}]; known {
			found = append(found, w.rows[slot])
		}
	case f.party != nil:
		take(w.byParty[party])
	case f.market != nil:
		take(w.byMarket[market])
	default:
		found = slices.DeleteFunc(slices.Clone(w.rows), func(r *row) bool { return r == nil })
	}
	return found
}
