package model

import (
	"cmp"
	"math/bits"
	"time"
)

// newComparison returns nil where the condition is not a comparison.
func newComparison(c condition, now time.Time, order Order, encoder *encoder) comparison {
	switch c := c.(type) {
	case amountCondition:
		if c.isOfSide() {
			return nil
		}
		return &amountComparison{amountCondition: c, encoder: encoder}
	case ratioCondition:
		return &ratioComparison{ratioCondition: c, rank: ratioBitsOf(c.limit.rank()), order: order, encoder: encoder}
	case ageCondition:
		return &timeComparison{operator: c.operator.reversed(), limit: now.Add(-c.limit).UnixNano(), hasLimit: !now.IsZero()}
	case timeCondition:
		return &timeComparison{operator: c.operator, limit: c.in(now).UnixNano(), hasLimit: !c.today || !now.IsZero()}
	}
	return nil
}

// in returns the limit in the time zone, and for a time of day on the day, of now.
func (c timeCondition) in(now time.Time) time.Time {
	day := c.limit
	if c.today {
		day = now
	}
	return time.Date(day.Year(), day.Month(), day.Day(), c.limit.Hour(), c.limit.Minute(), c.limit.Second(), 0, now.Location())
}

// amountComparison compares a number of the row.
type amountComparison struct {
	amountCondition
	encoder *encoder
	limits  []limit // by the code of the market
	unknown int     // how many of them are not known
}

func (c *amountComparison) matchNew() {
	for _, market := range c.encoder.markets.values[len(c.limits):] {
		limit := c.amountCondition.limit.in(c.encoder.instruments.Decimals(c.number, market))
		c.limits = append(c.limits, limit)
		if !limit.known {
			c.unknown++
		}
	}
}

func (c *amountComparison) matches(e entry) bool {
	return c.limits[e.market()].matches(e.row.Number(c.number), c.operator)
}

func (c *amountComparison) matchAll(entries []*entry, met *[matchedTogether]bool) {
	var numbers [matchedTogether]packed
	for i, e := range entries {
		numbers[i] = e.row.numbers[c.number]
	}
	for i, e := range entries {
		if numbers[i].high == packedText {
			met[i] = c.matches(*e)
		} else {
			met[i] = c.limits[e.market()].matches(numbers[i].amount(), c.operator)
		}
	}
}

func (c *amountComparison) cost() int       { return 1 }
func (c *amountComparison) uncompared() int { return c.unknown }

// timeComparison compares the time when the position changed, in nanoseconds since the Unix epoch.
type timeComparison struct {
	operator operator
	limit    int64
	hasLimit bool
}

func (c *timeComparison) matches(e entry) bool {
	return c.hasLimit && c.matchesTime(e.row.Number(UpdatedAt))
}

func (c *timeComparison) matchesTime(a Amount) bool {
	at, ok := a.Int64()
	return ok && at != 0 && c.operator.holds(cmp.Compare(at, c.limit))
}

func (c *timeComparison) matchAll(entries []*entry, met *[matchedTogether]bool) {
	var numbers [matchedTogether]packed
	for i, e := range entries {
		numbers[i] = e.row.numbers[UpdatedAt]
	}
	for i := range entries {
		met[i] = c.hasLimit && numbers[i].high != packedText && c.matchesTime(numbers[i].amount())
	}
}

func (c *timeComparison) matchNew()       {}
func (c *timeComparison) cost() int       { return 1 }
func (c *timeComparison) uncompared() int { return 0 }

// ratioComparison compares the margin ratio.
type ratioComparison struct {
	ratioCondition
	rank    rank  // of the limit
	order   Order // of the entries with ranks
	encoder *encoder
}

func (c *ratioComparison) matches(e entry) bool {
	return c.matchesRecord(e.row, c.encoder.margins.find(e.row.Key, c.encoder.assetOf(e)))
}

func (c *ratioComparison) matchesRecord(row *Position, r *marginRecord) bool {
	ratio, ok := ratioOf(row, r)
	return ok && c.operator.holds(ratio.compareTo(c.limit, c.rank))
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
	var records [matchedTogether]*marginRecord
	for j, i := range undecided[:n] {
		e := entries[i]
		records[j] = c.encoder.margins.find(e.row.Key, c.encoder.assetOf(*e))
	}
	for j, i := range undecided[:n] {
		met[i] = c.matchesRecord(entries[i].row, records[j])
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
	for i, e := range entries {
		numbers[i] = e.row.numbers[UnrealisedPnl]
	}
	limit := c.limit.Sign()
	for i, e := range entries {
		decided[i] = e.side() == flat
		if numbers[i].high != packedText {
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

// ratioBitsOf returns the part of a rank that is of the ratio alone.
func ratioBitsOf(r rank) rank { return r & (1<<ratioBits - 1) }

// compareTo is Compare with a ratio of this rank.
func (r MarginRatio) compareTo(s MarginRatio, rankOfS rank) int {
	if order := cmp.Compare(r.Sign(), s.Sign()); order != 0 {
		return order
	}
	if a, b, ok := r.small(); ok {
		if c, d, ok := s.small(); ok {
			high, low := bits.Mul64(a, d)
			otherHigh, otherLow := bits.Mul64(c, b)
			return r.Sign() * cmp.Or(cmp.Compare(high, otherHigh), cmp.Compare(low, otherLow))
		}
	}
	if order := cmp.Compare(ratioBitsOf(r.rank()), rankOfS); order != 0 {
		return order
	}
	return r.Compare(s)
}

// small returns the magnitude of the profit and the maintenance margin, where both have at most 64 bits.
func (r MarginRatio) small() (profit, maintenance uint64, ok bool) {
	p, isP := r.profit.Int64()
	m, isM := r.maintenance.Int64()
	if p < 0 {
		p = -p // the least stays as it is, which is right as an unsigned number
	}
	return uint64(p), uint64(m), isP && isM
}

// isOfSide reports whether the comparison is decided by the side of a position: the size is compared with 0.
func (c amountCondition) isOfSide() bool {
	return c.number == OpenVolume && c.limit.integer.IsZero() && !c.limit.raw
}

func matchesSide(c condition, s side) bool {
	switch c := c.(type) {
	case sideCondition:
		return c.side == s
	case amountCondition:
		return c.isOfSide() && c.operator.holds(map[side]int{short: -1, long: +1}[s])
	}
	return false
}
