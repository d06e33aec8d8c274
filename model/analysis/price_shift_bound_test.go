package analysis

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// sentAs returns a number as a service sends it, rounded or cut, with decimals or as an integer; and that value.
func sentAs(r *big.Rat, places int, isCut, isDecimal bool) (string, *big.Rat) {
	scaled := new(big.Rat).Quo(r, unit(places))
	n := new(big.Int).Quo(scaled.Num(), scaled.Denom())
	if !isCut {
		n = rounded(scaled)
	}
	value := new(big.Rat).SetInt(n)
	value.Mul(value, unit(places))
	if isDecimal {
		return value.FloatString(places), value
	}
	return n.String(), value
}

// TestBoundsInWhatIf: the PnL that Apply works out, the mark price and the notional that follow, and sums of the PnL,
// are never farther than their bounds from what they would be with the numbers that the service has rounded.
func TestBoundsInWhatIf(t *testing.T) {
	in, known, unknown := shiftedInstruments(), 0, 0
	for seed := range uint64(modeltest.Times(300)) {
		random := rand.New(rand.NewPCG(seed, 58))
		isDecimal, typed := random.IntN(2) == 0, [...]string{"eth/u -5%", "eth/u +0.1%", "eth/u -100%", "eth/u +250%", "eth/u =3123.45"}[random.IntN(5)]
		shift, err := ParsePriceShift(typed, shiftedMarkets, in, in.HasDecimals)
		if err != nil {
			t.Fatal(err)
		}
		m := shift.of[model.MakeID("b2")]
		var sum model.Sum
		trueSum, positions, decimals := new(big.Rat), 1+random.IntN(5), 2
		var total exposure
		for range positions {
			size := big.NewRat(int64(random.IntN(2_000_000)-1_000_000)|1, 1000)
			entry := big.NewRat(int64(random.IntN(400_000_000)+1), 100_000)
			mark := new(big.Rat).Mul(entry, big.NewRat(int64(900+random.IntN(200)), 1000))
			profitAt := func(price *big.Rat) *big.Rat {
				profit := new(big.Rat).Sub(price, entry)
				return profit.Mul(profit, size)
			}
			sent := new(big.Rat) // the unrealised PnL
			p := &model.Position{Key: model.Key{Party: model.MakeID("a1"), Market: model.MakeID("b2")}}
			for f, of := range map[model.Field]struct {
				value  *big.Rat
				places int
			}{model.OpenVolume: {size, 3}, model.AverageEntryPrice: {entry, 2}, model.UnrealisedPnl: {profitAt(mark), 2}} {
				text, value := sentAs(of.value, of.places, random.IntN(2) == 0, isDecimal)
				if p.ReadNumber(f, []byte(text)); f == model.UnrealisedPnl {
					sent = value
				}
			}
			if !shift.Apply(p, in) {
				t.Fatalf("seed %d: %v is not changed", seed, sent)
			}
			price, want := m.price, new(big.Rat)
			if price == nil {
				change := new(big.Rat).Quo(m.percent, hundred)
				change.Mul(change, mark)
				price = new(big.Rat).Add(change, mark)
				want = sent.Add(sent, change.Mul(change, size)) // what was sent counts as exact
			} else {
				want = profitAt(price)
			}
			notional := new(big.Rat).Mul(price, size)
			check := func(what string, e model.Estimate, want *big.Rat, decimals int) {
				t.Helper()
				off := modeltest.ValueOf(e.Amount.String(), decimals)
				off.Sub(off, want).Abs(off)
				if bound := modeltest.ValueOf(e.Bound.String(), decimals); e.Bound.IsZero() || off.Cmp(bound) > 0 {
					t.Errorf("seed %d, %s: the %s %s is off by %s, bound %s", seed, typed, what, e.Amount, off.FloatString(9), bound.FloatString(9))
				}
			}
			check("PnL", shift.Profit(p.Number(model.UnrealisedPnl), p, in), want, 2)
			maintenance := model.AmountOf(int64(1 + random.IntN(1_000_000)))
			if isDecimal {
				maintenance = model.DecimalOf(big.NewInt(int64(1+random.IntN(1_000_000))), 2, 2)
			}
			ratio := model.MarginRatio{Profit: p.Number(model.UnrealisedPnl), Maintenance: maintenance}
			if ratio.IsKnown(shift.Profit(ratio.Profit, p, in).Bound, 2) {
				known++
				off := new(big.Rat).Quo(want, modeltest.ValueOf(maintenance.String(), 2))
				off.Sub(off.Mul(off, big.NewRat(1000, 1)), modeltest.ValueOf(ratio.Permille().String(), 0))
				if off.Abs(off).Cmp(big.NewRat(3, 2)) > 0 { // one is not known, and it is rounded
					t.Errorf("seed %d, %s: the ratio %s is off by %s thousandths", seed, typed, ratio, off.FloatString(3))
				}
			} else {
				unknown++
			}
			if e, ok := shift.Mark(p, in); ok {
				check("mark", e, price, 2)
			}
			if e, ok := shift.Notional(p, in); ok {
				check("notional", e, notional, 2)
			}
			sum.Add(p.Number(model.UnrealisedPnl))
			trueSum.Add(trueSum, want)
			scale := in.NotionalScale(p.Market)
			total.isDecimal = isDecimal
			if p.Number(model.OpenVolume).Sign() > 0 {
				total.long.AddSigned(p, scale.Of(p), +1)
			} else {
				total.short.AddSigned(p, scale.Of(p), +1)
			}
		}
		gross := total.rounded(model.ID{}, decimals, 3).Gross
		e := shift.ProfitOf(sum.Amount(decimals), gross, positions, model.ID{}, decimals)
		off := modeltest.ValueOf(e.Amount.String(), decimals)
		off.Sub(off, trueSum).Abs(off)
		if off.Cmp(modeltest.ValueOf(e.Bound.String(), decimals)) > 0 {
			t.Errorf("seed %d, %s: the sum %s is off by %s, bound %s", seed, typed, e.Amount, off.FloatString(9), e.Bound)
		}
		if other := shift.ProfitOf(sum.Amount(decimals), gross, positions, model.MakeID("b1"), decimals); !other.Bound.IsZero() {
			t.Errorf("seed %d: a market that is not changed has a bound of %s", seed, other.Bound)
		}
	}
	if known < 100 || unknown < 50 {
		t.Errorf("%d ratios are known, %d are not", known, unknown)
	}
}
