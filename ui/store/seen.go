package store

import (
	"maps"
	"slices"

	"blotter/model"
	"blotter/model/book"
)

// maxSeenRows and maxSeen limit the search for identifiers.
const (
	maxSeenRows = 20_000
	maxSeen     = 1_000
)

// seen are the identifiers in positions, also in those of earlier scopes.
type seen struct{ parties, markets map[model.ID]bool }

// collect adds the identifiers in the positions of the book.
func (s *seen) collect(b *book.Book) {
	if s.parties == nil {
		s.parties, s.markets = make(map[model.ID]bool), make(map[model.ID]bool)
	}
	rows := 0
	for p := range b.All {
		if len(s.parties) < maxSeen {
			s.parties[p.Party] = true
		}
		if len(s.markets) < maxSeen {
			s.markets[p.Market] = true
		}
		if rows++; rows == maxSeenRows {
			return
		}
	}
}

// Seen returns the parties and the markets of the positions that were seen, in order.
func (s *Store) Seen() (parties, markets []model.ID) {
	s.data.seen.collect(s.data.book)
	return sortedIDs(s.data.seen.parties), sortedIDs(s.data.seen.markets)
}

// sortedIDs returns identifiers in the order of their text.
func sortedIDs(ids map[model.ID]bool) []model.ID {
	return slices.SortedFunc(maps.Keys(ids), model.ID.Compare)
}

// Holding is what the positions in scope of a party or a market are together.
type Holding struct {
	Open       int // how many are open
	Unrealised model.Sum
	Asset      model.ID // in which all of them settle; zero if that is not known, or if there are several
}

// Holdings returns what the positions in scope of each party and of each market are together. It reads every row: if
// there are too many, it returns nothing.
func (s *Store) Holdings() map[model.ID]*Holding {
	if s.View().Rows() > maxSeenRows {
		return nil
	}
	of := make(map[model.ID]*Holding)
	for p := range s.View().InScope {
		asset := s.Instruments().Market(p.Market).Asset
		for _, id := range []model.ID{p.Party, p.Market} {
			h, ok := of[id]
			if !ok {
				h = &Holding{Asset: asset}
				of[id] = h
			}
			h.add(&p, asset)
		}
	}
	return of
}

// add adds a position that settles in an asset.
func (h *Holding) add(p *model.Position, asset model.ID) {
	if p.IsOpen() {
		h.Open++
	}
	if h.Asset != asset {
		h.Asset = model.ID{}
	}
	h.Unrealised.Add(p.Number(model.UnrealisedPnl))
}
