package view

import (
	"slices"

	"blotter/model"
	"blotter/model/view/ordered"
	"blotter/model/view/sorting"
)

// rowGroup is one group of rows.
type rowGroup struct {
	Group                  // with the totals in any order, also of assets that have no rows any more; IsFolded is not set
	code     uint32        // of the party, market or asset
	first    sorting.Entry // the first row shown, if the groups are ordered by it
	hasFirst bool
	key      groupKey                      // its key in the index of groups
	heading  heading                       // as it is in that index
	own      *ordered.Index[sorting.Entry] // the rows of an own group, shown or not; nil if the index of the view has them together
	entries  []sorting.Entry               // the rows of an own group in order, until it has its index
}

// heading is a group in the index of groups.
type heading struct {
	rank  sorting.Rank // of its key
	lines int          // of the heading and the rows below it; 0 if the group has none
	group *rowGroup
}

// groupKey is what a group is ordered by: one of these.
type groupKey struct {
	first    sorting.Entry
	subtotal model.Amount
	asset    model.ID // of the subtotal; zero if there is no subtotal
	urgency  sorting.Urgency
}

// countStatus counts a row among those shown, with its status, or among those hidden.
func (of *rowGroup) countStatus(status model.Status, visibility visibility, sign int) {
	if visibility != shown {
		of.ClosedHidden += sign
		return
	}
	of.Rows += sign
	switch status {
	case model.StatusDistressed:
		of.Distressed += sign
	case model.StatusClosedOut:
		of.ClosedOut += sign
	}
}

// total returns the total of the group in an asset. It makes the total if there is none.
func (of *rowGroup) total(asset model.ID) *GroupTotal {
	for i := range of.Totals {
		if of.Totals[i].Asset == asset {
			return &of.Totals[i]
		}
	}
	of.Totals = append(of.Totals, GroupTotal{Total: Total{Asset: asset}})
	return &of.Totals[len(of.Totals)-1]
}

// main returns the total on the heading: that of the known asset with the most rows, nil if no asset is known.
func (of *rowGroup) main() (most *GroupTotal) {
	for i := range of.Totals {
		if t := &of.Totals[i]; t.Rows > 0 && !t.Asset.IsZero() && (most == nil || t.compare(most) < 0) {
			most = t
		}
	}
	return most
}

// described returns a group with its totals.
func (of *rowGroup) described() *Group {
	d := of.Group
	d.IsFolded = of.heading.lines == 1
	d.Totals = slices.DeleteFunc(slices.Clone(of.Totals), func(t GroupTotal) bool { return t.Rows == 0 })
	slices.SortFunc(d.Totals, func(a, b GroupTotal) int { return a.compare(&b) })
	return &d
}
