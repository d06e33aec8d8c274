package view

import (
	"cmp"
	"time"

	"blotter/model"
	"blotter/model/view/sorting"
)

// GroupTotal is the total of those rows of a group whose markets settle in one asset.
type GroupTotal struct {
	Total
	Open         int       // how many of the rows are open
	closedProfit model.Sum // the unrealised PnL of the others
	margin       marginTotal
	notional     notionalTotal
}

// count adds a row if sign is +1, and subtracts it if it is -1. The maintenance margin is that of the record which the
// row has now. The scale is that of its market.
func (t *GroupTotal) count(e sorting.Entry, p *model.Position, c *sorting.Encoder, scale *model.NotionalScale, sign int) {
	t.Total.addNumbers(p.Number, sign)
	t.Open += sign * e.Open()
	switch {
	case e.Open() == 0:
		t.closedProfit.AddSigned(p.Number(model.UnrealisedPnl), sign)
	case !t.Asset.IsZero(): // margin records of rows without an asset may be of any
		t.margin.count(e, p, c, sign)
		t.notional.count(p, scale, sign)
	}
}

// replace counts another state of a row, if they only differ as changesOnlySums says.
func (t *GroupTotal) replace(e sorting.Entry, before, after *model.Position) {
	t.replaceNumbers(before, after)
	if e.Open() == 0 {
		t.closedProfit.Replace(before.Number(model.UnrealisedPnl), after.Number(model.UnrealisedPnl))
	}
}

// openProfit returns the unrealised PnL of the open rows.
func (t *GroupTotal) openProfit() model.Sum {
	profit := *t.Sum(model.UnrealisedPnl)
	profit.SubtractSum(t.closedProfit)
	return profit
}

// compare orders totals: that with the most rows first, and that of rows of unknown assets last.
func (t *GroupTotal) compare(other *GroupTotal) int {
	switch {
	case t.Asset.IsZero():
		return +1
	case other.Asset.IsZero():
		return -1
	}
	return cmp.Or(cmp.Compare(other.Rows, t.Rows), t.Asset.Compare(other.Asset))
}

// marginTotal is what the margin ratio of a group is computed from, without the unrealised PnL: if each open row has a
// ratio, that is the one of all open rows.
type marginTotal struct {
	rows, estimates int // that have a margin ratio, and those of them that have an estimate
	maintenance     model.Sum
	times           recordTimes
}

// count adds a position and its margin record if sign is +1, and subtracts them if it is -1. A ratio that has
// ended is left out, but not an estimate.
func (t *marginTotal) count(e sorting.Entry, p *model.Position, c *sorting.Encoder, sign int) {
	ratio, ok := c.RatioOf(e, p.Number(model.UnrealisedPnl))
	if !ok || ratio.HasEnded() && !ratio.IsEstimate || !ratio.Profit.IsAddable() || !ratio.Maintenance.IsAddable() {
		return
	}
	t.rows += sign
	if ratio.IsEstimate {
		t.estimates += sign
	}
	t.maintenance.AddSigned(ratio.Maintenance, sign)
	if at, ok := c.Book.Margins().RecordedAt(c.MarginRecord(e)); ok {
		t.times.count(at, sign)
	}
}

// MarginRatio returns the sum of the unrealised PnL divided by the sum of the maintenance margins, of the open rows, in
// an asset with these decimals. It is an estimate if that of a row is. It returns false if a row has no margin ratio,
// if none is open, or if the sums have left something out.
func (t *GroupTotal) MarginRatio(decimals int) (model.MarginRatio, bool) {
	margin, profit := &t.margin, t.openProfit()
	if margin.rows == 0 || t.WithoutRatio() > 0 || profit.LeftOut(decimals)+margin.maintenance.LeftOut(decimals) > 0 {
		return model.MarginRatio{}, false
	}
	ratio := model.MarginRatio{Profit: profit.Amount(decimals), Maintenance: margin.maintenance.Amount(decimals),
		IsEstimate: margin.estimates > 0}
	return ratio.In(decimals)
}

// Maintenance returns the sum of the maintenance margins of the rows that have a margin ratio, in an asset with these
// decimals.
func (t *GroupTotal) Maintenance(decimals int) model.Amount {
	return t.margin.maintenance.Amount(decimals)
}

// WithoutRatio returns how many open rows have no margin ratio: they have no margin record, one from which no ratio can
// be computed, or one of another moment and no estimate.
func (t *GroupTotal) WithoutRatio() int { return t.Open - t.margin.rows }

// NetNotional returns the estimated notional of the long positions less that of the short ones, in an asset with these
// decimals. It returns false if no row is open, or if an open row has no estimate.
func (t *GroupTotal) NetNotional(decimals int) (model.Estimate, bool) {
	n := &t.notional
	if t.Open == 0 || n.unestimated > 0 {
		return model.Estimate{}, false
	}
	profit := t.openProfit()
	if profit.LeftOut(decimals) > 0 {
		return model.Estimate{}, false
	}
	sum := n.values.WithProfit(profit)
	places := sum.Places(decimals)
	return model.RoundedNotional(sum.Value(places, decimals), sum.Bound(places, decimals), places, decimals, n.decimals > 0), true
}

// HasRecordUpTo reports whether a margin record with this time or an earlier one is in the margin ratio. A record that
// was replaced still counts while another one is of the same minute.
func (t *GroupTotal) HasRecordUpTo(at time.Time) bool {
	return len(t.margin.times) > 0 && t.margin.times[0].oldest <= at.UnixNano()
}
