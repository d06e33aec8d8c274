package sim

import (
	"maps"
	"slices"

	"blotter/feed/sim/market"
)

// positions are the positions of a replica: what its snapshots show.
type positions struct {
	rows []*market.Row // by slot; nil if one was removed; the first slot is never used
	at   map[Key]int32 // the slot of each

	byParty, byMarket map[string][]int32
}

func newPositions() *positions {
	return &positions{
		rows:     []*market.Row{nil},
		at:       map[Key]int32{},
		byParty:  map[string][]int32{},
		byMarket: map[string][]int32{},
	}
}

func (p *positions) put(r *market.Row) {
	if r.Slot != 0 && int(r.Slot) < len(p.rows) && p.rows[r.Slot] != nil {
		p.rows[r.Slot] = r
		return
	}
	key := r.Key()
	slot, known := p.at[key]
	if !known {
		slot = int32(len(p.rows))
		p.rows = append(p.rows, nil)
		p.at[key] = slot
		p.byParty[key.Party] = append(p.byParty[key.Party], slot)
		p.byMarket[key.Market] = append(p.byMarket[key.Market], slot)
	}
	if r.Slot != slot { // a replica that is behind comes to the slot that the row has already
		r.Slot = slot
	}
	p.rows[slot] = r
}

// remove forgets the position, if it is there: else its slot is the first one.
func (p *positions) remove(key Key) {
	p.rows[p.at[key]] = nil
	delete(p.at, key)
}

// find returns the rows that the filter's snapshot has. They are copied: the snapshot is of one moment, whenever it is
// written.
func (p *positions) find(f filter) []*market.Row {
	party, market := f.names()
	switch {
	case f.party != nil && f.market != nil:
		return p.in(p.at[Key{Party: party, Market: market}])
	case f.party != nil:
		return p.in(p.byParty[party]...)
	case f.market != nil:
		return p.in(p.byMarket[market]...)
	default:
		return p.all()
	}
}

func (p *positions) in(slots ...int32) []*market.Row {
	var found []*market.Row
	for _, slot := range slots {
		if r := p.rows[slot]; r != nil {
			found = append(found, r)
		}
	}
	return found
}

func (p *positions) all() []*market.Row {
	return slices.DeleteFunc(slices.Clone(p.rows), func(r *market.Row) bool { return r == nil })
}

func (p *positions) clone() *positions {
	clone := &positions{
		rows:     slices.Clone(p.rows),
		at:       maps.Clone(p.at),
		byParty:  maps.Clone(p.byParty),
		byMarket: maps.Clone(p.byMarket),
	}
	for _, index := range []map[string][]int32{clone.byParty, clone.byMarket} {
		for id, slots := range index {
			index[id] = slices.Clone(slots)
		}
	}
	return clone
}
