package model

import "cmp"

// scaleUnit is what the numbers of a field in a market are counted in. Where decimals are known, numbers of all units compare
// by value. Where they are not, only numbers of one group do; others compare by their groups.
type scaleUnit struct {
	decimals int // Unscaled where they are not known
	group    unitGroup
}

// unitGroup is what raw numbers of one unit have in common: the asset or, where that is not known or the field is a size or a
// price, the market. The other is zero.
type unitGroup struct{ asset, market ID }

// isRaw reports whether the decimals are not known.
func (u *scaleUnit) isRaw() bool { return u.decimals == Unscaled }

// unit returns the unit of a field in a market.
func (in *Instruments) unit(field Field, market ID) scaleUnit {
	u := scaleUnit{decimals: in.Decimals(field, market), group: unitGroup{market: market}}
	if u.isRaw() && field != OpenVolume && field != AverageEntryPrice {
		if asset := in.Market(market).Asset; !asset.IsZero() {
			u.group = unitGroup{asset: asset}
		}
	}
	return u
}

// unitOfAsset returns the unit of amounts of an asset.
func (in *Instruments) unitOfAsset(asset ID) scaleUnit {
	return scaleUnit{decimals: in.Asset(asset).Decimals, group: unitGroup{asset: asset}}
}

// compareGroups orders groups: assets by name, then markets by name.
func (in *Instruments) compareGroups(a, b unitGroup) int {
	switch {
	case a == b:
		return 0
	case a.asset.IsZero() && b.asset.IsZero():
		return in.compareMarkets(a.market, b.market)
	case a.asset.IsZero():
		return +1
	case b.asset.IsZero():
		return -1
	}
	return in.compareAssets(a.asset, b.asset)
}

// compareInUnits orders two numbers: first those with known decimals by value, then raw ones by their group and value, at
// last what is not an integer.
func (in *Instruments) compareInUnits(a Amount, aUnit scaleUnit, b Amount, bUnit scaleUnit) int {
	switch {
	case !a.IsInteger() || !b.IsInteger():
		return a.Compare(b)
	case aUnit.isRaw() && bUnit.isRaw():
		return cmp.Or(in.compareGroups(aUnit.group, bUnit.group), a.Compare(b))
	case aUnit.isRaw():
		return +1
	case bUnit.isRaw():
		return -1
	}
	return compareScaled(a, aUnit.decimals, b, bUnit.decimals)
}
