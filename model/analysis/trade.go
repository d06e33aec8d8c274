package analysis

import (
	"math/big"

	"blotter/model"
)

// trade has the numbers of two states of a position between which something was traded. Its integers keep their memory
// when it is set again: a frame can have many trades.
type trade struct {
	was, is                valued
	volume                 big.Int // what was traded, negative if it was sold
	decimals, sizeDecimals int     // of the asset, and of integer sizes
	value                  int     // the decimal places of sizes × mark prices
	digits
	spare [2]big.Int // for what is worked out
	short shortValues
}

// digits are how many decimal places the numbers of a trade have. The last digit of entry prices, and of unrealised
// PnL, is their unit.
type digits struct {
	size, entry, profit int
	amount              int  // of amounts of the asset that are worked out
	isDecimal           bool // one of the numbers is a decimal
}

// valued has the size of a position, and the size × the mark price, as integers with the decimal places of the trade.
type valued struct{ size, value big.Int }

// set sets the trade, and returns false if a number is not known.
func (t *trade) set(before, after *model.Position, market model.Market, in *model.Instruments) bool {
	t.decimals, t.sizeDecimals = in.DecimalsIn(model.UnrealisedPnl, market), in.DecimalsIn(model.OpenVolume, market)
	if t.setShort(before, after, in.DecimalsIn(model.AverageEntryPrice, market)) {
		return true
	}
	areKnown := true
	both := func(field model.Field, places *int, was, is *big.Int) {
		decimals := in.DecimalsIn(field, market)
		ok := false
		*places, ok = placesOf(before, after, field, decimals)
		ok = ok && setUnits(was, before.Number(field), decimals, *places) && setUnits(is, after.Number(field), decimals, *places)
		areKnown = areKnown && ok
	}
	entryWas, entryIs := &t.spare[0], &t.spare[1]
	both(model.OpenVolume, &t.size, &t.was.size, &t.is.size)
	both(model.AverageEntryPrice, &t.entry, entryWas, entryIs)
	both(model.UnrealisedPnl, &t.profit, &t.was.value, &t.is.value)
	t.isDecimal = before.HasDecimalNotional() || after.HasDecimalNotional()
	if t.amount = t.decimals; t.isDecimal {
		profit := func(p *model.Position) int { return p.Number(model.UnrealisedPnl).Places(0) }
		t.amount = max(t.decimals, estimatedPlaces, profit(before), profit(after))
	}
	if !areKnown || t.amount == model.Unscaled {
		return false
	}
	t.value = max(t.size+t.entry, t.profit)
	t.volume.Sub(&t.is.size, &t.was.size)
	t.addValue(&t.was, entryWas)
	t.addValue(&t.is, entryIs)
	return true
}

// setUnits sets n to a number in units of 10^-places. It returns false if it is not known, or not one that is added.
func setUnits(n *big.Int, number model.Amount, decimals, places int) bool {
	of, ok := number.SetValue(n, decimals)
	if n.Sign() != 0 {
		model.Scale(n, places-of)
	}
	return ok && number.IsAddable()
}

// addValue makes the size × the mark price of the PnL: it is the size × the entry price + the PnL.
func (t *trade) addValue(of *valued, entry *big.Int) {
	model.Scale(entry.Mul(entry, &of.size), t.value-t.size-t.entry)
	of.value.Add(model.Scale(&of.value, t.value-t.profit), entry)
}

// mark returns the mark price, and by how much it may be wrong; false if the position is closed.
func (t *trade) mark(of *valued) (price, wrong *big.Rat, ok bool) {
	if of.size.Sign() == 0 {
		return nil, nil, false
	}
	t.lengthen()
	size := scaled(&of.size, t.size)
	price = scaled(&of.value, t.value)
	price.Quo(price, size)
	wrong = scaled(big.NewInt(1), t.profit)
	return price, wrong.Quo(wrong, size.Abs(size)).Add(wrong, scaled(big.NewInt(1), t.entry)), true
}

// ofPrice returns by how much the price has changed the size that was held before. The position must be open before and
// after.
func (t *trade) ofPrice() model.Amount {
	if change, ok := t.shortOfPrice(); ok {
		return change
	}
	t.lengthen()
	size, change := &t.spare[0], &t.spare[1]
	size.Mul(&t.was.value, &t.is.size)
	change.Mul(&t.is.value, &t.was.size)
	model.Scale(change.Sub(change, size), t.amount-t.value)
	model.Scale(size.Set(&t.is.size), t.value-t.amount)
	return t.amountOf(model.QuoRounded(change, size), t.decimals)
}

// isPossible reports whether a trade that has changed PnL by an amount, in addition to the change of the price, was at
// a price that can be.
func (t *trade) isPossible(gain model.Amount) bool {
	return t.is.size.Sign() == 0 || t.volume.Sign() == 0 || t.isNear(gain) || t.hasPrice(gain)
}

// hasPrice reports whether the price of a trade that has gained something can be.
func (t *trade) hasPrice(gain model.Amount) bool {
	n, places, ok := gain.Value(t.decimals)
	if !ok {
		return true
	}
	is, uncertain, _ := t.mark(&t.is)
	size := scaled(&t.volume, t.size)
	if _, wrong, wasOpen := t.mark(&t.was); wasOpen {
		wrong.Add(wrong, uncertain).Mul(wrong, scaled(&t.was.size, t.size)).Quo(wrong, size)
		uncertain.Add(uncertain, wrong.Abs(wrong))
	}
	price := scaled(n, places)
	return t.canBe(price.Sub(is, price.Quo(price, size)), uncertain)
}

