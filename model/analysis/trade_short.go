package analysis

import "blotter/model"

// shortValues has the values of a trade whose numbers are integers of 64 bits, as most are: then the values of its
// states have 128 bits, and no big.Int is needed. A frame can have many trades.
type shortValues struct {
	are    bool            // the trade has these, and none in was and is
	sizes  [2]int64        // before and after it
	values [2]model.Packed // of the sizes at the mark price
}

// setShort sets the trade if its numbers are integers whose decimals are known, and the values have 128 bits.
func (t *trade) setShort(before, after *model.Position, entryDecimals int) bool {
	s := &t.short
	s.are = false
	if t.sizeDecimals == model.Unscaled || entryDecimals == model.Unscaled || t.decimals == model.Unscaled {
		return false
	}
	t.digits = digits{size: t.sizeDecimals, entry: entryDecimals, profit: t.decimals, amount: t.decimals}
	t.value = max(t.size+t.entry, t.profit)
	for i, p := range [...]*model.Position{before, after} {
		size, isSize := p.Number(model.OpenVolume).Int64()
		_, isEntry := p.Number(model.AverageEntryPrice).Int64()
		_, isProfit := p.Number(model.UnrealisedPnl).Int64()
		value, isValue := p.Number(model.AverageEntryPrice).Packed().Times(size)
		value, isScaled := value.Scaled(t.value - t.size - t.entry)
		profit, isPart := p.Number(model.UnrealisedPnl).Packed().Scaled(t.value - t.profit)
		if !isSize || !isEntry || !isProfit || !isValue || !isScaled || !isPart {
			return false
		}
		s.sizes[i], s.values[i] = size, value.Plus(profit)
	}
	t.was.size.SetInt64(s.sizes[0])
	t.is.size.SetInt64(s.sizes[1])
	t.volume.Sub(&t.is.size, &t.was.size)
	s.are = true
	return true
}

// lengthen makes the values of the states of a trade that has short ones.
func (t *trade) lengthen() {
	if t.short.are {
		t.short.are = false
		t.short.values[0].Amount().SetValue(&t.was.value, 0)
		t.short.values[1].Amount().SetValue(&t.is.value, 0)
	}
}

// shortOfPrice does what ofPrice does, and returns false if that needs more than 128 bits.
func (t *trade) shortOfPrice() (change model.Amount, ok bool) {
	s := &t.short
	now, isNow := s.values[1].Times(s.sizes[0])
	before, isBefore := s.values[0].Times(s.sizes[1])
	divisor, isDivisor := model.AmountOf(s.sizes[1]).Packed().Scaled(t.value - t.amount)
	size, isSize := divisor.Amount().Int64()
	if !s.are || !isNow || !isBefore || !isDivisor || !isSize {
		return change, false
	}
	return now.Minus(before).QuoRounded(size).Amount(), true
}

// shortIsNear does what isNear does, and returns false if that needs more than 128 bits.
func (t *trade) shortIsNear(gain model.Amount) (isNear, ok bool) {
	s := &t.short
	gained, isGain := gain.Int64()
	far, isFar := model.AmountOf(gained).Packed().Times(s.sizes[1])
	far, isScaled := far.Scaled(t.value - t.amount)
	far, isPart := far.Times(nearParts)
	near, isNearKnown := s.values[1].Times(t.volume.Int64())
	if !s.are || !isGain || !isFar || !isScaled || !isPart || !isNearKnown || !t.volume.IsInt64() {
		return false, false
	}
	return far.CompareMagnitude(near) <= 0, true
}
