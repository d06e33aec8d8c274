package model

import (
	"cmp"
	"time"
)

// newComparison returns nil where the condition is not a comparison.
func newComparison(c condition, now time.Time, order Order, encoder *encoder) comparison {
	switch c := c.(type) {
	case amountCondition:
		if c.isOfSide() {
			return nil
		}
		return &numberComparison{encoder: encoder, field: c.number, limit: &amountLimit{amountCondition: c, encoder: encoder}}
	case ratioCondition:
		return &ratioComparison{ratioCondition: c, rank: ratioBitsOf(rankRatio(c.limit)), order: order, encoder: encoder}
	case ageCondition:
		limit := &timeLimit{operator: c.operator.reversed(), at: now.Add(-c.limit).UnixNano(), isKnown: !now.IsZero()}
		return &numberComparison{encoder: encoder, field: UpdatedAt, limit: limit}
	case timeCondition:
		limit := &timeLimit{operator: c.operator, at: c.in(now).UnixNano(), isKnown: !c.today || !now.IsZero()}
		return &numberComparison{encoder: encoder, field: UpdatedAt, limit: limit}
	}
	return nil
}

// ratioComparison compares the margin ratio.
type ratioComparison struct {
	ratioCondition
	rank    rank  // of the limit
	order   Order // of the entries with ranks
	encoder *encoder
	touched int64 // see Margins.Prefetch
}

func (c *ratioComparison) matches(e entry) bool {
	ratio, ok := c.encoder.marginRatio(e)
	return ok && c.operator.holds(compareRatiosRanked(ratio, c.limit, c.rank))
}

// matchAll finds the margin records of only those entries that nothing else decides on.
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
	var keys [matchedTogether]Key
	for j, i := range undecided[:n] {
		keys[j] = c.encoder.key(*entries[i])
	}
	c.touched += c.encoder.margins.Prefetch(keys[:n])
	for _, i := range undecided[:n] {
		met[i] = c.matches(*entries[i])
	}
}

// decideByRank decides by the ranks of entries in an order of margin ratios.
func (c *ratioComparison) decideByRank(entries []*entry, met, decided *[matchedTogether]bool) {
	for i, e := range entries {
		rank := e.rank
		if c.order.Descending {
			rank = rank.reversed()
		}
		rank = ratioBitsOf(rank)
		decided[i] = rank != c.rank
		met[i] = decided[i] && rank != noRatio && c.operator.holds(cmp.Compare(rank, c.rank))
	}
}

// decideBySign decides on the entries that have no ratio because they are closed, and on those whose ratio cannot match
// because it has the sign of the profit.
func (c *ratioComparison) decideBySign(entries []*entry, decided *[matchedTogether]bool) {
	var numbers [matchedTogether]packed
	c.encoder.readAll(entries, UnrealisedPnl, &numbers)
	limit := c.limit.Sign()
	for i, e := range entries {
		decided[i] = e.side() == flat
		if !numbers[i].isText() {
			sign := numbers[i].amount().Sign()
			decided[i] = decided[i] || sign != limit && !c.operator.holds(sign-limit)
		}
	}
}

func (c *ratioComparison) matchNew() {}

func (c *ratioComparison) cost() int {
	if c.order.usesMargins() {
		return 0
	}
	return 2
}

func (c *ratioComparison) uncompared() int { return 0 }
