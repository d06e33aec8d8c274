package sorting

import (
	"cmp"
	"slices"

	"blotter/model"
)

// unit is the unit of a market in a view.
type unit struct {
	model.Unit
	number uint32 // the place of its group, from 1 on; 0 if it has none
}

// Units are the units of a field, by the code of the market. The groups of assets have numbers that last: all assets of
// the instruments have one, in the order of Encoder.orderAssets. The groups of markets have one only after
// numberMarkets.
type Units struct {
	Field    model.Field
	encoder  *Encoder
	byMarket []unit
	assets   map[model.ID]uint32 // their numbers; nil until the first is needed
}

// NewUnits returns the units of a field in the markets of an encoder.
func NewUnits(field model.Field, c *Encoder) Units { return Units{Field: field, encoder: c} }

// of returns the unit of the market with the code.
func (u *Units) of(market uint32) *unit {
	for _, id := range u.encoder.Markets.Values()[min(len(u.byMarket), int(market)+1) : market+1] {
		of := unit{Unit: u.encoder.Instruments.Unit(u.Field, id)}
		if asset := of.Group.Asset(); !asset.IsZero() {
			of.number = u.assetNumber(asset)
		}
		u.byMarket = append(u.byMarket, of)
	}
	return &u.byMarket[market]
}

// assetNumber returns the place of an asset of a market, from 1 on.
func (u *Units) assetNumber(asset model.ID) uint32 {
	if u.assets == nil {
		u.assets = make(map[model.ID]uint32)
		for i, id := range u.encoder.assetOrder {
			u.assets[id] = uint32(i) + 1
		}
	}
	return u.assets[asset]
}

// orderAssets decides the order of assets in an order by amounts: the one with the most open rows is first, in a
// descending order too. It is as the rows are when the view is made: if it changed with each row that opens or closes,
// all rows of an asset would move.
func (c *Encoder) orderAssets(entries []Entry, isReversed bool) {
	openByCode := make([]int, len(c.Assets.Values()))
	for _, e := range entries {
		openByCode[c.AssetCode(e)] += e.Open()
	}
	open := make(map[model.ID]int, len(openByCode))
	for code, id := range c.Assets.Values() {
		open[id] = openByCode[code]
	}
	c.assetOrder = c.Instruments.AssetsOfMarkets()
	slices.SortStableFunc(c.assetOrder, func(a, b model.ID) int { return cmp.Compare(open[b], open[a]) })
	if isReversed { // ranks are reversed afterwards
		slices.Reverse(c.assetOrder)
	}
}

// marketGroups returns the groups of markets whose numbers compare with those of no other, in order.
func (u *Units) marketGroups() []model.UnitGroup {
	var groups []model.UnitGroup
	for market := range u.encoder.Markets.Values() {
		if of := u.of(uint32(market)); of.IsGrouped() && of.Group.Asset().IsZero() {
			groups = append(groups, of.Group)
		}
	}
	slices.SortFunc(groups, u.encoder.Instruments.CompareGroups)
	return groups
}

// numberMarkets gives the groups of markets their numbers, in order, after those of assets.
func (u *Units) numberMarkets() {
	numbers := make(map[model.UnitGroup]uint32)
	for i, g := range u.marketGroups() {
		numbers[g] = uint32(len(u.assets)+i) + 1
	}
	for i := range u.byMarket {
		if of := &u.byMarket[i]; of.number == 0 {
			of.number = numbers[of.Group]
		}
	}
}

// compare compares two numbers as Instruments.CompareInUnits does, but with groups in the order of their numbers, if
// both have one, which is also faster.
func (u *Units) compare(x model.Amount, market uint32, y model.Amount, otherMarket uint32) int {
	isPacked := x.Packed().IsInteger() && y.Packed().IsInteger()
	if market == otherMarket && isPacked {
		return x.Compare(y)
	}
	a, b := u.of(market), u.of(otherMarket)
	switch {
	case a.number == 0 || b.number == 0:
	case isPacked:
		return cmp.Or(cmp.Compare(a.number, b.number), x.Compare(y))
	case a.number != b.number && x.IsNumber() && y.IsNumber() && a.Groups(x) && b.Groups(y):
		return cmp.Compare(a.number, b.number)
	}
	return u.encoder.Instruments.CompareInUnits(x, a.Unit, y, b.Unit)
}

// RankOfAsset returns the rank of an amount of an asset: see rankIn.
func (u *Units) RankOfAsset(a model.Amount, asset model.ID) Rank {
	return u.rankIn(a, &unit{u.encoder.Instruments.UnitOfAsset(asset), u.assetNumber(asset)})
}

// rankIn returns the rank of a number in a unit, in the order of Instruments.CompareInUnits. All numbers of groups
// without a number have the same rank. The ranks of a single asset are those of values: more of them are exact.
func (u *Units) rankIn(a model.Amount, of *unit) Rank {
	isSingle := of.number == 1 && len(u.assets) == 1
	switch {
	case !of.Groups(a) || isSingle || !a.IsNumber():
		return rankScaled(a, of.InGroup())
	case of.number == 0:
		return aboveScaled + Rank(lastGroup)<<rawGroupShift | 1
	}
	return rankRaw(a, of.InGroup(), of.number)
}

// The bits of the rank of a number in a group, from the highest. All these ranks are between those of rankScaled for
// integers, which have fewer digits before the decimal point, and that for other texts.
//
//	 9  more than those of rankScaled: the highest four bits of the group are added to them
//	22  the other bits of the group
//	 1  the sign: 1 for zero and positive numbers
//	 7  how many digits it has before the decimal point, if that is after as many places as the unit has decimals
//	24  the first 7 digits
//	 1  whether there are more digits
const (
	aboveScaled   = Rank(1)<<63 | Rank(noLength+model.MaxDigits+1)<<55
	rawDigits     = 7
	rawDigitBits  = 24
	rawLongest    = 1<<7 - 1
	rawSign       = Rank(1) << (7 + rawDigitBits)
	rawGroupShift = 1 + 7 + rawDigitBits + 1
	lastGroup     = 1<<idBits - 1 // that of numbers whose group has no number
)

// rankRaw returns the rank of a number in a group whose unit has these decimals. All decimals that are less than the
// unit have the same rank, which is not exact.
func rankRaw(a model.Amount, decimals int, group uint32) Rank {
	above := aboveScaled + Rank(group)<<rawGroupShift
	length, first, more := firstDigits(a, rawDigits)
	switch length += decimals - a.Places(decimals); {
	case a.IsZero():
		length = 0
	case length < 1:
		length, first, more = 0, 0, 1
	case length > rawLongest:
		length, first, more = rawLongest, 1<<rawDigitBits-1, 1
	}
	magnitude := Rank(length)<<rawDigitBits | first
	if a.Sign() >= 0 {
		return above + (rawSign|magnitude)<<1 | more
	}
	// An inexact number is greater than the value of its rank, even if it is negative: so its magnitude is rounded
	// up.
	return above + (rawSign-1-magnitude-more)<<1 | more
}
