package view

import (
	"cmp"
	"time"

	"blotter/model"
	"blotter/model/filter"
)

// newComparison returns the comparison of a condition, nil if it is none.
func (m *matcher) newComparison(c filter.Condition, now time.Time, order Order) comparison {
	switch c := c.(type) {
	case filter.AmountCondition:
		if c.IsOfSide() {
			return nil
		}
		limit := &amountLimit{AmountCondition: c, encoder: m.encoder}
		m.amounts = append(m.amounts, limit)
		return m.compareNumber(c.Number, limit.matches)
	case filter.RatioCondition:
		return &ratioComparison{RatioCondition: c, rank: ratioBitsOf(rankRatio(c.Limit)), order: order, encoder: m.encoder}
	case interface {
		In(time.Time) filter.TimeLimit
	}:
		limit := c.In(now)
		return m.compareNumber(model.UpdatedAt, func(a model.Amount, _ uint32) bool { return limit.Matches(a) })
	}
	return nil
}

// compareNumber returns the comparison of a number with a limit.
func (m *matcher) compareNumber(field model.Field, meets func(a model.Amount, market uint32) bool) comparison {
	c := &numberComparison{encoder: m.encoder, field: field, meets: meets}
	m.numbers = append(m.numbers, c)
	return c
}

// ratioComparison compares the margin ratio.
type ratioComparison struct {
	filter.RatioCondition
	rank    rank  // of the limit
	order   Order // of the entries with ranks
	encoder *encoder
	touched int64 // see Margins.Prefetch
}

func (c *ratioComparison) matches(e entry) bool {
	ratio, ok := c.encoder.marginRatio(e)
	return ok && c.Operator.Holds(compareRatiosRanked(ratio, c.Limit, c.rank))
}

// matchAll finds the margin records of only those entries that cannot be decided without them.
func (c *ratioComparison) matchAll(entries []*entry, met *[matchedTogether]bool) {
	var undecided [matchedTogether]uint8
	n := 0
	var decided [matchedTogether]bool
	if c.order.usesMargins() {
		c.decideByRank(entries, met, &decided)
	} else {
		c.decideBySign(entries, &decided)
	}
	for i := range entries {
		if !decided[i] {
			undecided[n] = uint8(i)
			n++
		}
	}
	var records [matchedTogether]uint32
	for j, i := range undecided[:n] {
		records[j] = c.encoder.marginRecord(*entries[i])
	}
	c.touched += c.encoder.book.Margins().Prefetch(records[:n])
	for _, i := range undecided[:n] {
		met[i] = c.matches(*entries[i])
	}
}

// decideByRank decides entries by their ranks in an order of margin ratios.
func (c *ratioComparison) decideByRank(entries []*entry, met, decided *[matchedTogether]bool) {
	for i, e := range entries {
		rank := e.rank
		if c.order.Descending {
			rank = rank.reversed()
		}
		rank = ratioBitsOf(rank)
		decided[i] = rank != c.rank
		met[i] = decided[i] && rank != noRatio && c.Operator.Holds(cmp.Compare(rank, c.rank))
	}
}

// decideBySign decides the entries that have no ratio because they are closed, and those whose ratio cannot match
// because it has the sign of the profit. A row that waits for a margin record has the ratio of an earlier profit. All
// profits are read first, because these reads do not depend on each other: without that, m%<-20 in BenchmarkComparisons
// takes 1.3 times as long.
func (c *ratioComparison) decideBySign(entries []*entry, decided *[matchedTogether]bool) {
	var profits [matchedTogether]model.Packed
	for i, e := range entries {
		profits[i] = c.encoder.rows(*e).Packed(e.row, model.UnrealisedPnl)
	}
	limit := c.Limit.Sign()
	for i, e := range entries {
		if decided[i] = e.side() == model.Flat; decided[i] || c.encoder.rows(*e).Waits(e.row) {
			continue
		}
		if !profits[i].IsText() {
			sign := profits[i].Amount().Sign()
			decided[i] = sign != limit && !c.Operator.Holds(sign-limit)
		}
	}
}

func (c *ratioComparison) cost() int {
	if c.order.usesMargins() {
		return 0
	}
	return 2
}
