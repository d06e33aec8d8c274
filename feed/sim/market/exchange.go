package market

import (
	"context"
	"math/rand/v2"
	"time"
)

// Config chooses a market. The same configuration makes the same instruments and the same history; only the times come
// from the clock.
type Config struct {
	Seed uint64

	// Parties and Markets are how many of each there are. One of the parties is "network".
	Parties, Markets int

	// Dense puts every party into every market. Otherwise about half of the pairs have a position.
	Dense bool

	// Rate is how many positions change each second. At 0 nothing changes.
	Rate int
}

// Exchange is a random market. Its changes come in blocks, as those of the service do.
type Exchange struct {
	instruments Instruments
	random      *rand.Rand
	markets     []*market
	waiting     []*market // those that have not moved yet in this round

	rate   int
	pace   int // blocks a second
	credit int // changes that the rate still allows, times pace
	moves  int // how often a market has moved
	runAt  int // from how many moves on the next mark runs against a holding

	marginCredit int // margin levels that may still follow the mark, times pace
}

// Block is what changes at one moment. Its rows and records are new, and belong to the receiver of the block.
type Block struct {
	Rows           []*Row
	Margins        []*MarginRecord
	RemovedMargins []MarginKey
}

// A live network makes one block a second. Faster markets make more, so that no block is too large to be smooth.
const (
	slowPace = 1
	fastPace = 20

	// FastRate is the rate from which a market makes many small blocks.
	FastRate = 1000
)

// marginRate is how many margin levels a second follow the mark. Those of a position that trades always do. A large
// real market computes its margins only every few seconds, too.
const marginRate = 5_000

// New returns a market.
func New(config Config) *Exchange {
	random := rand.New(rand.NewPCG(config.Seed, 0x626c6f74746572))
	names, coins := newInstruments(random, config.Parties, config.Markets)
	e := &Exchange{instruments: names, random: random, rate: config.Rate, pace: slowPace}
	if e.rate >= FastRate {
		e.pace = fastPace
	}
	assets := map[string]Asset{}
	for _, asset := range names.Assets {
		assets[asset.ID] = asset
	}
	for i, market := range names.Markets {
		m := newMarket(random, market, assets[market.AssetID], coins[i])
		m.populate(names.Parties, config.Dense)
		e.markets = append(e.markets, m)
	}
	e.runAt = movesBeforeRun
	e.startRound()
	return e
}

// Instruments returns the names of what is traded, and by whom.
func (e *Exchange) Instruments() Instruments { return e.instruments }

// Start returns the positions and margin levels at the start, in no order. They were last changed within the minute
// before now. It is to be called once, before Run or Advance.
func (e *Exchange) Start(now time.Time) Block {
	var b Block
	for _, m := range e.markets {
		at := moment(now.Add(-time.Duration(e.random.Int64N(int64(time.Minute)))))
		m.addChanges(&b, at, len(m.holdings))
	}
	e.random.Shuffle(len(b.Rows), func(i, j int) { b.Rows[i], b.Rows[j] = b.Rows[j], b.Rows[i] })
	return b
}

// moment returns a time as blocks have it, in whole microseconds.
func moment(t time.Time) int64 { return t.Truncate(time.Microsecond).UnixNano() }

// Run makes blocks until the context ends, and calls publish with each.
func (e *Exchange) Run(ctx context.Context, publish func(Block)) {
	if e.rate == 0 {
		return
	}
	interval := time.Second / time.Duration(e.pace)
	tick := time.Tick(interval)
	began, made := time.Now(), 0
	for {
		select {
		case now := <-tick:
			// A slow machine catches up, but not for more than a second.
			due := int(now.Sub(began) / interval)
			made = max(made, due-e.pace)
			for ; made < due && ctx.Err() == nil; made++ {
				e.Advance(now, publish)
			}
		case <-ctx.Done():
			return
		}
	}
}

// Advance makes the changes that the rate allows for one interval. A market moves as a whole or not at all: with few
// changes and many positions it may have to wait.
func (e *Exchange) Advance(now time.Time, publish func(Block)) {
	e.credit += e.rate
	e.marginCredit = min(e.marginCredit+marginRate, marginRate*e.pace)
	for {
		var b Block
		for m := e.nextMarket(); m != nil; m = e.nextMarket() {
			if e.moves++; e.moves >= e.runAt && m.startRun() {
				e.runAt = e.moves + movesBetweenRuns
			}
			m.tradeSome()
			m.moveMark()
			m.updateStatuses()
			rows, margins := len(b.Rows), len(b.Margins)
			m.addChanges(&b, moment(now), e.marginCredit/e.pace)
			e.credit -= max(1, len(b.Rows)-rows) * e.pace
			e.marginCredit = max(0, e.marginCredit-(len(b.Margins)-margins)*e.pace)
		}
		if len(b.Rows) == 0 {
			return
		}
		publish(b)
	}
}

// nextMarket returns the market that moves next in the current block, or nil when the block is full: each market moves
// once in it.
func (e *Exchange) nextMarket() *market {
	if len(e.waiting) == 0 {
		e.startRound()
		return nil
	}
	next := e.waiting[len(e.waiting)-1]
	if e.credit < next.openHoldings()*e.pace {
		return nil
	}
	e.waiting = e.waiting[:len(e.waiting)-1]
	return next
}

func (e *Exchange) startRound() {
	e.waiting = append(e.waiting, e.markets...)
	e.random.Shuffle(len(e.waiting), func(i, j int) { e.waiting[i], e.waiting[j] = e.waiting[j], e.waiting[i] })
}

// openHoldings returns how many rows the next move of the mark will change.
func (m *market) openHoldings() int {
	open := 0
	for i := range m.holdings {
		if m.holdings[i].volume != 0 {
			open++
		}
	}
	return open
}

// addChanges adds to the block what has changed in the market. Of the margin levels that only follow the mark, it adds
// no more than given.
func (m *market) addChanges(b *Block, now int64, following int) {
	b.Rows = m.rows(b.Rows, now)
	for i := range m.holdings {
		h := &m.holdings[i]
		switch {
		case h.volume == 0 && h.margin != nil:
			b.RemovedMargins = append(b.RemovedMargins, h.margin.Key())
			h.margin = nil
		case h.volume != 0 && (h.changed || following > 0):
			b.Margins = append(b.Margins, m.marginRecord(h, now))
			following--
		}
		h.changed = false
	}
}