// isNear reports whether a trade that has gained something was so near to the mark price after it that hasPrice
// returns true. That is so for most trades, and takes little time.
func (t *trade) isNear(gain model.Amount) bool {
	if isNear, ok := t.shortIsNear(gain); ok {
		return isNear
	}
	t.lengthen()
	far, near := &t.spare[0], &t.spare[1]
	places, ok := gain.SetValue(far, t.decimals)
	if !ok {
		return false
	}
	model.Scale(far.Mul(far, &t.is.size), t.value-places)
	model.Scale(near.Mul(&t.is.value, &t.volume), places-t.value)
	return far.Mul(far, nearMark.Denom()).CmpAbs(near.Mul(near, nearMark.Num())) <= 0
}

// nearMark is how far from the nearer mark price a price of a trade can be, also if the mark price has not changed.
var nearMark = big.NewRat(1, nearParts)

const nearParts = 50

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
//	2 × (size + all that was traded) × unit of the entry price
//	+ (2 + the sum of traded ÷ size after) × unit of uPnL
//
// where the first line counts only if the entry price has changed: while it is the same, it is wrong by the same. The
// price of a position that was opened is exact until something else is traded. The amounts are rounded, too.
type bound struct {
	traded        model.PackedSum // all that was traded, as a size
	size          model.Amount    // after the last trade
	profits       int64           // how many units of uPnL the trades count
	trades        int
	entriesChange int
	digits        digits
}

// maxRatio is by how much more than the size after it a trade may be, if its parts are to be known.
const maxRatio = 1 << 32

// bound returns that of a trade between two states, and false if it is too large.
func (t *trade) bound(before, after *model.Position) (b bound, ok bool) {
	if t.was.size.Sign() == 0 {
		return b, true
	}
	was, is := before.Number(model.OpenVolume), after.Number(model.OpenVolume)
	var traded model.Sum
	if sign := t.volume.Sign(); sign != 0 {
		traded.AddSigned(is, sign)
		traded.AddSigned(was, -sign)
	}
	b = bound{traded: traded.Packed(), size: is, profits: 2, trades: 1, digits: t.digits}
	b.digits.size = t.sizeDecimals // of the sum of what was traded
	if t.is.size.Sign() == 0 {
		return b, true
	}
	isReduced := t.was.size.Sign() == t.is.size.Sign() && t.is.size.CmpAbs(&t.was.size) < 0
	if !isReduced || before.Number(model.AverageEntryPrice).Compare(after.Number(model.AverageEntryPrice)) != 0 {
		b.entriesChange = 1
	}
	ratio := t.spare[0].SetInt64(0)
	if t.volume.CmpAbs(&t.is.size) >= 0 {
		ratio.Abs(ratio.Quo(&t.volume, &t.is.size))
	}
	if !ratio.IsInt64() || ratio.Int64() > maxRatio {
		return bound{}, false
	}
	b.profits = ratio.Int64() + 1
	return b, true
}

// amountOf returns what was worked out in these digits, in the decimals of the asset.
func (d *digits) amountOf(n *big.Int, decimals int) model.Amount {
	if d.isDecimal {
		return model.DecimalOf(n, d.amount, decimals)
	}
	return model.AmountOfInt(n)
}

func (b *bound) append(later *bound) {
	if later.trades == 0 {
		return
	}
	d := later.digits
	if b.trades > 0 { // what was sent with zeros at its end left out has fewer places
		d.entry, d.profit = max(d.entry, b.digits.entry), max(d.profit, b.digits.profit)
	}
	b.traded.Add(later.traded)
	b.profits += later.profits
	b.trades += later.trades
	b.entriesChange += later.entriesChange
	b.size, b.digits = later.size, d
}

// subtract leaves only the bound of the trades after those of an earlier one.
func (b *bound) subtract(earlier *bound) {
	b.traded.Subtract(earlier.traded)
	b.profits -= earlier.profits
	b.trades -= earlier.trades
	b.entriesChange -= earlier.entriesChange
}

// sum returns the bound of all trades, in the decimals of the asset; 0 if there were none.
func (b *bound) sum(decimals int) (sum model.PackedSum) {
	if b.trades == 0 {
		return sum
	}
	d := b.digits
	units := b.profits
	if !b.size.IsZero() {
		units += 2
	}
	wrong := model.QuoPlaces(big.NewInt(units), d.profit, big.NewInt(1), 0, d.amount)
	wrong.Add(wrong, big.NewInt(int64(b.trades+1)/2)) // each price was rounded, by half a unit at most
	if b.entriesChange > 0 {
		sizes := b.traded.Sum()
		sizes.AddSigned(b.size, b.size.Sign())
		n, places, _ := sizes.Amount(d.size).Value(d.size)
		n.Lsh(n, 1)
		wrong.Add(wrong, big.NewInt(1)) // this product is rounded, too
		wrong.Add(wrong, model.QuoPlaces(n, places+d.entry, big.NewInt(1), 0, d.amount))
	}
	total := new(model.Sum)
	total.Add(d.amountOf(wrong, decimals))
	return total.Packed()
}
