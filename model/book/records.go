package book

import (
	"fmt"
	"maps"
	"slices"

	"blotter/model"
)

// record is what one party has in one market, as it is stored: a position or its margin levels. It has no pointers, so
// the garbage collector does not read a million of them.
type record struct {
	numbers [recordNumbers]int64 // of a wider number the lower half, and of a text nothing
	codes
	statusOrAsset uint32   // the Status of a position; the code of the asset of a margin record
	wide          fieldSet // numbers of more than 64 bits: their upper halves are in records.upper
	texts         fieldSet // numbers that are texts, in records.texts
	isListed      bool     // of a position: the list of changes that the book makes has it
}

// recordNumbers is how many numbers a record has: those of a position, or those of a margin record and when it was
// read.
const recordNumbers = max(int(model.FieldCount), int(model.MarginNumberCount)+1)

const _ = uint(32 - recordNumbers)

// records is a table of records. It has its own codes of parties and markets, so that one goroutine can fill it while
// others use other tables.
//
// The records are in chunks, so that a million of them are some thousands of objects in memory. Each has a number. The
// first is 1; 0 means no record.
type records struct {
	index   hashIndex
	chunks  [][]record
	upper   []upperHalves           // by chunk; fewer than chunks if the last have none
	texts   map[uint32]*model.Texts // by the number of the record
	parties model.Dictionary[model.ID]
	markets model.Dictionary[model.ID]
	highest uint32              // the highest number
	free    map[uint32]struct{} // the numbers of records that were deleted
	odd     model.Amount        // the last time that is not understood; 0 if there was none
	noNumbers
}

const fewRecords = 16 // the first chunk begins as small: many subscriptions have no more

// at returns the record with the number, until one is added.
func (r *records) at(number uint32) *record {
	return &r.chunks[number/chunkRecords][number%chunkRecords]
}

func newRecords() records { return records{index: newHashIndex()} }

func (r *records) noteTime(sent model.Amount) {
	if sent.IsOddTime() {
		r.odd = sent
	}
}

// identifiers returns the number of parties or that of markets, the larger one.
func (r *records) identifiers() int { return max(len(r.parties.Values()), len(r.markets.Values())) }

func (r *records) count() int { return int(r.highest) - len(r.free) }

func (r *records) key(number uint32) model.Key {
	at := r.at(number)
	return model.Key{Party: r.parties.Values()[at.party], Market: r.markets.Values()[at.market]}
}

// codes returns the codes of a key, and false if no record has its party or its market.
func (r *records) codes(key model.Key) (c codes, ok bool) {
	party, hasParty := r.parties.Find(key.Party)
	market, hasMarket := r.markets.Find(key.Market)
	return codes{party, market}, hasParty && hasMarket
}

// newCodes returns the codes of a key, which is not in the table yet.
func (r *records) newCodes(key model.Key) codes {
	return codes{r.parties.Code(key.Party), r.markets.Code(key.Market)}
}

func (r *records) codesOf(number uint32) codes { return r.at(number).codes }

// addRecord adds a record with the key, whose numbers are 0, and returns its number.
func (r *records) addRecord(key model.Key) uint32 {
	r.makeRoom(1)
	c := r.newCodes(key)
	number := r.addUnindexed(c)
	r.index.addTogether([]codes{c}, []uint32{number})
	return number
}

// findOrAdd returns the number of the record with the codes, the only one, and adds one if there is none. The search
// begins at the home of the codes, with their tag. There must be room in the index.
func (r *records) findOrAdd(c codes, home, tag uint32) (number uint32, isNew bool) {
	slot, number := r.find(c, home, tag)
	if number != 0 {
		return number, false
	}
	number = r.addUnindexed(c)
	r.index.slots[slot] = tag | number
	return number, true
}

// find returns the number of the next record with the codes, whose tag is given, and its slot. The search begins at a
// slot, and ends at a free one: then the number is 0.
func (r *records) find(c codes, at, tag uint32) (slot, number uint32) {
	for {
		slot, number = r.index.nextSlot(at, tag)
		if number == 0 || r.codesOf(number) == c {
			return slot, number
		}
		at = slot + 1
	}
}

