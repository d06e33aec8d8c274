package model

import (
	"cmp"
	"slices"
	"strings"
)

// sort puts the entries in order, and returns the ranks of rows that come later. The numbers of their directory have to
// go up as parties and markets are called.
func (o Order) sort(entries []entry, d *directory) (rankOf func(entry) rank) {
	rankOf = o.ranker(entries, d)
	for i := range entries {
		entries[i].rank = rankOf(entries[i])
	}
	compare := o.comparer(d.instruments)
	slices.SortFunc(entries, func(a, b entry) int {
		c := cmp.Compare(a.rank, b.rank)
		if c == 0 && !a.rank.isExact() {
			c = compare(a.row, b.row)
		}
		if c == 0 {
			c = cmp.Compare(a.facets, b.facets)
		}
		return c
	})
	if o.ordering().isNumber() {
		return rankOf
	}
	for i := range entries { // names that are new will stand between those that there are
		entries[i].rank = 0
	}
	return func(entry) rank { return 0 }
}

// ranker returns the ranks of rows. Those of names hold for the entries alone.
func (o Order) ranker(entries []entry, d *directory) func(entry) rank {
	rankOf := o.ordering().ranker(entries, d)
	if o.Descending {
		return func(e entry) rank { return rankOf(e).reversed() }
	}
	return rankOf
}

func (marketOrdering) isNumber() bool { return false }
func (partyOrdering) isNumber() bool  { return false }
func (statusOrdering) isNumber() bool { return false }
func (ageOrdering) isNumber() bool    { return true }
func (numberOrdering) isNumber() bool { return true }

func (marketOrdering) ranker(_ []entry, d *directory) func(entry) rank {
	ranks := rankAll(d.markets.all, d.instruments.compareMarkets)
	return func(e entry) rank { return ranks[e.market()] }
}

func (partyOrdering) ranker(_ []entry, d *directory) func(entry) rank {
	ranks := rankAll(d.parties.all, d.instruments.compareParties)
	return func(e entry) rank { return ranks[e.party()] }
}

func (statusOrdering) ranker(entries []entry, _ *directory) func(entry) rank {
	var names numbering[string]
	for _, e := range entries {
		names.number(e.row.StatusName())
	}
	ranks := rankAll(names.all, strings.Compare)
	return func(e entry) rank { return ranks[names.number(e.row.StatusName())] }
}

func (ageOrdering) ranker([]entry, *directory) func(entry) rank {
	return func(e entry) rank { return e.row.Number(UpdatedAt).rankScaled(0).reversed() }
}

func (o numberOrdering) ranker(_ []entry, d *directory) func(entry) rank {
	var decimals []int // by the number of the market
	return func(e entry) rank {
		market := int(e.market())
		for _, id := range d.markets.all[min(len(decimals), market+1) : market+1] {
			decimals = append(decimals, max(0, d.instruments.Decimals(o.field, id)))
		}
		return e.row.Number(o.field).rankScaled(decimals[market])
	}
}
