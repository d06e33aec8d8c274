package sim

import (
	"context"
	"math/rand/v2"
	"time"
)

// exchange is a market that is made up: instruments, parties that trade them,
// and marks that walk. It settles in blocks, as the service's chain does, and
// tells a node of each.
type exchange struct {
	instruments Instruments
	random      *rand.Rand
	markets     []*market
	deck        []*market // whose turn has not come yet in this round

	rate   int
	pace   int // blocks a second
	credit int // changes that the rate still allows, times pace

	marginCredit int // margin levels that may still follow the mark, times pace
}

// block is what changes at one moment.
type block struct {
	rows    []*row
	margins []*levels
	gone    []MarginKey
}

// One block a second is what a live network makes. Faster markets make
// more, so that no block is too large to be smooth.
const (
	slowPace = 1
	fastPace = 20
	fastRate = 1000
)

// marginRate is how many margin levels a second follow the mark. Those of a
// position that trades always do. A large market's real margins, too, are
// worked out anew only every few seconds.
const marginRate = 5_000

func newExchange(config Config) *exchange {
	random := rand.New(rand.NewPCG(config.Seed, 0x626c6f74746572))
	names, traded := newInstruments(random, config.Parties, config.Markets)
	e := &exchange{instruments: names, random: random, rate: config.Rate, pace: slowPace}
	if e.rate >= fastRate {
		e.pace = fastPace
	}
	assets := map[string]Asset{}
	for _, asset := range names.Assets {
		assets[asset.ID] = asset
	}
	for i, market := range names.Markets {
		m := newMarket(random, market, assets[market.AssetID], traded[i])
		m.populate(names.Parties, config.Dense)
		e.markets = append(e.markets, m)
	}
	e.shuffle()
	return e
}

// begin puts the world as it begins into the node, in no order. Its rows were
// last changed within the hour before.
func (e *exchange) begin(n *Node) {
	now := time.Now()
	var b block
	for _, m := range e.markets {
		at := now.Add(-time.Duration(e.random.Int64N(int64(time.Hour))))
		m.settle(&b, moment(at), moment(at), len(m.holdings))
	}
	e.random.Shuffle(len(b.rows), func(i, j int) { b.rows[i], b.rows[j] = b.rows[j], b.rows[i] })
	n.settle(b)
}

// moment is a time as blocks have it, in whole microseconds.
func moment(t time.Time) int64 { return t.Truncate(time.Microsecond).UnixNano() }

// run makes blocks until the context ends.
func (e *exchange) run(ctx context.Context, n *Node) {
	if e.rate == 0 {
		return
	}
	interval := time.Second / time.Duration(e.pace)
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	began, made := time.Now(), 0
	for {
		select {
		case now := <-ticker.C:
			// A slow machine catches up, but not for more than a second.
			due := int(now.Sub(began) / interval)
			made = max(made, due-e.pace)
			for ; made < due && ctx.Err() == nil; made++ {
				e.advance(n, now)
			}
		case <-ctx.Done():
			return
		}
	}
}

// advance spends the changes that the rate allows for one interval. A market
// moves as a whole or not at all: with few changes and many positions it may
// have to wait.
func (e *exchange) advance(n *Node, now time.Time) {
	rowTime, marginTime := n.stamp(now.Truncate(time.Microsecond)), moment(now)
	e.credit += e.rate
	e.marginCredit = min(e.marginCredit+marginRate, marginRate*e.pace)
	for {
		var b block
		for m := e.turn(); m != nil; m = e.turn() {
			m.tradeSome()
			m.distress()
			m.walk()
			before, levels := len(b.rows), len(b.margins)
			m.settle(&b, rowTime, marginTime, e.marginCredit/e.pace)
			e.credit -= max(1, len(b.rows)-before) * e.pace
			e.marginCredit = max(0, e.marginCredit-(len(b.margins)-levels)*e.pace)
		}
		if len(b.rows) == 0 {
			return
		}
		n.settle(b)
	}
}

// turn returns the market that moves next in the block at hand, or nil when
// the block is full: each market moves once in it.
func (e *exchange) turn() *market {
	if len(e.deck) == 0 {
		e.shuffle()
		return nil
	}
	next := e.deck[len(e.deck)-1]
	if e.credit < next.openHoldings()*e.pace {
		return nil
	}
	e.deck = e.deck[:len(e.deck)-1]
	return next
}

func (e *exchange) shuffle() {
	e.deck = append(e.deck, e.markets...)
	e.random.Shuffle(len(e.deck), func(i, j int) { e.deck[i], e.deck[j] = e.deck[j], e.deck[i] })
}

// openHoldings is how many rows the next move of the mark will change.
func (m *market) openHoldings() int {
	open := 0
	for i := range m.holdings {
		if m.holdings[i].volume != 0 {
			open++
		}
	}
	return open
}

// settle adds to the block what has changed in the market. Of the margin
// levels that only follow the mark, it adds no more than given.
func (m *market) settle(b *block, rowTime, marginTime int64, following int) {
	b.rows = m.rows(b.rows, rowTime)
	for i := range m.holdings {
		h := &m.holdings[i]
		switch {
		case h.volume == 0 && h.margin != nil:
			b.gone = append(b.gone, h.margin.Key())
			h.margin = nil
		case h.volume != 0 && (h.changed || following > 0):
			b.margins = append(b.margins, m.levels(h, marginTime))
			following--
		}
		h.changed = false
	}
}

// settle makes the block the truth and tells the streams.
func (n *Node) settle(b block) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.apply(change{rows: b.rows, margins: b.margins, removedMargins: b.gone})
}
