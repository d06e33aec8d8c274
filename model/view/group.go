package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"blotter/model"
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

// Sizes returns the sums of the sizes of a group of one market, whose sizes have these decimals: of long positions less
// short ones, and of both. It returns false if the group is not of a market, if none of its rows is open, or if a size
// cannot be added.
func (g *Group) Sizes(decimals int) (net, gross model.Amount, ok bool) {
	if g.openSizes == 0 || g.sizes.LeftOut(decimals) > 0 {
		return model.Amount{}, model.Amount{}, false
	}
	return g.sizes.Net(decimals), g.sizes.Gross(decimals), true
}

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
