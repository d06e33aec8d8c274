package model

import (
	"cmp"
	"iter"
	"maps"
	"slices"
)

// Unit is what the numbers of a field in a market are counted in. Amounts of one asset compare with each other, and so
// do sizes and prices of all markets with known decimals, by value. Sizes and prices of unknown decimals, and amounts
// of an unknown asset, compare within their market.
type Unit struct {
	Decimals int // Unscaled if they are not known
	Group    UnitGroup
	isAmount bool // of an asset
}

// UnitGroup is what the numbers that compare with each other have in common: the asset or, if that is not known or the
// field is a size or a price, the market. The other is zero.
type UnitGroup struct{ asset, market ID }

// Asset returns the asset of the group; zero if it is one of a market.
func (g UnitGroup) Asset() ID { return g.asset }

// IsGrouped reports whether integers compare only within their group.
func (u *Unit) IsGrouped() bool { return u.Decimals == Unscaled || !u.Group.asset.IsZero() }

// Groups reports whether a number compares only within its group. A size or a price with a decimal point has a value,
// also if the decimals of its market are not known.
func (u *Unit) Groups(a Amount) bool { return u.IsGrouped() && (u.isAmount || !a.IsDecimal()) }

// InGroup returns the decimals that integers compare with within their group: 0 if they are not known.
func (u *Unit) InGroup() int { return orZero(u.Decimals) }

// Unit returns the unit of a field in a market.
func (in *Instruments) Unit(field Field, market ID) Unit {
	u := Unit{Decimals: in.Decimals(field, market), Group: UnitGroup{market: market}}
	if fields[field].counted == inAsset {
		u.isAmount = true
		if asset := in.Market(market).Asset; !asset.IsZero() {
			u.Group = UnitGroup{asset: asset}
		}
	}
	return u
}

// AssetsOfMarkets returns the assets of all markets that are known, in the order of CompareAssets.
func (in *Instruments) AssetsOfMarkets() []ID {
	assets := make(map[ID]bool)
	for _, m := range in.markets {
		assets[m.Asset] = true
	}
	for _, asset := range in.learned {
		assets[asset] = true
	}
	delete(assets, ID{})
	return slices.SortedFunc(maps.Keys(assets), in.CompareAssets)
}

// SettlesAs reports whether each market settles in the same asset as with other instruments.
func (in *Instruments) SettlesAs(other *Instruments) bool {
	if in == other {
		return true
	}
	for _, markets := range []iter.Seq[ID]{maps.Keys(in.markets), maps.Keys(in.learned),
		maps.Keys(other.markets), maps.Keys(other.learned)} {
		for market := range markets {
			if in.Market(market).Asset != other.Market(market).Asset {
				return false
			}
		}
	}
	return true
}

// UnitOfAsset returns the unit of amounts of an asset.
func (in *Instruments) UnitOfAsset(asset ID) Unit {
	return Unit{Decimals: in.Asset(asset).Decimals, Group: UnitGroup{asset: asset}, isAmount: true}
}

// CompareGroups orders groups: assets by name, then markets by name.
func (in *Instruments) CompareGroups(a, b UnitGroup) int {
	return cmp.Or(in.CompareAssets(a.asset, b.asset), in.CompareMarkets(a.market, b.market))
}

// CompareInUnits orders two numbers: first those that compare by value, then the others by their group and within it,
// then those that are not numbers.
func (in *Instruments) CompareInUnits(a Amount, aUnit Unit, b Amount, bUnit Unit) int {
	switch aGroups, bGroups := aUnit.Groups(a), bUnit.Groups(b); {
	case !a.IsNumber() || !b.IsNumber():
		return a.Compare(b)
	case aGroups && bGroups:
		return cmp.Or(in.CompareGroups(aUnit.Group, bUnit.Group), CompareScaled(a, aUnit.InGroup(), b, bUnit.InGroup()))
	case aGroups:
		return +1
	case bGroups:
		return -1
	}
	return CompareScaled(a, aUnit.Decimals, b, bUnit.Decimals)
}
