package model_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// estimateInstruments returns instruments with one market: 3 decimals for sizes, 2 for prices, 6 for its asset.
func estimateInstruments() *model.Instruments {
	asset := model.MakeID("usdt")
	return model.NewInstruments(nil,
		[]model.Market{{ID: model.MakeID("eth"), Asset: asset, PriceDecimals: 2, SizeDecimals: 3}},
		[]model.Asset{{ID: asset, Decimals: 6}})
}

func estimatePosition(volume, entry, unrealised string) *model.Position {
	p := &model.Position{Key: model.Key{Market: model.MakeID("eth")}}
	p.SetNumber(model.OpenVolume, model.ParseAmount(volume))
	p.SetNumber(model.AverageEntryPrice, model.ParseAmount(entry))
	p.SetNumber(model.UnrealisedPnl, model.ParseAmount(unrealised))
	return p
}

func TestEstimates(t *testing.T) {
	in := estimateInstruments()
	for _, c := range []struct{ volume, entry, unrealised, mark, notional string }{
		{"-10000", "341010", "-449200000", "3,455.02", "-34,550.200000"}, // short 10, a loss of 44.92 each
		{"1250", "6412050", "346880000", "64,398.00", "80,497.505000"},
		{"1000", "100", "0", "1.00", "1.000000"},
		{"2000", "100", "10000", "1.01", "2.010000"},   // half of 0.01: up
		{"2000", "100", "9999", "1.00", "2.009999"},    // less than half
		{"-2000", "100", "10000", "1.00", "-1.990000"}, // 0.995 rounds away from zero
		{"1000", "1", "-20000", "-0.01", "-0.010000"},  // not realistic, but computed from the numbers
		{"0", "100", "5", "", ""},
		{"-0", "100", "5", "", ""},
		{"1.5", "100", "5", "1.00", "1.500005"},
		{"1.500", "1.00", "0.000005", "1.00", "1.500005"},
		{"1.500", "1.0000", "0.000005", "1.00", "1.500005"},
		{"-12.5", "5760209.9800000004", "-0.5", "5,760,210.0200000004", "-72,002,625.250000"},
		{"1e1", "2.5", "0", "2.50", "25.000000"},
		{"0.000", "2.5", "0", "", ""},
		{"1.5", "1,5", "0", "", ""},
		{"1000", "", "5", "", ""},
		{"1000", "100", "x", "", ""},
	} {
		p := estimatePosition(c.volume, c.entry, c.unrealised)
		mark, notional, ok := model.MarkAndNotional(p, in)
		if ok != (c.mark != "") || ok && mark.Scaled(2, false) != c.mark {
			t.Errorf("%+v: the mark is %s, %v", c, mark.Scaled(2, false), ok)
		}
		if ok != (c.notional != "") || ok && notional.Scaled(6, false) != c.notional {
			t.Errorf("%+v: the notional is %s, %v", c, notional.Scaled(6, false), ok)
		}
	}
}

// TestEstimatesFollowFromTheDefinition compares them with size × (mark − entry) = unrealised profit.
func TestEstimatesFollowFromTheDefinition(t *testing.T) {
	s := modeltest.NewSample(7, 1, 40)
	rat := modeltest.Value
	for range 2000 {
		p := s.State(model.Key{s.Parties[0], s.Markets[1+s.IntN(39)]}, 1+s.IntN(20))
		market := s.Instruments.Market(p.Market)
		asset := s.Instruments.Asset(market.Asset)
		mark, notional, ok := model.MarkAndNotional(&p, s.Instruments)
		if !p.IsOpen() {
			if ok {
				t.Fatal("a closed position has a mark")
			}
			continue
		}
		volume, _ := p.Number(model.OpenVolume).Int()
		entry, _ := p.Number(model.AverageEntryPrice).Int()
		profit, _ := p.Number(model.UnrealisedPnl).Int()
		size := rat(volume, market.SizeDecimals)
		price := rat(profit, asset.Decimals)
		price.Quo(price, size).Add(price, rat(entry, market.PriceDecimals))
		if want := roundedTo(price, market.PriceDecimals); mark.String() != want {
			t.Fatalf("the mark is %s, want %s", mark, want)
		}
		if want := roundedTo(price.Mul(price, size), asset.Decimals); notional.String() != want {
			t.Fatalf("the notional is %s, want %s", notional, want)
		}
	}
}

// roundedTo returns a value as an integer in units of 10^-decimals.
func roundedTo(value *big.Rat, decimals int) string {
	unit := modeltest.Value(big.NewInt(1), decimals)
	return strings.Replace(new(big.Rat).Quo(value, unit).FloatString(0), "-0", "0", 1)
}

