package model

import "slices"

// entry stands for one row in a view: a pointer to the row, and next to it what a filter and the order ask for. The
// rows themselves are far apart in memory, and reading each of a million of them takes longer than all other work of a
// filter.
type entry struct {
	row   *Position
	codes uint64 // from the highest bit: the codes of the party, the market and the status, and the side
	rank  rank   // where the rows are sorted by a number, its rank; else 0, except during the sort
}

// How many bits each of an entry's codes has. A million rows have fewer than 2^26 parties. But a service can invent
// statuses: those that come after 1023 others have no code of their own.
const (
	sideBits       = 2
	statusBits     = 10
	idBits         = 26
	noStatusCode   = 1<<statusBits - 1
	cachedStatuses = 8 // the statuses 0 to 7: their codes are found without their names
)

// side is the side of the market that a position is on.
type side uint8

const (
	flat side = iota
	long
	short
	sides
)

func sideOf(p *Position) side {
	switch p.Number(OpenVolume).Sign() {
	case +1:
		return long
	case -1:
		return short
	}
	return flat
}

func newEntry(row *Position, party, market, status uint32, side side) entry {
	codes := uint64(party)<<idBits | uint64(market)
	return entry{row: row, codes: codes<<(statusBits+sideBits) | uint64(status)<<sideBits | uint64(side)}
}

func (e entry) side() side     { return side(e.codes & (1<<sideBits - 1)) }
func (e entry) status() uint32 { return uint32(e.codes >> sideBits & (1<<statusBits - 1)) }
func (e entry) market() uint32 { return uint32(e.codes >> (sideBits + statusBits) & (1<<idBits - 1)) }
func (e entry) party() uint32  { return uint32(e.codes >> (sideBits + statusBits + idBits)) }

// open returns 1 for an open position, else 0.
func (e entry) open() int {
	if e.side() == flat {
		return 0
	}
	return 1
}

// encoder makes the entries of a view. It has a dictionary for each kind of text, so that a fact about a text (does it
// match the filter?) is worked out once and found in a slice by the text's code.
type encoder struct {
	instruments *Instruments
	margins     *Margins
	parties     dictionary[ID]
	markets     dictionary[ID]
	assets      dictionary[ID]
	statuses    dictionary[string]
	statusCodes [cachedStatuses]uint32 // 1 + the code of each of these statuses; 0 where it has none yet
	assetCodes  []uint32               // the code of a market's settlement asset, by the code of the market
}

// dictionary gives each of its values a code, as dictionary encoding does. Codes count from 0.
type dictionary[V comparable] struct {
	codes  map[V]uint32
	values []V // by code
}

// code returns the code of v. It adds v where it is new.
func (d *dictionary[V]) code(v V) uint32 {
	code, ok := d.codes[v]
	if !ok {
		if d.codes == nil {
			d.codes = make(map[V]uint32)
		}
		code = uint32(len(d.values))
		d.codes[v] = code
		d.values = append(d.values, v)
	}
	return code
}

// sort gives all values new codes, in order, and returns the new code for each old one.
func (d *dictionary[V]) sort(compare func(v, w V) int) []uint32 {
	before := d.values
	d.values = slices.SortedFunc(slices.Values(before), compare)
	for code, v := range d.values {
		d.codes[v] = uint32(code)
	}
	newCodes := make([]uint32, len(before))
	for code, v := range before {
		newCodes[code] = d.codes[v]
	}
	return newCodes
}

// entry returns the entry of a row, without its rank.
func (c *encoder) entry(row *Position) entry {
	party, market := c.parties.code(row.Party), c.markets.code(row.Market)
	c.encodeAssets()
	return c.entryOf(row, party, market)
}

// entryOf returns the entry of a row whose party and market have these codes, without its rank.
func (c *encoder) entryOf(row *Position, party, market uint32) entry {
	return newEntry(row, party, market, c.status(row), sideOf(row))
}

// entries returns the entries of all rows of the book that are in scope, without their ranks. It may be called once,
// first. After it the codes of parties and markets are in the order of their labels; those of later ones are not.
func (c *encoder) entries(book *Book, scope *Scope) []entry {
	entries := make([]entry, 0, book.Len())
	for row := range book.All {
		if scope.Covers(row.Key) {
			entries = append(entries, c.entry(row))
		}
	}
	parties, markets := c.parties.sort(c.instruments.compareParties), c.markets.sort(c.instruments.compareMarkets)
	for i, e := range entries {
		entries[i] = newEntry(e.row, parties[e.party()], markets[e.market()], e.status(), e.side())
	}
	c.assetCodes = c.assetCodes[:0]
	c.encodeAssets()
	return entries
}

// encodeAssets adds the settlement assets of new markets.
func (c *encoder) encodeAssets() {
	for _, id := range c.markets.values[len(c.assetCodes):] {
		c.assetCodes = append(c.assetCodes, c.assets.code(c.instruments.Market(id).Asset))
	}
}

// status returns the code of a row's status, and noStatusCode where there are too many statuses.
func (c *encoder) status(row *Position) uint32 {
	if s := row.status; 0 <= s && s < cachedStatuses {
		if c.statusCodes[s] == 0 {
			c.statusCodes[s] = c.statusNamed(row.StatusName()) + 1
		}
		return c.statusCodes[s] - 1
	}
	return c.statusNamed(row.StatusName())
}

func (c *encoder) statusNamed(name string) uint32 {
	if _, known := c.statuses.codes[name]; !known && len(c.statuses.values) >= noStatusCode {
		return noStatusCode
	}
	return c.statuses.code(name)
}
