package book

import "blotter/model"

// Unlisted are the positions that are no longer listed, with their last numbers: what they have changed is kept in the
// PnL of the session and of the day. Of more than its limit it has only sums by market.
type Unlisted struct {
	rows  *Rows
	more  map[model.ID]*UnlistedSum // nil if there are none
	limit int
}

// UnlistedSum is what positions of a market that are no longer listed have changed since the baseline of the day.
type UnlistedSum struct{ Unrealised, Realised model.Sum }

// maxUnlisted is how many positions are kept that are no longer listed. Each takes about 100 bytes.
const maxUnlisted = 100_000

func (u *Unlisted) clone() *Unlisted {
	clone := Unlisted{rows: u.rows.Clone(), limit: u.limit}
	for market, sum := range u.more {
		copied := *sum
		clone.sumOf(market).add(&copied)
	}
	return &clone
}

// Len returns how many positions it has.
func (u *Unlisted) Len() int { return u.rows.Len() }

// All yields each position with its last numbers.
func (u *Unlisted) All(yield func(model.Position) bool) { u.rows.All(yield) }

// More yields the sums of the positions that it does not have, by market.
func (u *Unlisted) More(yield func(model.ID, *UnlistedSum) bool) {
	for market, sum := range u.more {
		if !yield(market, sum) {
			return
		}
	}
}

// maxUnlistedName is how long the identifiers of a position may be together that is kept: a faulty service can make up
// others without end.
const maxUnlistedName = 256

// put adds a position that has left the list, unless its numbers cannot be added. If there is no room, its change since
// a baseline is added to a sum.
func (u *Unlisted) put(p *model.Position, day *Baseline) {
	isAddable := p.Number(model.UnrealisedPnl).IsAddable() && p.Number(model.RealisedPnl).IsAddable()
	switch {
	case !isAddable || len(p.Party.String())+len(p.Market.String()) > maxUnlistedName:
		return
	case u.rows.Len() < u.limit && u.rows.identifiers() < 2*u.limit:
		u.rows.Put(onlyNumbers(p))
		return
	}
	if before, ok := day.Row(p.Key); ok {
		sum := u.sumOf(p.Market)
		sum.Unrealised.Add(p.Number(model.UnrealisedPnl))
		sum.Unrealised.Subtract(before.Number(model.UnrealisedPnl))
		sum.Realised.Add(p.Number(model.RealisedPnl))
		sum.Realised.Subtract(before.Number(model.RealisedPnl))
	}
}

// putLost adds a position whose last numbers are not known, if there is room for it.
func (u *Unlisted) putLost(key model.Key) {
	lost := model.Position{Key: key}
	lost.SetNumber(model.UnrealisedPnl, model.TextAmount(""))
	if u.rows.Len() < u.limit {
		u.rows.Put(&lost)
	}
}

func (u *Unlisted) sumOf(market model.ID) *UnlistedSum {
	if u.more == nil {
		u.more = make(map[model.ID]*UnlistedSum)
	}
	if u.more[market] == nil {
		u.more[market] = new(UnlistedSum)
	}
	return u.more[market]
}

func (s *UnlistedSum) add(other *UnlistedSum) {
	s.Unrealised.AddSum(other.Unrealised)
	s.Realised.AddSum(other.Realised)
}
