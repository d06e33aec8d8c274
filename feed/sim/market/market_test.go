package market_test

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim/market"
)

// state is the state of a market after all of its blocks.
type state struct {
	*market.Exchange

	mu        sync.Mutex
	positions map[market.Key]market.Position
	margins   map[market.MarginKey]market.MarginLevels

	updates int
	moments map[int64]bool  // the times of the updates
	history strings.Builder // all updates, in order
}

func newState(config market.Config) *state {
	s := &state{
		Exchange:  market.New(config),
		positions: map[market.Key]market.Position{},
		margins:   map[market.MarginKey]market.MarginLevels{},
		moments:   map[int64]bool{},
	}
	s.apply(s.Start(time.Now()))
	s.updates, s.moments = 0, map[int64]bool{}
	return s
}

func (s *state) apply(b market.Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, row := range b.Rows {
		p := row.Position()
		s.positions[p.Key()] = p
		s.moments[p.UpdatedAt] = true
		fmt.Fprintln(&s.history, p)
	}
	for _, record := range b.Margins {
		s.margins[record.Key()] = record.MarginLevels
	}
	for _, key := range b.RemovedMargins {
		delete(s.margins, key)
	}
	s.updates += len(b.Rows)
}

// all returns the positions in no order.
func (s *state) all() []market.Position {
	var all []market.Position
	for _, p := range s.positions {
		all = append(all, p)
	}
	return all
}

func (s *state) locked(t *testing.T, check func(t *testing.T, s *state)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	check(t, s)
}

// run lets a market run for the given number of seconds, and checks it after each.
func run(t *testing.T, config market.Config, seconds int, check func(t *testing.T, s *state)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := newState(config)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { s.Run(ctx, s.apply) })
		defer running.Wait()
		defer stop()
		for range seconds {
			time.Sleep(time.Second)
			synctest.Wait() // for the block of this very moment
			s.locked(t, check)
		}
	})
}

// integer parses an amount. Any other text fails the test.
func integer(t *testing.T, text string) *big.Int {
	t.Helper()
	n, ok := new(big.Int).SetString(text, 10)
	if !ok || n.String() != text {
		t.Fatalf("%q is not an integer as the wire has them", text)
	}
	return n
}

func TestTheSameSeedMakesTheSameMarket(t *testing.T) {
	history := func(seed uint64) (history string) {
		run(t, market.Config{Seed: seed, Parties: 6, Markets: 8, Rate: 30}, 20, func(_ *testing.T, s *state) {
			history = fmt.Sprint(s.history.String(), s.Instruments(), s.margins)
		})
		return history
	}
	if one, again := history(1), history(1); one != again {
		t.Error("one seed made two histories")
	}
	if history(1) == history(2) {
		t.Error("two seeds made one history")
	}
}

func TestRateOfZeroChangesNothing(t *testing.T) {
	run(t, market.Config{Seed: 1, Parties: 6, Markets: 8}, 10, func(t *testing.T, s *state) {
		if len(s.positions) == 0 || s.updates != 0 {
			t.Errorf("%d positions, %d updates", len(s.positions), s.updates)
		}
	})
}

func TestTheRateIsKept(t *testing.T) {
	const seconds = 40
	for _, test := range []struct {
		config  market.Config
		moments int // a second, at most
	}{
		{market.Config{Seed: 1, Parties: 20, Markets: 8, Rate: 20}, 1},
		{market.Config{Seed: 1, Parties: 10, Markets: 5, Rate: 500}, 40}, // more often than there are positions
		{market.Config{Seed: 1, Parties: 20, Markets: 10, Rate: 1500, Dense: true}, 20},
		{market.Config{Seed: 1, Parties: 200, Markets: 2, Rate: 30, Dense: true}, 1}, // less than one move of a mark
	} {
		t.Run(fmt.Sprint(test.config.Rate), func(t *testing.T) {
			var rate, moments int
			run(t, test.config, seconds, func(_ *testing.T, s *state) { rate, moments = s.updates/seconds, len(s.moments) })
			if want := test.config.Rate; rate < want*8/10 || rate > want*11/10 {
				t.Errorf("%d updates a second, want %d", rate, want)
			}
			if moments > test.moments*(seconds+2) {
				t.Errorf("%d moments in %d seconds", moments, seconds)
			}
		})
	}
}

