package view

import (
	"math/bits"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
)

// numberComparison compares a number of the row: an amount or a time.
//
// If most rows of a book must be compared, it compares all of them in the order in which they are stored. The
// processor loads rows that are next to each other many times as fast as the rows of a view, which are in another
// order.
type numberComparison struct {
	encoder *encoder
	field   model.Field
	meets   func(a model.Amount, market uint32) bool // whether a number in the market with the code meets the condition
	matched int                                      // how many entries it was called with in all
	met     []model.RowSet                           // the rows that meet the condition, by table; nil if not compared in advance
}

func (c *numberComparison) cost() int { return 1 }

func (*numberComparison) isUncertain() bool { return false }

func (c *numberComparison) matches(e entry) bool {
	return c.meets(c.encoder.amount(e, c.field), e.market())
}

func (c *numberComparison) matchAll(entries []entry, of entrySet) (met entrySet) {
	c.matched += bits.OnesCount64(uint64(of))
	for i := range of.all {
		e := entries[i]
		if c.met == nil && c.matches(e) || c.met != nil && c.met[e.table].Has(e.row) {
			met |= 1 << i
		}
	}
	return met
}

// matchInAdvance compares all rows that have an entry.
func (c *numberComparison) matchInAdvance() {
	c.met = make([]model.RowSet, len(c.encoder.tables))
	for i, table := range c.encoder.tables {
		if table.rows == nil {
			continue
		}
		met := book.NewRowSet(table.rows)
		for number := range table.rows.AllNumbers {
			_, code := table.rows.Codes(number)
			market, ok := table.markets.known(code)
			if ok && c.meets(table.rows.Amount(number, c.field), market) {
				met.Add(number)
			}
		}
		c.met[i] = met
	}
}

// Comparing all rows in advance takes as long as comparing one in advanceWorth of them in the order of the view. One
// bucket in advanceSample is matched first, to estimate how many rows must be compared.
const (
	advanceWorth  = 8
	advanceSample = 16
)

// matchInAdvance runs a comparison on all rows, if it would be used for many of them. The results are valid until
// rows change: endAdvance must be called before that. Without it, upnl<-1000 in BenchmarkComparisons takes 1.7 times as
// long.
func (m *matcher) matchInAdvance(buckets []bucket[entry]) {
	sample := 0
	for i := 0; i < len(buckets) && len(m.compared) > 0; i += advanceSample {
		part := buckets[i].entries[:min(len(buckets[i].entries), matchedTogether)]
		m.matchAll(part)
		sample += len(part)
	}
	for _, c := range m.numbers {
		if c.matched*advanceWorth > sample {
			c.matchInAdvance()
		}
	}
}

func (m *matcher) endAdvance() {
	for _, c := range m.numbers {
		c.met = nil
	}
}

// amountLimit is the limit of an amount, in the units of each market.
type amountLimit struct {
	filter.AmountCondition
	encoder  *encoder
	byMarket []filter.Limit // by the code of the market
	raw      []bool         // the same: a number there could not be compared, because its decimals are not known
}

func (l *amountLimit) matchNew() {
	for _, market := range l.encoder.markets.Values()[len(l.byMarket):] {
		limit := l.Limit.In(l.encoder.instruments.Decimals(l.Number, market))
		l.byMarket, l.raw = append(l.byMarket, limit), append(l.raw, false)
	}
}

func (l *amountLimit) matches(a model.Amount, market uint32) bool {
	limit := &l.byMarket[market]
	if !limit.Known && !l.raw[market] {
		l.raw[market] = !limit.Compares(a)
	}
	return limit.Matches(a, l.Operator)
}
