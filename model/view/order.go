package view

import (
	"cmp"
	"slices"
	"strings"

	"blotter/model"
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
	// ranker ranks these entries, which the encoder has made.
	ranker(entries []entry, c *encoder) ranker
	// lastingRanker also ranks rows that are added later. It is zero if ranker does.
	lastingRanker(c *encoder) ranker
}

type (
	nameOrdering   struct{} // what orderings by a name have in common
	marketOrdering struct{ nameOrdering }
	partyOrdering  struct{ nameOrdering }
	statusOrdering struct{ nameOrdering }
	assetOrdering  struct{ nameOrdering } // unknown ones last
)

func (o Order) ordering() ordering {
	switch of := columns[o.Column].ordering; {
	case of == nil:
		return marketOrdering{}
	case o.Column == TroubleColumn && o.Descending:
		return descendingTrouble
	default:
		return of
	}
}

// descendingTrouble is a variable, so that it is not allocated for each update.
var descendingTrouble ordering = ratioOrdering{byTrouble: true, isDescending: true}

// isReversed reports whether the order is the opposite of its ordering. In the order by age the youngest is first.
func (o Order) isReversed() bool { return o.Descending != (o.Column == AgeColumn) }

// columnComparer returns a function that compares two rows by the column alone. Numbers are compared by value: 1.250 is
// less than 2, whatever the decimals of their markets are. Integers whose decimals are not known are after them, those
// of one unit together: see units.
func (o Order) columnComparer(c *encoder) func(a, b entry) int {
	compare := o.ordering().comparer(c)
	if o.isReversed() {
		return func(a, b entry) int { return compare(b, a) }
	}
	return compare
}

// comparer returns a function that compares two rows by their ranks, which are those of the order, if these are not
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

func (assetOrdering) comparer(c *encoder) func(a, b entry) int {
	return func(a, b entry) int { return c.compareAssets(c.assetOf(a), c.assetOf(b)) }
}

// compareAssets compares two assets by their labels. An unknown one is the last.
func (c *encoder) compareAssets(a, b model.ID) int {
	switch {
	case a == b:
		return 0
	case a.IsZero():
		return +1
	case b.IsZero():
		return -1
	}
	return c.instruments.CompareAssets(a, b)
}

func (statusOrdering) comparer(c *encoder) func(a, b entry) int {
	return func(a, b entry) int {
		if a.status() == b.status() && a.status() != noStatusCode {
			return 0
		}
		return strings.Compare(c.statusName(a), c.statusName(b))
	}
}

func (nameOrdering) isSame(*model.Position, *model.Position) bool { return true }
func (statusOrdering) isSame(p, q *model.Position) bool           { return p.StatusName() == q.StatusName() }

// sameNumber reports whether a number is the same in both positions.
func sameNumber(p, q *model.Position, f model.Field) bool { return p.Number(f) == q.Number(f) }

// sort sorts the entries, which encoder.entries has just made, and returns the ranker of rows that are added later.
//
// In an order by a number, rows keep their ranks: a number that is added later has a rank between those of its
// neighbours. A new name has no such rank, because the ranks of names are only 0, 1, 2 and so on. The same is true of a
// raw number of a new group. So the ranks of names and of raw numbers are used for the sort alone. After it all of them
// have the same rank, so that the rows themselves are compared.
func (o Order) sort(entries []entry, c *encoder) ranker {
	if o.Column.HasAmounts() {
		c.orderAssets(entries, o)
	}
	ranks := o.ranker(entries, c)
	for i := range entries {
		entries[i].rank = ranks.ofStored(entries[i], c)
	}
	compare := o.columnComparer(c)
	inOrder := func(a, b entry) int {
		order := cmp.Compare(a.rank, b.rank)
		if order == 0 && !a.rank.isExact() {
			order = compare(a, b)
		}
		if order == 0 { // by party and market, whose codes are in the order of their labels
			order = cmp.Compare(a.codes, b.codes)
		}
		return order
	}
	radixSort(entries, func(some []entry) { slices.SortFunc(some, inOrder) })
	lasting := o.lastingRanker(c)
	if lasting.rankOf == nil {
		return ranks
	}
	for i := range entries {
		entries[i].rank = lasting.ofStored(entries[i], c)
	}
	return lasting
}

// ranker returns the ranker of these entries in this order.
func (o Order) ranker(entries []entry, c *encoder) ranker {
	return o.directed(o.ordering().ranker(entries, c))
}

func (o Order) lastingRanker(c *encoder) ranker { return o.directed(o.ordering().lastingRanker(c)) }

// directed returns the ranker, or that of the opposite order.
func (o Order) directed(r ranker) ranker {
	if r.rankOf == nil || !o.isReversed() {
		return r
	}
	return ranker{r.field, func(e entry, number model.Amount, status model.Status) rank {
		return r.rankOf(e, number, status).reversed()
	}}
}

// rankedByEntry is a ranker that needs only the entry.
func rankedByEntry(rankOf func(entry) rank) ranker {
	return ranker{model.FieldCount, func(e entry, _ model.Amount, _ model.Status) rank { return rankOf(e) }}
}

func (nameOrdering) lastingRanker(*encoder) ranker {
	return rankedByEntry(func(entry) rank { return 0 })
}

func (marketOrdering) ranker(_ []entry, c *encoder) ranker {
	ranks := rankDistinct(c.markets.Values(), c.instruments.CompareMarkets)
	return rankedByEntry(func(e entry) rank { return ranks[e.market()] })
}

func (partyOrdering) ranker(_ []entry, c *encoder) ranker {
	ranks := rankDistinct(c.parties.Values(), c.instruments.CompareParties)
	return rankedByEntry(func(e entry) rank { return ranks[e.party()] })
}

func (assetOrdering) ranker(_ []entry, c *encoder) ranker {
	ranks := rankDistinct(c.assets.Values(), c.compareAssets)
	return rankedByEntry(func(e entry) rank { return ranks[c.assetCodes[e.market()]] })
}

func (statusOrdering) ranker(entries []entry, c *encoder) ranker {
	var names model.Dictionary[string]
	for _, e := range entries {
		names.Code(c.statusName(e))
	}
	ranks := rankDistinct(names.Values(), strings.Compare)
	return rankedByEntry(func(e entry) rank { return ranks[names.Code(c.statusName(e))] })
}
