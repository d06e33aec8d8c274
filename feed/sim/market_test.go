package sim_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
)

// integer reads an amount; what is no integer is a failure.
func integer(t *testing.T, text string) *big.Int {
	t.Helper()
	n, ok := new(big.Int).SetString(text, 10)
	if !ok || n.String() != text {
		t.Fatalf("%q is not an integer as the wire has them", text)
	}
	return n
}

func TestTheSameSeedMakesTheSameMarket(t *testing.T) {
	history := func(seed uint64) (told string) {
		bubble(t, sim.Config{Seed: seed, Parties: 6, Markets: 8, Rate: 30}, func(t *testing.T, s *service) {
			stream := s.stream("")
			time.Sleep(time.Second / 2) // so that no block comes as one stops listening
			for range 20 {
				told += stream.lines()
			}
			told += fmt.Sprint(s.Instruments(), s.Margins())
		})
		return told
	}
	if want, got := history(1), history(1); want != got {
		t.Error("one seed made two histories")
	}
	if history(1) == history(2) {
		t.Error("two seeds made one history")
	}
}

func TestARateOfZeroStandsStill(t *testing.T) {
	bubble(t, sim.Config{Seed: 1, Parties: 6, Markets: 8}, func(t *testing.T, s *service) {
		stream := s.stream("")
		if !strings.Contains(stream.lines(), "positions") {
			t.Error("no positions")
		}
		time.Sleep(time.Hour)
		want(t, "in an hour", stream.lines(), "")
	})
}

func TestTheRateIsHonoured(t *testing.T) {
	for _, test := range []struct {
		config sim.Config
		blocks int // a second, at most
	}{
		{sim.Config{Seed: 1, Parties: 20, Markets: 8, Rate: 20}, 1},
		{sim.Config{Seed: 1, Parties: 10, Markets: 5, Rate: 500}, 40}, // more often than there are positions
		{sim.Config{Seed: 1, Parties: 20, Markets: 10, Rate: 1500, Dense: true}, 20},
		{sim.Config{Seed: 1, Parties: 200, Markets: 2, Rate: 30, Dense: true}, 1}, // less than one move of a mark
	} {
		t.Run(fmt.Sprint(test.config.Rate), func(t *testing.T) {
			bubble(t, test.config, func(t *testing.T, s *service) {
				const seconds = 40
				stream := s.stream("")
				stream.lines()
				times := map[string]bool{}
				for range seconds {
					for i, position := range strings.Split(stream.lines(), `"updatedAt":"`) {
						if i > 0 {
							times[position[:18]] = true
						}
					}
				}
				rate, wanted := int(s.Counters().UpdatesSent)/seconds, test.config.Rate
				if rate < wanted*8/10 || rate > wanted*11/10 {
					t.Errorf("%d updates a second, want %d", rate, wanted)
				}
				if len(times) > test.blocks*(seconds+2) {
					t.Errorf("%d moments in %d seconds", len(times), seconds)
				}
			})
		})
	}
}

func TestWhatTheScriptRemovesTheMarketBringsBack(t *testing.T) {
	bubble(t, sim.Config{Seed: 1, Parties: 6, Markets: 1, Rate: 30, Dense: true}, func(t *testing.T, s *service) {
		var keys []sim.Key
		for _, p := range s.Positions() {
			keys = append(keys, p.Key())
		}
		s.Remove(keys...)
		query := "?partyId=" + keys[1].Party + "&marketId=" + keys[1].Market
		// The market may have brought it back already, but as an update: there is no snapshot of what is not there.
		if text := s.stream(query).lines(); strings.Contains(text, "snapshot") {
			t.Errorf("once removed: %q", text)
		}
		time.Sleep(time.Minute)
		if text := s.stream(query).lines(); !strings.Contains(text, "snapshot") {
			t.Errorf("a minute later: %q", text)
		}
	})
}