// TestEstimatesWithNegativeDecimals: of sizes whose smallest unit is 1,000, of prices, and of an asset.
func TestEstimatesWithNegativeDecimals(t *testing.T) {
	for _, c := range []struct {
		size, price, asset             int
		volume, entry, profit          string
		shown, mark, notional, roughly string
	}{
		{-3, 9, 6, "1234", "12300", "-5000000", "+1,234,000", "0.000008248", "10.178200", "10.18"},
		{-3, 9, 6, "-1234", "12300", "5000000", "-1,234,000", "0.000008248", "-10.178200", "-10.18"},
		{-18, 38, 18, "1", "100000000000000000000", "0", "+1,000,000,000,000,000,000", "0.00000000000000000100000000000000000000", "1.000000000000000000", "1.00"},
		{2, -2, -1, "150", "7", "30", "+1.50", "900", "1,350", "1,350"},
		{0, -18, -18, "2", "3", "0", "+2", "3,000,000,000,000,000,000", "6,000,000,000,000,000,000", "6,000,000,000,000,000,000"},
	} {
		market, asset := model.MakeID("eth"), model.MakeID("usdt")
		in := model.NewInstruments(nil, []model.Market{{ID: market, Asset: asset, PriceDecimals: c.price, SizeDecimals: c.size}}, []model.Asset{{ID: asset, Decimals: c.asset}})
		p := estimatePosition(c.volume, c.entry, c.profit)
		mark, notional, ok := model.MarkAndNotional(p, in)
		roughly, _ := notional.Rounded(c.asset, 2, false)
		got := []string{p.Number(model.OpenVolume).Scaled(c.size, true), mark.Scaled(c.price, false), notional.Scaled(c.asset, false), roughly}
		if want := []string{c.shown, c.mark, c.notional, c.roughly}; !ok || !slices.Equal(got, want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
	if got := model.AmountOf(0).Scaled(-3, true); got != "0" {
		t.Errorf("no thousands are %s", got)
	}
}

func TestNothingIsEstimatedWithoutDecimals(t *testing.T) {
	asset := model.MakeID("usdt")
	for _, in := range []*model.Instruments{
		model.NewInstruments(nil, nil, nil),
		model.NewInstruments(nil, []model.Market{{ID: model.MakeID("eth"), Asset: asset, PriceDecimals: 2, SizeDecimals: 3}}, nil),
		model.NewInstruments(nil, []model.Market{{ID: model.MakeID("eth"), Asset: asset, PriceDecimals: model.Unscaled, SizeDecimals: 3}}, []model.Asset{{asset, "", 6}}),
		model.NewInstruments(nil, []model.Market{{ID: model.MakeID("eth"), Asset: asset, PriceDecimals: 2, SizeDecimals: model.Unscaled}}, []model.Asset{{asset, "", 6}}),
	} {
		p := estimatePosition("1000", "100", "5")
		if mark, notional, ok := model.MarkAndNotional(p, in); ok {
			t.Errorf("the mark is %s, the notional %s", mark, notional)
		}
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"-374", "1000", "-37.4%"},
		{"1", "1", "+100.0%"},
		{"0", "7", "0.0%"},
		{"-0", "7", "0.0%"},
		{"12345", "1", "+1,234,500.0%"},
		{"1", "2000", "+0.1%"}, // 0.05 is half: away from zero
		{"-1", "2000", "-0.1%"},
		{"1", "-2000", "-0.1%"},
		{"-1", "-2000", "+0.1%"},
		{"9007199254740993", "9007199254740993000", "+0.1%"},
		{"99999999999999999999999999999999", "-3", "-3,333,333,333,333,333,333,333,333,333,333,300.0%"},
		{"1", "2001", "0.0%"},
		{"-1", "2001", "0.0%"}, // no minus on what is shown as zero
		{"3", "2000", "+0.2%"},
		{"1", "3", "+33.3%"},
		{"2", "3", "+66.7%"},
		{"-2", "003", "-66.7%"},
		{strings.Repeat("9", 50), strings.Repeat("9", 50), "+100.0%"},
		{"1", "0", ""},
		{"1", "-0", ""},
		{"1", "", ""},
		{"1.5", "2", ""},
		{"1.5", "2.0", "+75.0%"},
		{"-0.0", "2", "0.0%"},
	} {
		got, ok := model.Percent(model.ParseAmount(c.a), model.ParseAmount(c.b), model.Unscaled)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s of %s is %q, %v; want %q", c.a, c.b, got, ok, c.want)
		}
	}
}

func TestQuoRounded(t *testing.T) {
	for x := int64(-30); x <= 30; x++ {
		for y := int64(-7); y <= 7; y++ {
			if y == 0 {
				continue
			}
			got := model.QuoRounded(big.NewInt(x), big.NewInt(y)).String()
			// FloatString rounds the last digit half away from zero.
			want := big.NewRat(x, y).FloatString(0)
			if got != want && !(got == "0" && want == "-0") {
				t.Errorf("%d / %d is %s, want %s", x, y, got, want)
			}
		}
	}
}

func ExamplePercent() {
	profit, margin := model.ParseAmount("-44920"), model.ParseAmount("120000")
	fmt.Println(model.Percent(profit, margin, model.Unscaled))
	// Output: -37.4% true
}
