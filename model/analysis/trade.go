package analysis

import (
	"math/big"

	"blotter/model"
)

// trade has the numbers of two states of a position between which something was traded.
type trade struct {
	was, is   valued
	decimals  int  // of the asset
	to        int  // with how many decimal places amounts of the asset are worked out
	isDecimal bool // one of the numbers is a decimal
	entryUnit *big.Rat
	unit      *big.Rat // of unrealised PnL
}

// valued has the numbers that the mark price of a position follows from.
type valued struct{ size, entry, profit *big.Rat }

// tradeOf returns a trade, and false if a number is not known.
func tradeOf(before, after *model.Position, in *model.Instruments) (t trade, ok bool) {
	for _, of := range []struct {
		to *valued
		p  *model.Position
	}{{&t.was, before}, {&t.is, after}} {
		for _, number := range []struct {
			to    **big.Rat
			field model.Field
		}{{&of.to.size, model.OpenVolume}, {&of.to.entry, model.AverageEntryPrice}, {&of.to.profit, model.UnrealisedPnl}} {
			n, places, isKnown := of.p.Number(number.field).Value(in.Decimals(number.field, after.Market))
			if !isKnown {
				return t, false
			}
			*number.to = scaled(n, places)
		}
	}
	t.decimals = in.Decimals(model.UnrealisedPnl, after.Market)
	t.entryUnit, t.unit = unitOf(before, after, model.AverageEntryPrice, in), unitOf(before, after, model.UnrealisedPnl, in)
	t.isDecimal = before.HasDecimalNotional() || after.HasDecimalNotional()
	if t.to = t.decimals; t.isDecimal {
		t.to = max(t.decimals, estimatedPlaces, before.Number(model.UnrealisedPnl).Places(0), after.Number(model.UnrealisedPnl).Places(0))
	}
	return t, t.to != model.Unscaled && t.entryUnit != nil && t.unit != nil
}

// mark returns the mark price, and by how much it may be wrong; false if the position is closed.
func (t *trade) mark(of *valued) (price, wrong *big.Rat, ok bool) {
	if of.size.Sign() == 0 {
		return nil, nil, false
	}
	price = new(big.Rat).Quo(of.profit, of.size)
	wrong = new(big.Rat).Quo(t.unit, new(big.Rat).Abs(of.size))
	return price.Add(price, of.entry), wrong.Add(wrong, t.entryUnit), true
}

// volume returns what was traded, negative if it was sold.
func (t *trade) volume() *big.Rat { return new(big.Rat).Sub(t.is.size, t.was.size) }

// amount returns a value as an amount of the asset, rounded.
func (t *trade) amount(value *big.Rat) model.Amount {
	n := new(big.Rat).Quo(value, scaled(big.NewInt(1), t.to))
	rounded := model.QuoRounded(new(big.Int).Set(n.Num()), new(big.Int).Set(n.Denom()))
	if t.isDecimal {
		return model.DecimalOf(rounded, t.to, t.decimals)
	}
	return model.AmountOfInt(rounded)
}

// ofPrice returns by how much the price has changed the size that was held before. The position must be open before and
// after.
func (t *trade) ofPrice() model.Amount {
	was, _, _ := t.mark(&t.was)
	is, _, _ := t.mark(&t.is)
	return t.amount(is.Sub(is, was).Mul(is, t.was.size))
}

// isPossible reports whether a trade that has changed PnL by an amount, in addition to the change of the price, was at
// a price that can be.
func (t *trade) isPossible(traded model.Amount) bool {
	is, uncertain, isOpen := t.mark(&t.is)
	gain, places, ok := traded.Value(t.decimals)
	volume := t.volume()
	if !isOpen || !ok || volume.Sign() == 0 {
		return true
	}
	if _, wrong, wasOpen := t.mark(&t.was); wasOpen {
		wrong.Add(wrong, uncertain).Mul(wrong, t.was.size).Quo(wrong, volume)
		uncertain.Add(uncertain, wrong.Abs(wrong))
	}
	price := new(big.Rat).Quo(scaled(gain, places), volume)
	return t.canBe(price.Sub(is, price), uncertain)
}

// nearMark is how far from the nearer mark price a price of a trade can be, also if the mark price has not changed.
var nearMark = big.NewRat(2, 100)

