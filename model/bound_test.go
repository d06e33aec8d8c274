package model_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// roundedService has a market whose positions have exact numbers, and rounds what it sends: each number down, or to the
// nearest.
type roundedService struct {
	*rand.Rand
	size, price, asset int // decimals
	sendsDecimals      bool
}

// position returns a position as it is sent, and its exact mark price and notional.
func (s *roundedService) position() (p *model.Position, mark, notional *big.Rat) {
	size := new(big.Rat).SetFrac64(1+s.Int64N(1_000_000), 1)
	size.Mul(size, modeltest.Value(big.NewInt(1), s.size))
	if s.IntN(2) == 0 {
		size.Neg(size)
	}
	entry := new(big.Rat).SetFrac64(1+s.Int64N(1_000_000_000), 1+s.Int64N(999))
	entry.Mul(entry, modeltest.Value(big.NewInt(1), s.price))
	mark = new(big.Rat).Mul(entry, big.NewRat(1000+s.Int64N(400)-200, 1000))
	mark.Add(mark, new(big.Rat).SetFrac64(1, 3_000_000))
	profit := new(big.Rat).Sub(mark, entry)
	profit.Mul(profit, size)
	send := func(n *big.Rat, decimals int) string {
		units := new(big.Rat).Quo(n, modeltest.Value(big.NewInt(1), decimals))
		if s.IntN(2) == 0 {
			units.Add(units, big.NewRat(1, 2))
		}
		whole := new(big.Int).Div(units.Num(), units.Denom())
		if s.sendsDecimals {
			return modeltest.Value(whole, decimals).FloatString(decimals)
		}
		return whole.String()
	}
	p = estimatePosition(send(size, s.size), send(entry, s.price), send(profit, s.asset))
	return p, mark, new(big.Rat).Mul(mark, size)
}

// valueOfText returns the value of a number as it is shown.
func valueOfText(t *testing.T, text string) *big.Rat {
	t.Helper()
	value, ok := new(big.Rat).SetString(strings.ReplaceAll(strings.TrimPrefix(text, "+"), ",", ""))
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return value
}

// TestEstimatesAreWithinTheirBounds: of services with exact numbers that round what they send, and of sums of them.
func TestEstimatesAreWithinTheirBounds(t *testing.T) {
	estimates, cut := 0, 0
	for seed := range uint64(200) {
		s := &roundedService{Rand: rand.New(rand.NewPCG(seed, 3))}
		s.size, s.price, s.asset, s.sendsDecimals = s.IntN(5), s.IntN(7), s.IntN(19), s.IntN(3) == 0
		market, asset := model.MakeID("eth"), model.MakeID("usdt")
		in := model.NewInstruments(nil, []model.Market{{ID: market, Asset: asset, PriceDecimals: s.price, SizeDecimals: s.size}},
			[]model.Asset{{ID: asset, Decimals: s.asset}})
		var sum model.NotionalSum
		exact, scale := new(big.Rat), in.NotionalScale(market)
		for range 10 {
			p, mark, notional := s.position()
			estimatedMark, estimatedNotional, ok := model.MarkAndNotional(p, in)
			if !ok {
				continue
			}
			exact.Add(exact, notional)
			sum.AddSigned(p, scale.Of(p), +1)
			for _, of := range []struct {
				name     string
				e        model.Estimate
				exact    *big.Rat
				decimals int
			}{{"mark", estimatedMark, mark, s.price}, {"notional", estimatedNotional, notional, s.asset}} {
				estimates++
				if checkEstimate(t, fmt.Sprintf("seed %d: the %s of %v", seed, of.name, p.Numbers()), of.e, of.exact, of.decimals) {
					cut++
				}
			}
		}
		places := sum.Places(s.asset)
		e := model.RoundedNotional(sum.Value(places, s.asset), sum.Bound(places, s.asset), places, s.asset, s.sendsDecimals)
		checkEstimate(t, fmt.Sprintf("seed %d: the sum", seed), e, exact, s.asset)
	}
	if estimates < 2000 || cut < 500 || cut == estimates {
		t.Errorf("%d estimates, %d with fewer digits", estimates, cut)
	}
}

// checkEstimate checks that an estimate is within its bound, and that its last digit is known to twice that. It reports
// whether digits were left out.
func checkEstimate(t *testing.T, name string, e model.Estimate, exact *big.Rat, decimals int) (isCut bool) {
	t.Helper()
	bound := modeltest.ValueOf(e.Bound.String(), decimals)
	value := modeltest.ValueOf(e.String(), decimals)
	if wrong := new(big.Rat).Sub(value, exact); wrong.Abs(wrong).Cmp(bound) > 0 {
		t.Errorf("%s is %s, and should be %s, with a bound of %s", name, value.FloatString(9), exact.FloatString(9), bound.FloatString(9))
	}
	known := e.KnownPlaces(decimals)
	unit, twice := modeltest.Value(big.NewInt(1), known), new(big.Rat).Add(bound, bound)
	if ten := new(big.Rat).Mul(unit, big.NewRat(10, 1)); unit.Cmp(twice) > 0 || ten.Cmp(twice) <= 0 {
		t.Errorf("%s with a bound of %s is shown to %s", name, bound.FloatString(9), unit.FloatString(9))
	}
	text, isExact := e.Rounded(decimals, known, false)
	if wrong := new(big.Rat).Sub(valueOfText(t, text), exact); wrong.Abs(wrong).Cmp(twice) > 0 {
		t.Errorf("%s is shown as %s, and should be %s, with a bound of %s", name, text, exact.FloatString(9), bound.FloatString(9))
	}
	if kept := modeltest.ValueOf(e.Known(decimals).String(), decimals); kept.Cmp(valueOfText(t, text)) != 0 {
		t.Errorf("%s without digits that are not known is %s, want %s", name, kept.FloatString(9), text)
	}
	for _, places := range []int{0, 2, decimals} {
		isSmall := bound.Cmp(modeltest.Value(big.NewInt(1), places)) <= 0 ||
			new(big.Rat).Mul(bound, big.NewRat(100, 1)).Cmp(new(big.Rat).Abs(value)) <= 0
		if e.IsKnown(decimals, places) != isSmall {
			t.Errorf("%s is %s with a bound of %s: known with %d places is %v", name, text, bound.FloatString(9), places, !isSmall)
		}
	}
	return !isExact
}

// TestAMarkThatIsNotKnown: a short of one has a loss of 0.00, so its price is known to 0.01 only.
func TestAMarkThatIsNotKnown(t *testing.T) {
	market, asset := model.MakeID("eth"), model.MakeID("usdt")
	in := model.NewInstruments(nil, []model.Market{{ID: market, Asset: asset, PriceDecimals: 5}}, []model.Asset{{ID: asset, Decimals: 2}})
	for size, want := range map[string]string{"-1": "0.38", "-81000": "0.38410"} {
		mark, _, _ := model.MarkAndNotional(estimatePosition(size, "38410", "0"), in)
		if text, _ := mark.Rounded(5, mark.KnownPlaces(5), false); text != want || mark.IsKnown(5, 5) != (size != "-1") {
			t.Errorf("the mark of %s is %s, known %v", size, text, mark.IsKnown(5, 5))
		}
	}
}
