package model

import "maps"

// maxLearned limits the markets whose asset is learned from margin records, because a service can make markets up.
const maxLearned = 1 << 14

// Party is what the configuration says of a party.
type Party struct {
	ID   ID
	Name string
}

// Market is what the configuration says of a market, and the asset that its margin records name.
type Market struct {
	ID            ID
	Name          string
	Asset         ID
	PriceDecimals int // Unscaled where unknown
	SizeDecimals  int // Unscaled where unknown
}

// Asset is what the configuration says of an asset.
type Asset struct {
	ID       ID
	Symbol   string
	Decimals int // Unscaled where unknown
}

// Instruments are the names and decimal places of parties, markets and assets. They never change: Learn
// makes new ones. What is not known has its identifier for a name and no decimals.
type Instruments struct {
	parties map[ID]Party
	markets map[ID]Market
	assets  map[ID]Asset
	learned map[ID]ID // the assets of markets, as margin records name them
	ordered struct{ parties, markets []ID }
}

// NewInstruments keeps what the configuration says, in its order.
func NewInstruments(parties []Party, markets []Market, assets []Asset) *Instruments {
	in := &Instruments{
		parties: make(map[ID]Party, len(parties)),
		markets: make(map[ID]Market, len(markets)),
		assets:  make(map[ID]Asset, len(assets)),
	}
	for _, p := range parties {
		in.parties[p.ID] = p
		in.ordered.parties = append(in.ordered.parties, p.ID)
	}
	for _, m := range markets {
		in.markets[m.ID] = m
		in.ordered.markets = append(in.ordered.markets, m.ID)
	}
	for _, a := range assets {
		in.assets[a.ID] = a
	}
	return in
}

// Learn returns instruments that know the assets of markets that the margin records name. It returns in itself where
// the records name nothing new. The asset that the configuration gives to a market stays, and so does the asset that
// was learned first. The assets of at most maxLearned markets are learned.
//
// One call copies all that was learned before, so there should be one for a page of records and not one for a record.
func (in *Instruments) Learn(records []MarginLevels) *Instruments {
	if len(in.learned) == maxLearned {
		return in
	}
	var learned map[ID]ID
	for i := range records {
		market, asset := records[i].Market, records[i].Asset
		if asset.IsZero() || !in.Market(market).Asset.IsZero() {
			continue
		}
		if learned == nil {
			learned = make(map[ID]ID, len(in.learned)+len(records))
			maps.Copy(learned, in.learned)
		}
		if _, known := learned[market]; !known && len(learned) < maxLearned {
			learned[market] = asset
		}
	}
	if learned == nil {
		return in
	}
	more := *in
	more.learned = learned
	return &more
}

// Parties are the identifiers of those that the configuration names, in its order.
func (in *Instruments) Parties() []ID { return in.ordered.parties }

// Markets are the identifiers of those that the configuration names, in its order.
func (in *Instruments) Markets() []ID { return in.ordered.markets }

// Party is what is known of a party.
func (in *Instruments) Party(id ID) Party {
	if p, ok := in.parties[id]; ok {
		return p
	}
	return Party{ID: id}
}

// Market is what is known of a market.
func (in *Instruments) Market(id ID) Market {
	m, ok := in.markets[id]
	if !ok {
		m = Market{ID: id, PriceDecimals: Unscaled, SizeDecimals: Unscaled}
	}
	if m.Asset.IsZero() {
		m.Asset = in.learned[id]
	}
	return m
}

// Asset is what is known of an asset.
func (in *Instruments) Asset(id ID) Asset {
	if a, ok := in.assets[id]; ok {
		return a
	}
	return Asset{ID: id, Decimals: Unscaled}
}

// Label is the party's name, or its identifier's label where it has none.
func (p Party) Label() string { return orID(p.Name, p.ID) }

// Label is the market's name, or its identifier's label where it has none.
func (m Market) Label() string { return orID(m.Name, m.ID) }

// Label is the asset's symbol, or its identifier's label where it has none.
func (a Asset) Label() string { return orID(a.Symbol, a.ID) }

func orID(name string, id ID) string {
	if name != "" {
		return name
	}
	return id.Label()
}

// Decimals is how many decimal places field f has in a market; Unscaled where that is not known.
func (in *Instruments) Decimals(f Field, market ID) int {
	m := in.Market(market)
	switch f {
	case OpenVolume:
		return m.SizeDecimals
	case AverageEntryPrice:
		return m.PriceDecimals
	case UpdatedAt:
		return 0
	}
	return in.Asset(m.Asset).Decimals
}

// FindParty is the identifier that a person means by text: the name of a configured party, or else the
// identifier itself.
func (in *Instruments) FindParty(text string) ID {
	for _, id := range in.ordered.parties {
		if name := in.parties[id].Name; name != "" && name == text {
			return id
		}
	}
	return CanonicalID(text)
}

// FindMarket is FindParty for markets.
func (in *Instruments) FindMarket(text string) ID {
	for _, id := range in.ordered.markets {
		if name := in.markets[id].Name; name != "" && name == text {
			return id
		}
	}
	return CanonicalID(text)
}

// isUniform reports whether no market is known to have decimals in field f, so that its numbers compare as they are.
func (in *Instruments) isUniform(f Field) bool {
	for market := range in.markets {
		if in.Decimals(f, market) > 0 {
			return false
		}
	}
	for market := range in.learned {
		if in.Decimals(f, market) > 0 {
			return false
		}
	}
	return true
}
