package market

// The status of a holding follows its loss: what the mark has taken of its maintenance margin. Now and then a mark runs
// against a holding until that is closed out, so that whoever watches for a few minutes sees it happen.

// The losses, in percent of the maintenance margin, that change the status of a holding. First its orders are closed;
// most are well again after that. It is closed out in one step, but where the market does not have enough volume for
// it: it is distressed before that.
const (
	recoveredBelow   = 50
	ordersClosedFrom = 60
	distressedFrom   = 75
	closedOutFrom    = 90
)

func (h *holding) inTrouble() bool { return h.status == Distressed || h.status == OrdersClosed }

// loss is an amount of loss, as the entry prices in ticks of the long and of the short holding that have lost it.
type loss struct{ long, short int64 }

// lossOf returns the loss that is the given percentage of the maintenance margin.
func (m *market) lossOf(percent uint64) loss {
	perSize := int64(product(m.mark, int64(m.risk*percent)).over(1_000_000).low)
	return loss{(m.mark + perSize) / m.perTick, (m.mark - perSize) / m.perTick}
}

// hasLost reports whether an open holding has lost at least an amount.
func (h *holding) hasLost(l loss) bool {
	if h.volume > 0 {
		return h.entry >= l.long
	}
	return h.entry <= l.short
}

// updateStatuses gives each holding the status of its loss. The network is never in trouble.
func (m *market) updateStatuses() {
	recovered, ordersClosed := m.lossOf(recoveredBelow), m.lossOf(ordersClosedFrom)
	distressed, closedOut := m.lossOf(distressedFrom), m.lossOf(closedOutFrom)
	for i := 1; i < len(m.holdings); i++ {
		h := &m.holdings[i]
		switch {
		case h.volume == 0:
		case h.status != Unspecified && h.hasLost(closedOut):
			m.closeOut(h)
		case h.status == OrdersClosed && h.hasLost(distressed) && magnitude(h.volume) > uint64(m.largest):
			// The market does not have enough volume to close it out.
			h.setStatus(Distressed)
		case h.status == Unspecified && h.hasLost(ordersClosed):
			h.setStatus(OrdersClosed)
		case h.inTrouble() && !h.hasLost(recovered):
			h.setStatus(Unspecified)
		}
	}
}

func (h *holding) setStatus(to Status) { h.status, h.changed = to, true }

// closeOut transfers a holding to the network, at the mark. The party loses what is left in its margin account, too. In
// half of the cases that is not enough, and another party loses a little.
func (m *market) closeOut(h *holding) {
	network, left := &m.holdings[0], m.maintenance(h).over(10)
	unpaid := m.value(int64(magnitude(h.volume)), m.mark).over(1000)
	m.trade(network, h, h.volume, m.mark)
	h.status = ClosedOut
	h.realised = h.realised.minus(left)
	network.realised = network.realised.plus(left)
	if payer := m.any(); m.random.IntN(2) == 0 && payer != h {
		network.realised = network.realised.plus(unpaid)
		payer.loss = payer.loss.minus(unpaid)
		payer.changed = true
	}
}

// run is a mark that runs against a holding.
type run struct {
	against *holding // nil if the mark runs against none
	moves   int      // how many are left
	step    int64    // of the mark, in each move
	turns   bool     // before the holding is closed out
}

const (
	movesOfRun = 20
	// The loss in percent of the maintenance margin from which every second run goes back.
	turnsFrom = 80
	// How many moves of any marks there are before a run begins.
	movesBeforeRun, movesBetweenRuns = 10, 120
)

// startRun makes the mark run against the holding that is the nearest to losing its maintenance margin, and reports
// whether it does now: not if it runs already, and not by more than a twentieth.
func (m *market) startRun() bool {
	if m.run.against != nil {
		return false
	}
	next, target := run{moves: movesOfRun}, int64(0)
	for i := 1; i < len(m.holdings); i++ {
		h := &m.holdings[i]
		if h.volume == 0 {
			continue
		}
		// At the mark c, a long holding has lost entry - c, and its maintenance margin is c x risk.
		divisor := 10_000 + m.risk
		if h.volume < 0 {
			divisor = 10_000 - m.risk
		}
		lost := int64(product(h.entry*m.perTick, 10_000).over(divisor).low)
		if next.against == nil || magnitude(lost-m.mark) < magnitude(target-m.mark) {
			next.against, target = h, lost
		}
	}
	if next.against == nil || magnitude(target-m.mark) > uint64(m.mark)/20 {
		return false
	}
	next.step, next.turns = (target-m.mark)/movesOfRun, m.turnsNext
	m.run, m.turnsNext = next, !m.turnsNext
	return true
}

// moveMark moves the mark price by up to a tenth of a percent, and a little towards its usual one, or by as much as its
// run needs.
func (m *market) moveMark() {
	if m.run.against == nil {
		m.mark += m.mark/1000*between(m.random, 1000)/1000 + (m.usual-m.mark)/1024
		return
	}
	m.mark += m.run.step + m.mark/1000*between(m.random, 300)/1000
	m.run.moves--
	if m.run.turns && m.run.against.hasLost(m.lossOf(turnsFrom)) {
		m.run.step, m.run.moves, m.run.turns = -m.run.step, movesOfRun, false
	}
	if m.run.moves == 0 || m.run.against.volume == 0 {
		m.run = run{}
	}
}
