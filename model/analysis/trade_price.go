package analysis

import (
	"math/big"

	"blotter/model"
)

// maxUncertainty is how uncertain the price of a trade may be: a thousandth of it.
var maxUncertainty = big.NewRat(1, 1000)

// Price is an estimate of the price of a trade.
type Price struct {
	model.Amount     // a number with a decimal point
	Places       int // how many decimal places of it are known; negative if the last digits before the point are not
}

// TradePrice estimates the price of what was traded between two states of a position, in the price of its market.
// before is nil for a new position. It returns false if the price is not known.
//
// The service does not send prices of trades. If the position has grown, the price follows from both entry prices; if
// it was reduced or closed, from the change of realised PnL; if it changed sides, the new entry price is the price, and
// the change of realised PnL must agree. The numbers are rounded, so the price is only known if that makes it uncertain
// by a thousandth at most. It is not known if anything else is in the change: trades of both sides together, or a
// change of loss socialisation. Funding and fees that the service counts in realised PnL in the same update cannot be
// told from a trade, see IsOfRealised, unless they make a price that cannot be: then it is not known either.
func TradePrice(before, after *model.Position, in *model.Instruments) (Price, bool) {
	if after == nil || !in.IsLinear(after.Market) {
		return Price{}, false
	}
	if before == nil {
		before = &model.Position{Key: after.Key}
	}
	was, isWas := traded(before, in)
	is, isNow := traded(after, in)
	if !isWas || !isNow || !isSame(before, after, model.LossSocialisationAmount) {
		return Price{}, false
	}
	units := tradedUnits{unitOf(before, after, model.AverageEntryPrice, in), unitOf(before, after, model.RealisedPnl, in)}
	value, uncertain, ok := units.price(&was, &is)
	if !ok || value.Sign() <= 0 || uncertain.Cmp(new(big.Rat).Mul(value, maxUncertainty)) > 0 {
		return Price{}, false
	}
	if t := new(trade); t.set(before, after, in.Market(after.Market), in) && !t.canBe(value, uncertain) {
		return Price{}, false
	}
	return knownDigits(value, uncertain), true
}

// IsOfRealised reports whether the price of a trade follows from the change of realised PnL: the position was reduced,
// closed, or changed sides. If the service counts funding or fees in it, they may be in the change too.
func IsOfRealised(before, after *model.Position) bool {
	if before == nil || after == nil {
		return false
	}
	was, is := before.Number(model.OpenVolume), after.Number(model.OpenVolume)
	return was.Sign() != 0 && (was.Sign() != is.Sign() || model.CompareMagnitudes(is, was, 0) < 0)
}

// tradedState has the numbers of a position that its trades change.
type tradedState struct{ size, entry, realised *big.Rat }

// traded returns the numbers of a position, and false if one is not known.
func traded(p *model.Position, in *model.Instruments) (s tradedState, ok bool) {
	for _, each := range []struct {
		to    **big.Rat
		field model.Field
	}{{&s.size, model.OpenVolume}, {&s.entry, model.AverageEntryPrice}, {&s.realised, model.RealisedPnl}} {
		n, places, isKnown := p.Number(each.field).Value(in.Decimals(each.field, p.Market))
		if !isKnown {
			return s, false
		}
		*each.to = scaled(n, places)
	}
	return s, s.entry.Sign() > 0 || s.size.Sign() == 0 // an old recording has no entry prices in its events
}

// scaled returns n / 10^places.
func scaled(n *big.Int, places int) *big.Rat {
	if places < 0 {
		return new(big.Rat).SetInt(new(big.Int).Mul(n, model.PowerOfTen(-places)))
	}
	return new(big.Rat).SetFrac(n, model.PowerOfTen(places))
}

// tradedUnits are the last digits of entry prices and of realised PnL, by which each may be wrong. One is nil if it is
// not known.
type tradedUnits struct{ entry, realised *big.Rat }

