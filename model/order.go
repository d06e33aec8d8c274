package model

import (
	"cmp"
	"slices"
	"strings"
)

// Order is the order of rows: by a column, then by party and market. Parties and markets go by their labels. A column
// that rows cannot be sorted by (Column.IsSortable) orders them by market.
type Order struct {
	Column     Column
	Descending bool
}

// ordering is how rows are ordered by one column.
type ordering interface {
	// comparer returns a function that compares two rows.
	comparer(c *encoder) func(p, q *Position) int
	// ranker returns a function that returns the ranks of these entries, which the encoder has made.
	ranker(entries []entry, c *encoder) func(entry) rank
	// lastingRanker returns a function that also ranks rows that come later, nil where that of ranker does.
	lastingRanker(c *encoder) func(entry) rank
}

type (
	marketOrdering struct{}
	partyOrdering  struct{}
	statusOrdering struct{}
	ageOrdering    struct{} // the youngest first
	numberOrdering struct{ field Field }
)

func (o Order) ordering() ordering {
	if columns[o.Column].ordering == nil {
		return marketOrdering{}
	}
	return columns[o.Column].ordering
}

// columnComparer returns a function that compares two rows by the column alone. Numbers are compared by value: 1.250 is
// less than 2, whatever the decimals of their markets are. Integers whose decimals are not known are after them, those of
// one unit together: see unit.
func (o Order) columnComparer(c *encoder) func(p, q *Position) int {
	compare := o.ordering().comparer(c)
	if o.Descending {
		return func(p, q *Position) int { return compare(q, p) }
	}
	return compare
}

// comparer returns a function that compares two rows by the column, then by party and market. So no two rows of a view
// are equal.
func (o Order) comparer(c *encoder) func(p, q *Position) int {
	compare := o.columnComparer(c)
	return func(p, q *Position) int {
		if order := compare(p, q); order != 0 {
			return order
		}
		if order := c.instruments.compareParties(p.Party, q.Party); order != 0 {
			return order
		}
		return c.instruments.compareMarkets(p.Market, q.Market)
	}
}

func (marketOrdering) comparer(c *encoder) func(p, q *Position) int {
	return func(p, q *Position) int { return c.instruments.compareMarkets(p.Market, q.Market) }
}

func (partyOrdering) comparer(c *encoder) func(p, q *Position) int {
	return func(p, q *Position) int { return c.instruments.compareParties(p.Party, q.Party) }
}

func (statusOrdering) comparer(*encoder) func(p, q *Position) int {
	return func(p, q *Position) int {
		if p.status == q.status && p.status != statusText {
			return 0
		}
		return strings.Compare(p.StatusName(), q.StatusName())
	}
}

func (ageOrdering) comparer(*encoder) func(p, q *Position) int {
	return func(p, q *Position) int { return q.Number(UpdatedAt).Compare(p.Number(UpdatedAt)) }
}

func (o numberOrdering) comparer(c *encoder) func(p, q *Position) int {
	in := c.instruments
	return func(p, q *Position) int {
		x, y := p.Number(o.field), q.Number(o.field)
		if p.Market == q.Market {
			return x.Compare(y)
		}
		return in.compareInUnits(x, in.unit(o.field, p.Market), y, in.unit(o.field, q.Market))
	}
}

// sort sorts the entries, which encoder.entries has just made, and returns a function that returns the rank of a row
// that comes later.
//
// The order by a number keeps its ranks: a number that comes later has a rank between those of its neighbours. A new
// name has none, because the ranks of names are only 0, 1, 2 and so on; nor has a raw number of a new group. So the ranks
// of names and of raw numbers serve for the sort alone; after it all of them have the same one, which means that rows are
// compared themselves.
func (o Order) sort(entries []entry, c *encoder) (rankOf func(entry) rank) {
	rankOf = o.ranker(entries, c)
	for i := range entries {
		entries[i].rank = rankOf(entries[i])
	}
	compare := o.columnComparer(c)
	slices.SortFunc(entries, func(a, b entry) int {
		order := cmp.Compare(a.rank, b.rank)
		if order == 0 && !a.rank.isExact() {
			order = compare(a.row, b.row)
		}
		if order == 0 { // by party and market, whose codes are in the order of their labels
			order = cmp.Compare(a.codes, b.codes)
		}
		return order
	})
	lasting := o.lastingRanker(c)
	if lasting == nil {
		return rankOf
	}
	for i := range entries {
		entries[i].rank = lasting(entries[i])
	}
	return lasting
}

// ranker returns a function that returns the ranks of the entries in this order.
func (o Order) ranker(entries []entry, c *encoder) func(entry) rank {
	return o.directed(o.ordering().ranker(entries, c))
}

func (o Order) lastingRanker(c *encoder) func(entry) rank {
	return o.directed(o.ordering().lastingRanker(c))
}

// directed returns a function that returns the ranks of rankOf, or in the opposite order where the order is descending.
func (o Order) directed(rankOf func(entry) rank) func(entry) rank {
	if rankOf == nil || !o.Descending {
		return rankOf
	}
	return func(e entry) rank { return rankOf(e).reversed() }
}

// sameRank is the lasting rank of names.
func sameRank(entry) rank { return 0 }

func (marketOrdering) lastingRanker(*encoder) func(entry) rank { return sameRank }
func (partyOrdering) lastingRanker(*encoder) func(entry) rank  { return sameRank }
func (statusOrdering) lastingRanker(*encoder) func(entry) rank { return sameRank }
func (ageOrdering) lastingRanker(*encoder) func(entry) rank    { return nil }

func (marketOrdering) ranker(_ []entry, c *encoder) func(entry) rank {
	ranks := rankDistinct(c.markets.values, c.instruments.compareMarkets)
	return func(e entry) rank { return ranks[e.market()] }
}

func (partyOrdering) ranker(_ []entry, c *encoder) func(entry) rank {
	ranks := rankDistinct(c.parties.values, c.instruments.compareParties)
	return func(e entry) rank { return ranks[e.party()] }
}

func (statusOrdering) ranker(entries []entry, _ *encoder) func(entry) rank {
	var names dictionary[string]
	for _, e := range entries {
		names.code(e.row.StatusName())
	}
	ranks := rankDistinct(names.values, strings.Compare)
	return func(e entry) rank { return ranks[names.code(e.row.StatusName())] }
}

func (ageOrdering) ranker([]entry, *encoder) func(entry) rank {
	return func(e entry) rank { return e.row.Number(UpdatedAt).rankScaled(0).reversed() }
}

func (o numberOrdering) ranker(_ []entry, c *encoder) func(entry) rank {
	units := units{field: o.field, encoder: c}
	units.numberGroups()
	return units.rank
}

func (o numberOrdering) lastingRanker(c *encoder) func(entry) rank {
	units := units{field: o.field, encoder: c}
	if len(units.groups()) == 0 {
		return nil
	}
	return units.rank
}
