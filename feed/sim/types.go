package sim

import (
	"blotter/feed/sim/market"
	"blotter/feed/sim/memnet"
)

// The types of the data, which package market makes, for the users of the service.
type (
	// Position is a row of the stream.
	Position = market.Position
	// Key names a position.
	Key = market.Key
	// Status is the state of a position.
	Status = market.Status
	// MarginLevels is a record of the margin levels list.
	MarginLevels = market.MarginLevels
	// MarginMode is the name of a margin mode.
	MarginMode = market.MarginMode
	// MarginKey names a record of margin levels.
	MarginKey = market.MarginKey

	// Instruments are the names of what a market trades.
	Instruments = market.Instruments
)

// The states of a position that is in trouble, in the order in which it gets them.
const (
	Distressed   = market.Distressed
	OrdersClosed = market.OrdersClosed
	ClosedOut    = market.ClosedOut
)

// IsolatedMargin is a margin mode; a record without one has the other.
const IsolatedMargin = market.IsolatedMargin

// NoTime is the UpdatedAt of a position that has none on the wire.
const NoTime = market.NoTime

// Listener is a net.Listener in memory, for a service that is reached inside the program.
type Listener = memnet.Listener

// Listen returns a listener whose connections hold 256 KiB in each direction.
func Listen() *Listener { return memnet.Listen() }