func TestDenseWorlds(t *testing.T) {
	for _, dense := range []bool{true, false} {
		n := sim.New(sim.Config{Seed: 1, Parties: 30, Markets: 20, Dense: dense})
		all := n.Positions()
		seen := map[sim.Key]bool{}
		closed := 0
		for _, p := range all {
			seen[p.Key()] = true
			if p.OpenVolume == 0 {
				closed++
			}
		}
		if len(seen) != len(all) {
			t.Errorf("%d positions of %d keys", len(all), len(seen))
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
	names := sim.New(sim.Config{Seed: 1, Parties: 3, Markets: 500}).Instruments()
	var parties []string
	for _, party := range names.Parties {
		parties = append(parties, party.Name)
	}
	want(t, "parties", strings.Join(parties, " "), "network desk-1 desk-2")
	want(t, "the network's identifier", names.Parties[0].ID, "network")
	var markets []string
	ids := map[string]bool{}
	for _, market := range names.Markets {
		markets = append(markets, market.Name)
		ids[market.ID] = true
		if len(market.ID) != 64 {
			t.Errorf("%s: identifier %q", market.Name, market.ID)
		}
	}
	want(t, "markets", strings.Join(markets[:8], " "), "BTC/USDT ETH/USDT SOL/USDT LINK/USDT DOGE/USDT AVAX/USDT XRP/USDT ADA/USDT")
	if slices.Sort(markets); len(slices.Compact(markets)) != 500 || len(ids) != 500 {
		t.Error("two markets have one name or identifier")
	}
	if !slices.ContainsFunc(names.Assets, func(a sim.Asset) bool { return a.Decimals == 18 }) {
		t.Error("no asset has 18 decimals")
	}
}

// A market's accounts, at every second of five minutes: what one wins
// another loses, every profit agrees with one mark price, and the margin
// levels with the same one.
func TestTheBooksBalance(t *testing.T) {
	config := sim.Config{Seed: 3, Parties: 12, Markets: 9, Rate: 200}
	bubble(t, config, func(t *testing.T, s *service) {
		statuses := map[sim.Status]int{}
		flips, closes, huge := 0, 0, false
		before := map[sim.Key]int64{}
		for range 300 {
			time.Sleep(time.Second)
			synctest.Wait() // for the block of this very moment
			all := s.Positions()
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
		}
		for _, status := range []sim.Status{sim.Unspecified, sim.OrdersClosed, sim.ClosedOut, sim.Distressed} {
			if statuses[status] == 0 {
				t.Errorf("status %d never came up", status)
			}
		}
		if flips == 0 || closes == 0 || !huge {
			t.Errorf("%d flips, %d closes, amounts beyond 64 bits: %t", flips, closes, huge)
		}
	})
}

// balance asserts that volumes and profits of each market add up to nothing.
func balance(t *testing.T, all []sim.Position) {
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
	for market, volume := range volumes {
		if volume != 0 || profits[market].Sign() != 0 {
			t.Fatalf("market %.8s: volumes add up to %d, profits to %s", market, volume, profits[market])
		}
	}
}

// agree asserts that unrealised PnL = size x (mark - entry) with one mark for
// each market, and that margin levels are in the right proportion, of the open
// positions and no others.
func agree(t *testing.T, s *service, all []sim.Position) {
	t.Helper()
	unit := map[string]*big.Int{} // one size step x one tick, in asset units
	asset := map[string]string{}
	for _, market := range s.Instruments().Markets {
		for _, a := range s.Instruments().Assets {
			if a.ID == market.AssetID {
				exponent := big.NewInt(int64(a.Decimals - market.SizeDecimals - market.PriceDecimals))
				unit[market.ID] = new(big.Int).Exp(big.NewInt(10), exponent, nil)
				asset[market.ID] = a.ID
			}
		}
	}
	marks, risks := map[string]*big.Int{}, map[string]*big.Rat{}
	margins := map[sim.Key]sim.MarginLevels{}
	for _, m := range s.Margins() {
		margins[sim.Key{Party: m.Party, Market: m.Market}] = m
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

func proportion(t *testing.T, m sim.MarginLevels) {
	t.Helper()
	maintenance := integer(t, m.Maintenance)
	for level, tenths := range map[string]int64{m.Search: 11, m.Initial: 15, m.Release: 17} {
		expected := new(big.Int).Mul(maintenance, big.NewInt(tenths))
		if got := integer(t, level); got.Cmp(expected.Quo(expected, big.NewInt(10))) != 0 || got.Cmp(maintenance) <= 0 {
			t.Fatalf("%+v: %s is not %d tenths of the maintenance", m, level, tenths)
		}
	}
}

// Who reads the whole stream and pages knows the truth, if nothing is lost.
func TestTheStreamTellsTheTruth(t *testing.T) {
	bubble(t, sim.Config{Seed: 5, Parties: 8, Markets: 6, Rate: 100}, func(t *testing.T, s *service) {
		stream := s.stream("")
		time.Sleep(time.Second / 2) // so that no block comes as one stops listening
		told := stream.lines()
		for range 60 {
			told += stream.lines()
		}
		for _, p := range s.Positions() {
			last := strings.LastIndex(told, `"marketId":"`+p.Market+`","partyId":"`+p.Party+`"`)
			if last < 0 || !strings.HasPrefix(told[last-1:], wire(p)) {
				t.Errorf("the last word on %+v: %.400s", p, told[max(0, last):])
			}
		}
	})
}
