package view

import (
	"math/bits"
	"time"

	"blotter/model"
	"blotter/model/filter"
	"blotter/model/view/sorting"
)

// matchedTogether is how many rows are read at once. The reads in a loop do not depend on each other, so the processor
// waits for all of them at the same time, not for one after the other. With one row at a time, filters in
// BenchmarkComparisons take 1.6 to 3 times as long.
const matchedTogether = 64

// entrySet is a set of at most matchedTogether entries in a slice: bit i is entry i.
type entrySet uint64

// all yields the places of the entries.
func (s entrySet) all(yield func(i int) bool) {
	for ; s != 0; s &= s - 1 {
		if !yield(bits.TrailingZeros64(uint64(s))) {
			return
		}
	}
}

// comparison is a condition that needs the row.
type comparison struct {
	filter.Condition
	groups    model.GroupSet // of a condition on groups
	cost      int
	byRatio   bool           // the entries have ranks in an order of ratios
	reversed  bool           // that order is reversed
	inAdvance []model.RowSet // see matchInAdvance
	answered  int            // how many entries matchAll has asked it about
	touched   uint64         // the sum of what encoder.touch has returned

	// Of a condition on a number: its field, and whether a value meets the condition.
	field model.Field
	meets func(a model.Amount, market uint32) bool

	// By the code of the market, if the condition is of an amount: its limit, and whether a number there could not be
	// compared.
	limits     []filter.AmountLimit
	uncompared []bool
}

// What a comparison costs: those that cost more are made for fewer rows. One without a cost reads no row.
const (
	numberCost = 1 + iota
	ratioCost
	wholeCost // the whole row is read
)

// reading is whether a filter or a rule asks. For a rule, a ratio that waits for a margin record is not known.
type reading uint8

const (
	ofFilter reading = iota
	ofRule
	ofRuleThatAwaits // margin records that were never read
)

// newComparison returns the comparison of a condition, nil if texts and sides decide it.
func newComparison(c filter.Condition, now time.Time, order sorting.Sorter, in *model.Instruments) *comparison {
	switch c := filter.At(now, c).(type) {
	case filter.SideCondition:
		return nil
	case filter.TextCondition:
		if groups := c.Groups(in); groups != 0 {
			return &comparison{Condition: c, groups: groups}
		}
		return nil
	case filter.AmountCondition:
		if c.IsOfSide() {
			return nil
		}
		of := &comparison{Condition: c, cost: numberCost, field: c.Number}
		of.meets = of.meetsLimit
		return of
	case filter.TimeLimit:
		meets := func(a model.Amount, _ uint32) bool { return c.Matches(a) }
		return &comparison{Condition: c, cost: numberCost, field: model.UpdatedAt, meets: meets}
	case filter.RatioCondition:
		if order.HasRatios() {
			return &comparison{Condition: c, byRatio: true, reversed: order.IsReversed}
		}
		return &comparison{Condition: c, cost: ratioCost}
	default:
		return &comparison{Condition: c, cost: wholeCost}
	}
}

// addMarkets prepares for new codes of markets.
func (c *comparison) addMarkets(encoder *sorting.Encoder) {
	if of, ok := c.Condition.(filter.AmountCondition); ok {
		for _, id := range encoder.Markets.Values()[len(c.limits):] {
			c.limits = append(c.limits, of.In(encoder.Instruments.Decimals(of.Number, id)))
			c.uncompared = append(c.uncompared, false)
		}
	}
}

// meetsLimit reports whether an amount in the market with a code meets the limit there.
func (c *comparison) meetsLimit(a model.Amount, market uint32) bool {
	matches, isCompared := c.limits[market].Matches(a)
	if !isCompared {
		c.uncompared[market] = true
	}
	return matches
}

// answer returns whether a row meets the condition. What is not known counts as not met, but not for rules.
func (c *comparison) answer(e sorting.Entry, encoder *sorting.Encoder, of reading) filter.Answer {
	if c.meets != nil {
		return filter.AnswerOf(c.meets(encoder.Amount(e, c.field), e.Market()))
	}
	answer := filter.Meets(c.Condition, row{e, encoder, c, of})
	if of == ofFilter && answer == filter.Unknown {
		return filter.No
	}
	return answer
}

