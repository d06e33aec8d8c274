package analysis

import (
	"testing"

	"blotter/model"
)

// TestNothingIsWorkedOutIfAMarketIsNotLinear, of integers and of decimals: what is there with linear = true is not
// there with false.
func TestNothingIsWorkedOutIfAMarketIsNotLinear(t *testing.T) {
	market, asset := model.MakeID("b1"), model.MakeID("c1")
	position := func(size, entry, unrealised, realised string) *model.Position {
		p := &model.Position{Key: model.Key{Party: model.MakeID("a1"), Market: market}}
		for f, text := range map[model.Field]string{model.OpenVolume: size, model.AverageEntryPrice: entry, model.UnrealisedPnl: unrealised, model.RealisedPnl: realised} {
			p.SetNumber(f, model.ParseAmount(text))
		}
		return p
	}
	for _, states := range [][2]*model.Position{
		{position("10000", "20000", "50000", "0"), position("20000", "30000", "-900000", "0")},
		{position("10.0", "200.0", "500.0", "0"), position("20.0", "300.0", "-9000.0", "0")},
	} {
		before, after := states[0], states[1]
		ratio := model.MarginRatio{Profit: before.Number(model.UnrealisedPnl), Maintenance: before.Number(model.UnrealisedPnl)}
		for _, isNotLinear := range []bool{false, true} {
			in := model.NewInstruments(nil, []model.Market{{ID: market, Name: "BTC", Asset: asset, PriceDecimals: 2, SizeDecimals: 3, IsNotLinear: isNotLinear}},
				[]model.Asset{{ID: asset, Decimals: 2}})
			_, _, hasMark := model.MarkAndNotional(before, in)
			_, hasDistance := model.DistanceTo(model.AllLost, ratio, before, in)
			ratio.Profit = model.AmountOf(-1_000_000_000)
			_, hasPassed := model.DistanceTo(model.AllLost, ratio, before, in)
			ratio.Profit = before.Number(model.UnrealisedPnl)
			_, hasPart := model.PartOfEntry.Of(before, nil, in)
			scale := in.NotionalScale(market)
			_, hasPrice := TradePrice(before, after, in)
			change, _, isChange := new(trade).between(before, after, in)
			_, isShift := ParsePriceShift("btc -5%", []model.ID{market}, in, func(id model.ID) bool { _, _, ok := model.MarkAndNotional(before, in); return ok })
			got := []bool{hasMark, hasDistance, hasPassed, hasPart, scale.Of(before) != model.Unscaled, hasPrice, !change.IsUnsplit, isShift == nil}
			for i, is := range got {
				if is == isNotLinear {
					t.Errorf("not linear %t: number %d of %v", isNotLinear, i, got)
				}
			}
			if !isChange {
				t.Error("the whole change is not known")
			}
		}
	}
}