func TestDenseMarkets(t *testing.T) {
	for _, dense := range []bool{true, false} {
		all := newState(market.Config{Seed: 1, Parties: 30, Markets: 20, Dense: dense}).all()
		closed := 0
		for _, p := range all {
			if p.OpenVolume == 0 {
				closed++
			}
		}
		if dense && len(all) != 600 || !dense && (len(all) < 200 || len(all) > 400) {
			t.Errorf("dense %t: %d positions", dense, len(all))
		}
		if closed == 0 || closed > len(all)/3 {
			t.Errorf("%d of %d are closed", closed, len(all))
		}
	}
}

func TestInstruments(t *testing.T) {
	names := market.New(market.Config{Seed: 1, Parties: 3, Markets: 500}).Instruments()
	var parties []string
	for _, party := range names.Parties {
		parties = append(parties, party.Name)
	}
	if got := strings.Join(parties, " "); got != "network desk-1 desk-2" {
		t.Errorf("parties: %s", got)
	}
	if names.Parties[0].ID != "network" {
		t.Errorf("the network has the identifier %q", names.Parties[0].ID)
	}
	var markets []string
	ids := map[string]bool{}
	for _, traded := range names.Markets {
		markets = append(markets, traded.Name)
		ids[traded.ID] = true
		if len(traded.ID) != 64 {
			t.Errorf("%s: identifier %q", traded.Name, traded.ID)
		}
	}
	first := "BTC/USDT ETH/USDT SOL/USDT LINK/USDT DOGE/USDT AVAX/USDT XRP/USDT ADA/USDT"
	if got := strings.Join(markets[:8], " "); got != first {
		t.Errorf("the first markets: %s", got)
	}
	if slices.Sort(markets); len(slices.Compact(markets)) != 500 || len(ids) != 500 {
		t.Error("two markets have one name or identifier")
	}
	if !slices.ContainsFunc(names.Assets, func(a market.Asset) bool { return a.Decimals == 18 }) {
		t.Error("no asset has 18 decimals")
	}
}

// The amounts of a market, at every second of five minutes: the gain of one party is the loss of another, and all
// profits and margin levels agree with one mark price.
func TestGainsAndLossesBalance(t *testing.T) {
	statuses := map[market.Status]int{}
	flips, closes, huge := 0, 0, false
	before := map[market.Key]int64{}
	run(t, market.Config{Seed: 3, Parties: 12, Markets: 9, Rate: 200}, 300, func(t *testing.T, s *state) {
		all := s.all()
		balance(t, all)
		agree(t, s, all)
		for _, p := range all {
			statuses[p.Status]++
			was := before[p.Key()]
			before[p.Key()] = p.OpenVolume
			if was > 0 && p.OpenVolume < 0 || was < 0 && p.OpenVolume > 0 {
				flips++
			}
			if was != 0 && p.OpenVolume == 0 {
				closes++
			}
			huge = huge || len(p.UnrealisedPnl) > 20
		}
	})
	for _, status := range []market.Status{market.Unspecified, market.OrdersClosed, market.ClosedOut, market.Distressed} {
		if statuses[status] == 0 {
			t.Errorf("status %d never occurred", status)
		}
	}
	if flips == 0 || closes == 0 || !huge {
		t.Errorf("%d flips, %d closes, amounts beyond 64 bits: %t", flips, closes, huge)
	}
}

