package market

import (
	"math/rand/v2"
	"strconv"
)

// market is one market of the exchange, with all that is held in it.
//
// Its prices are kept finer than the wire has them: a tick of the price decimals is perTick of the unit used here, so
// that profits have digits down to the last place of the asset, as real ones do.
type market struct {
	Market
	random *rand.Rand

	mark, usual int64  // the mark price, and the price that it returns to
	perTick     int64  // fine units of price in one tick
	perFine     uint64 // asset units in a size of one at a price of one fine unit

	largest int64  // the largest size of one trade
	risk    uint64 // maintenance margin, in hundredths of a percent of the notional

	holdings  []holding // the network's is the first
	run       run
	turnsNext bool // the next run turns
}

// holding is what one party has in the market.
type holding struct {
	party    string
	volume   int64 // in size decimals
	entry    int64 // average price in ticks; 0 when the volume is
	realised int128
	loss     int128 // by loss socialisation
	status   Status
	isolated bool // its margin is isolated
	fees     fees

	changed bool // since the last block
	row     *Row
	margin  *MarginRecord
}

// finest bounds how many digits a mark has beyond the price decimals, so that it fits 64 bits.
const finest = 12

func newMarket(random *rand.Rand, names Market, asset Asset, c coin) *market {
	spare := asset.Decimals - names.SizeDecimals - names.PriceDecimals
	fine := min(spare, finest)
	m := &market{
		Market:  names,
		random:  random,
		perTick: power(fine),
		perFine: uint64(power(spare - fine)),
		risk:    200 + random.Uint64N(800),
	}
	// No two markets of a coin have the same price.
	m.usual = c.price*m.perTick + between(random, c.price*m.perTick/100)
	m.mark = m.usual
	const notional = 200_000
	m.largest = notional * power(names.PriceDecimals+names.SizeDecimals) / c.price
	return m
}

// power returns a power of ten.
func power(exponent int) int64 {
	result := int64(1)
	for range exponent {
		result *= 10
	}
	return result
}

// between returns a random number from -limit to +limit.
func between(random *rand.Rand, limit int64) int64 {
	return random.Int64N(2*limit+1) - limit
}

// value returns what a size is worth at a price in fine units.
func (m *market) value(volume, price int64) int128 {
	return product(volume, price).times(m.perFine)
}

// unrealised returns size x (mark - entry), in asset units.
func (m *market) unrealised(h *holding) int128 {
	return m.value(h.volume, m.mark-h.entry*m.perTick)
}

// maintenance returns the maintenance margin of a holding at the mark.
func (m *market) maintenance(h *holding) int128 {
	return m.value(int64(magnitude(h.volume)), m.mark).times(m.risk).over(10_000)
}

// rows appends a row for each holding whose position has changed: those that changed, and the open ones, whose profit
// the mark changes.
func (m *market) rows(rows []*Row, updatedAt int64) []*Row {
	for i := range m.holdings {
		h := &m.holdings[i]
		if !h.changed && h.volume == 0 {
			continue
		}
		next := &Row{unrealised: m.unrealised(h), UpdatedAt: updatedAt, Plain: true}
		if h.row != nil {
			next.Traded, next.Slot = h.row.Traded, h.row.Slot
		}
		if h.changed || h.row == nil {
			next.Traded = &Position{
				Party:             h.party,
				Market:            m.ID,
				OpenVolume:        h.volume,
				RealisedPnl:       h.realised.text(),
				AverageEntryPrice: strconv.FormatInt(h.entry, 10),
				LossSocialisation: h.loss.text(),
				Status:            h.status,
				TakerFees:         h.fees.taker.text(),
				MakerFees:         h.fees.maker.text(),
				OtherFees:         h.fees.other.text(),
			}
		}
		h.row = next
		rows = append(rows, next)
	}
	return rows
}

// isolatedFactor is the part of the notional that is the margin of an isolated holding.
const isolatedFactor = "0.25"

// marginRecord returns the margin levels of an open holding.
func (m *market) marginRecord(h *holding, timestamp int64) *MarginRecord {
	maintenance := m.maintenance(h)
	times := func(tenths uint64) string { return maintenance.times(tenths).over(10).text() }
	levels := MarginLevels{
		Party: h.party, Market: m.ID, Asset: m.AssetID,
		Maintenance: times(10), Search: times(11), Initial: times(15), Release: times(17),
		Timestamp: timestamp,
	}
	if h.isolated {
		levels.Search, levels.Release = "0", "0"
		levels.Mode, levels.Factor, levels.OrderMargin = IsolatedMargin, isolatedFactor, times(2)
	}
	h.margin = NewMarginRecord(levels)
	return h.margin
}
