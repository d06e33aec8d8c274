package store

import "blotter/model"

// Seen returns the parties and the markets of the positions that were seen, in order.
func (s *Store) Seen() (parties, markets []model.ID) {
	s.data.seen.collect(s.data.book)
	return sortedIDs(s.data.seen.parties), sortedIDs(s.data.seen.markets)
}

// Watchable is the parties or the markets that can be watched.
type Watchable struct {
	Name, Plural string
	All          []model.ID                           // the ones that can be chosen, each once
	Watched      []model.ID                           // those of the scope; none means all
	Find         func(text string) model.ID           // what a typed text means
	Label        func(model.ID) string                // how one is written
	Scope        func(watched []model.ID) model.Scope // the scope with these in place of those that are watched
	Groups       []WatchableGroup
}

// WatchableGroup is an own group, and the parties or the markets that it names: at least one.
type WatchableGroup struct {
	Name    string
	Members []model.ID
}

// WatchableOf returns the parties and the markets that can be watched: those of the configuration, of the scope, and of
// the positions that were seen.
func WatchableOf(s *Store) (parties, markets Watchable) {
	in, scope := s.Instruments(), s.Settings().Scope
	seenParties, seenMarkets := s.Seen()
	parties = Watchable{
		"party", "parties", distinct(in.Parties(), scope.Parties, seenParties), scope.Parties, in.FindParty, s.format.Party,
		func(ids []model.ID) model.Scope { return model.Scope{Parties: ids, Markets: scope.Markets} },
		watchableGroups(in, func(g *model.Group) []model.ID { return g.Parties }),
	}
	markets = Watchable{
		"market", "markets", distinct(in.Markets(), scope.Markets, seenMarkets), scope.Markets, in.FindMarket, s.format.Market,
		func(ids []model.ID) model.Scope { return model.Scope{Parties: scope.Parties, Markets: ids} },
		watchableGroups(in, func(g *model.Group) []model.ID { return g.Markets }),
	}
	return parties, markets
}

// watchableGroups returns the own groups that name members.
func watchableGroups(in *model.Instruments, members func(*model.Group) []model.ID) (groups []WatchableGroup) {
	for _, g := range in.Groups() {
		if ids := members(&g); len(ids) > 0 {
			groups = append(groups, WatchableGroup{g.Name, ids})
		}
	}
	return groups
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
	if s.View().Rows() > maxHeldRows {
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
			h.addPosition(&p, asset)
		}
	}
	return of
}

// addPosition adds a position that settles in an asset.
func (h *Holding) addPosition(p *model.Position, asset model.ID) {
	if p.IsOpen() {
		h.Open++
	}
	if h.Asset != asset {
		h.Asset = model.ID{}
	}
	h.Unrealised.Add(p.Number(model.UnrealisedPnl))
}