// TestStatusesFollowTheLosses: for three minutes a position is distressed or without orders only if it has lost most of
// its maintenance margin, and within that time some become distressed, lose more, and are closed out.
// TestStatusesFollowTheLosses: some holdings are well again after their orders were closed, or after they were
// distressed, and others are closed out in one step, with what was left in their margin account.
func TestStatusesFollowTheLosses(t *testing.T) {
	lost := func(p market.Position, m market.MarginLevels) int64 {
		percent := new(big.Int).Mul(integer(t, p.UnrealisedPnl), big.NewInt(-100))
		return percent.Quo(percent, integer(t, m.Maintenance)).Int64()
	}
	before := map[market.Key]market.Position{}
	type change struct{ from, to market.Status }
	seen := map[change]int{}
	run(t, market.Config{Seed: 1, Parties: 8, Markets: 8, Rate: 20}, 400, func(t *testing.T, s *state) {
		for _, p := range s.all() {
			was, ok := before[p.Key()]
			before[p.Key()] = p
			if ok && was.Status != p.Status {
				seen[change{was.Status, p.Status}]++
			}
			if ok && p.Status == market.ClosedOut && was.Status != p.Status {
				change := new(big.Int).Sub(integer(t, p.RealisedPnl), integer(t, was.RealisedPnl))
				if p.OpenVolume != 0 || change.Cmp(integer(t, was.UnrealisedPnl)) >= 0 {
					t.Errorf("closed out with the size %d, realised %s after unrealised %s", p.OpenVolume, change, was.UnrealisedPnl)
				}
			}
			for _, m := range s.margins {
				if m.Party != p.Party || m.Market != p.Market || p.Party == "network" {
					continue
				}
				inTrouble := p.Status == market.Distressed || p.Status == market.OrdersClosed
				if loss := lost(p, m); inTrouble != (loss >= 60) && (loss < 48 || loss >= 60) {
					t.Errorf("a position with the status %d has lost %d %% of its maintenance margin", p.Status, loss)
				}
			}
		}
	})
	for _, want := range []change{
		{market.OrdersClosed, market.Unspecified}, {market.OrdersClosed, market.ClosedOut}, {market.OrdersClosed, market.Distressed},
		{market.Distressed, market.Unspecified}, {market.Distressed, market.ClosedOut}, {market.ClosedOut, market.Unspecified},
	} {
		if seen[want] == 0 {
			t.Errorf("no position changed its status from %d to %d: %v", want.from, want.to, seen)
		}
	}
}

// balance asserts that volumes and profits of each market add up to zero.
func balance(t *testing.T, all []market.Position) {
	t.Helper()
	volumes, profits := map[string]int64{}, map[string]*big.Int{}
	for _, p := range all {
		volumes[p.Market] += p.OpenVolume
		if profits[p.Market] == nil {
			profits[p.Market] = new(big.Int)
		}
		for _, amount := range []string{p.RealisedPnl, p.UnrealisedPnl, p.LossSocialisation} {
			profits[p.Market].Add(profits[p.Market], integer(t, amount))
		}
		if (p.OpenVolume == 0) != (p.AverageEntryPrice == "0") || p.OpenVolume == 0 && p.UnrealisedPnl != "0" {
			t.Fatalf("a position contradicts itself: %+v", p)
		}
	}
	for id, volume := range volumes {
		if volume != 0 || profits[id].Sign() != 0 {
			t.Fatalf("market %.8s: volumes add up to %d, profits to %s", id, volume, profits[id])
		}
	}
}

