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
	if _, isNumber := numberOf[o.Column]; isNumber {
		return rankOf
	}
	for i := range entries { // names that are new will stand between those that there are
		entries[i].rank = 0
	}
	return func(entry) rank { return 0 }
}

// ranker returns the ranks of rows. Those of names hold for the entries alone.
func (o Order) ranker(entries []entry, d *directory) func(entry) rank {
	rankOf := o.columnRanker(entries, d)
	if o.Descending {
		return func(e entry) rank { return rankOf(e).reversed() }
	}
	return rankOf
}

func (o Order) columnRanker(entries []entry, d *directory) func(entry) rank {
	in := d.instruments
	switch o.Column {
	case ByMarket:
		ranks := rankAll(d.markets.all, in.compareMarkets)
		return func(e entry) rank { return ranks[e.market()] }
	case ByParty:
		ranks := rankAll(d.parties.all, in.compareParties)
		return func(e entry) rank { return ranks[e.party()] }
	case ByStatus:
		var names numbering[string]
		for _, e := range entries {
			names.number(e.row.StatusName())
		}
		ranks := rankAll(names.all, strings.Compare)
		return func(e entry) rank { return ranks[names.number(e.row.StatusName())] }
	case ByAge:
		return func(e entry) rank { return e.row.Number(UpdatedAt).rankScaled(0).reversed() }
	}
	field := numberOf[o.Column]
	var decimals []int // by the number of the market
	return func(e entry) rank {
		market := int(e.market())
		for _, id := range d.markets.all[min(len(decimals), market+1) : market+1] {
			decimals = append(decimals, max(0, in.Decimals(field, id)))
		}
		return e.row.Number(field).rankScaled(decimals[market])
	}
}
