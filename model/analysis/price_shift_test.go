package analysis

import (
	"math/big"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
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
		"xrp 3%":        "it cannot be estimated: decimals are not known, or linear = false",
		"=eth/usdt -5%": "ETH/USDT -5%",
		"eth":           "changes such as eth -5%, all -5% btc -10%, eth =3000",
		"eth -5":        "changes such as eth -5%, all -5% btc -10%, eth =3000",
		"eth -5% btc":   "changes such as eth -5%, all -5% btc -10%, eth =3000",
		"eth =-5":       "changes such as eth -5%, all -5% btc -10%, eth =3000",
		"eth =3,00":     "changes such as eth -5%, all -5% btc -10%, eth =3000",
		"":              "changes such as eth -5%, all -5% btc -10%, eth =3000",

		"-5%":                               "3 markets -5%", // the fourth has unknown decimals
		"ALL 5 %":                           "3 markets +5%",
		"eth/u -5% btc/ -10%":               "ETH/USDT -5%, BTC/USDT -10%",
		"eth/u -5%, btc/ -10%, eth/btc +1%": "ETH/USDT -5%, BTC/USDT -10% and 1 more",
		"all -5% eth/u -10%":                "2 markets -5%, ETH/USDT -10%", // the last counts
		"eth/u -10% all -5%":                "what follows changes eth/u again",
		"eth/u =3,000.50":                   "ETH/USDT =3,000.50",
		"eth =3000":                         "a price needs exactly one market, as in eth =3000",
		"=3000":                             "a price needs exactly one market, as in eth =3000",
		"eth -5% doge -5%":                  "no market of the positions has doge in its name",
		"eth -101%":                         "a price falls by 100% at most",
		"doge -5%":                          "no market of the positions has doge in its name",
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

// TestApplyAPrice: uPnL is size × (price - entry price).
func TestApplyAPrice(t *testing.T) {
	in := shiftedInstruments()
	s := modeltest.NewSample(3, 0, 0)
	for range 2000 {
		cents := s.Int64N(1e7)
		shift, err := ParsePriceShift("btc/ -1% eth/u ="+new(big.Rat).SetFrac64(cents, 100).FloatString(2), shiftedMarkets, in, in.HasDecimals)
		if err != nil {
			t.Fatal(err)
		}
		p := s.State(model.Key{Market: model.MakeID("b2")}, 1+s.IntN(9))
		if !p.IsOpen() {
			continue
		}
		value := func(f model.Field, decimals int64) *big.Rat {
			n, _ := p.Number(f).Int()
			return new(big.Rat).SetFrac(n, big.NewInt(decimals))
		}
		want := new(big.Rat).Sub(big.NewRat(cents, 100), value(model.AverageEntryPrice, 100))
		want.Mul(want, value(model.OpenVolume, 1000))
		if !shift.Apply(&p, in) || value(model.UnrealisedPnl, 100).FloatString(2) != strings.Replace(want.FloatString(2), "-0.00", "0.00", 1) {
			t.Fatalf("%+v at %s: not %s", p, shift.Typed, want.FloatString(4))
		}
	}
}

// TestApplyAPriceToDecimals: 1.25 × (60,000 - 64,120.5) is -5,150.625. Of integers, it is rounded to cents.
func TestApplyAPriceToDecimals(t *testing.T) {
	in := shiftedInstruments()
	shift, err := ParsePriceShift("btc/ =60,000", shiftedMarkets, in, in.HasDecimals)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range [][4]string{{"1250", "641205", "0", "-515063"}, {"1.25", "64120.5", "346.88", "-5150.625"}} {
		p := model.Position{Key: model.Key{Market: model.MakeID("b1")}}
		for i, field := range []model.Field{model.OpenVolume, model.AverageEntryPrice, model.UnrealisedPnl} {
			p.ReadNumber(field, []byte(test[i]))
		}
		if shift.Apply(&p, in); p.Number(model.UnrealisedPnl).String() != test[3] {
			t.Errorf("%v: uPnL is %s", test, p.Number(model.UnrealisedPnl))
		}
	}
}

// TestApplyOverAllMarkets: each position changes by its own share, the one that is named apart by its own.
func TestApplyOverAllMarkets(t *testing.T) {
	in := shiftedInstruments()
	shift, err := ParsePriceShift("all -5% btc/ -10%", shiftedMarkets, in, in.HasDecimals)
	if err != nil {
		t.Fatal(err)
	}
	for market, want := range map[string]string{"b1": "-10000", "b2": "-500", "b3": "-500", "b4": "0"} { // of 1,000.00, or of 100.00
		p := model.Position{Key: model.Key{Market: model.MakeID(market)}}
		p.SetNumber(model.OpenVolume, model.AmountOf(1000))
		p.SetNumber(model.AverageEntryPrice, model.AmountOf(10_000))
		if shift.Apply(&p, in); p.Number(model.UnrealisedPnl).String() != want {
			t.Errorf("%s: uPnL is %s, not %s", market, p.Number(model.UnrealisedPnl), want)
		}
	}
}

func FuzzParsePriceShift(f *testing.F) {
	f.Add("eth -5%")
	f.Add("all 3 % btc/ =1,000.5")
	f.Fuzz(func(t *testing.T, typed string) {
		shift, err := ParsePriceShift(typed, shiftedMarkets, shiftedInstruments(), shiftedInstruments().HasDecimals)
		if err != nil {
			return
		}
		changed := 0
		for _, m := range shift.moves {
			changed += len(m.markets)
			if len(m.markets) == 0 || (m.percent == nil) == (m.price == nil) || m.price != nil && len(m.markets) != 1 {
				t.Errorf("%q has %+v", typed, m)
			}
		}
		if changed != len(shift.of) || changed != len(shift.Markets) {
			t.Errorf("%q changes %d markets: %+v", typed, changed, shift)
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