// matchAll returns which of some entries meet the condition. Each row is read, unless the ranks decide.
func (c *comparison) matchAll(entries []sorting.Entry, of entrySet, encoder *sorting.Encoder) (met entrySet) {
	if ratio, ok := c.Condition.(filter.RatioCondition); ok && c.byRatio {
		met, of = decideByRank(ratio, c.reversed, entries, of)
	}
	c.answered += bits.OnesCount64(uint64(of))
	if c.cost > 0 && c.inAdvance == nil {
		for i := range of.all {
			c.touched += encoder.Touch(entries[i])
		}
	}
	for i := range of.all {
		e := entries[i]
		if c.inAdvance != nil && c.inAdvance[e.Table].Has(e.Row) || c.inAdvance == nil && c.answer(e, encoder, ofFilter) == filter.Yes {
			met |= 1 << i
		}
	}
	return met
}

// decideByRank decides entries by their ranks in an order of margin ratios. Without it, m%<-20 in BenchmarkComparisons
// takes 10 times as long in such an order.
func decideByRank(c filter.RatioCondition, isReversed bool, entries []sorting.Entry, of entrySet) (met, undecided entrySet) {
	limit := sorting.RankRatio(c.Limit)
	for i := range of.all {
		rank := entries[i].Rank
		if isReversed {
			rank = rank.Reversed()
		}
		switch order, hasRatio, isDecided := rank.CompareRatio(limit); {
		case !isDecided:
			undecided |= 1 << i
		case hasRatio && c.Operator.Holds(order):
			met |= 1 << i
		}
	}
	return met, undecided
}

// row is a row of a view as a comparison reads it.
type row struct {
	entry   sorting.Entry
	encoder *sorting.Encoder
	of      *comparison
	reading reading
}

// HasText is of groups: the codes of the entry decide all other texts.
func (r row) HasText(filter.TextCondition) filter.Answer {
	return filter.AnswerOf(r.encoder.GroupsOf(r.entry)&r.of.groups != 0)
}

func (r row) Number(f model.Field) (model.Amount, filter.Answer) {
	return r.encoder.Amount(r.entry, f), filter.Yes
}

func (r row) Maintenance() (model.Amount, filter.Answer) {
	if r.reading != ofFilter && r.waits() {
		return model.Amount{}, filter.Unknown
	}
	maintenance, ok := r.encoder.MaintenanceOf(r.entry)
	return maintenance, filter.AnswerOf(ok)
}

func (r row) Day() (model.Amount, filter.Answer) {
	p := r.encoder.Position(r.entry)
	change := r.encoder.ChangeOfDay(&p, r.Decimals(model.UnrealisedPnl))
	if !change.IsNumber() {
		return change, filter.Unknown
	}
	return change, filter.Yes
}

func (r row) Estimate(ofMark bool) (model.Estimate, filter.Answer) {
	p := r.encoder.Position(r.entry)
	return filter.EstimateOf(ofMark, &p, r.encoder.Instruments)
}

func (r row) Ratio() (model.MarginRatio, filter.Answer) {
	ratio, ok := r.encoder.MarginRatio(r.entry)
	if r.reading != ofFilter && ok && ratio.HasEnded() || r.reading == ofRuleThatAwaits && !ok && r.entry.Open() == 1 {
		return ratio, filter.Unknown
	}
	return ratio, filter.AnswerOf(ok)
}

// waits reports whether it is not known which margin record the row has.
func (r row) waits() bool {
	_, has := r.Ratio()
	return has == filter.Unknown
}

func (r row) Distance(to model.RatioLimit) (model.Distance, filter.Answer) {
	if r.reading != ofFilter && r.waits() {
		return model.Distance{}, filter.Unknown
	}
	distance, ok := r.encoder.DistanceOf(r.entry, to)
	return distance, filter.AnswerOf(ok)
}

func (r row) Figure(of model.Figure) (model.MarginRatio, filter.Answer) {
	if of.UsesMargins() && r.reading != ofFilter && r.waits() {
		return model.MarginRatio{}, filter.Unknown
	}
	figure, ok := r.encoder.FigureOf(r.entry, of)
	return figure, filter.AnswerOf(ok)
}

func (r row) Decimals(f model.Field) int {
	return r.encoder.Instruments.Decimals(f, r.encoder.Markets.Values()[r.entry.Market()])
}

func (row) Uncompared() filter.Answer { return filter.No }