// unitOf returns the last digit of a number in two states of a position; nil if it is not known.
func unitOf(before, after *model.Position, field model.Field, in *model.Instruments) *big.Rat {
	places, ok := placesOf(before, after, field, in.Decimals(field, after.Market))
	if !ok {
		return nil
	}
	return scaled(big.NewInt(1), places)
}

// placesOf returns how many decimal places a number has in two states of a position, and false if that is not known.
// An integer has these decimals. A decimal may have been sent without zeros at its end, so the state with more places
// counts, and a 0 without a point does not.
func placesOf(before, after *model.Position, field model.Field, decimals int) (places int, ok bool) {
	places, isKnown := decimals, false
	for _, p := range []*model.Position{before, after} {
		if n := p.Number(field); !n.IsZero() || n.IsDecimal() {
			if of := n.Places(decimals); !isKnown || of > places {
				places, isKnown = of, true
			}
		}
	}
	return places, places != model.Unscaled
}

// price returns the price between two states, and by how much it may be wrong; false if it is not known.
func (u *tradedUnits) price(was, is *tradedState) (price, uncertain *big.Rat, ok bool) {
	rat := func() *big.Rat { return new(big.Rat) }
	size, profit := rat().Sub(is.size, was.size), rat().Sub(is.realised, was.realised)
	grows := rat().Abs(is.size).Cmp(rat().Abs(was.size)) > 0
	switch sides := was.size.Sign() * is.size.Sign(); {
	case size.Sign() == 0 || u.entry == nil:
		return nil, nil, false
	case was.size.Sign() == 0, sides > 0 && grows:
		value := rat().Sub(rat().Mul(is.size, is.entry), rat().Mul(was.size, was.entry))
		wrong := rat().Mul(rat().Add(rat().Abs(is.size), rat().Abs(was.size)), u.entry)
		// Some services realise what the rounding of the entry price leaves.
		isRounding := profit.Sign() == 0 || u.realised != nil && rat().Abs(profit).Cmp(rat().Add(wrong, u.bothRealised())) <= 0
		return value.Quo(value, size), wrong.Quo(wrong, rat().Abs(size)), isRounding
	case u.realised == nil:
		return nil, nil, false
	case is.size.Sign() == 0, sides > 0: // it was closed or reduced
		price = rat().Sub(was.entry, rat().Quo(profit, size))
		uncertain = rat().Add(u.entry, rat().Quo(u.bothRealised(), rat().Abs(size)))
		return price, uncertain, is.size.Sign() == 0 || is.entry.Cmp(was.entry) == 0
	}
	closedAt := rat().Add(was.entry, rat().Quo(profit, was.size))
	uncertain = rat().Add(u.entry, rat().Abs(rat().Sub(closedAt, is.entry)))
	uncertain.Add(uncertain, u.entry).Add(uncertain, rat().Quo(u.bothRealised(), rat().Abs(was.size)))
	return is.entry, uncertain, true
}

// bothRealised returns by how much a difference of two realised PnL may be wrong.
func (u *tradedUnits) bothRealised() *big.Rat { return new(big.Rat).Add(u.realised, u.realised) }

// knownDigits returns a price, rounded to its last digit that is known: its unit is at most twice what is uncertain.
func knownDigits(price, uncertain *big.Rat) Price {
	places := 0
	uncertain = new(big.Rat).Add(uncertain, uncertain)
	unit := func(places int) *big.Rat { return scaled(big.NewInt(1), places) }
	for places < model.SumPlaces && unit(places).Cmp(uncertain) > 0 {
		places++
	}
	for places > -model.SumPlaces && unit(places-1).Cmp(uncertain) <= 0 {
		places--
	}
	n := new(big.Rat).Quo(price, unit(places))
	rounded := model.QuoRounded(new(big.Int).Set(n.Num()), new(big.Int).Set(n.Denom()))
	if places < 0 {
		rounded.Mul(rounded, model.PowerOfTen(-places))
	}
	return Price{model.DecimalOf(rounded, max(places, 0), places), places}
}
