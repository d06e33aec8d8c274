package sorting

import (
	"strings"

	"blotter/model"
)

// Ordering is how rows are ordered by one column.
type Ordering interface {
	// comparer returns a function that compares two rows.
	comparer(c *Encoder) func(a, b Entry) int
	// isSame reports whether two states of a row with the same status and side certainly have the same place.
	isSame(p, q *model.Position) bool
	// ranker ranks these entries, which the encoder has made.
	ranker(entries []Entry, c *Encoder) Ranker
	// lastingRanker also ranks rows that are added later. It is zero if ranker does.
	lastingRanker(c *Encoder) Ranker
}

type (
	nameOrdering struct{} // what orderings by a name have in common
	ByMarket     struct{ nameOrdering }
	ByParty      struct{ nameOrdering }
	ByStatus     struct{ nameOrdering }
	ByAsset      struct{ nameOrdering } // unknown ones last
)

func (c *Encoder) compareParties(a, b Entry) int {
	return c.Parties.Compare(a.Party(), b.Party(), c.Instruments.CompareParties)
}

func (c *Encoder) compareMarkets(a, b Entry) int {
	return c.Markets.Compare(a.Market(), b.Market(), c.Instruments.CompareMarkets)
}

func (ByMarket) comparer(c *Encoder) func(a, b Entry) int { return c.compareMarkets }
func (ByParty) comparer(c *Encoder) func(a, b Entry) int  { return c.compareParties }

func (ByAsset) comparer(c *Encoder) func(a, b Entry) int {
	return func(a, b Entry) int { return c.Instruments.CompareAssets(c.AssetOf(a), c.AssetOf(b)) }
}

func (ByStatus) comparer(c *Encoder) func(a, b Entry) int {
	return func(a, b Entry) int {
		if a.Status() == b.Status() && a.Status() != NoStatusCode {
			return 0
		}
		return strings.Compare(c.StatusName(a), c.StatusName(b))
	}
}

func (nameOrdering) isSame(*model.Position, *model.Position) bool { return true }
func (ByStatus) isSame(p, q *model.Position) bool                 { return p.StatusName() == q.StatusName() }

func sameNumber(p, q *model.Position, f model.Field) bool { return p.Number(f) == q.Number(f) }

// rankedByEntry is a ranker that needs only the entry.
func rankedByEntry(rankOf func(Entry) Rank) Ranker {
	return Ranker{model.FieldCount, func(e Entry, _ model.Amount, _ model.Status) Rank { return rankOf(e) }}
}

func (nameOrdering) lastingRanker(*Encoder) Ranker {
	return rankedByEntry(func(Entry) Rank { return 0 })
}

func (ByMarket) ranker(_ []Entry, c *Encoder) Ranker {
	ranks := rankDistinct(c.Markets.Values(), c.Instruments.CompareMarkets)
	return rankedByEntry(func(e Entry) Rank { return ranks[e.Market()] })
}

func (ByParty) ranker(_ []Entry, c *Encoder) Ranker {
	ranks := rankDistinct(c.Parties.Values(), c.Instruments.CompareParties)
	return rankedByEntry(func(e Entry) Rank { return ranks[e.Party()] })
}

func (ByAsset) ranker(_ []Entry, c *Encoder) Ranker {
	ranks := rankDistinct(c.Assets.Values(), c.Instruments.CompareAssets)
	return rankedByEntry(func(e Entry) Rank { return ranks[c.AssetCode(e)] })
}

func (ByStatus) ranker(entries []Entry, c *Encoder) Ranker {
	var names model.Dictionary[string]
	for _, e := range entries {
		names.Code(c.StatusName(e))
	}
	ranks := rankDistinct(names.Values(), strings.Compare)
	return rankedByEntry(func(e Entry) Rank { return ranks[names.Code(c.StatusName(e))] })
}

// Ranker ranks rows by their entry, their status and one number. So it ranks a row as it is stored, and as it is before
// and after a change.
type Ranker struct {
	field  model.Field // of the number; FieldCount if the entry is enough
	rankOf func(e Entry, number model.Amount, status model.Status) Rank
}

// Of returns the rank of an entry whose row is p.
func (r *Ranker) Of(e Entry, p *model.Position) Rank {
	if r.field == model.FieldCount {
		return r.rankOf(e, model.Amount{}, 0)
	}
	return r.rankOf(e, p.Number(r.field), p.Status())
}

// OfStored returns the rank of an entry from its row.
func (r *Ranker) OfStored(e Entry, c *Encoder) Rank {
	if r.field == model.FieldCount {
		return r.rankOf(e, model.Amount{}, 0)
	}
	return r.rankOf(e, c.Amount(e, r.field), c.status(e))
}
