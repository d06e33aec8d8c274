package market

// A market's trades are between two of its holdings, so the gain of one is the loss of the other: the volumes of a
// market always add up to zero. Its profits do too: realised, unrealised and socialised together.

// trade moves a volume from the seller to the buyer, at a price in fine units.
func (m *market) trade(buyer, seller *holding, volume, price int64) {
	m.fill(buyer, volume, price)
	m.fill(seller, -volume, price)
	fee := m.value(int64(magnitude(volume)), price).over(10_000)
	buyer.fees.taker = buyer.fees.taker.plus(fee.times(2))
	buyer.fees.other = buyer.fees.other.plus(fee)
	seller.fees.maker = seller.fees.maker.plus(fee.times(2))
}

// fees are what a holding has paid and received.
type fees struct{ taker, maker, other int128 }

// fill adds a signed volume to a holding. The entry price is averaged by volume and rounded to ticks; what the rounding
// leaves is realised at once, so that the sum of all amounts stays 0.
func (m *market) fill(h *holding, volume, price int64) {
	before, entry := h.volume, h.entry
	h.volume += volume
	ticks := (price + m.perTick/2) / m.perTick
	switch {
	case h.volume == 0:
		h.entry = 0
	case before == 0 || (before < 0) != (h.volume < 0):
		h.entry = ticks
	case magnitude(h.volume) > magnitude(before):
		h.entry = (before*entry + volume*ticks) / h.volume
	}
	h.realised = h.realised.
		plus(m.value(h.volume, h.entry*m.perTick)).
		minus(m.value(before, entry*m.perTick)).
		minus(m.value(volume, price))
	h.changed = true
	if h.status == ClosedOut {
		h.status = Unspecified
	}
}

func (m *market) tradeSome() {
	for range 1 + m.random.IntN(1+len(m.holdings)/100) {
		one, other := m.any(), m.any()
		if one == other || !m.mayTrade(one) || !m.mayTrade(other) {
			continue
		}
		volume := m.size(one)
		if after := magnitude(other.volume - volume); after > m.limit() && after > magnitude(other.volume) {
			continue
		}
		m.trade(one, other, volume, m.mark+between(m.random, m.mark/10_000))
	}
}

// limit returns the size beyond which a holding does not grow.
func (m *market) limit() uint64 { return 8 * uint64(m.largest) }

// any returns a holding at random.
func (m *market) any() *holding { return &m.holdings[m.random.IntN(len(m.holdings))] }

// mayTrade reports whether a holding trades: one in trouble does not, nor the one that the mark runs against.
func (m *market) mayTrade(h *holding) bool { return !h.inTrouble() && h != m.run.against }

// size returns what a holding trades: now and then it closes or reverses, and one that has grown large gets smaller.
func (m *market) size(h *holding) int64 {
	volume := 1 + m.random.Int64N(m.largest)
	switch chance := m.random.IntN(8); {
	case chance == 0 && h.volume != 0:
		return -h.volume
	case chance == 1 && h.volume != 0:
		return -2 * h.volume
	case magnitude(h.volume) > m.limit():
		if h.volume > 0 {
			return -volume
		}
		return volume
	case m.random.IntN(2) == 0:
		return -volume
	default:
		return volume
	}
}
