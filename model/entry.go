package model

// entry is a row of a book and, in numbers of a directory, what a filter asks about it. Rows lie far apart in
// memory: to look at each of a million of them takes longer than all else that a filter does.
type entry struct {
	row    *Position
	facets uint64 // from the highest bit on: the party, the market, the status, the side
	rank   rank   // of its number where rows are in order of a number; else 0, but while they are sorted
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
	return entry{row: row, facets: facets<<(statusBits+sideBits) | uint64(status)<<sideBits | uint64(side)}
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
