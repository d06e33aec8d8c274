package view

import (
	"cmp"
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/dictionary"
)

// Order is the order of rows: by a column, then by party and market. Parties and markets are compared by their labels.
// A column that rows cannot be sorted by (Column.IsSortable) orders them by market.
type Order struct {
	Column     Column
	Descending bool
}

// ordering is how rows are ordered by one column.
type ordering interface {
	// comparer returns a function that compares two rows.
	comparer(c *encoder) func(a, b entry) int
	// isSame reports whether two states of a row with the same status and side certainly have the same place.
	isSame(p, q *model.Position) bool
	// ranker returns a function that returns the ranks of these entries, which the encoder has made.
	ranker(entries []entry, c *encoder) func(entry) rank
	// lastingRanker returns a function that also ranks rows that are added later, nil where the function of ranker
	// does.
	lastingRanker(c *encoder) func(entry) rank
}

type (
	marketOrdering struct{}
	partyOrdering  struct{}
	statusOrdering struct{}
	ageOrdering    struct{} // the youngest first
	numberOrdering struct{ field model.Field }
)

func (o Order) ordering() ordering {
	if columns[o.Column].ordering == nil {
		return marketOrdering{}
	}
	return columns[o.Column].ordering
}

// columnComparer returns a function that compares two rows by the column alone. Numbers are compared by value: 1.250 is
// less than 2, whatever the decimals of their markets are. Integers whose decimals are not known are after them, those
// of one unit together: see units.
func (o Order) columnComparer(c *encoder) func(a, b entry) int {
	compare := o.ordering().comparer(c)
	if o.Descending {
		return func(a, b entry) int { return compare(b, a) }
	}
	return compare
}

// comparer returns a function that compares two rows by their ranks, which are those of the order, where these are not
// exact by the column, then by party and market. So no two rows of a view are equal.
func (o Order) comparer(c *encoder) func(a, b entry) int {
	compare := o.columnComparer(c)
	return func(a, b entry) int {
		switch {
		case a.rank != b.rank:
			return cmp.Compare(a.rank, b.rank)
		case a.row == b.row && a.table == b.table:
			return 0
		}
		if !a.rank.isExact() {
			if order := compare(a, b); order != 0 {
				return order
			}
		}
		if order := c.compareParties(a, b); order != 0 {
			return order
		}
		return c.compareMarkets(a, b)
	}
}

func (c *encoder) compareParties(a, b entry) int {
	return c.parties.Compare(a.party(), b.party(), c.instruments.CompareParties)
}

func (c *encoder) compareMarkets(a, b entry) int {
	return c.markets.Compare(a.market(), b.market(), c.instruments.CompareMarkets)
}

func (marketOrdering) comparer(c *encoder) func(a, b entry) int { return c.compareMarkets }
func (partyOrdering) comparer(c *encoder) func(a, b entry) int  { return c.compareParties }

func (statusOrdering) comparer(c *encoder) func(a, b entry) int {
	return func(a, b entry) int {
		if a.status() == b.status() && a.status() != noStatusCode {
			return 0
		}
		return strings.Compare(c.statusName(a), c.statusName(b))
	}
}

func (ageOrdering) comparer(c *encoder) func(a, b entry) int {
	return func(a, b entry) int { return c.amount(b, model.UpdatedAt).Compare(c.amount(a, model.UpdatedAt)) }
}

func (o numberOrdering) comparer(c *encoder) func(a, b entry) int {
	units := units{field: o.field, encoder: c}
	units.numberGroups()
	return func(a, b entry) int {
		x, y := c.amount(a, o.field), c.amount(b, o.field)
		if a.market() == b.market() {
			return x.Compare(y)
		}
		return units.compare(x, a.market(), y, b.market())
	}
}

func (marketOrdering) isSame(*model.Position, *model.Position) bool { return true }
func (partyOrdering) isSame(*model.Position, *model.Position) bool  { return true }
func (statusOrdering) isSame(p, q *model.Position) bool             { return p.StatusName() == q.StatusName() }
func (ageOrdering) isSame(p, q *model.Position) bool                { return sameNumber(p, q, model.UpdatedAt) }
func (o numberOrdering) isSame(p, q *model.Position) bool           { return sameNumber(p, q, o.field) }

// sameNumber reports whether a number is the same in both positions.
func sameNumber(p, q *model.Position, f model.Field) bool { return p.Number(f) == q.Number(f) }

// sort sorts the entries, which encoder.entries has just made, and returns a function that returns the rank of a row
// that is added later.
//
// In an order by a number, rows keep their ranks: a number that is added later has a rank between those of its
// neighbours. A new name has no such rank, because the ranks of names are only 0, 1, 2 and so on. The same is true of a
// raw number of a new group. So the ranks of names and of raw numbers are used for the sort alone. After it all of them
// have the same rank, so that the rows themselves are compared.
func (o Order) sort(entries []entry, c *encoder) (rankOf func(entry) rank) {
	rankOf = o.ranker(entries, c)
	for i := range entries {
		entries[i].rank = rankOf(entries[i])
	}
	compare := o.columnComparer(c)
	slices.SortFunc(entries, func(a, b entry) int {
		order := cmp.Compare(a.rank, b.rank)
		if order == 0 && !a.rank.isExact() {
			order = compare(a, b)
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
	ranks := rankDistinct(c.markets.Values(), c.instruments.CompareMarkets)
	return func(e entry) rank { return ranks[e.market()] }
}

func (partyOrdering) ranker(_ []entry, c *encoder) func(entry) rank {
	ranks := rankDistinct(c.parties.Values(), c.instruments.CompareParties)
	return func(e entry) rank { return ranks[e.party()] }
}

func (statusOrdering) ranker(entries []entry, c *encoder) func(entry) rank {
	var names dictionary.Of[string]
	for _, e := range entries {
		names.Code(c.statusName(e))
	}
	ranks := rankDistinct(names.Values(), strings.Compare)
	return func(e entry) rank { return ranks[names.Code(c.statusName(e))] }
}

func (ageOrdering) ranker(_ []entry, c *encoder) func(entry) rank {
	return func(e entry) rank { return rankScaled(c.amount(e, model.UpdatedAt), 0).reversed() }
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
