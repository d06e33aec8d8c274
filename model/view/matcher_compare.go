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
	case filter.TextCondition:
		if groups := c.Groups(m.encoder.instruments); groups != 0 {
			return &groupComparison{groups, m.encoder}
		}
	case filter.AmountCondition:
		if c.IsOfSide() {
			return nil
		}
		limit := &amountLimit{AmountCondition: c, encoder: m.encoder}
		m.amounts = append(m.amounts, limit)
		return m.compareNumber(c.Number, limit.matches)
	case filter.RatioCondition:
		return &ratioComparison{RatioCondition: c, rank: ratioBitsOf(rankRatio(c.Limit)), order: order, encoder: m.encoder}
	case filter.DistanceCondition:
		return &distanceComparison{c, m.encoder}
	case filter.FigureCondition:
		return &levelsComparison{c.Meets, c.Of.UsesMargins(), c.Of.UsesMargins(), m.encoder}
	case filter.EstimateCondition:
		return &levelsComparison{c.Meets, false, false, m.encoder}
	case filter.MaintenanceCondition:
		return &levelsComparison{c.Meets, true, true, m.encoder}
	case filter.DayCondition:
		return &levelsComparison{m.encoder.meetsOfDay(c), false, true, m.encoder}
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

// groupComparison is met by the rows of groups. It reads no row.
type groupComparison struct {
	groups  model.GroupSet
	encoder *encoder
}

func (c *groupComparison) matches(e entry) bool { return c.encoder.groupsOf(e)&c.groups != 0 }

func (c *groupComparison) matchAll(entries []entry, of entrySet) (met entrySet) {
	for i := range of.all {
		if c.matches(entries[i]) {
			met |= 1 << i
		}
	}
	return met
}

func (*groupComparison) isUncertain() bool { return false }

func (*groupComparison) cost() int { return 0 }

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
func (c *ratioComparison) matchAll(entries []entry, of entrySet) (met entrySet) {
	var undecided entrySet
	if c.order.hasRatios() {
		met, undecided = c.decideByRank(entries, of)
	} else {
		undecided = c.decideBySign(entries, of)
	}
	var records [matchedTogether]uint32
	for i := range undecided.all {
		records[i] = c.encoder.marginRecord(entries[i])
	}
	c.touched += c.encoder.book.Margins().Prefetch(records[:len(entries)])
	for i := range undecided.all {
		if c.matches(entries[i]) {
			met |= 1 << i
		}
	}
	return met
}

// decideByRank decides entries by their ranks in an order of margin ratios.
func (c *ratioComparison) decideByRank(entries []entry, of entrySet) (met, undecided entrySet) {
	for i := range of.all {
		rank := entries[i].rank
		if c.order.Descending {
			rank = rank.reversed()
		}
		switch rank = ratioBitsOf(rank); {
		case rank == c.rank, rank == zeroRatio:
			undecided |= 1 << i
		case rank != noRatio && !rank.isProfit() && c.Operator.Holds(cmp.Compare(rank, c.rank)):
			met |= 1 << i
		}
	}
	return met, undecided
}

// decideBySign leaves out the entries that have no ratio because they are closed, and those whose ratio cannot match
// because it has the sign of the profit. A row that waits for a margin record has the ratio of an earlier profit. All
// profits are read first, because these reads do not depend on each other: without that, m%<-20 in BenchmarkComparisons
// takes 1.3 times as long.
func (c *ratioComparison) decideBySign(entries []entry, of entrySet) (undecided entrySet) {
	var profits [matchedTogether]model.Packed
	for i := range of.all {
		profits[i] = c.encoder.rows(entries[i]).Packed(entries[i].row, model.UnrealisedPnl)
	}
	limit := c.Limit.Sign()
	for i := range of.all {
		e, sign := entries[i], profits[i].Amount().Sign()
		switch {
		case e.side() == model.Flat:
		case profits[i].IsText(), sign == limit, c.Operator.Holds(sign - limit), c.encoder.rows(e).Waits(e.row):
			undecided |= 1 << i
		}
	}
	return undecided
}

func (*ratioComparison) isUncertain() bool { return true }

func (c *ratioComparison) cost() int {
	if c.order.hasRatios() {
		return 0
	}
	return 2
}
