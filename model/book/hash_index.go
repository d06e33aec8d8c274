package book

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// codes are the codes of a party and a market in the dictionaries of a table.
type codes struct{ party, market uint32 }

// hash returns a hash of the codes. With a secret seed, no service can choose identifiers with the same hashes.
func (c codes) hash(seed uint64) uint64 {
	high, low := bits.Mul64((uint64(c.party)<<32|uint64(c.market))^seed, 0x9e3779b97f4a7c15) // the golden ratio
	return high ^ low
}

// hashIndex finds the number of a row by its codes. It is a hash table with open addressing, at most three quarters
// full. A map from codes to number would take three times as much for each of a million rows, because it would store
// the codes a second time: then a position in BenchmarkMillion/memory of package view takes 1.2 times as much.
//
// A slot has 32 bits. Of 2^n slots, the lower n bits are the number of a row: there are fewer rows than slots, and
// their numbers count from 1. The upper bits are the tag, some bits of the codes' hash: if it differs, the row need
// not be read. A free slot is 0.
type hashIndex struct {
	slots   []uint32
	seed    uint64
	touched uint32 // see prefetch
}

const fewSlots = 16

// prefetchedTogether is how many records are prefetched at once, at most.
const prefetchedTogether = 64

func newHashIndex() hashIndex { return hashIndex{seed: rand.Uint64()} }

// home returns the slot where the search for codes begins, and their tag. There must be slots.
func (x *hashIndex) home(c codes) (at, tag uint32) {
	hash, last := c.hash(x.seed), uint32(len(x.slots)-1)
	return uint32(hash>>32) & last, uint32(hash) &^ last
}

// nextSlot returns the first slot from at on that is free or has the tag, and the number in it: 0 if it is free. There
// is always a free slot: see hasRoom.
func (x *hashIndex) nextSlot(at, tag uint32) (slot, number uint32) {
	last := uint32(len(x.slots) - 1)
	for range x.slots {
		if s := x.slots[at&last]; s == 0 || s&^last == tag {
			return at & last, s & last
		}
		at++
	}
	panic("book: the index has no free slot")
}

// addTogether adds numbers, prefetchedTogether at most, to those of their codes. There must be room.
func (x *hashIndex) addTogether(keys []codes, numbers []uint32) {
	var homes, tags [prefetchedTogether]uint32
	for i, c := range keys {
		homes[i], tags[i] = x.home(c)
	}
	x.prefetch(homes[:len(keys)])
	last := uint32(len(x.slots) - 1)
	for i, number := range numbers {
		if number == 0 || number > last {
			panic(fmt.Sprintf("book: number %d does not fit in an index of %d slots", number, len(x.slots)))
		}
		x.slots[x.free(homes[i])] = tags[i] | number
	}
}

// free returns the first free slot from at on.
func (x *hashIndex) free(at uint32) uint32 {
	last := uint32(len(x.slots) - 1)
	for range x.slots {
		if x.slots[at&last] == 0 {
			return at & last
		}
		at++
	}
	panic("book: the index has no free slot")
}

// prefetch loads slots into the processor's cache, as records.prefetch does with records.
func (x *hashIndex) prefetch(slots []uint32) {
	for _, slot := range slots {
		x.touched += x.slots[slot]
	}
}

// hasRoom reports whether a number can be added to an index with the given number of them.
func (x *hashIndex) hasRoom(numbers int) bool { return 4*(numbers+1) <= 3*len(x.slots) }

// grow doubles the slots and removes all numbers. How many slots there are is a power of two, so that some bits of a
// hash are the number of a slot.
func (x *hashIndex) grow() { x.slots = make([]uint32, max(fewSlots, 2*len(x.slots))) }

// remove removes a number of the codes, which must be there. codesOf returns the codes of the other numbers.
func (x *hashIndex) remove(c codes, number uint32, codesOf func(number uint32) codes) {
	last := uint32(len(x.slots) - 1)
	removed := x.slotOf(c, number)
	hole := removed
	// The used slots that follow may be there only because this one was in use. A slot is moved into the hole, unless
	// the hole comes before the slot that its codes hash to: then a search would not find it.
	for at := (removed + 1) & last; at != removed && x.slots[at] != 0; at = (at + 1) & last {
		home, _ := x.home(codesOf(x.slots[at] & last))
		if (at-home)&last >= (at-hole)&last {
			x.slots[hole] = x.slots[at]
			hole = at
		}
	}
	x.slots[hole] = 0
}

// slotOf returns the slot of a number of the codes, which must be there.
func (x *hashIndex) slotOf(c codes, number uint32) uint32 {
	if last := uint32(len(x.slots) - 1); 0 < number && number <= last {
		at, tag := x.home(c)
		for range x.slots {
			if x.slots[at] == tag|number {
				return at
			}
			at = (at + 1) & last
		}
	}
	panic(fmt.Sprintf("book: number %d is not in the index", number))
}
