package sorting

import (
	"cmp"
	"slices"

	"blotter/model"
)

// Sorter is the order of the rows of a view: that of an ordering or its opposite, then by party and market. Parties and
// markets are compared by their labels.
type Sorter struct {
	Ordering
	IsReversed bool
}

// columnComparer returns a function that compares two rows by the column alone. Numbers are compared by value: 1.250 is
// less than 2, whatever the decimals of their markets are. Integers whose decimals are not known are after them, those
// of one unit together: see units.
func (s Sorter) columnComparer(c *Encoder) func(a, b Entry) int {
	compare := s.Ordering.comparer(c)
	if s.IsReversed {
		return func(a, b Entry) int { return compare(b, a) }
	}
	return compare
}

// Comparer returns a function that compares two rows by their ranks, which are those of the order, if these are not
// exact by the column, then by party and market. So no two rows of a view are equal.
func (s Sorter) Comparer(c *Encoder) func(a, b Entry) int {
	compare := s.columnComparer(c)
	return func(a, b Entry) int {
		switch {
		case a.Rank != b.Rank:
			return cmp.Compare(a.Rank, b.Rank)
		case a.Row == b.Row && a.Table == b.Table:
			return 0
		}
		if !a.Rank.IsExact() {
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

// Sort sorts the entries, which Encoder.Entries has just made, and returns the ranker of rows that are added later.
//
// In an order by a number, rows keep their ranks: a number that is added later has a rank between those of its
// neighbours. A new name has no such rank, because the ranks of names are only 0, 1, 2 and so on. The same is true of a
// raw number of a new group. So the ranks of names and of raw numbers are used for the sort alone. After it all of them
// have the same rank, so that the rows themselves are compared.
func (s Sorter) Sort(entries []Entry, c *Encoder) Ranker {
	if s.HasAmounts() {
		c.orderAssets(entries, s.IsReversed)
	}
	ranks := s.directed(s.ranker(entries, c))
	for i := range entries {
		entries[i].Rank = ranks.OfStored(entries[i], c)
	}
	compare := s.columnComparer(c)
	inOrder := func(a, b Entry) int {
		order := cmp.Compare(a.Rank, b.Rank)
		if order == 0 && !a.Rank.IsExact() {
			order = compare(a, b)
		}
		if order == 0 { // by party and market, whose codes are in the order of their labels
			order = cmp.Compare(a.Codes, b.Codes)
		}
		return order
	}
	radixSort(entries, func(some []Entry) { slices.SortFunc(some, inOrder) })
	lasting := s.directed(s.lastingRanker(c))
	if lasting.rankOf == nil {
		return ranks
	}
	for i := range entries {
		entries[i].Rank = lasting.OfStored(entries[i], c)
	}
	return lasting
}

// directed returns the ranker, or that of the opposite order.
func (s Sorter) directed(r Ranker) Ranker {
	if r.rankOf == nil || !s.IsReversed {
		return r
	}
	return Ranker{r.field, func(e Entry, number model.Amount, status model.Status) Rank {
		return r.rankOf(e, number, status).Reversed()
	}}
}

// HasAmounts reports whether the order is by amounts of an asset, which compare only if the asset is known.
func (s Sorter) HasAmounts() bool {
	by, isNumber := s.Ordering.(ByNumber)
	return isNumber && by.Field.IsAmount()
}

// UsesBaseline reports whether the order is by changes since the baseline.
func (s Sorter) UsesBaseline() bool {
	by, _ := s.Ordering.(ByNumber)
	return by.Of == SinceBaseline
}

// Summed returns the number that the order is by, if it is one of those that are summed.
func (s Sorter) Summed() (f model.Field, ok bool) {
	by, isNumber := s.Ordering.(ByNumber)
	return by.Field, isNumber && by.Field.IsSummed() && by.Of == asSent
}

// UnitOf returns the group of units whose numbers compare with that of a row in the order. Ratios compare with all
// others.
func (s Sorter) UnitOf(e Entry, c *Encoder) model.UnitGroup {
	if by, isNumber := s.Ordering.(ByNumber); isNumber {
		return c.Instruments.Unit(by.Field, c.Markets.Values()[e.Market()]).Group
	}
	return model.UnitGroup{}
}

// HasSeveralUnits reports whether numbers of several units, which do not compare, are in the order: it begins with that
// of their assets or markets.
func (s Sorter) HasSeveralUnits(c *Encoder) bool {
	by, isNumber := s.Ordering.(ByNumber)
	if !isNumber {
		return false
	}
	units := NewUnits(by.Field, c)
	groups := make(map[model.UnitGroup]bool)
	for market := range c.Markets.Values() {
		if of := units.of(uint32(market)); of.IsGrouped() {
			groups[of.Group] = true
		}
	}
	return len(groups) > 1
}

// UsesMargins reports whether the order changes with margin records.
func (s Sorter) UsesMargins() bool {
	switch by := s.Ordering.(type) {
	case ByDistance, ByRatio:
		return true
	case ByFigure:
		return by.Of.UsesMargins()
	case ByNumber:
		return by.Of == OfMaintenance
	}
	return false
}

// HasRatios reports whether the ranks of the order are those of margin ratios.
func (s Sorter) HasRatios() bool {
	_, has := s.Ordering.(ByRatio)
	return has
}

// IsSame reports whether two states of a row with the same status and side certainly have the same place.
func (s Sorter) IsSame(p, q *model.Position) bool { return s.isSame(p, q) }
