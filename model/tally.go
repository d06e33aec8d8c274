package model

import (
	"cmp"
	"slices"
)

// tally counts the rows of a view and adds up those that are shown.
type tally struct {
	rows, open, closedHidden, filtered int
	totals                             map[ID]*Total
}

// Total is the profit of the rows shown whose markets settle in one asset. The zero ID stands for the
// markets whose asset is not known; their numbers are not in the same units, so no sum of them is ever shown.
type Total struct {
	Asset      ID
	Unrealised Sum
	Realised   Sum
	Rows       int
}

func (t *tally) total(asset ID) *Total {
	total, ok := t.totals[asset]
	if !ok {
		total = &Total{Asset: asset}
		t.totals[asset] = total
	}
	return total
}

func (t *Total) add(p *Position, by int) {
	t.Rows += by
	if by > 0 {
		t.Unrealised.Add(p.Number(UnrealisedPnl))
		t.Realised.Add(p.Number(RealisedPnl))
		return
	}
	t.Unrealised.Subtract(p.Number(UnrealisedPnl))
	t.Realised.Subtract(p.Number(RealisedPnl))
}

// Rows is how many positions the book has.
func (v *View) Rows() int { return v.tally.rows }

// Open is how many of them are open.
func (v *View) Open() int { return v.tally.open }

// ClosedHidden is how many positions are left out because they are closed.
func (v *View) ClosedHidden() int { return v.tally.closedHidden }

// Filtered is how many positions are left out because no word matches them.
func (v *View) Filtered() int { return v.tally.filtered }

// Totals are the sums of the rows shown, one for each asset that has any, those of the most rows first.
func (v *View) Totals() []*Total {
	var totals []*Total
	for _, total := range v.tally.totals {
		if total.Rows > 0 {
			totals = append(totals, total)
		}
	}
	slices.SortFunc(totals, func(a, b *Total) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), a.Asset.Compare(b.Asset))
	})
	return totals
}
