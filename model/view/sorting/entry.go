package sorting

import "blotter/model"

// Entry is one row in a view: where the row is, and next to it the values that a filter and the order need. The rows
// themselves are far apart in memory, and reading each of a million of them takes longer than all other work of a
// filter. It has no pointers, so that the garbage collector does not read entries.
type Entry struct {
	Table uint32 // its number
	Row   uint32 // its number in the table
	Codes uint64 // from the highest bit: the codes of the party, the market and the status, and the side
	Rank  Rank   // if the rows are sorted by a number, its rank; else 0, except during the sort
}

// How many bits each of an entry's codes has. A million rows have fewer than 2^26 parties. But a service can send
// any number of statuses: those that come after 1023 others have no code of their own.
const (
	sideBits       = 2
	statusBits     = 10
	idBits         = 26
	NoStatusCode   = 1<<statusBits - 1
	cachedStatuses = 8 // the statuses 0 to 7: their codes are found without their names
)

// withCodes returns the entry with codes.
func (e Entry) withCodes(party, market, status uint32, side model.Side) Entry {
	e.Codes = (uint64(party)<<idBits|uint64(market))<<(statusBits+sideBits) | uint64(status)<<sideBits | uint64(side)
	return e
}

// Side returns the side of the row.
func (e Entry) Side() model.Side { return model.Side(e.Codes & (1<<sideBits - 1)) }

// Status returns the code of the status, which is NoStatusCode if it has none.
func (e Entry) Status() uint32 { return uint32(e.Codes >> sideBits & (1<<statusBits - 1)) }

// Market returns the code of the market.
func (e Entry) Market() uint32 { return uint32(e.Codes >> (sideBits + statusBits) & (1<<idBits - 1)) }

// Party returns the code of the party.
func (e Entry) Party() uint32 { return uint32(e.Codes >> (sideBits + statusBits + idBits)) }

// Open returns 1 for an open position, else 0.
func (e Entry) Open() int {
	if e.Side() == model.Flat {
		return 0
	}
	return 1
}