// makeRoom makes room in the index for more records.
func (r *records) makeRoom(more int) {
	for !r.index.hasRoom(r.count() + more - 1) {
		r.index.grow()
		var keys [prefetchedTogether]codes
		var numbers [prefetchedTogether]uint32
		n := 0
		for number := range r.all {
			keys[n], numbers[n] = r.codesOf(number), number
			if n++; n == len(keys) {
				r.index.addTogether(keys[:n], numbers[:n])
				n = 0
			}
		}
		r.index.addTogether(keys[:n], numbers[:n])
	}
}

// addUnindexed does what add does, but withKey does not find the record.
func (r *records) addUnindexed(c codes) uint32 {
	number := r.newNumber()
	*r.at(number) = record{codes: c}
	return number
}

// newNumber returns a number that is not in use.
func (r *records) newNumber() uint32 {
	for number := range r.free {
		delete(r.free, number)
		return number
	}
	r.highest++
	switch chunk := int(r.highest / chunkRecords); {
	case chunk == 0 && len(r.chunks) == 0:
		r.chunks = append(r.chunks, make([]record, fewRecords))
	case chunk == 0 && int(r.highest) == len(r.chunks[0]):
		r.chunks[0] = append(make([]record, 0, 4*r.highest), r.chunks[0]...)[:4*r.highest]
	case chunk == len(r.chunks):
		r.chunks = append(r.chunks, make([]record, chunkRecords))
	}
	return r.highest
}

// delete removes a record. This is rare: a service never deletes anything. It panics if there is none with the number.
func (r *records) delete(number uint32) {
	if !r.has(number) {
		panic(fmt.Sprintf("book: there is no record %d", number))
	}
	r.index.remove(r.codesOf(number), number, r.codesOf)
	delete(r.texts, number)
	delete(r.noNumbers.fields, number)
	if r.free == nil {
		r.free = make(map[uint32]struct{})
	}
	r.free[number] = struct{}{}
}

// has reports whether the number is of a record.
func (r *records) has(number uint32) bool {
	_, free := r.free[number]
	return 0 < number && number <= r.highest && !free
}

// withKey yields the numbers of the records with the key: at most one is of a position.
func (r *records) withKey(key model.Key) func(yield func(uint32) bool) {
	return func(yield func(uint32) bool) {
		c, ok := r.codes(key)
		if !ok {
			return
		}
		at, tag := r.index.home(c)
		for {
			slot, number := r.find(c, at, tag)
			if number == 0 || !yield(number) {
				return
			}
			at = slot + 1
		}
	}
}

func (r *records) all(yield func(uint32) bool) {
	for number := uint32(1); number <= r.highest; number++ {
		if r.has(number) && !yield(number) {
			return
		}
	}
}

// prefetch loads the records with the numbers into the processor's cache. The loads do not depend on each other, so the
// processor waits for all of them at the same time. 0 is no record, and can be among them. The result only keeps the
// compiler from removing the loads: the caller must store it.
func (r *records) prefetch(numbers []uint32) (touched int64) {
	if r.highest == 0 {
		return 0
	}
	for _, number := range numbers {
		at := r.at(number)
		touched += at.numbers[0] + int64(at.texts) // a record takes two lines of the cache
	}
	return touched
}

func (r *records) clone() records {
	clone := *r
	clone.index.slots = slices.Clone(r.index.slots)
	clone.chunks, clone.upper = slices.Clone(r.chunks), slices.Clone(r.upper)
	for i := range clone.chunks {
		clone.chunks[i] = slices.Clone(r.chunks[i])
	}
	for i := range clone.upper {
		clone.upper[i].values = slices.Clone(r.upper[i].values)
	}
	clone.noNumbers.fields = maps.Clone(r.noNumbers.fields)
	clone.texts, clone.free = maps.Clone(r.texts), maps.Clone(r.free)
	clone.parties, clone.markets = r.parties.Clone(), r.markets.Clone()
	return clone
}
