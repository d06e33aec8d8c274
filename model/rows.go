package model

import "hash/maphash"

// Rows are all positions of one subscription, by key. They stand in chunks, so that a million of them are a
// few thousand objects in memory, and that to go through all of them is to go straight through memory. The
// index is a table of numbers of rows, half empty, and not a map, which would take twice its memory
// because it keeps every key a second time.
//
// The nil Rows has no positions.
type Rows struct {
	few    []Position             // the first rows: most subscriptions for a pair have one
	chunks []*[chunkRows]Position // all others
	length int
	slots  []slot
	seed   maphash.Seed

	touched uint64 // nothing but a use of what is fetched
}

// slot is where the index has a row: its number, counted from 1, or 0 where the slot is free, and some bits of its key's
// hash, so that hardly a row is looked at in vain.
type slot struct{ number, tag uint32 }

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
	at, tag := r.find(p.Key)
	if at.number == 0 {
		if r.length >= fewRows+chunkRows*len(r.chunks) {
			r.chunks = append(r.chunks, new([chunkRows]Position))
		}
		r.length++
		*at = slot{uint32(r.length), tag}
	}
	*r.row(at.number) = *p
}

// Get is the position with the key, nil where there is none. It must not be changed; a Put of its key
// changes it where it stands.
func (r *Rows) Get(key Key) *Position {
	if r.Len() == 0 {
		return nil
	}
	if at, _ := r.find(key); at.number != 0 {
		return r.row(at.number)
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

// find is the slot of the row with the key, or else the free slot where it would be put: the first one from the slot that
// the key hashes to. With it comes the tag of the key.
func (r *Rows) find(key Key) (*slot, uint32) {
	for at, tag := r.hash(key); ; at++ {
		if s := r.next(&at, tag); s.number == 0 || r.row(s.number).Key == key {
			return s, tag
		}
	}
}

// hash is the slot to begin at for a key, and its tag.
func (r *Rows) hash(key Key) (at int, tag uint32) {
	hash := maphash.Comparable(r.seed, key)
	return int(uint32(hash)), uint32(hash >> 32)
}

// next is the first slot from at on that is free or has the tag.
func (r *Rows) next(at *int, tag uint32) *slot {
	for last := len(r.slots) - 1; ; *at++ {
		if s := &r.slots[*at&last]; s.number == 0 || s.tag == tag {
			return s
		}
	}
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
	for i := range positions {
		at, tag := r.hash(positions[i].Key)
		numbers[i] = r.next(&at, tag).number
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
	r.slots = make([]slot, max(2*fewRows, 2*len(r.slots)))
	for number := uint32(1); number <= uint32(r.length); number++ {
		at, tag := r.find(r.row(number).Key)
		*at = slot{number, tag}
	}
}
