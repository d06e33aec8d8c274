package view

import (
	"math/big"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// figure returns a figure of a position; nil if it has none.
func (m plainMargins) figure(in *model.Instruments, p *model.Position, of model.Figure) *big.Rat {
	if of == model.Leverage {
		levels, ok := m.find(in, p.Key)
		factor := modeltest.ValueOf(levels.MarginTexts[model.MarginFactor], 0)
		if !ok || !p.IsOpen() || levels.ModeWord() != "isolated" || factor == nil || factor.Sign() <= 0 {
			return nil
		}
		return new(big.Rat).Inv(factor)
	}
	var values []*big.Rat
	for _, f := range []model.Field{model.UnrealisedPnl, model.OpenVolume, model.AverageEntryPrice} {
		text, decimals := p.Number(f).String(), in.Decimals(f, p.Market)
		value := modeltest.ValueOf(text, decimals)
		if value == nil || !p.Number(f).IsAddable() || value.Sign() != 0 && decimals == model.Unscaled && !modeltest.IsDecimal(text) {
			return nil
		}
		values = append(values, value)
	}
	if values[1].Sign() == 0 || values[2].Sign() <= 0 {
		return nil
	}
	return values[0].Quo(values[0], values[2].Mul(values[2], values[1].Abs(values[1])))
}

// maintenance returns the text of the maintenance margin of an open position; empty if it has none.
func (m plainMargins) maintenance(in *model.Instruments, p *model.Position) string {
	levels, ok := m.find(in, p.Key)
	if !ok || !p.IsOpen() || in.Market(p.Market).Asset.String() == "" || modeltest.ValueOf(levels.Maintenance.String(), 0) == nil {
		return ""
	}
	return levels.Maintenance.String()
}

// TestFigures of positions, as exact fractions.
func TestFigures(t *testing.T) {
	in := model.NewInstruments(nil, []model.Market{{ID: model.MakeID("m"), Asset: model.MakeID("a"), PriceDecimals: 2, SizeDecimals: 3}},
		[]model.Asset{{ID: model.MakeID("a"), Decimals: 6}})
	position := func(market, size, entry, profit string) *model.Position {
		p := &model.Position{Key: model.Key{Market: model.MakeID(market)}}
		for f, text := range map[model.Field]string{model.OpenVolume: size, model.AverageEntryPrice: entry, model.UnrealisedPnl: profit} {
			p.SetNumber(f, model.ParseAmount(text))
		}
		return p
	}
	for _, test := range []struct{ market, size, entry, profit, want string }{
		{"m", "-10000", "341010", "-449200000", "-1.3%"}, // -449.20 of 10 × 3,410.10
		{"m", "10000", "341010", "34101000000", "+100.0%"},
		{"m", "1.5", "20.0", "0.3", "+1.0%"}, // decimals
		{"m", "1.5", "20", "0", "0.0%"},
		{"m", "0", "0", "0", ""},
		{"m", "10000", "0", "5", ""},
		{"m", "10000", "-5", "5", ""},
		{"m", "10000", "12x", "5", ""},
		{"other", "10000", "341010", "5", ""}, // decimals are not known
		{"other", "1.0", "2.0", "0.5", "+25.0%"},
	} {
		ratio, ok := model.PartOfEntry.Of(position(test.market, test.size, test.entry, test.profit), nil, in)
		if got := ratio.String(); ok != (test.want != "") || ok && got != test.want {
			t.Errorf("%+v: %q, %t", test, got, ok)
		}
	}
	for _, test := range []struct{ mode, factor, want string }{
		{"MARGIN_MODE_ISOLATED_MARGIN", "0.25", "4"}, {"2", "0.3", "3.33 rounded"}, {"2", "1", "1"}, {"2", "1.5", "0.67 rounded"},
		{"2", "0.01", "100"}, {"2", "0", ""}, {"2", "-0.5", ""}, {"2", "", ""}, {"2", "x", ""},
		{"MARGIN_MODE_CROSS_MARGIN", "0.25", ""}, {"", "0.25", ""},
	} {
		levels := &model.MarginLevels{MarginTexts: model.MarginTexts{model.MarginMode: test.mode, model.MarginFactor: test.factor}}
		got := ""
		if ratio, ok := model.Leverage.Of(&model.Position{}, levels, in); ok {
			var isRounded bool
			if got, isRounded = ratio.Written(2); isRounded {
				got += " rounded"
			}
		}
		if got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
	if _, ok := model.Leverage.Of(&model.Position{}, nil, in); ok {
		t.Error("a position without a margin record has a leverage")
	}
}

// TestViewInTheOrderOfFigures changes margin records and positions while the order of rows depends on both.
func TestViewInTheOrderOfFigures(t *testing.T) {
	for seed, column := range []Column{MaintenanceColumn, PartOfEntryColumn, LeverageColumn} {
		for _, descending := range []bool{false, true} {
			d := newScenario(uint64(seed), 30, 20)
			d.order, d.filter = Order{column, descending}, Filter{ShowClosed: descending}
			d.rebuild(book.New(0))
			for step := range modeltest.Times(1000) {
				s := d.Subscription()
				d.merge(s, d.position(s))
				d.mergeMargins(2)
				if step%100 == 99 {
					d.check(t)
				}
			}
		}
	}
}
