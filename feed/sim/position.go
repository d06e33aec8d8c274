package sim

import (
	"encoding/json"
	"strconv"
)

// Key names a position: one party's in one market.
type Key struct{ Party, Market string }

// Status is the state of a position, by its number on the stream.
type Status int32

// The states that the service knows. There is no 3.
const (
	Unspecified  Status = 0
	OrdersClosed Status = 1
	ClosedOut    Status = 2
	Distressed   Status = 4
)

// Position is a row of the stream, in the units of the wire: the volume in
// the market's size decimals, the entry price in its price decimals, the other
// amounts in the asset's decimals. The amounts are texts, of integers of any
// length; one left empty is written as "0".
type Position struct {
	Party, Market string

	// OpenVolume is the size, signed, + is long. A 0 is absent on the wire.
	OpenVolume int64

	RealisedPnl, UnrealisedPnl string
	AverageEntryPrice          string
	LossSocialisation          string

	// UpdatedAt is Unix time in nanoseconds, or NoTime. A script that leaves it 0 gets the time at which the service
	// takes the position in, or what Stamp makes of that.
	UpdatedAt int64

	// Status is a number on the wire, absent when 0.
	Status Status
}

// Key returns the name of the position.
func (p Position) Key() Key { return Key{p.Party, p.Market} }

// row is a position as the service holds it. A row is never changed once it
// is in the world: streams read it without a lock.
//
// What moves with the mark price is apart from what only a trade changes: the
// many rows that follow a mark share the rest with their predecessors.
type row struct {
	still      *Position
	unrealised string
	updatedAt  int64

	// slot is where the row stands in the world, so that its successor, which
	// is copied from it, finds the place at once; 0 where it has none yet.
	slot int32

	// plain says that the texts need no JSON escapes.
	plain bool
}

// newRow checks once what would else be checked each time the row is written.
func newRow(p Position) *row {
	for _, amount := range []*string{&p.RealisedPnl, &p.UnrealisedPnl, &p.AverageEntryPrice, &p.LossSocialisation} {
		if *amount == "" {
			*amount = "0"
		}
	}
	plain := isPlain(p.Party) && isPlain(p.Market) && isPlain(p.RealisedPnl) && isPlain(p.UnrealisedPnl) &&
		isPlain(p.AverageEntryPrice) && isPlain(p.LossSocialisation)
	return &row{still: &p, unrealised: p.UnrealisedPnl, updatedAt: onWire(p.UpdatedAt), plain: plain}
}

// position is the row with its parts together.
func (r *row) position() Position {
	p := *r.still
	p.UnrealisedPnl, p.UpdatedAt = r.unrealised, r.updatedAt
	if r.updatedAt == 0 {
		p.UpdatedAt = NoTime
	}
	return p
}

// onWire returns a time as a row has it: 0 is absent on the wire.
func onWire(updatedAt int64) int64 {
	if updatedAt == NoTime {
		return 0
	}
	return updatedAt
}

// The keys that follow the status on the wire. They take as much room as they
// do on a real service.
const fees = `,"takerFeesPaid":"0","makerFeesReceived":"0","feesPaid":"0"` +
	`,"takerFeesPaidSince":"0","makerFeesReceivedSince":"0","feesPaidSince":"0"` +
	`,"fundingPaymentAmount":"0","fundingPaymentAmountSince":"0"}`

// append writes the row as the stream has it: zeros of the numbers are
// omitted, 64-bit integers and amounts are strings, the status is a number.
func (r *row) append(b []byte) []byte {
	p := r.still
	b = append(b, `{"marketId":`...)
	b = appendText(b, p.Market, r.plain)
	b = append(b, `,"partyId":`...)
	b = appendText(b, p.Party, r.plain)
	if p.OpenVolume != 0 {
		b = append(b, `,"openVolume":"`...)
		b = strconv.AppendInt(b, p.OpenVolume, 10)
		b = append(b, '"')
	}
	b = append(b, `,"realisedPnl":`...)
	b = appendText(b, p.RealisedPnl, r.plain)
	b = append(b, `,"unrealisedPnl":`...)
	b = appendText(b, r.unrealised, r.plain)
	b = append(b, `,"averageEntryPrice":`...)
	b = appendText(b, p.AverageEntryPrice, r.plain)
	if r.updatedAt != 0 {
		b = append(b, `,"updatedAt":"`...)
		b = strconv.AppendInt(b, r.updatedAt, 10)
		b = append(b, '"')
	}
	b = append(b, `,"lossSocialisationAmount":`...)
	b = appendText(b, p.LossSocialisation, r.plain)
	if p.Status != Unspecified {
		b = append(b, `,"positionStatus":`...)
		b = strconv.AppendInt(b, int64(p.Status), 10)
	}
	return append(b, fees...)
}

// appendText writes a JSON string. One known to be plain is only quoted.
func appendText(b []byte, text string, plain bool) []byte {
	if plain {
		b = append(b, '"')
		b = append(b, text...)
		return append(b, '"')
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return append(b, quoted...)
}

// isPlain reports whether a text is its own JSON form.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