// canBe reports whether something can have been traded at a price that may be wrong by some amount: it is between the
// two mark prices, or beyond them by their difference at most, or by 2 % of the nearer one.
func (t *trade) canBe(price, uncertain *big.Rat) bool {
	low, wrong, wasOpen := t.mark(&t.was)
	high, more, isOpen := t.mark(&t.is)
	switch {
	case !wasOpen && !isOpen:
		return true
	case !wasOpen:
		low, wrong = high, more
	case !isOpen:
		high, more = low, wrong
	}
	if low.Cmp(high) > 0 {
		low, high = high, low
	}
	beyond, nearer := new(big.Rat).Sub(low, price), low
	if above := new(big.Rat).Sub(price, high); above.Cmp(beyond) > 0 {
		beyond, nearer = above, high
	}
	beyond.Sub(beyond, uncertain).Sub(beyond, wrong).Sub(beyond, more)
	near := new(big.Rat).Mul(new(big.Rat).Abs(nearer), nearMark)
	return beyond.Cmp(new(big.Rat).Sub(high, low)) <= 0 || beyond.Cmp(near) <= 0
}

// bound is by how much Price and Trading of a change may be wrong, because of the trades in it.
//
// At each state i the mark price may be wrong by m(i), one unit of the entry price and one of the unrealised PnL ÷
// size. Price is the sum of size(i) × (mark(i+1) - mark(i)), so it may be wrong by size(i) × (m(i+1) - m(i)). In that
// sum, a mark price counts by the difference of two sizes, which is what was traded, but the first and the last one
// count by the size. The size at first is at most the last one and all that was traded. So the bound is
//
//	2 × size × unit of the entry price + 2 × all that was traded × unit of the entry price
//	+ 2 × unit of uPnL + the sum of traded ÷ size after × unit of uPnL
//
// where the first line counts only if the entry price has changed: while it is the same, it is wrong by the same. The
// price of a position that was opened is exact until something else is traded.
type bound struct {
	entry, profit         model.PackedSum // of what was traded
	ofEntry, ofProfit     model.PackedSum // of the last size
	trades, entriesChange int
}

// bound returns that of a trade.
func (t *trade) bound() (b bound) {
	if t.was.size.Sign() == 0 {
		return b
	}
	b.trades = 1
	two, volume := big.NewRat(2, 1), new(big.Rat).Abs(t.volume())
	units := func(n, unit *big.Rat) *big.Rat { return new(big.Rat).Mul(n, unit) }
	b.entry = t.upTo(units(units(two, volume), t.entryUnit))
	if t.is.size.Sign() == 0 {
		b.profit = t.upTo(units(two, t.unit))
		return b
	}
	size := new(big.Rat).Abs(t.is.size)
	b.ofEntry, b.ofProfit = t.upTo(units(units(two, size), t.entryUnit)), t.upTo(units(two, t.unit))
	b.profit = t.upTo(units(volume.Quo(volume, size), t.unit))
	isReduced := t.was.size.Sign() == t.is.size.Sign() && size.Cmp(new(big.Rat).Abs(t.was.size)) < 0
	if !isReduced || t.was.entry.Cmp(t.is.entry) != 0 {
		b.entriesChange = 1
	}
	return b
}

// upTo returns a bound as a sum, at most one unit larger: the amounts are rounded too.
func (t *trade) upTo(value *big.Rat) model.PackedSum {
	var sum model.Sum
	sum.Add(t.amount(value))
	sum.Add(t.amount(scaled(big.NewInt(1), t.to)))
	return sum.Packed()
}

// append adds the bound of later trades.
func (b *bound) append(later *bound) {
	b.entry.Add(later.entry)
	b.profit.Add(later.profit)
	b.trades += later.trades
	b.entriesChange += later.entriesChange
	if later.trades > 0 {
		b.ofEntry, b.ofProfit = later.ofEntry, later.ofProfit
	}
}

// subtract leaves only the bound of the trades after those of an earlier one.
func (b *bound) subtract(earlier *bound) {
	b.entry.Subtract(earlier.entry)
	b.profit.Subtract(earlier.profit)
	b.trades -= earlier.trades
	b.entriesChange -= earlier.entriesChange
}

// sum returns the bound of all trades; 0 if there were none.
func (b *bound) sum() (sum model.PackedSum) {
	if b.trades == 0 {
		return sum
	}
	sum.Add(b.profit)
	sum.Add(b.ofProfit)
	if b.entriesChange > 0 {
		sum.Add(b.entry)
		sum.Add(b.ofEntry)
	}
	return sum
}
