package view

import (
	"cmp"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
)

// comparison is a condition that needs the row.
type comparison struct {
	filter.Condition
	groups    model.GroupSet // of a condition on groups
	cost      int            // comparisons that take longer are made for fewer rows
	order     Order          // of the entries that have ranks
	inAdvance []model.RowSet // see matchInAdvance
	touched   uint64         // see touch

	// By the code of the market, if the condition is of an amount: its decimals, and whether a number there could not
	// be compared.
	decimals   []int
	uncompared []bool
}

// newComparison returns the comparison of a condition, nil if texts and sides decide it.
func (m *matcher) newComparison(c filter.Condition, now time.Time, order Order) *comparison {
	switch c := filter.At(now, c).(type) {
	case filter.SideCondition:
		return nil
	case filter.TextCondition:
		if groups := c.Groups(m.encoder.instruments); groups != 0 {
			return &comparison{Condition: c, groups: groups}
		}
		return nil
	case filter.AmountCondition:
		if c.IsOfSide() {
			return nil
		}
		amount := &comparison{Condition: c, cost: 1}
		m.amounts = append(m.amounts, amount)
		return amount
	case filter.TimeLimit:
		return &comparison{Condition: c, cost: 1}
	case filter.RatioCondition:
		if order.hasRatios() {
			return &comparison{Condition: c, order: order}
		}
		return &comparison{Condition: c, cost: 2}
	default:
		return &comparison{Condition: c, cost: 3}
	}
}

// answer returns whether a row meets the condition. What is not known counts as not met, but not for rules.
func (c *comparison) answer(e entry, encoder *encoder, rules *Alerts) filter.Answer {
	answer := filter.Meets(c.Condition, row{e, encoder, c, rules})
	if rules == nil && answer == filter.Unknown {
		return filter.No
	}
	return answer
}

// matchAll returns which of some entries meet the condition. Each row is read, unless the ranks decide.
func (c *comparison) matchAll(entries []entry, of entrySet, encoder *encoder) (met entrySet) {
	if ratio, ok := c.Condition.(filter.RatioCondition); ok && c.order.hasRatios() {
		met, of = decideByRank(ratio, c.order, entries, of)
	}
	if c.cost > 0 && c.inAdvance == nil {
		c.touched += encoder.touch(entries, of)
	}
	for i := range of.all {
		e := entries[i]
		if c.inAdvance != nil && c.inAdvance[e.table].Has(e.row) || c.inAdvance == nil && c.answer(e, encoder, nil) == filter.Yes {
			met |= 1 << i
		}
	}
	return met
}

// touch reads a number of each of some rows, which brings them into the processor's cache. These reads do not depend on
// each other, so the processor waits for all of them at the same time: without them, filters in BenchmarkComparisons
// take twice as long. The result only keeps the compiler from removing the reads: the caller must store it.
func (c *encoder) touch(entries []entry, of entrySet) (sum uint64) {
	for i := range of.all {
		sum += c.rows(entries[i]).Packed(entries[i].row, model.UnrealisedPnl).Low
	}
	return sum
}

// matchInAdvance makes the comparisons of numbers of the first term, if no text decides a row before it: all rows are
// read in the order in which they are stored, many times as fast as in that of the view. The results are valid until
// rows change: end must be called before that. Without it, age>5m in BenchmarkComparisons takes twice as long.
func (m *matcher) matchInAdvance() (end func()) {
	var first []*comparison
	if len(m.compared) > 0 && m.decided == 0 {
		first = m.compared[0].comparisons
	}
	for _, c := range first {
		if c.cost == 1 {
			c.inAdvance = m.encoder.matching(c)
		}
	}
	return func() {
		for _, c := range first {
			c.inAdvance = nil
		}
	}
}

// matching returns the rows that meet a condition on a number, by table.
func (c *encoder) matching(of *comparison) []model.RowSet {
	sets := make([]model.RowSet, len(c.tables))
	for i, table := range c.tables {
		if table.rows == nil {
			continue
		}
		sets[i] = book.NewRowSet(table.rows)
		for number := range table.rows.AllNumbers {
			_, code := table.rows.Codes(number)
			market, ok := table.markets.known(code)
			if ok && of.answer(entry{table: uint32(i), row: number}.withCodes(0, market, 0, 0), c, nil) == filter.Yes {
				sets[i].Add(number)
			}
		}
	}
	return sets
}

// decideByRank decides entries by their ranks in an order of margin ratios. Without it, m%<-20 in BenchmarkComparisons
// takes 10 times as long in such an order.
func decideByRank(c filter.RatioCondition, order Order, entries []entry, of entrySet) (met, undecided entrySet) {
	limit := ratioBitsOf(rankRatio(c.Limit))
	for i := range of.all {
		rank := entries[i].rank
		if order.Descending {
			rank = rank.reversed()
		}
		switch rank = ratioBitsOf(rank); {
		case rank == limit, rank == zeroRatio:
			undecided |= 1 << i
		case rank != noRatio && !rank.isProfit() && c.Operator.Holds(cmp.Compare(rank, limit)):
			met |= 1 << i
		}
	}
	return met, undecided
}
