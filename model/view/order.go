package view

import (
	"strings"

	"blotter/model"
)

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
	return rankedByEntry(func(e entry) rank { return ranks[c.assetCode(e)] })
}

func (statusOrdering) ranker(entries []entry, c *encoder) ranker {
	var names model.Dictionary[string]
	for _, e := range entries {
		names.Code(c.statusName(e))
	}
	ranks := rankDistinct(names.Values(), strings.Compare)
	return rankedByEntry(func(e entry) rank { return ranks[names.Code(c.statusName(e))] })
}

// ranker ranks rows by their entry, their status and one number. So it ranks a row as it is stored, and as it is before
// and after a change.
type ranker struct {
	field  model.Field // of the number; FieldCount if the entry is enough
	rankOf func(e entry, number model.Amount, status model.Status) rank
}

// of returns the rank of an entry whose row is p.
func (r *ranker) of(e entry, p *model.Position) rank {
	if r.field == model.FieldCount {
		return r.rankOf(e, model.Amount{}, 0)
	}
	return r.rankOf(e, p.Number(r.field), p.Status())
}

// ofStored returns the rank of an entry from its row.
func (r *ranker) ofStored(e entry, c *encoder) rank {
	if r.field == model.FieldCount {
		return r.rankOf(e, model.Amount{}, 0)
	}
	return r.rankOf(e, c.amount(e, r.field), c.status(e))
}
