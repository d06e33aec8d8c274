package market

// populate makes the holdings at the start. The network is in every market, so that it can take over what is closed
// out.
func (m *market) populate(parties []Party, dense bool) {
	for i, party := range parties {
		if dense || i < 2 || m.random.IntN(2) == 0 {
			m.holdings = append(m.holdings, holding{party: party.ID, isolated: len(m.holdings)%4 == 3})
		}
	}
	// All trade twice, then some close again.
	for range 2 {
		for i, j := range m.random.Perm(len(m.holdings)) {
			m.openingTrade(i, j, 1+m.random.Int64N(m.largest))
		}
	}
	for i := range m.holdings {
		if m.random.IntN(8) == 0 {
			m.openingTrade(i, m.random.IntN(len(m.holdings)), -m.holdings[i].volume)
		}
	}
	for i := range m.holdings {
		h := &m.holdings[i]
		h.changed = true // also those that have not traded
		if i > 0 && h.volume == 0 && m.random.IntN(4) == 0 {
			h.status = ClosedOut
		}
	}
	m.updateStatuses()
}

// openingTrade is a trade of the time before the start. Its price is at most half of the maintenance margin from the
// mark.
func (m *market) openingTrade(i, j int, volume int64) {
	if i != j {
		m.trade(&m.holdings[i], &m.holdings[j], volume, m.mark+between(m.random, int64(product(m.mark, int64(m.risk)).over(20_000).low)))
	}
}
