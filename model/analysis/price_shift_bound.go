package analysis

import (
	"math/big"

	"blotter/model"
)

// What Apply has changed is an estimate: the PnL that was sent counts as exact there, as in Exposure.At. A percentage
// changes the unrealised PnL by that part of the notional, so it may be wrong by that part of what the notional may be
// wrong by: the size × one unit of the entry price, and one of the unrealised PnL. At a price it is size × (price -
// entry price): only the size × one unit of the entry price counts. A sum counts the notional of all of its positions,
// at the largest of the changes.

// Profit returns an amount that has the unrealised PnL of a position in it, which Apply may have changed, with its
// bound. A nil PriceShift has changed nothing.
func (s *PriceShift) Profit(a model.Amount, p *model.Position, in *model.Instruments) model.Estimate {
	e := model.Estimate{Amount: a}
	if bound := s.bound(p, in); bound != nil && a.IsNumber() {
		e.Bound = amountAbove(bound, a, in.Decimals(model.UnrealisedPnl, p.Market))
	}
	return e
}

// ProfitOf does what Profit does for a sum of positions, in a market or in any if that is zero, with the bound of their
// notional. The asset has these decimals.
func (s *PriceShift) ProfitOf(a model.Amount, notional model.Estimate, positions int, market model.ID, decimals int) model.Estimate {
	e := model.Estimate{Amount: a}
	if s == nil || !a.IsNumber() {
		return e
	}
	largest := new(big.Rat)
	for _, m := range s.moves {
		if of := s.of[market]; (market.IsZero() || of == m) && m.share().Cmp(largest) > 0 {
			largest = m.share()
		}
	}
	bound, places, ok := notional.Bound.Value(decimals)
	if !ok || largest.Sign() == 0 {
		return e
	}
	wrong := new(big.Rat).SetInt(bound)
	wrong.Mul(wrong, unit(places))
	units := new(big.Rat).SetInt64(int64(positions))
	units.Mul(units, unit(max(decimals, 0)))
	if notional.IsDecimal() { // it has more digits than were sent
		wrong.Add(wrong, units)
	}
	wrong.Mul(wrong, largest)
	if !notional.IsDecimal() { // each PnL is rounded
		wrong.Add(wrong, units.Mul(units, largest.Add(largest, big.NewRat(1, 1))))
	}
	e.Bound = amountAbove(wrong, a, decimals)
	return e
}

// NotionalOf does what ProfitOf does for the sum of notionals itself.
func (s *PriceShift) NotionalOf(notional model.Estimate, positions int, market model.ID, decimals int) model.Estimate {
	if more := s.ProfitOf(notional.Amount, notional, positions, market, decimals).Bound; !more.IsZero() {
		n, places, _ := more.Value(decimals)
		bound := new(big.Rat).SetInt(n)
		notional.Bound = added(notional.Bound, bound.Mul(bound, unit(places)), decimals)
	}
	return notional
}

// Mark returns the estimated mark price of a position, which Apply may have changed, with its bound.
func (s *PriceShift) Mark(p *model.Position, in *model.Instruments) (model.Estimate, bool) {
	mark, _, ok := model.MarkAndNotional(p, in)
	if bound := s.bound(p, in); ok && bound != nil {
		size, _ := valueOf(p, model.OpenVolume, in)
		mark.Bound = added(mark.Bound, bound.Quo(bound, size.Abs(size)), in.Decimals(model.AverageEntryPrice, p.Market))
	}
	return mark, ok
}

// Notional returns the estimated notional of a position, which Apply may have changed, with its bound.
func (s *PriceShift) Notional(p *model.Position, in *model.Instruments) (model.Estimate, bool) {
	_, notional, ok := model.MarkAndNotional(p, in)
	if bound := s.bound(p, in); ok && bound != nil {
		notional.Bound = added(notional.Bound, bound, in.Decimals(model.UnrealisedPnl, p.Market))
	}
	return notional, ok
}

// share returns which part of what a notional may be wrong by the unrealised PnL may be wrong by.
func (m *priceMove) share() *big.Rat {
	if m.price != nil {
		return big.NewRat(1, 1)
	}
	share := new(big.Rat).Abs(m.percent)
	return share.Quo(share, hundred)
}

// bound returns by how much the unrealised PnL of a position may be wrong; nil if Apply has not changed it.
func (s *PriceShift) bound(p *model.Position, in *model.Instruments) *big.Rat {
	if s == nil || s.of[p.Market] == nil || !p.IsOpen() {
		return nil
	}
	m := s.of[p.Market]
	size, isSize := valueOf(p, model.OpenVolume, in)
	ofEntry, isEntry := lastDigit(p, model.AverageEntryPrice, in)
	ofProfit, isProfit := lastDigit(p, model.UnrealisedPnl, in)
	if !isSize || !isEntry || !isProfit {
		return nil
	}
	half := new(big.Rat).Mul(ofProfit, big.NewRat(1, 2))
	wrong := size.Mul(size.Abs(size), ofEntry)
	if m.price == nil {
		if p.HasDecimalNotional() { // it has more digits than were sent
			ofProfit = unit(max(in.Decimals(model.UnrealisedPnl, p.Market), 0))
		}
		wrong.Add(wrong, ofProfit).Add(wrong, half) // the notional is rounded
		wrong.Mul(wrong, m.share())
	}
	return wrong.Add(wrong, half) // and so is the PnL
}

// lastDigit returns one unit of the last digit of a number, and false if it is not known.
func lastDigit(p *model.Position, f model.Field, in *model.Instruments) (*big.Rat, bool) {
	n, places, ok := p.Number(f).LastDigit().Value(in.Decimals(f, p.Market))
	if !ok {
		return nil, false
	}
	value := new(big.Rat).SetInt(n)
	return value.Mul(value, unit(places)), true
}

// added returns a bound with another one added to it.
func added(to model.Amount, bound *big.Rat, decimals int) model.Amount {
	n, places, ok := to.Value(decimals)
	if !ok {
		return to
	}
	sum := new(big.Rat).SetInt(n)
	return amountAbove(sum.Add(sum.Mul(sum, unit(places)), bound), to, decimals)
}

// amountAbove returns a number, rounded up, as an amount in a unit with these decimals: a decimal if another amount is
// one.
func amountAbove(r *big.Rat, like model.Amount, decimals int) model.Amount {
	places := max(decimals, model.MinDecimals)
	if like.IsDecimal() {
		places = max(decimals, estimatedPlaces)
	}
	n := new(big.Rat).Quo(r, unit(places))
	above := new(big.Int).Add(n.Num(), new(big.Int).Sub(n.Denom(), big.NewInt(1)))
	above.Quo(above, n.Denom())
	if like.IsDecimal() {
		return model.DecimalOf(above, places, decimals)
	}
	return model.AmountOfInt(above)
}
