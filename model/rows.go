package model

import "hash/maphash"

// Rows are the positions of one subscription, by key. They stand in chunks, so that a million of them are a few thousand
// objects in memory, and a walk over all of them reads memory in order. The index is a hash table of row numbers, at most
// three quarters full. A map would take twice its memory, because it keeps every key a second time.
//
// The nil Rows has no positions.
type Rows struct {
	few     []Position             // the first rows: many subscriptions have only some
	chunks  []*[chunkRows]Position // all others
	highest uint32                 // the highest number of a row; the first is 1
	free    map[uint32]struct{}    // the numbers of rows that were deleted
	slots   []slot
	seed    maphash.Seed

	touched uint64 // keeps the compiler from dropping the loads of prefetch
}

// slot is an entry of the index: the number of a row, counted from 1, or 0 where the slot is free, and some bits of the
// hash of its key, so that rows with another key are seldom read.
type slot struct{ number, tag uint32 }

const (
	fewRows   = 16
	chunkRows = 256 // 32 KiB: whole pages for the allocator, nothing lost
)

// NewRows returns a table without positions.
func NewRows() *Rows { return &Rows{seed: maphash.MakeSeed()} }

// Put keeps a copy of p, in place of what there was for its key, and returns the number of its row.
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

// PutUnlessOlder puts p, unless the row of its key is newer: two pages of one snapshot may have the same position. A time
// later than notAfter, in nanoseconds since the Unix epoch, decides nothing.
func (r *Rows) PutUnlessOlder(p *Position, notAfter int64) {
	if row := r.Get(p.Key); row == nil || p.replaces(row, notAfter, true) {
		r.Put(p)
	}
}

// newNumber is the number of a row that is not in use.
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

// Get is the position with the key, nil where there is none. It must not be changed. It stays where it is until it is
// deleted: a Put of its key changes it in place.
func (r *Rows) Get(key Key) *Position {
	if number := r.number(key); number != 0 {
		return r.row(number)
	}
	return nil
}

// number is the number of the row with the key, 0 where there is none.
func (r *Rows) number(key Key) uint32 {
	if r.Len() == 0 {
		return 0
	}
	at, _ := r.find(key)
	return r.slots[at].number
}

// delete removes the row with the key, if there is one. A service never deletes a position, so this is rare.
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
	// The slots that follow without a gap were perhaps put there because this one was in use: each moves into the hole
	// unless that is ahead of the slot which its key hashes to.
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

// Len is how many positions there are.
func (r *Rows) Len() int {
	if r == nil {
		return 0
	}
	return int(r.highest) - len(r.free)
}

// All yields every position once, in no order. The table must not be changed meanwhile.
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
func (r *Rows) find(key Key) (at int, tag uint32) {
	at, tag = r.hash(key)
	for ; ; at++ {
		if at = r.next(at, tag); r.slots[at].number == 0 || r.row(r.slots[at].number).Key == key {
			return at, tag
		}
	}
}

// hash is the slot to begin at for a key, and its tag.
func (r *Rows) hash(key Key) (at int, tag uint32) {
	hash := maphash.Comparable(r.seed, key)
	return int(uint32(hash)) & (len(r.slots) - 1), uint32(hash >> 32)
}

// next is the first slot from at on that is free or has the tag.
func (r *Rows) next(at int, tag uint32) int {
	for last := len(r.slots) - 1; ; at++ {
		if s := r.slots[at&last]; s.number == 0 || s.tag == tag {
			return at & last
		}
	}
}

// prefetched is how many rows are read ahead at once.
const prefetched = 64

// prefetch brings the rows with the keys of at most prefetched positions into the processor's caches. The loads in each
// loop do not depend on each other, so the processor waits for all of them at once.
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
			r.touched += row.numbers[0].low + row.numbers[fields-1].low // of both of its cache lines
		}
	}
}

// grow doubles the index. Its length is a power of two, so that the lower bits of a hash are a slot.
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
