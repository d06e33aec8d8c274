package book

import (
	"math/bits"
	"slices"

	"blotter/model"
)

// Backlog is a queue of positions, in which a key can come several times. They are stored as records.
type Backlog struct {
	parts []*Rows // each but the last has backlogPart positions
	taken int     // how many of the first part were taken
}

// backlogPart is how many positions a part of a Backlog has. Its memory is freed when all of them were taken.
const backlogPart = 1 << 16

// Len returns the number of positions.
func (b *Backlog) Len() int {
	if len(b.parts) == 0 {
		return 0
	}
	last := len(b.parts) - 1
	return last*backlogPart + int(b.parts[last].highest) - b.taken
}

// Add adds positions at the end.
func (b *Backlog) Add(positions []model.Position) {
	for i := range positions {
		if len(b.parts) == 0 || b.parts[len(b.parts)-1].highest == backlogPart {
			b.parts = append(b.parts, NewRows())
		}
		last := b.parts[len(b.parts)-1]
		last.set(last.addUnindexed(last.newCodes(positions[i].Key)), &positions[i])
	}
}

// Take moves the first n positions to the end of into.
func (b *Backlog) Take(n int, into []model.Position) []model.Position {
	into = slices.Grow(into, n)
	for range n {
		into = append(into, model.Position{})
		b.At(0, &into[len(into)-1])
		if b.taken++; b.taken == int(b.parts[0].highest) {
			b.parts[0] = nil
			b.parts, b.taken = b.parts[1:], 0
		}
	}
	return into
}

// At sets p to position i.
func (b *Backlog) At(i int, p *model.Position) {
	i += b.taken
	b.parts[i/backlogPart].get(uint32(i%backlogPart)+1, p)
}

func (b *Backlog) key(i int) model.Key {
	i += b.taken
	return b.parts[i/backlogPart].key(uint32(i%backlogPart) + 1)
}

// Later returns for each position from one place up to another which is the next of them with its key, counted from the
// first of them, and 0 if there is none.
func (b *Backlog) Later(from, to int) []int32 {
	later := make([]int32, to-from)
	index := newHashIndex()
	index.slots = make([]uint32, 1<<bits.Len(uint(2*len(later))))
	keys := make([]codes, len(later))
	var parties, markets model.Dictionary[model.ID] // each part has others
	for i := len(later) - 1; i >= 0; i-- {
		key := b.key(from + i)
		keys[i] = codes{parties.Code(key.Party), markets.Code(key.Market)}
		for at, tag := index.home(keys[i]); ; at++ {
			slot, found := index.nextSlot(at, tag)
			if found == 0 || keys[found] == keys[i] {
				later[i] = int32(found)
				index.slots[slot] = tag | uint32(i)
				break
			}
			at = slot
		}
	}
	return later
}
