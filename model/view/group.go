package view

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/view/sorting"
)

// Groups are what the rows of a view are grouped by, and which of the groups are folded.
type Groups struct {
	By      Grouping
	Folding Folding
}

// Folding is which groups are folded: of these only the heading has a line. In the zero Folding no group is folded. A
// Folding never changes.
type Folding struct{ folds *folds }

// folds are the groups that are folded: those in some, or if all is set, all but those in some.
type folds struct {
	all  bool
	some map[model.ID]bool
}

// FoldAll returns the folding of all groups, also of those that come later.
func FoldAll() Folding { return Folding{&folds{all: true}} }

// IsFolded reports whether the group of a party, market or asset is folded.
func (f Folding) IsFolded(id model.ID) bool {
	return f.folds != nil && f.folds.some[id] != f.folds.all
}

// Toggled returns the folding with one group changed: folded if it was not, and not folded if it was.
func (f Folding) Toggled(id model.ID) Folding {
	turned := folds{some: make(map[model.ID]bool)}
	if f.folds != nil {
		turned.all = f.folds.all
		maps.Copy(turned.some, f.folds.some)
	}
	if turned.some[id] {
		delete(turned.some, id)
	} else {
		turned.some[id] = true
	}
	if !turned.all && len(turned.some) == 0 {
		return Folding{}
	}
	return Folding{&turned}
}

// Group is the rows of a view that have the same party, market or asset, or are in the same own group, as its heading
// shows them. All of them match the filter. Closed rows that are hidden count in the totals.
type Group struct {
	ID           model.ID // of the party, market, asset or own group; zero for rows without one
	Rows         int
	ClosedHidden int
	Distressed   int // how many of the rows shown have that status
	ClosedOut    int
	IsFolded     bool
	sizes        model.Sizes  // of a market
	openSizes    int          // how many sizes other than 0 are in it
	Totals       []GroupTotal // one for each asset: that with the most rows first, and rows of unknown assets last
}

// Total returns the total of the asset that most of the rows settle in, and false if no asset of them is known.
func (g *Group) Total() (GroupTotal, bool) {
	if len(g.Totals) == 0 || g.Totals[0].Asset.IsZero() {
		return GroupTotal{}, false
	}
	return g.Totals[0], true
}

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

// Grouping is what the rows of a view are grouped by.
type Grouping uint8

// The groupings, in the order in which the screen offers them.
const (
	Ungrouped Grouping = iota
	GroupByParty
	GroupByMarket
	GroupByAsset // the asset that a market settles in
	GroupByOwn   // the groups of the instruments: a row can be in several
	groupings
)

// groupingKeys are the names of the groupings in the configuration.
var groupingKeys = [groupings]string{Ungrouped: "", GroupByParty: "party", GroupByMarket: "market",
	GroupByAsset: "asset", GroupByOwn: "own"}

// String returns the name of the grouping in the configuration: "party", "market", "asset", "own"; "" for no groups.
func (g Grouping) String() string { return groupingKeys[g] }

// Next returns the grouping that the screen offers after this one. That by own groups is left out if there are none.
func (g Grouping) Next(in *model.Instruments) Grouping {
	next := (g + 1) % groupings
	if next == GroupByOwn && len(in.Groups()) == 0 {
		return Ungrouped
	}
	return next
}

// Of returns the party, the market or the asset of a record; no identifier if there are no groups, or own groups.
func (g Grouping) Of(key model.Key, asset model.ID) model.ID {
	switch g {
	case GroupByParty:
		return key.Party
	case GroupByMarket:
		return key.Market
	case GroupByAsset:
		return asset
	}
	return model.ID{}
}

// GroupingKeys returns the names of all groupings but the empty one.
func GroupingKeys() []string { return slices.Clone(groupingKeys[Ungrouped+1:]) }

// ParseGrouping returns the grouping with the name. The error lists the names.
func ParseGrouping(name string) (Grouping, error) {
	if g := slices.Index(groupingKeys[:], name); g >= 0 {
		return Grouping(g), nil
	}
	return Ungrouped, fmt.Errorf("must be one of %s, or empty", strings.Join(GroupingKeys(), ", "))
}
