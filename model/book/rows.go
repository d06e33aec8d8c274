package book

import (
	"math"
	"slices"

	"blotter/model"
	"blotter/model/book/pairs"
)

// Rows is a table of the positions of one subscription, by key. They are stored as records. A nil Rows is an empty
// table.
type Rows struct {
	records
	pairs   pairs.Table
	touched int64 // see records.prefetch
}

// NewRows returns an empty table.
func NewRows() *Rows { return &Rows{records: newRecords()} }

// Len returns the number of positions.
func (r *Rows) Len() int {
	if r == nil {
		return 0
	}
	return r.count()
}

// Put stores p in place of the position with its key.
func (r *Rows) Put(p *model.Position) { r.set(r.number(p.Key), p) }

// PutUnlessOlder stores p, unless the position with its key is newer: two pages of one snapshot may have the same
// position. Times later than notAfter, in nanoseconds since the Unix epoch, are ignored.
func (r *Rows) PutUnlessOlder(p *model.Position, notAfter int64) {
	number := r.number(p.Key)
	if number == 0 || replaces(p, r.Amount(number, model.UpdatedAt), notAfter, true) {
		r.set(number, p)
	}
}

// replaces reports whether p is newer than the state of its row that was updated at that time. If the times do not
// decide, it returns otherwise.
func replaces(p *model.Position, updatedAt model.Amount, notAfter int64, otherwise bool) bool {
	at, usable := p.ChangedAt(notAfter)
	before, usableBefore := updatedAt.UsableTime(notAfter)
	if usable && usableBefore && at != before {
		return at > before
	}
	return otherwise
}

// PutPage puts each position of a page, as PutUnlessOlder does.
//
// In a large table most of the time is spent waiting for memory, several slots are prefetched together: BenchmarkFill
// takes 2.3 times as long without that, here and when the index grows.
func (r *Rows) PutPage(page []model.Position, notAfter int64) {
	for some := range slices.Chunk(page, prefetchedTogether) {
		r.makeRoom(len(some))
		var keys [prefetchedTogether]codes
		var homes, tags [prefetchedTogether]uint32
		for i := range some {
			keys[i] = r.newCodes(some[i].Key)
			homes[i], tags[i] = r.index.home(keys[i])
		}
		r.index.prefetch(homes[:len(some)])
		for i := range some {
			p := &some[i]
			number, isNew := r.findOrAdd(keys[i], homes[i], tags[i])
			if isNew || replaces(p, r.Amount(number, model.UpdatedAt), notAfter, true) {
				r.set(number, p)
			}
		}
	}
}

// set sets the position with the number to p, or adds one if the number is 0. It returns the number.
func (r *Rows) set(number uint32, p *model.Position) uint32 {
	if number == 0 {
		number = r.addRecord(p.Key)
	}
	r.noteTime(p.Number(model.UpdatedAt))
	r.write(number, p.Numbers()[:], p.Texts())
	r.at(number).statusOrAsset = uint32(p.Status())
	return number
}

// Position returns the position with the number.
func (r *Rows) Position(number uint32) (p model.Position) {
	r.get(number, &p)
	return p
}

// get sets p to the position with the number.
func (r *Rows) get(number uint32, p *model.Position) {
	p.Key = r.key(number)
	p.Restore(r.Status(number), r.read(number, p.Numbers()[:]))
}

// Status returns the status of the position with the number.
func (r *Rows) Status(number uint32) model.Status { return model.Status(r.at(number).statusOrAsset) }

// StatusName returns the name of the status of the position with the number.
func (r *Rows) StatusName(number uint32) string {
	return r.Status(number).Name(r.texts[number])
}

// Key returns the key of the position with the number.
func (r *Rows) Key(number uint32) model.Key { return r.key(number) }

// Codes returns the codes of the party and the market of the position with the number, in Parties and Markets.
func (r *Rows) Codes(number uint32) (party, market uint32) {
	c := r.codesOf(number)
	return c.party, c.market
}

// Parties returns the parties of the table. They must not be changed.
func (r *Rows) Parties() *model.Dictionary[model.ID] { return &r.parties }

// Markets returns the markets of the table. They must not be changed.
func (r *Rows) Markets() *model.Dictionary[model.ID] { return &r.markets }

// Has reports whether there is a position with the key.
func (r *Rows) Has(key model.Key) bool { return r.number(key) != 0 }

// Find returns the position with the key in a table, and false if there is none.
func Find(r *Rows, key model.Key) (p model.Position, found bool) {
	number := r.number(key)
	if number == 0 {
		return p, false
	}
	return r.Position(number), true
}

// number returns the number of the position with the key, and 0 if there is none.
func (r *Rows) number(key model.Key) uint32 {
	if r == nil {
		return 0
	}
	for number := range r.withKey(key) {
		return number
	}
	return 0
}

