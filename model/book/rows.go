package book

import (
	"slices"

	"blotter/model"
	"blotter/model/dictionary"
)

// Rows is a table of the positions of one subscription, by key. They are stored as records. A nil Rows is an empty
// table.
type Rows struct {
	records
	waits   waits
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

// PutPage puts each position of a page, as PutUnlessOlder does.
//
// As in MergeThrough, many positions are prefetched together: BenchmarkFill takes 2.3 times as long without that, here
// and when the index grows.
func (r *Rows) PutPage(page []model.Position, notAfter int64) {
	for some := range slices.Chunk(page, PrefetchedTogether) {
		r.makeRoom(len(some))
		var keys [PrefetchedTogether]codes
		var homes, tags [PrefetchedTogether]uint32
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
		number = r.add(p.Key)
	}
	r.write(number, p.Numbers(), p.Texts())
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
	p.Restore(r.Status(number), r.read(number, p.Numbers()))
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
func (r *Rows) Parties() *dictionary.Of[model.ID] { return &r.parties }

// Markets returns the markets of the table. They must not be changed.
func (r *Rows) Markets() *dictionary.Of[model.ID] { return &r.markets }

// Has reports whether there is a position with the key.
func (r *Rows) Has(key model.Key) bool { return r.number(key) != 0 }

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
	number := r.number(key)
	if number == 0 {
		return p, false
	}
	p = r.Position(number)
	r.delete(number)
	return p, true
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

// find sets numbers to those of at most PrefetchedTogether positions, 0 if there is none with the key, and loads the
// rows into the processor's cache. The loads in a loop do not depend on each other, so the processor waits for all of
// them at the same time, not for one after the other: the shorter the loop, the more of them.
func (r *Rows) find(positions []model.Position, numbers *[PrefetchedTogether]uint32) {
	if r.highest == 0 {
		clear(numbers[:])
		return
	}
	var keys [PrefetchedTogether]codes
	var homes, tags [PrefetchedTogether]uint32
	for i := range positions {
		keys[i], _ = r.codes(positions[i].Key)
		homes[i], tags[i] = r.index.home(keys[i])
	}
	r.index.prefetch(homes[:len(positions)])
	for i := range positions {
		_, numbers[i] = r.index.next(homes[i], tags[i])
	}
	r.touched += r.prefetch(numbers[:len(positions)])
	for i := range positions {
		if number := numbers[i]; number != 0 && r.key(number) != positions[i].Key {
			numbers[i] = r.number(positions[i].Key)
		}
	}
}
