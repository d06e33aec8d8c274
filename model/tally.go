package model

import (
	"cmp"
	"slices"
)

// standing is why a row of the book is shown in a view or is not.
type standing uint8

const (
	shown standing = iota
	hiddenAsClosed
	filteredOut
	standings
)

// tally counts the rows of a book by how they stand in a view, and adds up those that are shown.
type tally struct {
	rows  [standings]int
	open  int
	shown totals
	whole totals // of all rows, shown or not
}

// count counts a row in, by +1, or out, by -1.
func (t *tally) count(e entry, as standing, d *directory, by int) {
	t.rows[as] += by
	t.open += by * e.open()
	asset := d.settlement[e.market()]
	t.whole.add(e.row, asset, by)
	if as == shown {
		t.shown.add(e.row, asset, by)
	}
}

// Total is the profit of the rows shown whose markets settle in one asset. The zero ID stands for the
// markets whose asset is not known; their numbers are not in the same units, so no sum of them is ever shown.
type Total struct {
	Asset      ID
	Unrealised Sum
	Realised   Sum
	Rows       int
}

// totals are totals by the number of their asset.
type totals []Total

func (t *totals) add(p *Position, asset uint32, by int) {
	for int(asset) >= len(*t) {
		*t = append(*t, Total{})
	}
	total := &(*t)[asset]
	total.Rows += by
	if by > 0 {
		total.Unrealised.Add(p.Number(UnrealisedPnl))
		total.Realised.Add(p.Number(RealisedPnl))
		return
	}
	total.Unrealised.Subtract(p.Number(UnrealisedPnl))
	total.Realised.Subtract(p.Number(RealisedPnl))
}

// addAll adds many entries. It copies some of them before it adds them: so the processor fetches one from memory
// while it waits for another.
func (t *totals) addAll(entries []entry, d *directory, by int) {
	var rows [64]Position
	for some := range slices.Chunk(entries, len(rows)) {
		for i, e := range some {
			rows[i] = *e.row
		}
		for i, e := range some {
			t.add(&rows[i], d.settlement[e.market()], by)
		}
	}
}

// Rows is how many positions the book has.
func (v *View) Rows() int {
	return v.tally.rows[shown] + v.tally.rows[hiddenAsClosed] + v.tally.rows[filteredOut]
}

// Open is how many of them are open.
func (v *View) Open() int { return v.tally.open }

// ClosedHidden is how many positions are left out because they are closed.
func (v *View) ClosedHidden() int { return v.tally.rows[hiddenAsClosed] }

// Filtered is how many positions are left out because no word matches them.
func (v *View) Filtered() int { return v.tally.rows[filteredOut] }

// Totals are the sums of the rows shown, one for each asset that has any, those of the most rows first. They
// are a copy.
func (v *View) Totals() []*Total {
	var totals []*Total
	for number, total := range v.tally.shown {
		if total.Rows > 0 {
			total.Asset = v.directory.assets.all[number]
			totals = append(totals, &total)
		}
	}
	slices.SortFunc(totals, func(a, b *Total) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), a.Asset.Compare(b.Asset))
	})
	return totals
}
