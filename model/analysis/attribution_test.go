package analysis

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

var (
	market = model.MakeID("b1")
	party  = model.MakeID("a1")
	asset  = model.MakeID("c1")
	start  = time.Date(2026, 1, 2, 9, 0, 0, 0, time.UTC)
)

// instruments have a market in which a size of 1 at a price of 1 is worth 1 of the asset's smallest unit.
func instruments() *model.Instruments {
	return model.NewInstruments(nil, []model.Market{{ID: market, Asset: asset, PriceDecimals: 1, SizeDecimals: 1}}, []model.Asset{{ID: asset, Decimals: 2}})
}

// state is a position with a size, entry price, mark price, realised PnL and loss socialisation amount.
func state(size, entry, mark, realised, loss int64) *model.Position {
	p := &model.Position{Key: model.Key{Party: party, Market: market}}
	for field, n := range map[model.Field]int64{
		model.OpenVolume: size, model.AverageEntryPrice: entry, model.UnrealisedPnl: size * (mark - entry),
		model.RealisedPnl: realised, model.LossSocialisationAmount: loss,
	} {
		p.SetNumber(field, model.AmountOf(n))
	}
	return p
}

// baselineOf returns the baseline of a position; nil is one that did not exist.
func baselineOf(t *testing.T, p *model.Position) *book.BaselineRow {
	t.Helper()
	part := book.BaselinePart{At: start}
	if p != nil {
		part.Positions = []model.Position{*p}
	}
	row, ok := book.NewBaseline([]book.BaselinePart{part}).Row(model.Key{Party: party, Market: market})
	if !ok {
		t.Fatal("the position has no baseline")
	}
	return &row
}

func words(c Change, ok bool) string {
	if !ok {
		return "unknown"
	}
	text := fmt.Sprintf("price %s trading %s loss %s", c.Price.Amount(model.Unscaled), c.Trading.Amount(model.Unscaled), c.Loss.Amount(model.Unscaled))
	if other := c.Other.Amount(model.Unscaled); !other.IsZero() {
		text += " other " + other.String()
	}
	if c.IsUnsplit {
		text += " unsplit " + c.Unsplit.Amount(model.Unscaled).String()
	}
	return text
}

