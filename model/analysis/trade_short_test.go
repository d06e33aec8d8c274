package analysis

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestShortTradesAreTrades: what is worked out in 128 bits is what big integers give, also near the limits of 64 bits.
func TestShortTradesAreTrades(t *testing.T) {
	short := 0
	for seed := range uint64(modeltest.Times(20_000)) {
		random := rand.New(rand.NewPCG(seed, 128))
		bits := 1 + random.IntN(64)
		number := func() model.Amount { return model.AmountOf(int64(random.Uint64()) >> (64 - bits)) }
		decimals := func() int { return random.IntN(21) - 2 }
		market := model.Market{ID: model.MakeID("m"), Asset: model.MakeID("a"), SizeDecimals: decimals(), PriceDecimals: decimals()}
		in := model.NewInstruments(nil, []model.Market{market}, []model.Asset{{ID: market.Asset, Decimals: decimals()}})
		var states [2]model.Position
		for i := range states {
			states[i].Market = market.ID
			for _, field := range []model.Field{model.OpenVolume, model.AverageEntryPrice, model.UnrealisedPnl} {
				states[i].SetNumber(field, number())
			}
		}
		of, long := new(trade), new(trade)
		if !of.set(&states[0], &states[1], market, in) || !long.set(&states[0], &states[1], market, in) {
			t.Fatalf("seed %d is no trade", seed)
		}
		if of.is.size.Sign() == 0 {
			continue
		}
		if of.short.are {
			short++
		}
		long.lengthen()
		for i, of := range []*valued{&long.was, &long.is} {
			value, entry, profit := new(big.Int), bigOf(&states[i], model.AverageEntryPrice), bigOf(&states[i], model.UnrealisedPnl)
			value.Mul(bigOf(&states[i], model.OpenVolume), entry)
			value.Mul(value, model.PowerOfTen(long.value-long.size-long.entry))
			if value.Add(value, profit.Mul(profit, model.PowerOfTen(long.value-long.profit))).Cmp(&of.value) != 0 {
				t.Errorf("seed %d: a value is %s, want %s", seed, &of.value, value)
			}
		}
		gain := number()
		if random.IntN(2) == 0 { // at the limit of what is near
			n := new(big.Int).Mul(&long.is.value, &long.volume)
			n.Quo(n, new(big.Int).Mul(&long.is.size, new(big.Int).Mul(model.PowerOfTen(long.value-long.amount), big.NewInt(nearParts))))
			gain = model.AmountOfInt(n.Add(n, big.NewInt(int64(random.IntN(3)-1))))
		}
		price, isNear := of.ofPrice(), of.isNear(gain)
		if want := long.ofPrice(); price != want || isNear != long.isNear(gain) {
			t.Errorf("seed %d: of the price %s, want %s; near %t", seed, price, want, isNear)
		}
		if of.isPossible(gain) != long.isPossible(gain) {
			t.Errorf("seed %d: is possible: %t", seed, of.isPossible(gain))
		}
	}
	if short < 1000 {
		t.Errorf("%d trades are short", short)
	}
}

func bigOf(p *model.Position, field model.Field) *big.Int {
	n, _, _ := p.Number(field).Value(0)
	return n
}
