package analysis

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"blotter/model"
)

// tradedPosition is a position with a size, an entry price, a realised PnL and a loss socialisation amount.
func tradedPosition(size, entry, realised, loss string) *model.Position {
	p := &model.Position{Key: model.Key{Party: party, Market: market}}
	for field, text := range map[model.Field]string{
		model.OpenVolume: size, model.AverageEntryPrice: entry, model.RealisedPnl: realised, model.LossSocialisationAmount: loss,
	} {
		p.SetNumber(field, model.ParseAmount(text))
	}
	return p
}

// marked is a position with an unrealised PnL, from which its mark price follows.
func marked(p *model.Position, unrealised string) *model.Position {
	p.SetNumber(model.UnrealisedPnl, model.ParseAmount(unrealised))
	return p
}

func priceWords(before, after *model.Position, in *model.Instruments) string {
	price, ok := TradePrice(before, after, in)
	if !ok {
		return "not known"
	}
	text, _ := price.Rounded(model.Unscaled, price.Places, false)
	return text
}

func TestTradePrice(t *testing.T) {
	with := func(size, price, ofAsset int) *model.Instruments {
		return model.NewInstruments(nil, []model.Market{{ID: market, Asset: asset, PriceDecimals: price, SizeDecimals: size}}, []model.Asset{{ID: asset, Decimals: ofAsset}})
	}
	cents, none := with(0, 2, 2), with(model.Unscaled, model.Unscaled, model.Unscaled)
	of := tradedPosition
	for _, c := range []struct {
		name          string
		before, after *model.Position
		in            *model.Instruments
		want          string
	}{
		{"opened", nil, of("100", "14730", "0", "0"), cents, "147.30"},
		{"opened again, with PnL of before", of("0", "0", "500", "0"), of("-100", "14730", "500", "0"), cents, "147.30"},
		{"opened again, and the entry of before was sent", of("0", "100", "500", "0"), of("-100", "14730", "500", "0"), cents, "147.30"},
		{"opened, and more was sold and bought back", of("0", "0", "0", "0"), of("100", "14730", "50000", "0"), cents, "not known"},
		{"grown to twice its size", of("100", "10000", "0", "0"), of("200", "11000", "0", "0"), cents, "120.00"},
		{"a short has grown", of("-100", "10000", "0", "0"), of("-200", "11000", "0", "0"), cents, "120.00"},
		{"grown, and the rounding is realised", of("100", "10000", "0", "0"), of("300", "10066", "-200", "0"), cents, "100.99"},
		{"grown by a tenth: 147.69 ± 0.21 of rounding is too much", of("1000", "14769", "0", "0"), of("1100", "14769", "0", "0"), cents, "not known"},
		{"grown by a fifth", of("1000", "14769", "0", "0"), of("1200", "14769", "0", "0"), cents, "147.7"},
		{"grown, and a part was sold meanwhile", of("100", "10000", "0", "0"), of("200", "11000", "5000", "0"), cents, "not known"},
		{"grown, with loss socialisation", of("100", "10000", "0", "0"), of("200", "11000", "-7", "7"), cents, "not known"},
		{"a half sold at 105", of("100", "10000", "0", "0"), marked(of("50", "10000", "25000", "0"), "25000"), cents, "105.00"},
		{"a half of a short bought at 105", of("-100", "10000", "0", "0"), marked(of("-50", "10000", "-25000", "0"), "-25000"), cents, "105.00"},
		{"sold beyond two mark prices, by less than they are apart", marked(of("100", "10000", "0", "0"), "20000"), marked(of("50", "10000", "39500", "0"), "25000"), cents, "107.90"},
		{"sold beyond two mark prices, by more than they are apart and 2 %", marked(of("100", "10000", "0", "0"), "20000"), marked(of("50", "10000", "40500", "0"), "25000"), cents, "not known"},
		{"sold farther from both mark prices than they are apart, but by less than 2 %", marked(of("100", "10000", "0", "0"), "50000"), marked(of("50", "10000", "35000", "0"), "25000"), cents, "107.00"},
		{"sold at more than 2 % from the only mark price", marked(of("100", "10000", "0", "0"), "50000"), marked(of("50", "10000", "36500", "0"), "25000"), cents, "not known"},
		{"a half sold at 10,500, and 2,000 each of funding paid", marked(of("100", "1000000", "0", "0"), "5000000"), marked(of("50", "1000000", "-7500000", "0"), "2500000"), cents, "not known"},
		{"sold at the entry price", of("100", "10000", "0", "0"), of("50", "10000", "0", "0"), cents, "100.00"},
		{"sold, and the entry differs", of("100", "10000", "0", "0"), of("50", "10100", "25000", "0"), cents, "not known"},
		{"sold, with loss socialisation", of("100", "10000", "0", "0"), of("50", "10000", "25000", "7"), cents, "not known"},
		{"closed at 105", marked(of("100", "10000", "0", "0"), "50000"), of("0", "0", "50000", "0"), cents, "105.00"},
		{"closed at 105, and the entry is still sent", marked(of("100", "10000", "0", "0"), "49000"), of("0", "10000", "50000", "0"), cents, "105.00"},
		{"closed below 0", of("100", "10000", "0", "0"), of("0", "0", "-5000000", "0"), cents, "not known"},
		{"from long to short at 104", of("100", "10000", "0", "0"), of("-100", "10400", "40000", "0"), cents, "104.00"},
		{"from short to long at 104", of("-100", "10000", "0", "0"), of("50", "10400", "-40000", "0"), cents, "104.00"},
		{"from long to short, and realised is something else", of("100", "10000", "0", "0"), of("-100", "10400", "30000", "0"), cents, "not known"},
		{"funding", of("100", "10000", "0", "0"), of("100", "10000", "-8500", "0"), cents, "not known"},
		{"removed", of("100", "10000", "0", "0"), nil, cents, "not known"},
		{"without entry prices, as in an old recording", of("100", "0", "0", "0"), of("50", "0", "0", "0"), cents, "not known"},
		{"the decimals are not known", of("0", "0", "0", "0"), of("100", "14730", "0", "0"), none, "not known"},
		{"numbers with points need no decimals", nil, of("1.5", "147.30", "0", "0"), none, "147.30"},
		{"numbers with points, grown", of("1.5", "147.5", "0", "0"), of("3.0", "148.00", "0", "0"), none, "148.50"},
		{"numbers with points, reduced", of("3.0", "147.50", "0", "0"), of("1.5", "147.5", "1.50", "0"), none, "148.50"},
		{"numbers with points, sold at the entry: the digits of PnL are not known", of("3.0", "147.50", "0", "0"), of("1.5", "147.5", "0", "0"), none, "not known"},
		{"a size in thousands", of("0", "0", "0", "0"), of("5", "12300", "0", "0"), with(-3, 9, 6), "0.000012300"},
		{"a price in thousands", of("0", "0", "0", "0"), of("5", "12345", "0", "0"), with(0, -3, 6), "12,345,000"},
		{"no number", nil, of("x", "12300", "0", "0"), cents, "not known"},
		{"a huge number", of("0", "0", "0", "0"), of("99999999999999999999999999999999999999999999", "14730", "0", "0"), cents, "147.30"},
		{"a part of the PnL is so coarse that the price is not known", of("100", "10000", "0", "0"), of("99", "10000", "1", "0"), with(0, 2, 0), "not known"},
	} {
		if got := priceWords(c.before, c.after, c.in); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// trader trades as services do, with numbers that are rounded when they are sent.
type trader struct {
	random           *rand.Rand
	size             int64
	mark             *big.Rat // near the price of the last trade
	entry, realised  *big.Rat // the entry is exact if the service keeps it so, or rounded
	keepsExact       bool
	realisesRounding bool
	entryUnit, unit  *big.Rat
}

// rounded rounds to a unit: down, or to the nearest.
func (s *trader) rounded(n, unit *big.Rat, isDown bool) *big.Rat {
	q := new(big.Rat).Quo(n, unit)
	if !isDown {
		q.Add(q, big.NewRat(1, 2))
	}
	floor := new(big.Int).Div(q.Num(), q.Denom())
	return new(big.Rat).Mul(new(big.Rat).SetInt(floor), unit)
}

// trade trades a volume at a price.
func (s *trader) trade(volume int64, price *big.Rat) {
	before, after := big.NewRat(s.size, 1), big.NewRat(s.size+volume, 1)
	entry := new(big.Rat)
	switch sign := before.Sign() * after.Sign(); {
	case after.Sign() == 0:
	case sign <= 0:
		entry.Set(price)
	case new(big.Rat).Abs(after).Cmp(new(big.Rat).Abs(before)) > 0:
		entry.Add(new(big.Rat).Mul(before, s.entry), new(big.Rat).Mul(big.NewRat(volume, 1), price))
		entry.Quo(entry, after)
	default:
		entry.Set(s.entry)
	}
	exact := new(big.Rat).Set(entry)
	if !s.keepsExact {
		entry = s.rounded(entry, s.entryUnit, true)
	}
	of := entry
	if !s.realisesRounding {
		of = exact
	}
	gain := new(big.Rat).Mul(after, of)
	gain.Sub(gain, new(big.Rat).Mul(before, s.entry)).Sub(gain, new(big.Rat).Mul(big.NewRat(volume, 1), price))
	s.realised.Add(s.realised, gain)
	s.size, s.entry = s.size+volume, entry
}

// sent is the position as it is sent: in integers, or with a point.
func (s *trader) sent(isDecimal bool) *model.Position {
	write := func(n, unit *big.Rat, places int) string {
		n = s.rounded(n, unit, s.random.IntN(2) == 0)
		if isDecimal {
			return n.FloatString(places)
		}
		return new(big.Rat).Quo(n, unit).Num().String()
	}
	unrealised := new(big.Rat).Sub(s.mark, s.entry)
	unrealised.Mul(unrealised, big.NewRat(s.size, 1))
	return marked(tradedPosition(fmt.Sprint(s.size), write(s.entry, s.entryUnit, 2), write(s.realised, s.unit, 3), "0"),
		write(unrealised, s.unit, 3))
}

// checkTradePrice makes trades at prices that are known, and reports how many prices were shown.
func checkTradePrice(t *testing.T, seed uint64) (shown int) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	s := &trader{
		random: random, mark: new(big.Rat), entry: new(big.Rat), realised: new(big.Rat), keepsExact: random.IntN(2) == 0, realisesRounding: random.IntN(2) == 0,
		entryUnit: big.NewRat(1, 100), unit: big.NewRat(1, 1000),
	}
	in := model.NewInstruments(nil, []model.Market{{ID: market, Asset: asset, PriceDecimals: 2, SizeDecimals: 0}}, []model.Asset{{ID: asset, Decimals: 3}})
	isDecimal := random.IntN(2) == 0
	before := s.sent(isDecimal)
	for range 20 {
		volume := 1 + random.Int64N(1000)
		if random.IntN(2) == 0 {
			volume = -volume
		}
		if random.IntN(4) == 0 && s.size != 0 {
			volume = -s.size
		}
		price := big.NewRat(1_000_000+random.Int64N(500_000), 10_000)
		s.trade(volume, price)
		s.mark.Mul(price, big.NewRat(10_000+random.Int64N(200)-100, 10_000))
		after := s.sent(isDecimal)
		if estimate, ok := TradePrice(before, after, in); ok {
			shown++
			text, _ := estimate.Rounded(model.Unscaled, estimate.Places, false)
			value, _ := new(big.Rat).SetString(estimate.String())
			wrong := new(big.Rat).Abs(new(big.Rat).Sub(value, price))
			// The last digit that is shown adds as much at most.
			if limit := new(big.Rat).Mul(price, big.NewRat(2, 1000)); wrong.Cmp(limit) > 0 {
				t.Errorf("seed %d: %d at %s is shown as %s", seed, volume, price.FloatString(4), text)
			}
		}
		before = after
	}
	return shown
}

// TestTradePricesAreRight: of random trades, at prices that are known exactly.
func TestTradePricesAreRight(t *testing.T) {
	shown := 0
	for seed := range uint64(300) {
		shown += checkTradePrice(t, seed)
	}
	if shown < 3000 {
		t.Errorf("only %d prices of 6000 trades are shown", shown)
	}
}

func FuzzTradePrice(f *testing.F) {
	f.Add(uint64(1), "100", "14730", "0", "50", "14730", "500")
	f.Add(uint64(2), "1e99", "-0.000", "+5", "1e-99", "00147.30", "-")
	f.Fuzz(func(t *testing.T, seed uint64, size, entry, realised, sizeAfter, entryAfter, realisedAfter string) {
		checkTradePrice(t, seed)
		before, after := tradedPosition(size, entry, realised, "0"), tradedPosition(sizeAfter, entryAfter, realisedAfter, "0")
		if price, ok := TradePrice(before, after, instruments()); ok && (price.Sign() <= 0 || !price.IsNumber()) {
			t.Errorf("the price is %s", price)
		}
	})
}

// TestNearTradesHaveAPrice: a trade that isNear takes is one that hasPrice takes too, so it never decides by itself.
func TestNearTradesHaveAPrice(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	number := func(most int) string { return fmt.Sprint(random.IntN(2*most) - most) }
	in, near, far, trade := instruments(), 0, 0, new(trade)
	for range 20_000 {
		before, after := tradedPosition(number(50), number(30), "0", "0"), tradedPosition(number(50), number(30), "0", "0")
		before.SetNumber(model.UnrealisedPnl, model.ParseAmount(number(1+random.IntN(2000))))
		after.SetNumber(model.UnrealisedPnl, model.ParseAmount(number(1+random.IntN(2000))))
		if !trade.set(before, after, in.Market(after.Market), in) {
			t.Fatalf("%v and %v are no trade", before.Numbers(), after.Numbers())
		}
		if trade.is.size.Sign() == 0 || trade.volume.Sign() == 0 {
			continue
		}
		gain := model.AmountOf(random.Int64N(400) - 200)
		if !trade.isNear(gain) {
			far++
		} else if near++; !trade.hasPrice(gain) {
			t.Fatalf("from %v to %v with %s", before.Numbers(), after.Numbers(), gain)
		}
	}
	if near < 1000 || far < 1000 {
		t.Errorf("%d are near, %d are not", near, far)
	}
}
