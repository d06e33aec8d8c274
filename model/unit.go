package model

import "cmp"

// Unit is what the numbers of a field in a market are counted in. If decimals are known, numbers of all units
// compare by value. If they are not, only numbers of one group do; others compare by their groups.
type Unit struct {
	Decimals int // Unscaled if they are not known
	Group    UnitGroup
}

// UnitGroup is what raw numbers of one unit have in common: the asset or, if that is not known or the field is a
// size or a price, the market. The other is zero.
type UnitGroup struct{ asset, market ID }

// IsRaw reports whether the decimals are not known.
func (u *Unit) IsRaw() bool { return u.Decimals == Unscaled }

// Unit returns the unit of a field in a market.
func (in *Instruments) Unit(field Field, market ID) Unit {
	u := Unit{Decimals: in.Decimals(field, market), Group: UnitGroup{market: market}}
	if u.IsRaw() && fields[field].counted == inAsset {
		if asset := in.Market(market).Asset; !asset.IsZero() {
			u.Group = UnitGroup{asset: asset}
		}
	}
	return u
}

// UnitOfAsset returns the unit of amounts of an asset.
func (in *Instruments) UnitOfAsset(asset ID) Unit {
	return Unit{Decimals: in.Asset(asset).Decimals, Group: UnitGroup{asset: asset}}
}

// CompareGroups orders groups: assets by name, then markets by name.
func (in *Instruments) CompareGroups(a, b UnitGroup) int {
	switch {
	case a == b:
		return 0
	case a.asset.IsZero() && b.asset.IsZero():
		return in.CompareMarkets(a.market, b.market)
	case a.asset.IsZero():
		return +1
	case b.asset.IsZero():
		return -1
	}
	return in.CompareAssets(a.asset, b.asset)
}

// CompareInUnits orders two numbers: first those with known decimals by value, then raw ones by their group and value,
// then amounts that are not integers.
func (in *Instruments) CompareInUnits(a Amount, aUnit Unit, b Amount, bUnit Unit) int {
	switch {
	case !a.IsInteger() || !b.IsInteger():
		return a.Compare(b)
	case aUnit.IsRaw() && bUnit.IsRaw():
		return cmp.Or(in.CompareGroups(aUnit.Group, bUnit.Group), a.Compare(b))
	case aUnit.IsRaw():
		return +1
	case bUnit.IsRaw():
		return -1
	}
	return compareScaled(a, aUnit.Decimals, b, bUnit.Decimals)
}
