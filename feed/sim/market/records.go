package market

import (
	"cmp"
	"crypto/sha256"
	"math"
)

// Key names a position: one party's in one market.
type Key struct{ Party, Market string }

// Status is the state of a position, by its number on the stream.
type Status int32

// The states of the service. There is no 3.
const (
	Unspecified  Status = 0
	OrdersClosed Status = 1
	ClosedOut    Status = 2
	Distressed   Status = 4
)

// NoTime is the UpdatedAt of a position that has none on the wire.
const NoTime = math.MinInt64

// Position is a row of the stream, in the units of the wire: the volume in the market's size decimals, the entry price
// in its price decimals, the other amounts in the asset's decimals. The amounts are texts, of integers of any length;
// one that is empty is written as "0".
type Position struct {
	Party, Market string

	// OpenVolume is the size, signed, + is long. A 0 is absent on the wire.
	OpenVolume int64

	RealisedPnl, UnrealisedPnl string
	AverageEntryPrice          string
	LossSocialisation          string

	// UpdatedAt is Unix time in nanoseconds, or NoTime. A script that leaves it 0 gets the time at which the service
	// takes the position in, or what Node.Stamp makes of that.
	UpdatedAt int64

	// UpdatedAtText is written in place of UpdatedAt if it is not empty.
	UpdatedAtText string

	// Status is a number on the wire, absent when 0.
	Status Status

	// TakerFees and OtherFees are what the party has paid, and MakerFees what it has received. They are no part of the
	// PnL. Updates have them; in snapshots they are "0".
	TakerFees, MakerFees, OtherFees string
}

// Key returns the name of the position.
func (p Position) Key() Key { return Key{p.Party, p.Market} }

// Row is a position as the service holds it. A row does not change once the service has it: streams read it without a
// lock. The fields that only a trade changes are in Traded, which successive rows share; those that change with
// the mark price are beside it.
type Row struct {
	Traded     *Position // all but the two below; UnrealisedPnl too if a script has set it
	unrealised int128    // if no script has set it
	UpdatedAt  int64

	// Slot is the row's place in the service's list, so that the next row of the position, which has the same, is put
	// there without a search; 0 if it has none yet. Without it BenchmarkUpdates of package sim takes twice as long.
	Slot int32

	// Plain reports whether the texts are their own JSON form.
	Plain bool
}

// NewRow returns the row of a position.
func NewRow(p Position) *Row {
	plain := defaultAmounts(&p.RealisedPnl, &p.UnrealisedPnl, &p.AverageEntryPrice, &p.LossSocialisation,
		&p.TakerFees, &p.MakerFees, &p.OtherFees)
	plain = plain && isPlain(p.Party) && isPlain(p.Market) && isPlain(p.UpdatedAtText)
	return &Row{Traded: &p, UpdatedAt: p.UpdatedAt, Plain: plain}
}

// Key returns the name of the position.
func (r *Row) Key() Key { return r.Traded.Key() }

// Position returns the row with its parts together.
func (r *Row) Position() Position {
	p := *r.Traded
	p.UnrealisedPnl, p.UpdatedAt = cmp.Or(p.UnrealisedPnl, r.unrealised.text()), r.UpdatedAt
	return p
}

// AppendUnrealised appends the unrealised PnL, if no script has set it.
func (r *Row) AppendUnrealised(b []byte) []byte { return r.unrealised.append(b) }

// MarginKey names a record of margin levels.
type MarginKey struct{ Party, Market, Asset string }

// MarginMode is the name of a margin mode on the wire.
type MarginMode string

// The margin modes. With IsolatedMargin, nothing is searched for or released: both levels are "0".
const (
	CrossMargin    MarginMode = "MARGIN_MODE_CROSS_MARGIN"
	IsolatedMargin MarginMode = "MARGIN_MODE_ISOLATED_MARGIN"
)

// MarginLevels is a record of the margin levels list: what one party needs to keep its position in one market, in the
// decimals of the asset.
type MarginLevels struct {
	Party, Market, Asset string

	Maintenance, Search, Initial, Release string

	// Mode is the margin mode; an empty one is written as CrossMargin. Factor is a decimal number, and OrderMargin an
	// amount; empty ones are written as "0".
	Mode                MarginMode
	Factor, OrderMargin string

	// Timestamp is Unix time in nanoseconds, and the record's place in the list. A script that leaves it 0 gets the
	// time at which the service takes the record in.
	Timestamp int64
}

// Key returns the name of the record.
func (m MarginLevels) Key() MarginKey { return MarginKey{m.Party, m.Market, m.Asset} }

// Account puts margin levels records of one time in order, as the service's own account identifier does.
type Account [sha256.Size]byte

// MarginRecord is a record of margin levels as the service holds it. It is never changed once the service has it.
type MarginRecord struct {
	MarginLevels
	Account Account

	// Plain reports whether the texts are their own JSON form.
	Plain bool
}

// NewMarginRecord returns the record of margin levels.
func NewMarginRecord(m MarginLevels) *MarginRecord {
	plain := defaultAmounts(&m.Maintenance, &m.Search, &m.Initial, &m.Release, &m.Factor, &m.OrderMargin)
	m.Mode = cmp.Or(m.Mode, CrossMargin)
	plain = plain && isPlain(m.Party) && isPlain(m.Market) && isPlain(m.Asset) && isPlain(string(m.Mode))
	return &MarginRecord{MarginLevels: m, Account: sha256.Sum256([]byte(m.Party + "/" + m.Market + "/" + m.Asset)), Plain: plain}
}

// defaultAmounts replaces amounts that are empty, and reports whether all are their own JSON form.
func defaultAmounts(amounts ...*string) bool {
	plain := true
	for _, amount := range amounts {
		if *amount == "" {
			*amount = "0"
		}
		plain = plain && isPlain(*amount)
	}
	return plain
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
