package model

import "hash/maphash"

// Rows are all positions of one subscription, by key. They stand in chunks, so that a million of them are a
// few thousand objects in memory, and that to go through all of them is to go straight through memory. The
// index is a table of numbers of rows, half empty, and not a map, which would take four times its memory
// because it keeps every key a second time.
//
// The nil Rows has no positions.
type Rows struct {
	few    []Position             // the first rows: most subscriptions for a pair have one
	chunks []*[chunkRows]Position // all others
	length int
	slots  []uint32 // the number of a row, counted from 1; 0 where the slot is free
	seed   maphash.Seed

	touched uint64 // nothing but a use of what is fetched
}

const (
	fewRows   = 16
	chunkRows = 256 // 32 KiB: whole pages for the allocator, nothing lost
)

// NewRows returns a table without positions.
func NewRows() *Rows { return &Rows{seed: maphash.MakeSeed()} }

// Put keeps a copy of p, in place of what there was for its key.
func (r *Rows) Put(p *Position) {
	if 4*r.length >= 3*len(r.slots) {
		r.grow()
	}
	slot := r.slot(p.Key)
	if r.slots[slot] == 0 {
		if r.length >= fewRows+chunkRows*len(r.chunks) {
			r.chunks = append(r.chunks, new([chunkRows]Position))
		}
		r.length++
		r.slots[slot] = uint32(r.length)
	}
	*r.row(r.slots[slot]) = *p
}

// Get is the position with the key, nil where there is none. It must not be changed; a Put of its key
// changes it where it stands.
func (r *Rows) Get(key Key) *Position {
	if r.Len() == 0 {
		return nil
	}
	if number := r.slots[r.slot(key)]; number != 0 {
		return r.row(number)
	}
	return nil
}

// Len is how many positions there are.
func (r *Rows) Len() int {
	if r == nil {
		return 0
	}
	return r.length
}

// All yields every position once, in no order. The table must not be changed meanwhile.
func (r *Rows) All(yield func(*Position) bool) {
	for number := range r.Len() {
		if !yield(r.row(uint32(number + 1))) {
			return
		}
	}
}

// row is the row with the number.
func (r *Rows) row(number uint32) *Position {
	at := number - 1
	if at < fewRows {
		return &r.few[at]
	}
	at -= fewRows
	return &r.chunks[at/chunkRows][at%chunkRows]
}

// slot is where the number of the row with the key is, or else the free slot where it would be put: the
// first one from the slot that the key hashes to.
func (r *Rows) slot(key Key) int {
	last := len(r.slots) - 1
	slot := int(maphash.Comparable(r.seed, key)) & last
	for r.slots[slot] != 0 && r.row(r.slots[slot]).Key != key {
		slot = (slot + 1) & last
	}
	return slot
}

// fetched is how many rows are fetched at once.
const fetched = 64

// fetch has the rows with the keys of at most fetched positions in the processor's caches. The loads in each loop do
// not depend on each other, so the processor waits for all of them at once.
func (r *Rows) fetch(positions []Position) {
	if r.Len() == 0 {
		return
	}
	var numbers [fetched]uint32
	last := len(r.slots) - 1
	for i := range positions {
		numbers[i] = r.slots[int(maphash.Comparable(r.seed, positions[i].Key))&last]
	}
	for _, number := range numbers[:len(positions)] {
		if number != 0 {
			row := r.row(number)
			r.touched += row.numbers[0].low + row.numbers[fields-1].low // of both of its cache lines
		}
	}
}

// grow doubles the index. A power of two makes the slot of a key a matter of its hash's lower bits.
func (r *Rows) grow() {
	if r.few == nil {
		r.few = make([]Position, fewRows)
	}
	r.slots = make([]uint32, max(2*fewRows, 2*len(r.slots)))
	for number := uint32(1); number <= uint32(r.length); number++ {
		r.slots[r.slot(r.row(number).Key)] = number
	}
}
