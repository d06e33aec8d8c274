package view

import (
	"blotter/model"
	"blotter/model/view/sorting"
)

// groupOrdering is the order of groups: by their subtotals in the orders by profit and by margin ratio, else by their
// first rows. So in the order of trouble, the group with the worst row is first.
type groupOrdering struct {
	byFirst   bool
	urgencies *sorting.Urgencies // of groups that are ordered by their ratios; nil if they are not
	units     sorting.Units      // of the subtotal
	// rowOrder compares two rows, if groups are ordered by their first rows.
	rowOrder   func(a, b sorting.Entry) int
	descending bool
	in         *model.Instruments
}

// groupOrdering returns the order of groups of rows in the order o.
func (o Order) groupOrdering(c *sorting.Encoder) groupOrdering {
	g := groupOrdering{descending: o.Descending, in: c.Instruments}
	field, isSummed := o.sorter().Summed()
	switch {
	case isSummed:
		g.units = sorting.NewUnits(field, c)
	case o.Column == MarginRatioColumn:
		g.urgencies = sorting.NewUrgencies(c)
	default:
		g.byFirst, g.rowOrder = true, o.sorter().Comparer(c)
	}
	return g
}

// keyOf returns the key of a group that has rows, and its rank.
func (o *groupOrdering) keyOf(of *rowGroup) (sorting.Rank, groupKey) {
	if o.byFirst {
		return of.first.Rank, groupKey{first: of.first}
	}
	var r sorting.Rank
	var key groupKey
	if o.urgencies != nil {
		key.urgency = o.urgencyOf(of.main())
		r = key.urgency.Rank()
	} else {
		r, key = o.subtotalKey(of.main())
	}
	if o.descending {
		r = r.Reversed()
	}
	return r, key
}

// urgencyOf returns what a group with a total is ordered by, if that is its ratio: as for rows, its profit if it has
// none.
func (o *groupOrdering) urgencyOf(total *GroupTotal) sorting.Urgency {
	if total == nil {
		return sorting.Urgency{IsNone: true}
	}
	decimals := o.in.Asset(total.Asset).Decimals
	if ratio, ok := total.MarginRatio(decimals); ok {
		return sorting.Urgency{MarginRatio: ratio}
	}
	if total.Open == 0 {
		return sorting.Urgency{IsNone: true}
	}
	return o.urgencies.OfProfit(total.Sum(model.UnrealisedPnl).Amount(decimals), decimals)
}

// subtotalKey ranks a subtotal as Instruments.CompareInUnits orders it. Groups without one are after the others.
func (o *groupOrdering) subtotalKey(total *GroupTotal) (sorting.Rank, groupKey) {
	if total == nil {
		return ^sorting.Rank(0), groupKey{}
	}
	key := groupKey{asset: total.Asset, subtotal: total.Sum(o.units.Field).Amount(o.in.Asset(total.Asset).Decimals)}
	return o.units.RankOfAsset(key.subtotal, key.asset), key
}

func (o *groupOrdering) unit(key *groupKey) model.Unit { return o.in.UnitOfAsset(key.asset) }

// compare orders two keys of the same rank.
func (o *groupOrdering) compare(a, b *groupKey) int {
	order := 0
	switch {
	case o.byFirst:
		return o.rowOrder(a.first, b.first)
	case o.urgencies != nil:
		order = a.urgency.Compare(&b.urgency)
	default:
		order = o.in.CompareInUnits(a.subtotal, o.unit(a), b.subtotal, o.unit(b))
	}
	if o.descending {
		return -order
	}
	return order
}
