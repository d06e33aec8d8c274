package model

import (
	"math/big"
	"strings"
)

// Figure is a ratio that is worked out of a position, beside its margin ratio. What each is, is an entry of the table
// figures.
type Figure uint8

// The figures. They are exact.
const (
	PartOfEntry Figure = iota // unrealised PnL ÷ (size without its sign × entry price)
	Leverage                  // 1 ÷ margin factor, of an isolated margin
	FigureCount
)

var figures = [FigureCount]struct {
	key         string // among columns and filters
	isPercent   bool   // it is shown and compared in percent
	usesMargins bool   // it is made of the margin record
	isOfPrices  bool   // there is none in a market that is not linear
}{
	PartOfEntry: {"entry%", true, false, true},
	Leverage:    {"leverage", false, true, false},
}

// Key returns the name of the figure among the columns of the screen and of what is printed, and in filters.
func (f Figure) Key() string { return figures[f].key }

// IsPercent reports whether the figure is shown and compared in percent.
func (f Figure) IsPercent() bool { return figures[f].isPercent }

// UsesMargins reports whether the figure is made of the margin record of the position.
func (f Figure) UsesMargins() bool { return figures[f].usesMargins }

// IsOfPrices reports whether there is no such figure in a market that is not linear.
func (f Figure) IsOfPrices() bool { return figures[f].isOfPrices }

// Of returns the figure of a position with a margin record, which is nil if it has none, and false if there is none.
func (f Figure) Of(p *Position, levels *MarginLevels, in *Instruments) (MarginRatio, bool) {
	switch {
	case f == PartOfEntry:
		return partOfEntry(p, in)
	case levels == nil:
		return MarginRatio{}, false
	}
	return levels.leverage()
}

// partOfEntry returns false if decimals are not known that integers need, and if the position is closed, its entry
// price is not above 0, its market is not linear, or a number has more digits than a sum can add.
func partOfEntry(p *Position, in *Instruments) (MarginRatio, bool) {
	size, sizePlaces, isSize := p.Number(OpenVolume).Value(in.Decimals(OpenVolume, p.Market))
	entry, entryPlaces, isEntry := p.Number(AverageEntryPrice).Value(in.Decimals(AverageEntryPrice, p.Market))
	profit, profitPlaces, isProfit := p.Number(UnrealisedPnl).Value(in.Decimals(UnrealisedPnl, p.Market))
	areShort := p.Number(OpenVolume).IsAddable() && p.Number(AverageEntryPrice).IsAddable() && p.Number(UnrealisedPnl).IsAddable()
	if !areShort || !isSize || !isEntry || !isProfit || size.Sign() == 0 || entry.Sign() <= 0 || !in.IsLinear(p.Market) {
		return MarginRatio{}, false
	}
	value, places := entry.Mul(entry, size.Abs(size)), sizePlaces+entryPlaces
	value.Mul(value, PowerOfTen(max(profitPlaces-places, 0)))
	profit.Mul(profit, PowerOfTen(max(places-profitPlaces, 0)))
	return ratioOf(profit, value)
}

// leverage returns false if the margin is not isolated, or if its factor is not above 0.
func (l *MarginLevels) leverage() (MarginRatio, bool) {
	factor, places, ok := ParseAmount(l.MarginTexts[MarginFactor]).Value(0)
	if !ok || !l.IsIsolated() || factor.Sign() <= 0 {
		return MarginRatio{}, false
	}
	return ratioOf(PowerOfTen(max(places, 0)), factor.Mul(factor, PowerOfTen(max(-places, 0))))
}

// ratioOf returns the ratio of two integers, and false if one has too many digits.
func ratioOf(a, b *big.Int) (MarginRatio, bool) {
	r := MarginRatio{Profit: AmountOfInt(a), Maintenance: AmountOfInt(b)}
	return r, r.Profit.IsInteger() && r.Maintenance.IsInteger()
}

// Written returns the ratio with at most the given number of decimal places, rounded half away from zero, and whether
// it has more.
func (r MarginRatio) Written(most int) (text string, isRounded bool) {
	a, b := r.Integers()
	a.Mul(a, PowerOfTen(most))
	isRounded = new(big.Int).Rem(a, b).Sign() != 0
	return strings.TrimSuffix(DecimalOf(QuoRounded(a, b), most, 0).String(), ".0"), isRounded
}
