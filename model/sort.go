package model

import (
	"cmp"
	"slices"
	"strings"
)

// sort puts the entries in order. The numbers of their directory have to go up as parties and markets are called.
func (o Order) sort(entries []entry, d *directory) {
	type ranked struct {
		entry
		rank
	}
	rankOf, compare := o.ranker(entries, d), o.comparer(d.instruments)
	_, isNumber := numberOf[o.Column]
	rows := make([]ranked, len(entries))
	for i, e := range entries {
		rows[i] = ranked{e, rankOf(e)}
		if o.Descending {
			rows[i].rank = rows[i].reversed()
		}
	}
	slices.SortFunc(rows, func(a, b ranked) int {
		c := cmp.Compare(a.number, b.number)
		if c == 0 && !(a.exact && b.exact) {
			c = compare(a.row, b.row)
		}
		if c == 0 {
			c = cmp.Compare(a.facets, b.facets)
		}
		return c
	})
	for i := range rows {
		entries[i] = rows[i].entry
		if isNumber {
			entries[i].height = rows[i].number
		}
	}
}

// heightOf returns the heights of rows, as sort gives them to entries.
func (o Order) heightOf(d *directory) func(e entry) uint64 {
	field, isNumber := numberOf[o.Column]
	if !isNumber {
		return func(entry) uint64 { return 0 }
	}
	return func(e entry) uint64 {
		decimals := 0
		if o.Column != ByAge {
			decimals = max(0, d.instruments.Decimals(field, e.row.Market))
		}
		r := e.row.Number(field).rankScaled(decimals)
		if o.Descending != (o.Column == ByAge) {
			r = r.reversed()
		}
		return r.number
	}
}

// ranker returns the ranks of rows in the column, from low to high.
func (o Order) ranker(entries []entry, d *directory) func(entry) rank {
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
	decimals := make([]int, len(d.markets.all))
	for number, id := range d.markets.all {
		decimals[number] = max(0, in.Decimals(field, id))
	}
	return func(e entry) rank { return e.row.Number(field).rankScaled(decimals[e.market()]) }
}
