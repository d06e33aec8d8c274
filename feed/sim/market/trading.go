package market

// A market's trades are between two of its holdings, so the gain of one is the loss of the other: the volumes of a
// market always add up to zero, and so do its profits, realised, unrealised and socialised together.

// trade moves a volume from the seller to the buyer, at a price in fine units.
func (m *market) trade(buyer, seller *holding, volume, price int64) {
	m.fill(buyer, volume, price)
	m.fill(seller, -volume, price)
}

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

// tradeSome makes a few trades near the mark.
func (m *market) tradeSome() {
	for range 1 + m.random.IntN(1+len(m.holdings)/100) {
		one, other := m.any(), m.any()
		if one == other || one.inTrouble() || other.inTrouble() {
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

func (h *holding) inTrouble() bool { return h.status == Distressed || h.status == OrdersClosed }

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

// distress moves holdings from one state to the next: distressed, then without orders, then closed out or normal again.
// Now and then another one becomes distressed.
func (m *market) distress() {
	still := m.troubled[:0]
	for _, i := range m.troubled {
		h := &m.holdings[i]
		if m.random.IntN(4) == 0 {
			m.nextState(h)
		}
		if h.inTrouble() {
			still = append(still, i)
		}
	}
	m.troubled = still
	if m.random.IntN(8) != 0 {
		return
	}
	i := m.random.IntN(len(m.holdings))
	h := &m.holdings[i]
	if i != 0 && h.volume != 0 && h.status == Unspecified && m.unrealised(h).high < 0 {
		h.status, h.changed = Distressed, true
		m.troubled = append(m.troubled, i)
	}
}

// nextState moves a holding in trouble one state on.
func (m *market) nextState(h *holding) {
	h.changed = true
	switch {
	case h.status == Distressed:
		h.status = OrdersClosed
	case m.random.IntN(3) == 0:
		h.status = Unspecified
	default:
		m.closeOut(h)
	}
}

// closeOut transfers a holding to the network, at the mark. Every other time the party cannot pay for all of it, and
// another party loses a little.
func (m *market) closeOut(h *holding) {
	unpaid := m.value(int64(magnitude(h.volume)), m.mark).over(1000)
	m.trade(&m.holdings[0], h, h.volume, m.mark)
	h.status = ClosedOut
	if payer := m.any(); m.random.IntN(2) == 0 && payer != h {
		h.realised = h.realised.plus(unpaid)
		payer.loss = payer.loss.minus(unpaid)
		payer.changed = true
	}
}
