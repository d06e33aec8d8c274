package model

import "hash/maphash"

// Rows is a table of the positions of one subscription, by key. A nil Rows is an empty table.
//
// The rows are stored in chunks, so that a million of them are a few thousand objects in memory, and a loop over all of
// them reads memory in order. Each row has a number, from 1. The index is a hash table of row numbers with open
// addressing, at most three quarters full. A map from key to row would take twice the memory, because it would store
// every key a second time.
type Rows struct {
	few     []Position             // the first rows: many subscriptions have no more
	chunks  []*[chunkRows]Position // all others
	highest uint32                 // the highest number of a row; the first is 1
	free    map[uint32]struct{}    // the numbers of rows that were deleted
	slots   []slot
	seed    maphash.Seed

	touched uint64 // only keeps the compiler from removing the loads in prefetch
}

// slot is one place of the index. It has the number of a row, or 0 where it is free. The tag is some bits of the key's
// hash: where it differs, the row need not be read.
type slot struct{ number, tag uint32 }

const (
	fewRows   = 16
	chunkRows = 256 // 32 KiB: a size that the allocator does not round up
)

// NewRows returns an empty table.
func NewRows() *Rows { return &Rows{seed: maphash.MakeSeed()} }

// Put stores a copy of p, in place of the row with its key, and returns the number of the row.
func (r *Rows) Put(p *Position) uint32 {
	if 4*(r.Len()+1) > 3*len(r.slots) {
		r.grow()
	}
	at, tag := r.find(p.Key)
	s := &r.slots[at]
	if s.number == 0 {
		*s = slot{r.newNumber(), tag}
	}
	*r.row(s.number) = *p
	return s.number
}

// PutUnlessOlder stores p, unless the row with its key is newer: two pages of one snapshot may have the same position.
// Times later than notAfter, in nanoseconds since the Unix epoch, are ignored.
func (r *Rows) PutUnlessOlder(p *Position, notAfter int64) {
	if row := r.Get(p.Key); row == nil || p.replaces(row, notAfter, true) {
		r.Put(p)
	}
}

// newNumber returns the number of a row that is not in use.
func (r *Rows) newNumber() uint32 {
	for number := range r.free {
		delete(r.free, number)
		return number
	}
	if int(r.highest) >= fewRows+chunkRows*len(r.chunks) {
		r.chunks = append(r.chunks, new([chunkRows]Position))
	}
	r.highest++
	return r.highest
}

// Get returns the position with the key, and nil where there is none. The caller must not change it. The pointer is
// valid until the row is deleted; a Put of the same key changes the row in place.
func (r *Rows) Get(key Key) *Position {
	if number := r.number(key); number != 0 {
		return r.row(number)
	}
	return nil
}

// number returns the number of the row with the key, and 0 where there is none.
func (r *Rows) number(key Key) uint32 {
	if r.Len() == 0 {
		return 0
	}
	at, _ := r.find(key)
	return r.slots[at].number
}

// delete removes the row with the key, if there is one. This is rare: a service never deletes a position.
func (r *Rows) delete(key Key) {
	if r.Len() == 0 {
		return
	}
	hole, _ := r.find(key)
	number := r.slots[hole].number
	if number == 0 {
		return
	}
	*r.row(number) = Position{}
	if r.free == nil {
		r.free = make(map[uint32]struct{})
	}
	r.free[number] = struct{}{}
	// The used slots that follow may be there only because this one was in use. A slot is moved into the hole, unless
	// the hole comes before the slot that its key hashes to: then a search would not find it.
	last := len(r.slots) - 1
	for at := (hole + 1) & last; r.slots[at].number != 0; at = (at + 1) & last {
		home, _ := r.hash(r.row(r.slots[at].number).Key)
		if (at-home)&last >= (at-hole)&last {
			r.slots[hole] = r.slots[at]
			hole = at
		}
	}
	r.slots[hole] = slot{}
}

// isFree reports whether the row with the number was deleted.
func (r *Rows) isFree(number uint32) bool {
	_, free := r.free[number]
	return free
}

// Len returns the number of positions.
func (r *Rows) Len() int {
	if r == nil {
		return 0
	}
	return int(r.highest) - len(r.free)
}

// All yields every position once, in no particular order. The table must not be changed during the loop.
func (r *Rows) All(yield func(*Position) bool) {
	if r == nil {
		return
	}
	for number := uint32(1); number <= r.highest; number++ {
		if !r.isFree(number) && !yield(r.row(number)) {
			return
		}
	}
}

// row returns the row with the number.
func (r *Rows) row(number uint32) *Position {
	at := number - 1
	if at < fewRows {
		return &r.few[at]
	}
	at -= fewRows
	return &r.chunks[at/chunkRows][at%chunkRows]
}

// find returns the slot of the row with the key, or the free slot where it would be stored. It searches from the slot
// that the key hashes to. It also returns the tag of the key.
func (r *Rows) find(key Key) (at int, tag uint32) {
	at, tag = r.hash(key)
	for ; ; at++ {
		if at = r.next(at, tag); r.slots[at].number == 0 || r.row(r.slots[at].number).Key == key {
			return at, tag
		}
	}
}

// hash returns the slot where the search for a key begins, and the tag of the key.
func (r *Rows) hash(key Key) (at int, tag uint32) {
	hash := maphash.Comparable(r.seed, key)
	return int(uint32(hash)) & (len(r.slots) - 1), uint32(hash >> 32)
}

// next returns the first slot from at on that is free or has the tag.
func (r *Rows) next(at int, tag uint32) int {
	for last := len(r.slots) - 1; ; at++ {
		if s := r.slots[at&last]; s.number == 0 || s.tag == tag {
			return at & last
		}
	}
}

// prefetched is how many rows are prefetched at once.
const prefetched = 64

// prefetch loads the rows with the keys of at most prefetched positions into the processor's cache. The loads in a loop
// do not depend on each other, so the processor waits for all of them at the same time, not for one after the other.
func (r *Rows) prefetch(positions []Position) {
	if r.Len() == 0 {
		return
	}
	var numbers [prefetched]uint32
	for i := range positions {
		at, tag := r.hash(positions[i].Key)
		numbers[i] = r.slots[r.next(at, tag)].number
	}
	for _, number := range numbers[:len(positions)] {
		if number != 0 {
			row := r.row(number)
			r.touched += row.numbers[0].low + row.numbers[fields-1].low // a row has two cache lines
		}
	}
}

// grow doubles the index. Its length is a power of two, so that the low bits of a hash are the number of a slot.
func (r *Rows) grow() {
	if r.few == nil {
		r.few = make([]Position, fewRows)
	}
	r.slots = make([]slot, max(2*fewRows, 2*len(r.slots)))
	for number := uint32(1); number <= r.highest; number++ {
		if !r.isFree(number) {
			at, tag := r.find(r.row(number).Key)
			r.slots[at] = slot{number, tag}
		}
	}
}