// agree asserts that unrealised PnL = size x (mark - entry) with one mark for each market, and that margin levels are
// in the right proportion, of the open positions and no others.
func agree(t *testing.T, s *state, all []market.Position) {
	t.Helper()
	unit := map[string]*big.Int{} // one size step x one tick, in asset units
	asset := map[string]string{}
	for _, traded := range s.Instruments().Markets {
		for _, a := range s.Instruments().Assets {
			if a.ID == traded.AssetID {
				exponent := big.NewInt(int64(a.Decimals - traded.SizeDecimals - traded.PriceDecimals))
				unit[traded.ID] = new(big.Int).Exp(big.NewInt(10), exponent, nil)
				asset[traded.ID] = a.ID
			}
		}
	}
	marks, risks := map[string]*big.Int{}, map[string]*big.Rat{}
	margins := map[market.Key]market.MarginLevels{}
	for _, m := range s.margins {
		margins[market.Key{Party: m.Party, Market: m.Market}] = m
	}
	open := 0
	for _, p := range all {
		if p.OpenVolume == 0 {
			continue
		}
		open++
		size := big.NewInt(p.OpenVolume)
		cost := new(big.Int).Mul(integer(t, p.AverageEntryPrice), unit[p.Market])
		perSize, rest := new(big.Int).QuoRem(integer(t, p.UnrealisedPnl), size, new(big.Int))
		mark := perSize.Add(perSize, cost)
		if marks[p.Market] == nil {
			marks[p.Market] = mark
		}
		if rest.Sign() != 0 || marks[p.Market].Cmp(mark) != 0 {
			t.Fatalf("%+v: mark %s, rest %s; others have %s", p, mark, rest, marks[p.Market])
		}
		m, ok := margins[p.Key()]
		if !ok || m.Asset != asset[p.Market] || m.Timestamp != p.UpdatedAt {
			t.Fatalf("%+v: margin %+v", p, m)
		}
		proportion(t, m)
		notional := new(big.Int).Mul(mark, size.Abs(size))
		risk := new(big.Rat).SetFrac(integer(t, m.Maintenance), notional)
		if risks[p.Market] == nil {
			risks[p.Market] = risk
		}
		if off := new(big.Rat).Sub(risk, risks[p.Market]); off.Abs(off).Cmp(big.NewRat(1, 1000)) > 0 {
			t.Fatalf("%+v: risk %s, others have %s", m, risk, risks[p.Market])
		}
	}
	if open != len(margins) {
		t.Fatalf("%d open positions, %d margin levels", open, len(margins))
	}
}

func proportion(t *testing.T, m market.MarginLevels) {
	t.Helper()
	maintenance := integer(t, m.Maintenance)
	levels := map[string]int64{m.Search: 11, m.Initial: 15, m.Release: 17}
	if m.Mode == market.IsolatedMargin {
		levels = map[string]int64{m.Initial: 15, m.OrderMargin: 2}
		if m.Search != "0" || m.Release != "0" || m.Factor == "0" {
			t.Fatalf("%+v: levels of isolated margin", m)
		}
	}
	for level, tenths := range levels {
		expected := new(big.Int).Mul(maintenance, big.NewInt(tenths))
		if got := integer(t, level); got.Cmp(expected.Quo(expected, big.NewInt(10))) != 0 || tenths > 10 && got.Cmp(maintenance) <= 0 {
			t.Fatalf("%+v: %s is not %d tenths of the maintenance", m, level, tenths)
		}
	}
}

// TestMarginModes: some holdings of each market have isolated margin, always the same ones, and the network never has.
func TestMarginModes(t *testing.T) {
	first := map[market.MarginKey]market.MarginMode{}
	run(t, market.Config{Seed: 3, Parties: 12, Markets: 9, Rate: 200}, 60, func(t *testing.T, s *state) {
		counts := map[market.MarginMode]int{}
		for _, m := range s.margins {
			counts[m.Mode]++
			if was, known := first[m.Key()]; known && was != m.Mode {
				t.Fatalf("%+v had the mode %s", m, was)
			}
			first[m.Key()] = m.Mode
			if m.Party == "network" && m.Mode != market.CrossMargin {
				t.Fatalf("%+v", m)
			}
		}
		if counts[market.CrossMargin] == 0 || counts[market.IsolatedMargin] == 0 {
			t.Fatalf("modes of records: %v", counts)
		}
	})
}