// numbersOf sets numbers to those of at most prefetchedTogether positions, 0 if there is none with the key.
//
// In a large table most of the time is spent waiting for memory. So each step is a short loop over all positions, whose
// loads do not depend on each other: the processor waits for many at the same time. BenchmarkFrame of package ui takes
// 1.2 times as long with a million rows if the updates are looked up one by one.
func (r *Rows) numbersOf(positions []model.Position, numbers *[prefetchedTogether]uint32) {
	if r.highest == 0 {
		clear(numbers[:])
		return
	}
	var keys [prefetchedTogether]codes
	var homes, tags [prefetchedTogether]uint32
	for i := range positions {
		var isKnown bool
		if keys[i], isKnown = r.codes(positions[i].Key); !isKnown {
			keys[i] = codes{math.MaxUint32, math.MaxUint32} // which no record has
		}
		homes[i], tags[i] = r.index.home(keys[i])
	}
	r.index.prefetch(homes[:len(positions)])
	for i := range positions {
		_, numbers[i] = r.index.nextSlot(homes[i], tags[i])
	}
	r.touched += r.prefetch(numbers[:len(positions)])
	for i := range positions {
		_, numbers[i] = r.find(keys[i], homes[i], tags[i])
	}
}

// numbersIn returns for each row of a table, by its number, the number of the row with its key in another table; 0 if
// there is none. It looks many up at once, as numbersOf does.
func numbersIn(r, other *Rows) []uint32 {
	numbers := make([]uint32, r.highest+1)
	if other.Len() == 0 {
		return numbers
	}
	parties, markets := codesIn(&r.parties, &other.parties), codesIn(&r.markets, &other.markets)
	var keys [prefetchedTogether]codes
	var homes, tags, some [prefetchedTogether]uint32
	for first := uint32(1); first <= r.highest; first += prefetchedTogether {
		n := min(r.highest-first+1, prefetchedTogether)
		for i := range n {
			c := r.codesOf(first + i)
			keys[i] = codes{parties[c.party], markets[c.market]}
			homes[i], tags[i] = other.index.home(keys[i])
		}
		for i := range n { // the other table is not changed: others may read it
			r.touched += int64(other.index.slots[homes[i]])
		}
		for i := range n {
			_, some[i] = other.index.nextSlot(homes[i], tags[i])
		}
		r.touched += other.prefetch(some[:n])
		for i := range n {
			if r.has(first + i) {
				_, numbers[first+i] = other.find(keys[i], homes[i], tags[i])
			}
		}
	}
	return numbers
}

// codesIn returns, for each code of a dictionary, the code of the same identifier in another one; math.MaxUint32, which
// no record has, if there is none.
func codesIn(d, other *model.Dictionary[model.ID]) []uint32 {
	in := make([]uint32, len(d.Values()))
	for code, id := range d.Values() {
		in[code] = math.MaxUint32
		if found, ok := other.Find(id); ok {
			in[code] = found
		}
	}
	return in
}

// All yields every position once, in no particular order. The table must not be changed during the loop.
func (r *Rows) All(yield func(model.Position) bool) {
	for number := range r.AllNumbers {
		if !yield(r.Position(number)) {
			return
		}
	}
}

// AllNumbers yields the number of every position once. Numbers of positions that were removed are left out. The table
// must not be changed during the loop.
func (r *Rows) AllNumbers(yield func(number uint32) bool) {
	if r != nil {
		r.all(yield)
	}
}

// Remove removes the position with the key and returns it; false if there is none.
func (r *Rows) Remove(key model.Key) (p model.Position, found bool) {
	if p, found = Find(r, key); found {
		r.delete(r.number(key))
	}
	return p, found
}

// Take moves n positions, or all if there are fewer, to the end of into, in no particular order.
func (r *Rows) Take(n int, into []model.Position) []model.Position {
	for ; n > 0 && r.highest > 0; r.highest-- {
		if !r.has(r.highest) {
			delete(r.free, r.highest)
			continue
		}
		into = append(into, r.Position(r.highest))
		r.index.remove(r.codesOf(r.highest), r.highest, r.codesOf)
		delete(r.texts, r.highest)
		n--
	}
	return into
}

// IsNewer reports whether the position with the key has a later time than p. Times that do not count, as those later
// than notAfter, decide nothing.
func (r *Rows) IsNewer(p *model.Position, notAfter int64) bool {
	number := r.number(p.Key)
	return number != 0 && !replaces(p, r.Amount(number, model.UpdatedAt), notAfter, true)
}

// IsOlder reports whether the position with the key has an earlier time than p. Times that do not count, as those later
// than notAfter, decide nothing.
func (r *Rows) IsOlder(p *model.Position, notAfter int64) bool {
	number := r.number(p.Key)
	return number != 0 && replaces(p, r.Amount(number, model.UpdatedAt), notAfter, false)
}

// Clone returns a copy of the table that shares nothing with it. Of a nil Rows it is an empty table.
func (r *Rows) Clone() *Rows {
	if r == nil {
		return NewRows()
	}
	return &Rows{records: r.records.clone(), pairs: r.pairs.Clone()}
}

// NewRowSet returns an empty set with room for all rows of a table.
func NewRowSet(r *Rows) model.RowSet { return model.NewRowSet(r.highest) }

// Row is where a position is stored. It can be used until the book changes. A million of them take 16 MB, and a million
// positions 128.
type Row struct {
	rows   *Rows
	number uint32
}

// Row returns the row with the number.
func (r *Rows) Row(number uint32) Row { return Row{r, number} }

// Key returns the key of the position.
func (r Row) Key() model.Key { return r.rows.key(r.number) }

// Number returns a number of the position.
func (r Row) Number(f model.Field) model.Amount { return r.rows.Amount(r.number, f) }

// Position returns the position.
func (r Row) Position() model.Position { return r.rows.Position(r.number) }

// Get sets p to the position.
func (r Row) Get(p *model.Position) { r.rows.get(r.number, p) }
