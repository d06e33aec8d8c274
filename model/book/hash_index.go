package book

import (
	"hash/maphash"

	"blotter/model"
)

// hashIndex finds the number of a row by its key. It is a hash table with open addressing, at most three quarters full.
// A map from key to number would take 56 bytes for each of a million rows, not 8, because it would store every key a
// second time: then a position in BenchmarkMillion/memory of package view takes 1.4 times as much.
//
// A slot has 32 bits. Of 2^n slots, the lower n bits are the number of a row: there are fewer rows than slots, and
// their numbers count from 1. The upper bits are the tag, some bits of the key's hash: if it differs, the row need
// not be read. A free slot is 0.
type hashIndex struct {
	slots   []uint32
	seed    maphash.Seed
	touched uint32 // see prefetch
}

const fewSlots = 16

// home returns the slot where the search for a key begins, and the tag of the key. There must be slots.
func (x *hashIndex) home(key model.Key) (at, tag uint32) {
	hash, last := maphash.Comparable(x.seed, key), uint32(len(x.slots)-1)
	return uint32(hash>>32) & last, uint32(hash) &^ last
}

// next returns the first slot from at on that is free or has the tag, and the number in it: 0 if it is free.
func (x *hashIndex) next(at, tag uint32) (slot, number uint32) {
	for last := uint32(len(x.slots) - 1); ; at++ {
		if s := x.slots[at&last]; s == 0 || s&^last == tag {
			return at & last, s & last
		}
	}
}

// add adds a number to those of the key. There must be room.
func (x *hashIndex) add(key model.Key, number uint32) {
	at, tag := x.home(key)
	last := uint32(len(x.slots) - 1)
	for x.slots[at] != 0 {
		at = (at + 1) & last
	}
	x.slots[at] = tag | number
}

// addTogether adds numbers, PrefetchedTogether at most, to those of their keys. There must be room.
func (x *hashIndex) addTogether(keys []model.Key, numbers []uint32) {
	var homes, tags [PrefetchedTogether]uint32
	for i, key := range keys {
		homes[i], tags[i] = x.home(key)
	}
	x.prefetch(homes[:len(keys)])
	last := uint32(len(x.slots) - 1)
	for i, number := range numbers {
		at := homes[i]
		for x.slots[at] != 0 {
			at = (at + 1) & last
		}
		x.slots[at] = tags[i] | number
	}
}

// prefetch loads slots into the processor's cache, as records.prefetch does with records.
func (x *hashIndex) prefetch(slots []uint32) {
	for _, slot := range slots {
		x.touched += x.slots[slot]
	}
}

// hasRoom reports whether a number can be added to this many.
func (x *hashIndex) hasRoom(numbers int) bool { return 4*(numbers+1) <= 3*len(x.slots) }

// grow doubles the slots and removes all numbers. How many slots there are is a power of two, so that some bits of a
// hash are the number of a slot.
func (x *hashIndex) grow() { x.slots = make([]uint32, max(fewSlots, 2*len(x.slots))) }

// remove removes a number of the key, which must be there. keyOf returns the keys of the other numbers.
func (x *hashIndex) remove(key model.Key, number uint32, keyOf func(number uint32) model.Key) {
	last := uint32(len(x.slots) - 1)
	hole, tag := x.home(key)
	for x.slots[hole] != tag|number {
		hole = (hole + 1) & last
	}
	// The used slots that follow may be there only because this one was in use. A slot is moved into the hole, unless
	// the hole comes before the slot that its key hashes to: then a search would not find it.
	for at := (hole + 1) & last; x.slots[at] != 0; at = (at + 1) & last {
		home, _ := x.home(keyOf(x.slots[at] & last))
		if (at-home)&last >= (at-hole)&last {
			x.slots[hole] = x.slots[at]
			hole = at
		}
	}
	x.slots[hole] = 0
}
