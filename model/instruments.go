package model

import (
	"cmp"
	"maps"
	"strings"
)

// Party is a party as the configuration describes it.
type Party struct {
	ID   ID
	Name string
}

// Market is a market as the configuration describes it. Its asset may come from a margin record.
type Market struct {
	ID            ID
	Name          string
	Asset         ID  // in which profits are settled; zero if unknown
	PriceDecimals int // Unscaled if unknown
	SizeDecimals  int // Unscaled if unknown
	// IsNotLinear is true if profits are not size × change of the price. Nothing is worked out from size × price then.
	IsNotLinear bool
}

// Asset is an asset as the configuration describes it.
type Asset struct {
	ID       ID
	Symbol   string
	Decimals int // Unscaled if unknown
}

// Instruments are the names and decimal places of parties, markets and assets. They never change: methods such as Learn
// return new ones. A party, market or asset that is not known has its identifier as its name, and no decimals.
type Instruments struct {
	parties    map[ID]Party
	markets    map[ID]Market
	assets     map[ID]Asset
	learned    map[ID]ID // by market, if the configuration names no asset; at most maxLearned
	configured struct{ parties, markets named }
	groups     []Group
	ofRows     *groupsOfRows // nil if no group was made of rows
}

// named are the identifiers in the configuration, with their names if they have one.
type named struct {
	ids       []ID // in the order of the configuration
	byName    map[string]ID
	sortNames map[ID]string // the names in lower case
}

func (n *named) addName(id ID, name string) {
	n.ids = append(n.ids, id)
	n.name(id, name)
}

// name gives a name to an identifier that has none; an empty name removes it. If several have the same name, find
// returns the first.
func (n *named) name(id ID, name string) {
	if n.byName == nil {
		n.byName, n.sortNames = make(map[string]ID), make(map[ID]string)
	}
	if name != "" {
		n.sortNames[id] = strings.ToLower(name)
	}
	if _, taken := n.byName[name]; name != "" && !taken {
		n.byName[name] = id
	}
}

// find returns the identifier that a person means by text: a name, or else the identifier text.
func (n *named) find(text string) ID {
	if id, ok := n.byName[text]; ok {
		return id
	}
	return CanonicalID(text)
}

// maxLearned is how many markets can have an asset from margin records. A trader watches far fewer. The limit bounds
// the memory, and the time of a copy, when a service sends made-up markets.
const maxLearned = 10_000

// NewInstruments returns the instruments of a configuration, in its order.
func NewInstruments(parties []Party, markets []Market, assets []Asset) *Instruments {
	in := &Instruments{
		parties: make(map[ID]Party, len(parties)),
		markets: make(map[ID]Market, len(markets)),
		assets:  make(map[ID]Asset, len(assets)),
	}
	for _, p := range parties {
		in.parties[p.ID] = p
		in.configured.parties.addName(p.ID, p.Name)
	}
	for _, m := range markets {
		in.markets[m.ID] = m
		in.configured.markets.addName(m.ID, m.Name)
	}
	for _, a := range assets {
		in.assets[a.ID] = a
	}
	return in
}

// Learn returns the instruments with the settlement assets that margin records name, and in itself if the records add
// nothing. A market with records in several assets gets no asset, whichever came first: its amounts stay raw. The asset
// of the configuration comes before any record. At most 10,000 markets get their asset this way; for others it stays
// unknown.
//
// A call may copy all that was learned before. So call it once for a page, not once for a record.
func (in *Instruments) Learn(records []MarginLevels) *Instruments {
	more := in
	for i := range records {
		market, asset := records[i].Market, records[i].Asset
		learned, isLearned := more.learned[market]
		switch {
		case asset.IsZero() || !more.markets[market].Asset.IsZero():
			continue
		case isLearned && (learned == asset || learned.IsZero()):
			continue
		case isLearned:
			asset = ID{} // records in several assets do not tell which one the market settles in
		case len(more.learned) >= maxLearned:
			continue
		}
		if more == in { // the first addition
			more = new(Instruments)
			*more = *in
			more.learned = make(map[ID]ID, len(in.learned)+1)
			maps.Copy(more.learned, in.learned)
		}
		more.learned[market] = asset
	}
	return more
}

// Parties returns the parties of the configuration, in its order.
func (in *Instruments) Parties() []ID { return in.configured.parties.ids }

