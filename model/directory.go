package model

import "slices"

// directory gives the parties, markets and statuses of a view small numbers, so that what is true of one (it
// matches a filter, it settles in an asset) is found in a slice. It also knows which asset each market settles in.
type directory struct {
	instruments *Instruments
	parties     numbering[ID]
	markets     numbering[ID]
	assets      numbering[ID]
	statuses    numbering[string]
	settlement  []uint32 // the number of a market's asset, by that of the market
}

// numbering is things and their numbers, which count from 0.
type numbering[K comparable] struct {
	numbers map[K]uint32
	all     []K
}

// number is the number of k, a new one where it has none.
func (n *numbering[K]) number(k K) uint32 {
	number, ok := n.numbers[k]
	if !ok {
		if n.numbers == nil {
			n.numbers = make(map[K]uint32)
		}
		number = uint32(len(n.all))
		n.numbers[k] = number
		n.all = append(n.all, k)
	}
	return number
}

// sort numbers everything anew, in order, and returns the new number for each old one.
func (n *numbering[K]) sort(compare func(a, b K) int) []uint32 {
	before := n.all
	n.all = slices.SortedFunc(slices.Values(before), compare)
	for number, k := range n.all {
		n.numbers[k] = uint32(number)
	}
	renumbered := make([]uint32, len(before))
	for number, k := range before {
		renumbered[number] = n.numbers[k]
	}
	return renumbered
}

// entry is a row of a book and, in numbers of a directory, what a filter asks about it. Rows lie far apart in
// memory: to look at each of a million of them takes longer than all else that a filter does.
type entry struct {
	row    *Position
	facets uint64 // from the highest bit on: the party, the market, the status, the side
}

// The bits of the facets. There is no memory for 2^26 identifiers, but a service can make statuses up:
// those that come late have no number.
const (
	sideBits   = 2
	statusBits = 10
	idBits     = 26
	unnumbered = 1<<statusBits - 1
)

// side is on which side of the market a position is.
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
	facets := uint64(party)<<idBits | uint64(market)
	return entry{row, facets<<(statusBits+sideBits) | uint64(status)<<sideBits | uint64(side)}
}

func (e entry) side() side     { return side(e.facets & (1<<sideBits - 1)) }
func (e entry) status() uint32 { return uint32(e.facets >> sideBits & (1<<statusBits - 1)) }
func (e entry) market() uint32 { return uint32(e.facets >> (sideBits + statusBits) & (1<<idBits - 1)) }
func (e entry) party() uint32  { return uint32(e.facets >> (sideBits + statusBits + idBits)) }

// open is 1 where the party holds anything, else 0.
func (e entry) open() int {
	if e.side() == flat {
		return 0
	}
	return 1
}

// entry is the entry of a row.
func (d *directory) entry(row *Position) entry {
	party, market := d.parties.number(row.Party), d.markets.number(row.Market)
	d.settle()
	return d.state(row, party, market)
}

// state is the entry of a row whose party and market have these numbers.
func (d *directory) state(row *Position, party, market uint32) entry {
	status := uint32(unnumbered)
	if name := row.StatusName(); len(d.statuses.all) < unnumbered {
		status = d.statuses.number(name)
	} else if number, ok := d.statuses.numbers[name]; ok {
		status = number
	}
	return newEntry(row, party, market, status, sideOf(row))
}

// settle looks up the assets of the markets that are new.
func (d *directory) settle() {
	for _, id := range d.markets.all[len(d.settlement):] {
		d.settlement = append(d.settlement, d.assets.number(d.instruments.Market(id).Asset))
	}
}

// entries are the entries of all rows of the book. At first their numbers go up as their keys do.
func (d *directory) entries(book *Book) []entry {
	var entries []entry
	for row := range book.All {
		entries = append(entries, d.entry(row))
	}
	parties, markets := d.parties.sort(ID.Compare), d.markets.sort(ID.Compare)
	for i, e := range entries {
		entries[i] = newEntry(e.row, parties[e.party()], markets[e.market()], e.status(), e.side())
	}
	d.settlement = d.settlement[:0]
	d.settle()
	return entries
}