func TestParts(t *testing.T) {
	for name, test := range map[string]struct {
		states []*model.Position // the first is that of the baseline
		want   string
	}{
		"the price rises":                      {[]*model.Position{state(10, 100, 100, 0, 0), state(10, 100, 103, 0, 0)}, "price 30 trading 0 loss 0"},
		"a short, and the price rises":         {[]*model.Position{state(-10, 100, 100, 0, 0), state(-10, 100, 103, 0, 0)}, "price -30 trading 0 loss 0"},
		"10 more bought at 101, marked at 103": {[]*model.Position{state(10, 99, 100, 0, 0), state(20, 100, 103, 0, 0)}, "price 30 trading 20 loss 0"},
		"half sold at 105, marked at 103":      {[]*model.Position{state(10, 100, 100, 0, 0), state(5, 100, 103, 25, 0)}, "price 30 trading 10 loss 0"},
		"from long to short at 104, then 103":  {[]*model.Position{state(10, 100, 100, 0, 0), state(-10, 104, 103, 40, 0)}, "price 30 trading 20 loss 0"},
		"opened at 100, marked at 103":         {[]*model.Position{nil, state(10, 100, 103, 0, 0), state(10, 100, 104, 0, 0)}, "price 10 trading 30 loss 0"},
		"loss socialised":                      {[]*model.Position{state(10, 100, 100, 0, 0), state(10, 100, 103, -7, 7)}, "price 30 trading 0 loss -7"},
		"funding is paid":                      {[]*model.Position{state(10, 100, 100, 0, 0), state(10, 100, 103, -85, 0)}, "price 30 trading 0 loss 0 other -85"},
		"funding of a closed position":         {[]*model.Position{state(0, 0, 0, 50, 0), state(0, 0, 0, 45, 0)}, "price 0 trading 0 loss 0 other -5"},
		"funding and loss socialised":          {[]*model.Position{state(10, 100, 100, 0, 0), state(10, 100, 100, -12, 7)}, "price 0 trading 0 loss -7 other -5"},
		"sold and bought back at 102":          {[]*model.Position{state(10, 100, 100, 0, 0), state(10, 102, 103, 20, 0)}, "price 30 trading 0 loss 0"},
		"funding, then half sold at 105":       {[]*model.Position{state(10, 100, 100, 0, 0), state(10, 100, 100, -3, 0), state(5, 100, 103, 22, 0)}, "price 30 trading 10 loss 0 other -3"},
		"closed at 105":                        {[]*model.Position{state(10, 100, 100, 0, 0), state(10, 100, 103, 0, 0), state(0, 0, 0, 50, 0)}, "price 30 trading 0 loss 0 unsplit 20"},
		"two trades, the price between them":   {[]*model.Position{state(10, 100, 100, 0, 0), state(5, 100, 103, 25, 0), state(5, 100, 100, 25, 0), state(4, 100, 101, 27, 0)}, "price 20 trading 11 loss 0"},
	} {
		t.Run(name, func(t *testing.T) {
			l := NewLog()
			for i, after := range test.states[1:] {
				l.Note(test.states[i], after, instruments(), start.Add(time.Duration(i)*time.Second))
			}
			if got := words(l.Of(test.states[len(test.states)-1], baselineOf(t, test.states[0]), model.Unscaled)); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// TestPartsOfALongDay compares the parts with the price and the trades that they come from.
func TestPartsOfALongDay(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		size, entry, mark, realised, loss := int64(20), int64(1000), int64(1000), int64(0), int64(0)
		first := state(size, entry, mark, realised, loss)
		before, l := first, NewLog()
		var price, trading, lost, other int64
		for i := range 50 {
			move := random.Int64N(11) - 5
			price += size * move
			mark += move
			switch random.IntN(5) {
			case 4:
				funding := random.Int64N(7) - 3
				realised, other = realised+funding, other+funding
			case 0: // buy at another price, at which the average entry price is a whole number
				at := mark + random.Int64N(5) - 2
				at -= (at - entry) % 2
				entry, size = (entry+at)/2, 2*size
				trading += size / 2 * (mark - at)
			case 1: // sell half of an even size
				if size%2 == 0 && size > 2 {
					at := mark + random.Int64N(5) - 2
					size /= 2
					realised += size * (at - entry)
					trading += size * (at - mark)
				}
			case 2:
				paid := random.Int64N(3)
				loss, realised, lost = loss+paid, realised-paid, lost-paid
			}
			after := state(size, entry, mark, realised, loss)
			l.Note(before, after, instruments(), start.Add(time.Duration(i)*time.Second))
			before = after
		}
		c, ok := l.Of(before, baselineOf(t, first), model.Unscaled)
		want := fmt.Sprintf("price %d trading %d loss %d", price, trading, lost)
		if other != 0 {
			want += fmt.Sprintf(" other %d", other)
		}
		if words(c, ok) != want {
			t.Fatalf("%s, want %s", words(c, ok), want)
		}
		if total, sum := price+trading+lost+other, c.Total(); sum.Amount(model.Unscaled) != model.AmountOf(total) {
			t.Fatalf("the total is %s, want %d", sum.Amount(model.Unscaled), total)
		}
	}
}

// TestWhatIsNotSplit: a split needs every change since the baseline.
func TestWhatIsNotSplit(t *testing.T) {
	first, second, last := state(10, 100, 100, 0, 0), state(7, 100, 102, 10, 0), state(5, 100, 103, 25, 0)
	without := func(field model.Field, p *model.Position) *model.Position {
		changed := *p
		changed.SetNumber(field, model.ParseAmount("much"))
		return &changed
	}
	later := start.Add(time.Hour)
	for name, log := range map[string]func() *Log{
		"no log":                       func() *Log { return nil },
		"nothing was noted":            func() *Log { return NewLog() },
		"a change before the baseline": func() *Log { l := NewLog(); l.Note(first, last, instruments(), start.Add(-1)); return l },
		"it was removed meanwhile": func() *Log {
			l := NewLog()
			l.Note(first, nil, instruments(), start)
			l.Note(nil, last, instruments(), later)
			return l
		},
		"a change before the first that was noted is missing": func() *Log {
			l := NewLog()
			l.Note(state(8, 100, 102, 10, 0), last, instruments(), start)
			return l
		},
		"a change between two is missing": func() *Log {
			l := NewLog()
			l.Note(first, state(9, 100, 102, 10, 0), instruments(), start)
			part := NewPart()
			part.Note(state(6, 100, 102, 10, 0), last, instruments(), later)
			l.Append(part)
			return l
		},
		"the last change is missing": func() *Log {
			l := NewLog()
			l.Note(first, state(9, 100, 102, 10, 0), instruments(), start)
			return l
		},
		"the first loss socialisation is no number": func() *Log {
			l := NewLog()
			l.Note(without(model.LossSocialisationAmount, first), second, instruments(), start)
			l.Note(second, last, instruments(), later)
			return l
		},
		"the last loss socialisation is no number": func() *Log {
			l := NewLog()
			l.Note(first, second, instruments(), start)
			l.Note(second, without(model.LossSocialisationAmount, last), instruments(), later)
			return l
		},
		"the realised PnL between them is no number": func() *Log {
			l, second := NewLog(), without(model.RealisedPnl, second)
			l.Note(first, second, instruments(), start)
			l.Note(second, last, instruments(), later)
			return l
		},
		"the first entry price is no number": func() *Log {
			l := NewLog()
			l.Note(without(model.AverageEntryPrice, first), last, instruments(), start)
			return l
		},
		"no decimals are known": func() *Log {
			l := NewLog()
			l.Note(first, last, model.NewInstruments(nil, nil, nil), start)
			return l
		},
	} {
		if got := words(log().Of(last, baselineOf(t, first), model.Unscaled)); got != "price 0 trading 0 loss 0 unsplit 40" {
			t.Errorf("%s: %s", name, got)
		}
	}
	l := NewLog()
	l.Note(second, first, instruments(), start.Add(-2))
	l.Note(first, nil, instruments(), start.Add(-1))
	l.Note(nil, last, instruments(), later)
	if got := words(l.Of(last, baselineOf(t, nil), model.Unscaled)); got != "price 0 trading 0 loss 0 other 40" {
		t.Errorf("it was removed before the baseline: %s", got)
	}
	if got := words((*Log)(nil).Of(state(10, 100, 103, 0, 0), baselineOf(t, first), model.Unscaled)); got != "price 30 trading 0 loss 0" {
		t.Errorf("without a trade the price is all: %s", got)
	}
	text := without(model.RealisedPnl, first)
	if got := words(l.Of(text, baselineOf(t, first), model.Unscaled)); got != "unknown" {
		t.Errorf("a number that cannot be added: %s", got)
	}
	if got := words(l.Of(first, baselineOf(t, text), model.Unscaled)); got != "unknown" {
		t.Errorf("a number of the baseline that cannot be added: %s", got)
	}
}

// TestALogIsBounded: of the positions that are too many, nothing is split. A change of the price takes no room.
func TestALogIsBounded(t *testing.T) {
	l, in := NewLog(), instruments()
	before, after := state(10, 100, 100, 0, 0), state(5, 100, 103, 25, 0)
	if l.Note(before, state(10, 100, 103, 0, 0), in, start); len(l.rows) != 0 {
		t.Error("a change of the price is kept")
	}
	for i := range maxRows + 10 {
		before.Market = model.MakeID(fmt.Sprint(i))
		after.Market = before.Market
		l.Note(before, after, in, start)
	}
	if len(l.rows) != maxRows {
		t.Errorf("%d positions are kept", len(l.rows))
	}
}

func TestChangesAreAdded(t *testing.T) {
	of := func(n int64) (s model.Sum) { s.Add(model.AmountOf(n)); return s }
	sum := Change{Price: of(1), Trading: of(2), Loss: of(3), Unsplit: of(4), LeftOut: 5}
	sum.Add(&Change{Price: of(10), Trading: of(20), Loss: of(30), Unsplit: of(40), IsUnsplit: true, LeftOut: 50})
	if got := words(sum, true); got != "price 11 trading 22 loss 33 unsplit 44" || !sum.IsUnsplit || sum.LeftOut != 55 {
		t.Errorf("%s without %d", got, sum.LeftOut)
	}
	sum.Add(new(Change))
	if total := sum.Total(); !sum.IsUnsplit || total.Amount(model.Unscaled) != model.AmountOf(110) {
		t.Errorf("%+v: the total is %s, want 110", sum, total.Amount(model.Unscaled))
	}
}

func TestAppend(t *testing.T) {
	first, second, last := state(10, 100, 100, 0, 0), state(5, 100, 103, 25, 0), state(4, 100, 101, 27, 0)
	l, part := NewLog(), NewPart()
	l.Note(first, second, instruments(), start)
	part.Note(second, last, instruments(), start.Add(time.Second))
	l.Append(part)
	if got := words(l.Of(last, baselineOf(t, first), model.Unscaled)); got != "price 20 trading 11 loss 0" {
		t.Error(got)
	}
	l = NewLog()
	if l.Append(part); words(l.Of(last, baselineOf(t, second), model.Unscaled)) != "price -10 trading 1 loss 0" {
		t.Error(words(l.Of(last, baselineOf(t, second), model.Unscaled)))
	}
	part = NewPart()
	part.Note(last, nil, instruments(), start.Add(2*time.Second))
	if l.Append(part); len(l.rows) != 0 {
		t.Error("a position that a snapshot has removed is kept")
	}
}

func TestKeepOnly(t *testing.T) {
	l := NewLog()
	l.Note(state(10, 100, 100, 0, 0), state(5, 100, 103, 25, 0), instruments(), start)
	if l.KeepOnly(func(key model.Key) bool { return key.Party == party }); len(l.rows) != 1 {
		t.Error("a position that is kept is forgotten")
	}
	if l.KeepOnly(func(model.Key) bool { return false }); len(l.rows) != 0 {
		t.Error("a position that is not kept is still there")
	}
}

// cents has a market in which sizes are whole numbers, and prices have 5 decimals; its asset has 2.
func cents() *model.Instruments {
	return model.NewInstruments(nil, []model.Market{{ID: market, Asset: asset, PriceDecimals: 5}}, []model.Asset{{ID: asset, Decimals: 2}})
}

// TestPartsThatAreNotKnownAreNotSplit: of a short of 81,000 only one is left, so its mark price is known to 0.01, and
// what the price has changed of 81,000 only to 810.
func TestPartsThatAreNotKnownAreNotSplit(t *testing.T) {
	was := marked(tradedPosition("-81000", "38410", "0", "0"), "-10125")
	is := marked(tradedPosition("-1", "38410", "-10206", "0"), "0")
	l := NewLog()
	l.Note(was, is, cents(), start)
	c, ok := l.Of(is, baselineOf(t, was), 2)
	if got := words(c.Known(2, 2), ok); got != "price 0 trading 0 loss 0 unsplit -81" {
		t.Errorf("it is %s", got)
	}
	half := marked(tradedPosition("-40500", "38410", "-5000", "0"), "-8000")
	l = NewLog()
	l.Note(was, half, cents(), start)
	c, ok = l.Of(half, baselineOf(t, was), 2)
	if got := words(c.Known(2, 2), ok); got != "price -5875 trading 3000 loss 0" {
		t.Errorf("half of it is %s", got)
	}
	funding := marked(tradedPosition("50", "1000000000", "-7500000", "0"), "2500000")
	if got := words(changeBetween(t, marked(tradedPosition("100", "1000000000", "0", "0"), "5000000"), funding)); got != "price 0 trading 0 loss 0 other -10000000" {
		t.Errorf("funding in the update of a trade: %s", got)
	}
}

// changeBetween returns the change between two states.
func changeBetween(t *testing.T, before, after *model.Position) (Change, bool) {
	l := NewLog()
	l.Note(before, after, cents(), start)
	return l.Of(after, baselineOf(t, before), 2)
}

// followed is a position of a service that rounds what it sends, with what its PnL has changed by.
type followed struct {
	trader
	price, trading *big.Rat // exactly
}

// step moves the mark price, and trades a volume that may be 0.
func (f *followed) step(volume int64) {
	before := new(big.Rat).Set(f.mark)
	f.mark.Mul(f.mark, big.NewRat(100_000+f.random.Int64N(4000)-2000, 100_000))
	moved := new(big.Rat).Sub(f.mark, before)
	f.price.Add(f.price, moved.Mul(moved, big.NewRat(f.size, 1)))
	if volume == 0 {
		return
	}
	price := new(big.Rat).Mul(f.mark, big.NewRat(10_000+f.random.Int64N(60)-30, 10_000))
	gain := new(big.Rat).Sub(f.mark, price)
	f.trading.Add(f.trading, gain.Mul(gain, big.NewRat(volume, 1)))
	f.trade(volume, price)
}

// TestPartsAreWithinTheirBounds: of random trades of a service that keeps its numbers as fractions, and rounds what it
// sends. What Log and Recent tell of the price and of trading is as far from the truth as their bound at most.
func TestPartsAreWithinTheirBounds(t *testing.T) {
	split, not := 0, 0
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 2))
		f := &followed{price: new(big.Rat), trading: new(big.Rat), trader: trader{
			random: random, mark: big.NewRat(1_000_000+random.Int64N(500_000), 10_000), entry: new(big.Rat), realised: new(big.Rat),
			keepsExact: true, realisesRounding: random.IntN(2) == 0, entryUnit: big.NewRat(1, 100), unit: big.NewRat(1, 1000),
		}}
		in := model.NewInstruments(nil, []model.Market{{ID: market, Asset: asset, PriceDecimals: 2}}, []model.Asset{{ID: asset, Decimals: 3}})
		f.step(1 + random.Int64N(1000))
		f.price.SetInt64(0)
		f.trading.SetInt64(0)
		isDecimal := random.IntN(2) == 0
		first := f.sent(isDecimal)
		before, l, recent := first, NewLog(), new(Recent)
		recent.Sample(first, in, start)
		for i := range 1 + random.IntN(30) {
			volume := random.Int64N(300) - 150
			if random.IntN(2) == 0 || f.size+volume == 0 {
				volume = 0
			}
			f.step(volume)
			after, at := f.sent(isDecimal), start.Add(time.Duration(i+1)*time.Second)
			l.Note(before, after, in, at)
			recent.Sample(after, in, at)
			before = after
		}
		c, ok := l.Of(before, baselineOf(t, first), 3)
		checkParts(t, seed, f, c, ok)
		c, _, ok = recent.Since(len(Periods)-1, before, in, start.Add(time.Minute))
		checkParts(t, seed, f, c, ok)
		if c.Known(3, 3).IsUnsplit {
			not++
		} else {
			split++
		}
	}
	if split < 20 || not == 0 {
		t.Errorf("%d changes are split, %d are not", split, not)
	}
}

// checkParts checks the parts of a change against what they are.
func checkParts(t *testing.T, seed uint64, f *followed, c Change, ok bool) {
	t.Helper()
	value := func(s model.Sum) *big.Rat { return modeltest.ValueOf(s.Amount(3).String(), 3) }
	bound := value(c.Bound.Sum())
	if c.Bound == (model.PackedSum{}) {
		bound = big.NewRat(2, 1000) // of two unrealised PnL
	}
	for name, part := range map[string][2]*big.Rat{"price": {value(c.Price), f.price}, "trading": {value(c.Trading), f.trading}} {
		if name == "trading" { // what the service rounds when it realises is in it
			part[1] = new(big.Rat).Set(part[1])
			bound = new(big.Rat).Add(bound, big.NewRat(2, 1000))
		}
		if wrong := new(big.Rat).Sub(part[0], part[1]); !ok || wrong.Abs(wrong).Cmp(bound) > 0 {
			t.Errorf("seed %d: %s is %s, and should be %s, with a bound of %s", seed, name, part[0].FloatString(3),
				part[1].FloatString(3), bound.FloatString(3))
		}
	}
}
