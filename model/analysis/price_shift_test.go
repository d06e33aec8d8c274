package analysis

import (
	"strings"
	"testing"

	"blotter/model"
)

func shiftedInstruments() *model.Instruments {
	return model.NewInstruments(nil, []model.Market{
		{ID: model.MakeID("b1"), Name: "BTC/USDT", Asset: model.MakeID("c1"), PriceDecimals: 1, SizeDecimals: 3},
		{ID: model.MakeID("b2"), Name: "ETH/USDT", Asset: model.MakeID("c1"), PriceDecimals: 2, SizeDecimals: 3},
		{ID: model.MakeID("b3"), Name: "ETH/BTC", Asset: model.MakeID("c1"), PriceDecimals: 2, SizeDecimals: 3},
		{ID: model.MakeID("b4"), Name: "XRP/USDT", Asset: model.MakeID("c1"), PriceDecimals: model.Unscaled, SizeDecimals: 3},
	}, []model.Asset{{ID: model.MakeID("c1"), Symbol: "USDT", Decimals: 2}})
}

var shiftedMarkets = []model.ID{model.MakeID("b1"), model.MakeID("b2"), model.MakeID("b3"), model.MakeID("b4")}

func TestParsePriceShift(t *testing.T) {
	for typed, want := range map[string]string{
		"btc/ -5%":      "BTC/USDT -5%",
		" ETH  +2.5 % ": "2 markets +2.5%",
		"eth 3%":        "2 markets +3%",
		"usdt 3%":       "2 markets +3%", // the third has unknown decimals
		"xrp 3%":        "it cannot be estimated: decimals are not known",
		"=eth/usdt -5%": "ETH/USDT -5%",
		"eth":           "a market and a change in percent, such as eth -5%",
		"eth -5":        "a market and a change in percent, such as eth -5%",
		"-5%":           "a market and a change in percent, such as eth -5%",
		"eth -101%":     "a price falls by 100% at most",
		"doge -5%":      "no market of the positions has doge in its name",
	} {
		shift, err := ParsePriceShift(typed, shiftedMarkets, shiftedInstruments(), shiftedInstruments().HasDecimals)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = shift.Text(func(id model.ID) string { return shiftedInstruments().Market(id).Name })
		}
		if got != want {
			t.Errorf("%q: %s, not %s", typed, got, want)
		}
	}
}

// TestApplyPriceShift: uPnL changes by size × mark × the change. The mark is the entry price + uPnL ÷ size.
func TestApplyPriceShift(t *testing.T) {
	in := shiftedInstruments()
	shift, err := ParsePriceShift("btc/ -5%", shiftedMarkets, in, in.HasDecimals)
	if err != nil {
		t.Fatal(err)
	}
	position := func(market, size, entry, profit string) *model.Position {
		p := &model.Position{Key: model.Key{Party: model.MakeID("a1"), Market: model.MakeID(market)}}
		p.ReadNumber(model.OpenVolume, []byte(size))
		p.ReadNumber(model.AverageEntryPrice, []byte(entry))
		p.ReadNumber(model.UnrealisedPnl, []byte(profit))
		return p
	}
	for _, test := range []struct {
		of   *model.Position
		want string
	}{
		{position("b1", "1250", "641205", "34688"), "-367800"}, // 346.88 - 4,024.88, as 80,497.51 is the notional
		{position("b1", "-1250", "641205", "0"), "400753"},     // 5% of 80,150.625 = 4,007.53
		{position("b1", "0", "0", "0"), "0"},
		{position("b2", "1250", "341010", "100"), "100"}, // another market
	} {
		if !shift.Apply(test.of, in) {
			t.Errorf("%v is not changed", test.of.Key)
		}
		if got := test.of.Number(model.UnrealisedPnl).String(); got != test.want {
			t.Errorf("uPnL is %s, not %s", got, test.want)
		}
	}
	unknown := position("b1", "1250", "641205", "34688")
	if shift.Apply(unknown, model.NewInstruments(nil, nil, nil)) || unknown.Number(model.UnrealisedPnl).String() != "34688" {
		t.Error("a position without known decimals was changed")
	}
	nines := strings.Repeat("9", model.MaxDigits)
	if huge := position("b1", nines, nines, "34688"); shift.Apply(huge, in) || huge.Number(model.UnrealisedPnl).String() != "34688" {
		t.Error("a position whose value has too many digits was changed")
	}
}

func FuzzParsePriceShift(f *testing.F) {
	f.Add("eth -5%")
	f.Fuzz(func(t *testing.T, typed string) {
		if shift, err := ParsePriceShift(typed, shiftedMarkets, shiftedInstruments(), shiftedInstruments().HasDecimals); err == nil && (len(shift.Markets) == 0 || !strings.HasSuffix(shift.change, "%")) {
			t.Errorf("%q is %+v", typed, shift)
		}
	})
}

// TestApplyPriceShiftToDecimals: a position whose numbers have decimal points needs no known decimals.
func TestApplyPriceShiftToDecimals(t *testing.T) {
	in := model.NewInstruments(nil, []model.Market{{ID: model.MakeID("b1"), Name: "BTC/USDT", PriceDecimals: model.Unscaled, SizeDecimals: model.Unscaled}}, nil)
	shift, err := ParsePriceShift("btc -10%", []model.ID{model.MakeID("b1")}, in, func(model.ID) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ size, entry, profit, want string }{
		{"2.5", "100.25", "0.5", "-24.6125"}, // 0.5 - 10% of 251.125
		{"-2.5", "100.25", "0.5", "25.5125"}, // 0.5 + 10% of 250.125
		{"2.5", "100", "0.5", "0.5"},         // 100 what?
	} {
		p := &model.Position{Key: model.Key{Party: model.MakeID("a1"), Market: model.MakeID("b1")}}
		for f, text := range map[model.Field]string{model.OpenVolume: c.size, model.AverageEntryPrice: c.entry, model.UnrealisedPnl: c.profit} {
			p.ReadNumber(f, []byte(text))
		}
		if shift.Apply(p, in); p.Number(model.UnrealisedPnl).String() != c.want {
			t.Errorf("%+v: uPnL is %s", c, p.Number(model.UnrealisedPnl))
		}
	}
}
