package view

import (
	"cmp"
	"slices"

	"blotter/model"
)

// sorter is the order of the rows of a view: that of an ordering or its opposite, then by party and market. Parties and
// markets are compared by their labels.
type sorter struct {
	ordering
	isReversed bool
}

// columnComparer returns a function that compares two rows by the column alone. Numbers are compared by value: 1.250 is
// less than 2, whatever the decimals of their markets are. Integers whose decimals are not known are after them, those
// of one unit together: see units.
func (s sorter) columnComparer(c *encoder) func(a, b entry) int {
	compare := s.ordering.comparer(c)
	if s.isReversed {
		return func(a, b entry) int { return compare(b, a) }
	}
	return compare
}

// comparer returns a function that compares two rows by their ranks, which are those of the order, if these are not
// exact by the column, then by party and market. So no two rows of a view are equal.
func (s sorter) comparer(c *encoder) func(a, b entry) int {
	compare := s.columnComparer(c)
	return func(a, b entry) int {
		switch {
		case a.rank != b.rank:
			return cmp.Compare(a.rank, b.rank)
		case a.row == b.row && a.table == b.table:
			return 0
		}
		if !a.rank.isExact() {
			if order := compare(a, b); order != 0 {
				return order
			}
		}
		if order := c.compareParties(a, b); order != 0 {
			return order
		}
		return c.compareMarkets(a, b)
	}
}

// sort sorts the entries, which encoder.entries has just made, and returns the ranker of rows that are added later.
//
// In an order by a number, rows keep their ranks: a number that is added later has a rank between those of its
// neighbours. A new name has no such rank, because the ranks of names are only 0, 1, 2 and so on. The same is true of a
// raw number of a new group. So the ranks of names and of raw numbers are used for the sort alone. After it all of them
// have the same rank, so that the rows themselves are compared.
func (s sorter) sort(entries []entry, c *encoder) ranker {
	if s.hasAmounts() {
		c.orderAssets(entries, s.isReversed)
	}
	ranks := s.ranker(entries, c)
	for i := range entries {
		entries[i].rank = ranks.ofStored(entries[i], c)
	}
	compare := s.columnComparer(c)
	inOrder := func(a, b entry) int {
		order := cmp.Compare(a.rank, b.rank)
		if order == 0 && !a.rank.isExact() {
			order = compare(a, b)
		}
		if order == 0 { // by party and market, whose codes are in the order of their labels
			order = cmp.Compare(a.codes, b.codes)
		}
		return order
	}
	radixSort(entries, func(some []entry) { slices.SortFunc(some, inOrder) })
	lasting := s.lastingRanker(c)
	if lasting.rankOf == nil {
		return ranks
	}
	for i := range entries {
		entries[i].rank = lasting.ofStored(entries[i], c)
	}
	return lasting
}

// ranker returns the ranker of these entries in this order.
func (s sorter) ranker(entries []entry, c *encoder) ranker {
	return s.directed(s.ordering.ranker(entries, c))
}

func (s sorter) lastingRanker(c *encoder) ranker { return s.directed(s.ordering.lastingRanker(c)) }

// directed returns the ranker, or that of the opposite order.
func (s sorter) directed(r ranker) ranker {
	if r.rankOf == nil || !s.isReversed {
		return r
	}
	return ranker{r.field, func(e entry, number model.Amount, status model.Status) rank {
		return r.rankOf(e, number, status).reversed()
	}}
}

// hasAmounts reports whether the order is by amounts of an asset, which compare only if the asset is known.
func (s sorter) hasAmounts() bool {
	by, isNumber := s.ordering.(numberOrdering)
	return isNumber && by.field.IsAmount()
}

// usesBaseline reports whether the order is by changes since the baseline.
func (s sorter) usesBaseline() bool {
	by, _ := s.ordering.(numberOrdering)
	return by.of == sinceBaseline
}

// summed returns the number that the order is by, if it is one of those that are summed.
func (s sorter) summed() (f model.Field, ok bool) {
	by, isNumber := s.ordering.(numberOrdering)
	return by.field, isNumber && by.field.IsSummed() && by.of == asSent
}

// unitOf returns the group of units whose numbers compare with that of a row in the order. Ratios compare with all
// others.
func (s sorter) unitOf(e entry, c *encoder) model.UnitGroup {
	if by, isNumber := s.ordering.(numberOrdering); isNumber {
		return c.instruments.Unit(by.field, c.markets.Values()[e.market()]).Group
	}
	return model.UnitGroup{}
}

// hasSeveralUnits reports whether numbers of several units, which do not compare, are in the order: it begins with that
// of their assets or markets.
func (s sorter) hasSeveralUnits(c *encoder) bool {
	by, isNumber := s.ordering.(numberOrdering)
	if !isNumber {
		return false
	}
	units := newUnits(by.field, c)
	groups := make(map[model.UnitGroup]bool)
	for market := range c.markets.Values() {
		if of := units.of(uint32(market)); of.IsGrouped() {
			groups[of.Group] = true
		}
	}
	return len(groups) > 1
}

// usesMargins reports whether the order changes with margin records.
func (s sorter) usesMargins() bool {
	switch by := s.ordering.(type) {
	case distanceOrdering, ratioOrdering:
		return true
	case figureOrdering:
		return by.of.UsesMargins()
	case numberOrdering:
		return by.of == ofMaintenance
	}
	return false
}

// hasRatios reports whether the ranks of the order are those of margin ratios.
func (s sorter) hasRatios() bool {
	_, has := s.ordering.(ratioOrdering)
	return has
}
