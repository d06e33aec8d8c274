package view

import (
	"bytes"
	"cmp"
	"slices"

	"blotter/model"
)

// unit is the unit of a market in a view.
type unit struct {
	model.Unit
	number uint32 // the place of its group, from 1 on; 0 if it has none
}

// units are the units of a field, by the code of the market.
type units struct {
	field    model.Field
	encoder  *encoder
	byMarket []unit
}

// of returns the unit of the market with the code. That of a new market has no number.
func (u *units) of(market uint32) *unit {
	for _, id := range u.encoder.markets.Values()[min(len(u.byMarket), int(market)+1) : market+1] {
		u.byMarket = append(u.byMarket, unit{Unit: u.encoder.instruments.Unit(u.field, id)})
	}
	return &u.byMarket[market]
}

// groups returns the groups of the raw numbers in all markets, in order.
func (u *units) groups() []model.UnitGroup {
	var groups []model.UnitGroup
	seen := make(map[model.UnitGroup]bool)
	for market := range u.encoder.markets.Values() {
		if of := u.of(uint32(market)); of.IsRaw() && !seen[of.Group] {
			seen[of.Group] = true
			groups = append(groups, of.Group)
		}
	}
	slices.SortFunc(groups, u.encoder.instruments.CompareGroups)
	return groups
}

// numberGroups gives the groups their numbers, in order.
func (u *units) numberGroups() {
	numbers := make(map[model.UnitGroup]uint32)
	for i, g := range u.groups() {
		numbers[g] = uint32(i) + 1
	}
	for i := range u.byMarket {
		if of := &u.byMarket[i]; of.IsRaw() {
			of.number = numbers[of.Group]
		}
	}
}

// compare compares two numbers as Instruments.CompareInUnits does, and faster if both groups have a number: their
// names are not compared again.
func (u *units) compare(x model.Amount, market uint32, y model.Amount, otherMarket uint32) int {
	a, b := u.of(market), u.of(otherMarket)
	if a.number != 0 && b.number != 0 && x.IsInteger() && y.IsInteger() {
		return cmp.Or(cmp.Compare(a.number, b.number), x.Compare(y))
	}
	return u.encoder.instruments.CompareInUnits(x, a.Unit, y, b.Unit)
}

// ranker ranks by the number of the field.
func (u *units) ranker() ranker {
	return ranker{u.field, func(e entry, number model.Amount, _ model.Status) rank { return u.rankOf(number, e.market()) }}
}

// rankOf returns the rank of a number in the market with the code, in the order of Instruments.CompareInUnits. All raw
// numbers of groups without a number have the same rank.
func (u *units) rankOf(a model.Amount, market uint32) rank {
	of := u.of(market)
	switch {
	case !of.IsRaw() || !a.IsInteger():
		return rankScaled(a, max(of.Decimals, 0))
	case of.number == 0:
		return aboveScaled | 1
	}
	return rankRaw(a, of.number)
}

// The bits of the rank of a raw number, from the highest. All these ranks are between those of rankScaled for integers,
// which have fewer digits before the decimal point, and that for other texts.
//
//	 9  more than those of rankScaled
//	26  the group, which begins four bits higher
//	 1  the sign: 1 for zero and positive numbers
//	 7  how many digits it has
//	24  the first 7 digits
//	 1  whether there are more digits
const (
	aboveScaled   = rank(1)<<63 | rank(noLength+model.MaxDigits+1)<<55
	rawDigits     = 7
	rawDigitBits  = 24
	rawSign       = rank(1) << (7 + rawDigitBits)
	rawGroupShift = 1 + 7 + rawDigitBits + 1
)

// rankRaw returns the rank of an integer without known decimals in a group.
func rankRaw(a model.Amount, group uint32) rank {
	above := aboveScaled + rank(group)<<rawGroupShift
	var space [model.PackedDigits + 1]byte
	digits := a.AppendMagnitude(space[:0])
	if len(digits) == 0 {
		return above + rawSign<<1
	}
	var first, more rank
	for i := range rawDigits {
		first *= 10
		if i < len(digits) {
			first += rank(digits[i] - '0')
		}
	}
	if len(bytes.TrimRight(digits, "0")) > rawDigits {
		more = 1
	}
	magnitude := rank(len(digits))<<rawDigitBits | first
	if a.Sign() > 0 {
		return above + (rawSign|magnitude)<<1 | more
	}
	// An inexact number is greater than the value of its rank, even if it is negative: so its magnitude is rounded
	// up.
	return above + (rawSign-1-magnitude-more)<<1 | more
}

// GroupsRaw reports whether raw numbers of several units are in a column: rows that are sorted by it are grouped by
// asset or market first.
func (v *View) GroupsRaw(column Column) bool {
	units := units{encoder: v.encoder}
	switch by := columns[column].ordering.(type) {
	case numberOrdering:
		units.field = by.field
	case changeOrdering:
		units.field = by.field
	default:
		return false
	}
	return len(units.groups()) > 1
}
