package view

import "blotter/model"

// groupOrdering is the order of groups: by their subtotals in the orders by profit and by margin ratio, else by their
// first rows. So in the order of trouble, the group with the worst row is first.
type groupOrdering struct {
	byFirst   bool
	urgencies *urgencies // of groups that are ordered by their ratios; nil if they are not
	units     units      // of the subtotal
	// rowOrder compares two rows, if groups are ordered by their first rows.
	rowOrder   func(a, b entry) int
	descending bool
	in         *model.Instruments
}

// groupKey is what a group is ordered by: one of these.
type groupKey struct {
	first    entry
	subtotal model.Amount
	asset    model.ID // of the subtotal; zero if there is no subtotal
	urgency  urgency
}

// groupOrdering returns the order of groups of rows in the order o.
func (o Order) groupOrdering(c *encoder) groupOrdering {
	g := groupOrdering{descending: o.Descending, in: c.instruments}
	field, isSummed := o.sorter().summed()
	switch {
	case isSummed:
		g.units = newUnits(field, c)
	case o.Column == MarginRatioColumn:
		g.urgencies = newUrgencies(c)
	default:
		g.byFirst, g.rowOrder = true, o.sorter().comparer(c)
	}
	return g
}

// keyOf returns the key of a group that has rows, and its rank.
func (o *groupOrdering) keyOf(of *rowGroup) (rank, groupKey) {
	if o.byFirst {
		return of.first.rank, groupKey{first: of.first}
	}
	var r rank
	var key groupKey
	if o.urgencies != nil {
		key.urgency = o.urgencyOf(of.main())
		r = key.urgency.rank()
	} else {
		r, key = o.subtotalKey(of.main())
	}
	if o.descending {
		r = r.reversed()
	}
	return r, key
}

// urgencyOf returns what a group with a total is ordered by, if that is its ratio: as for rows, its profit if it has
// none.
func (o *groupOrdering) urgencyOf(total *GroupTotal) urgency {
	if total == nil {
		return urgency{isNone: true}
	}
	decimals := o.in.Asset(total.Asset).Decimals
	if ratio, ok := total.MarginRatio(decimals); ok {
		return urgency{MarginRatio: ratio}
	}
	if total.Open == 0 {
		return urgency{isNone: true}
	}
	return o.urgencies.ofProfit(total.Sum(model.UnrealisedPnl).Amount(decimals), decimals)
}

// subtotalKey ranks a subtotal as Instruments.CompareInUnits orders it. Groups without one are after the others.
func (o *groupOrdering) subtotalKey(total *GroupTotal) (rank, groupKey) {
	if total == nil {
		return ^rank(0), groupKey{}
	}
	key := groupKey{asset: total.Asset, subtotal: total.Sum(o.units.field).Amount(o.in.Asset(total.Asset).Decimals)}
	return o.units.rankOfAsset(key.subtotal, key.asset), key
}

func (o *groupOrdering) unit(key *groupKey) model.Unit { return o.in.UnitOfAsset(key.asset) }

// compare orders two keys of the same rank.
func (o *groupOrdering) compare(a, b *groupKey) int {
	order := 0
	switch {
	case o.byFirst:
		return o.rowOrder(a.first, b.first)
	case o.urgencies != nil:
		order = a.urgency.compare(&b.urgency)
	default:
		order = o.in.CompareInUnits(a.subtotal, o.unit(a), b.subtotal, o.unit(b))
	}
	if o.descending {
		return -order
	}
	return order
}