// Markets returns the markets of the configuration, in its order.
func (in *Instruments) Markets() []ID { return in.configured.markets.ids }

// Party returns a party with what is known of it.
func (in *Instruments) Party(id ID) Party {
	if p, ok := in.parties[id]; ok {
		return p
	}
	return Party{ID: id}
}

// Market returns a market with what is known of it.
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

// Asset returns an asset with what is known of it.
func (in *Instruments) Asset(id ID) Asset {
	if a, ok := in.assets[id]; ok {
		return a
	}
	return Asset{ID: id, Decimals: Unscaled}
}

// Label returns the party's name, or the label of its identifier if it has none.
func (p Party) Label() string { return nameOrID(p.Name, p.ID) }

// Label returns the market's name, or the label of its identifier if it has none.
func (m Market) Label() string { return nameOrID(m.Name, m.ID) }

// Label returns the asset's symbol, or the label of its identifier if it has none.
func (a Asset) Label() string { return nameOrID(a.Symbol, a.ID) }

func nameOrID(name string, id ID) string {
	if name != "" {
		return name
	}
	return id.Label()
}

// Decimals returns how many decimal places field f has in a market, and Unscaled if that is not known.
func (in *Instruments) Decimals(f Field, market ID) int {
	return in.DecimalsIn(f, in.Market(market))
}

// DecimalsIn returns the Decimals of a field in a market that was looked up already.
func (in *Instruments) DecimalsIn(f Field, m Market) int { return in.decimalsOf(fields[f].counted, m) }

// decimalsOf returns how many decimal places a number of a kind has in a market, and Unscaled if that is not known.
func (in *Instruments) decimalsOf(kind counted, m Market) int {
	switch kind {
	case inSizeDecimals:
		return m.SizeDecimals
	case inPriceDecimals:
		return m.PriceDecimals
	case inAsset:
		return in.Asset(m.Asset).Decimals
	case sinceEpoch, withoutUnit:
		return 0
	}
	return Unscaled // of a kind that is missing above, a number is shown as it was sent, and never scaled wrongly
}

// IsLinear reports whether profits of a market are size × change of the price.
func (in *Instruments) IsLinear(market ID) bool { return !in.markets[market].IsNotLinear }

// HasDecimals reports whether the decimals of the sizes and prices of a market, and of its asset, are known.
func (in *Instruments) HasDecimals(market ID) bool {
	m := in.Market(market)
	return m.SizeDecimals != Unscaled && m.PriceDecimals != Unscaled && in.Asset(m.Asset).Decimals != Unscaled
}

// FindParty returns the party that a person means by text: the configured party of that name, or else the identifier
// text.
func (in *Instruments) FindParty(text string) ID { return in.configured.parties.find(text) }

// FindMarket does for markets what FindParty does for parties.
func (in *Instruments) FindMarket(text string) ID { return in.configured.markets.find(text) }

// CompareMarkets orders markets by name, and markets with the same name by identifier.
func (in *Instruments) CompareMarkets(a, b ID) int { return in.configured.markets.compare(a, b) }

// CompareParties orders parties by name, and parties with the same name by identifier.
func (in *Instruments) CompareParties(a, b ID) int { return in.configured.parties.compare(a, b) }

// CompareAssets orders assets as CompareParties orders parties. The zero ID, of an asset that is not known, is last.
func (in *Instruments) CompareAssets(a, b ID) int {
	return zeroLast(a, b, func() int {
		name := func(id ID) string { return strings.ToLower(in.Asset(id).Label()) }
		return cmp.Or(CompareNatural(name(a), name(b)), a.Compare(b))
	})
}

// zeroLast compares two identifiers with a function, unless they are the same or one is zero: that is last.
func zeroLast(a, b ID, compare func() int) int {
	switch {
	case a == b:
		return 0
	case a.IsZero():
		return +1
	case b.IsZero():
		return -1
	}
	return compare()
}

// compare orders identifiers by their names in natural order, in upper or lower case: desk-2 comes before Desk-10. An
// identifier without a name is its own name.
func (n *named) compare(a, b ID) int {
	if a == b {
		return 0
	}
	return cmp.Or(CompareNatural(n.sortName(a), n.sortName(b)), a.Compare(b))
}

func (n *named) sortName(id ID) string {
	if name, ok := n.sortNames[id]; ok {
		return name
	}
	return id.Label()
}
