package model

import (
	"maps"
	"slices"
)

// WithParty returns the instruments with a party in place of what was known of it.
func (in *Instruments) WithParty(p Party) *Instruments {
	more := *in
	more.parties = maps.Clone(in.parties)
	more.parties[p.ID] = p
	more.configured.parties = in.configured.parties.with(p.ID, p.Name)
	return &more
}

// WithMarket returns the instruments with a market in place of what was known of it. If it has no asset, one that
// was learned from margin records stays.
func (in *Instruments) WithMarket(m Market) *Instruments {
	more := *in
	more.markets = maps.Clone(in.markets)
	more.markets[m.ID] = m
	more.configured.markets = in.configured.markets.with(m.ID, m.Name)
	return &more
}

// WithAsset returns the instruments with an asset in place of what was known of it.
func (in *Instruments) WithAsset(a Asset) *Instruments {
	more := *in
	more.assets = maps.Clone(in.assets)
	more.assets[a.ID] = a
	return &more
}

// Only returns the instruments without the parties and markets that are not kept, and without the groups that have one
// of these. Assets stay.
func (in *Instruments) Only(isParty, isMarket func(ID) bool) *Instruments {
	only := &Instruments{parties: make(map[ID]Party), markets: make(map[ID]Market), assets: in.assets, learned: make(map[ID]ID)}
	for _, id := range in.configured.parties.ids {
		if isParty(id) {
			only.parties[id] = in.parties[id]
			only.configured.parties.addName(id, in.parties[id].Name)
		}
	}
	for _, id := range in.configured.markets.ids {
		if isMarket(id) {
			only.markets[id] = in.markets[id]
			only.configured.markets.addName(id, in.markets[id].Name)
		}
	}
	for market, asset := range in.learned {
		if isMarket(market) {
			only.learned[market] = asset
		}
	}
	isHidden := func(isKept func(ID) bool) func(ID) bool { return func(id ID) bool { return !isKept(id) } }
	var groups []Group
	for _, g := range in.groups {
		if !slices.ContainsFunc(g.Parties, isHidden(isParty)) && !slices.ContainsFunc(g.Markets, isHidden(isMarket)) {
			groups = append(groups, g)
		}
	}
	return only.WithGroups(groups)
}

// LearnedAsset returns the asset of a market if only margin records name it, and a zero ID otherwise.
func (in *Instruments) LearnedAsset(market ID) ID {
	if m, ok := in.markets[market]; ok && !m.Asset.IsZero() {
		return ID{}
	}
	return in.learned[market]
}

// FindAsset returns the asset that a person means by text: one with that symbol, or else the identifier text. If
// several assets have the symbol, isOne is false.
func (in *Instruments) FindAsset(text string) (id ID, isOne bool) {
	for _, a := range in.assets {
		switch {
		case a.Symbol != text || text == "":
		case !id.IsZero():
			return ID{}, false
		default:
			id = a.ID
		}
	}
	if id.IsZero() {
		id = CanonicalID(text)
	}
	return id, true
}

// PartyNamed returns the party that has a name, or that the configuration has as an identifier, and a zero ID if
// there is none.
func (in *Instruments) PartyNamed(name string) ID { return in.configured.parties.idOf(name) }

// MarketNamed does for markets what PartyNamed does for parties.
func (in *Instruments) MarketNamed(name string) ID { return in.configured.markets.idOf(name) }

// idOf returns the identifier in the configuration with a text as its name, or as itself, or zero if there is none.
func (n *named) idOf(text string) ID {
	if id := n.find(text); slices.Contains(n.ids, id) {
		return id
	}
	return ID{}
}

// with returns the names with another one for an identifier; an empty name is none.
func (n *named) with(id ID, name string) named {
	more := named{ids: slices.Clone(n.ids), byName: maps.Clone(n.byName), sortNames: maps.Clone(n.sortNames)}
	maps.DeleteFunc(more.byName, func(_ string, named ID) bool { return named == id })
	delete(more.sortNames, id)
	if !slices.Contains(more.ids, id) {
		more.ids = append(more.ids, id)
	}
	more.name(id, name)
	return more
}
