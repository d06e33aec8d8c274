package view

import "blotter/model"

// entry is one row in a view: where the row is, and next to it the values that a filter and the order need. The rows
// themselves are far apart in memory, and reading each of a million of them takes longer than all other work of a
// filter. It has no pointers, so that the garbage collector does not read entries.
type entry struct {
	table uint32 // its number
	row   uint32 // its number in the table
	codes uint64 // from the highest bit: the codes of the party, the market and the status, and the side
	rank  rank   // if the rows are sorted by a number, its rank; else 0, except during the sort
}

// How many bits each of an entry's codes has. A million rows have fewer than 2^26 parties. But a service can send
// any number of statuses: those that come after 1023 others have no code of their own.
const (
	sideBits       = 2
	statusBits     = 10
	idBits         = 26
	noStatusCode   = 1<<statusBits - 1
	cachedStatuses = 8 // the statuses 0 to 7: their codes are found without their names
)

// withCodes returns the entry with codes.
func (e entry) withCodes(party, market, status uint32, side model.Side) entry {
	e.codes = (uint64(party)<<idBits|uint64(market))<<(statusBits+sideBits) | uint64(status)<<sideBits | uint64(side)
	return e
}

func (e entry) side() model.Side { return model.Side(e.codes & (1<<sideBits - 1)) }
func (e entry) status() uint32   { return uint32(e.codes >> sideBits & (1<<statusBits - 1)) }
func (e entry) market() uint32   { return uint32(e.codes >> (sideBits + statusBits) & (1<<idBits - 1)) }
func (e entry) party() uint32    { return uint32(e.codes >> (sideBits + statusBits + idBits)) }

// open returns 1 for an open position, else 0.
func (e entry) open() int {
	if e.side() == model.Flat {
		return 0
	}
	return 1
}
