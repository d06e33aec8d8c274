package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"blotter/model"
)

// The sections that describe instruments.
const (
	partySection  = "party"
	marketSection = "market"
	assetSection  = "asset"
)

// instrumentSections are all of these, in the order of the example.
func instrumentSections() []string { return []string{partySection, marketSection, assetSection} }

// instrument is a section [[party]], [[market]] or [[asset]]. Fields for which its section has no key are not used.
type instrument struct {
	id, name                    string // the name of an asset is its symbol
	asset                       string
	priceDecimals, sizeDecimals int
	decimals, displayDecimals   int
	linear                      bool
}

// instruments are the sections of a file that describe instruments, by their names.
type instruments map[string][]instrument

func (all instruments) addInstrument(section string) keys {
	list := all[section]
	added := add(&list, func(n *instrument) keys { return n.keys(section) })
	all[section] = list
	return added
}

// instrumentOf returns what package model has of a party, a market or an asset.
func instrumentOf(in *model.Instruments, section string, id model.ID) instrument {
	n := instrument{id: id.String(), displayDecimals: model.Unscaled, linear: true}
	switch section {
	case partySection:
		n.name = in.Party(id).Name
	case marketSection:
		m := in.Market(id)
		n.name, n.asset, n.priceDecimals, n.sizeDecimals = m.Name, m.Asset.String(), m.PriceDecimals, m.SizeDecimals
		n.linear = !m.IsNotLinear
	case assetSection:
		a := in.Asset(id)
		n.name, n.decimals = a.Symbol, a.Decimals
	}
	return n
}

// model returns instruments that have been resolved as package model has them.
func (all instruments) model() *model.Instruments {
	var parties []model.Party
	for _, p := range all[partySection] {
		parties = append(parties, model.Party{ID: model.MakeID(p.id), Name: p.name})
	}
	var markets []model.Market
	for _, m := range all[marketSection] {
		markets = append(markets, model.Market{
			ID: model.MakeID(m.id), Name: m.name, Asset: model.MakeID(m.asset), PriceDecimals: m.priceDecimals,
			SizeDecimals: m.sizeDecimals, IsNotLinear: !m.linear,
		})
	}
	var assets []model.Asset
	for _, a := range all[assetSection] {
		assets = append(assets, model.Asset{ID: model.MakeID(a.id), Symbol: a.name, Decimals: a.decimals})
	}
	return model.NewInstruments(parties, markets, assets)
}

// resolve checks the instruments of the file against each other, and returns copies with the identifiers that they
// mean. A market can also name one of its assets or of more assets by its symbol. Assets may share a symbol.
func (f *File) resolve(more []instrument) (instruments, error) {
	resolved := make(instruments)
	for _, section := range instrumentSections() {
		taken := make(map[string]string)
		for i, n := range f.instruments[section] {
			n.id = canonical(n.id)
			if err := f.checkUnique(taken, section, i, n); err != nil {
				return nil, err
			}
			resolved[section] = append(resolved[section], n)
		}
	}
	symbols := idsBySymbol(slices.Concat(more, resolved[assetSection]))
	for i := range resolved[marketSection] {
		switch m := &resolved[marketSection][i]; len(symbols[m.asset]) {
		case 0:
			m.asset = canonical(m.asset)
		case 1:
			m.asset = symbols[m.asset][0]
		default:
			return nil, f.refuse(fmt.Sprintf("%s[%d].asset", marketSection, i),
				"means several assets, which share the symbol: give the identifier")
		}
	}
	return resolved, nil
}

// canonical returns the text of the identifier that a person means.
func canonical(text string) string { return model.CanonicalID(text).String() }

// idsBySymbol returns the identifiers of the assets with each symbol. Of several symbols of an asset the first counts.
func idsBySymbol(assets []instrument) map[string][]string {
	symbols := make(map[string]string)
	for _, a := range assets {
		symbols[a.id] = cmp.Or(symbols[a.id], a.name)
	}
	ids := make(map[string][]string)
	for id, symbol := range symbols {
		if symbol != "" {
			ids[symbol] = append(ids[symbol], id)
		}
	}
	return ids
}

// checkUnique checks that the identifier and the name of an instrument mean nothing else. The map has the keys that
// gave the identifiers and names of the section so far.
func (f *File) checkUnique(taken map[string]string, section string, place int, n instrument) error {
	at := fmt.Sprintf("%s[%d]", section, place)
	sameID, sameName := taken[n.id], taken[n.name]
	isName := n.name != "" && section != assetSection
	switch {
	case n.id == "":
		return f.Wrap(at, errors.New("must have an id"))
	case sameID != "":
		return f.sameAs(at+".id", sameID, "")
	case isName && strings.TrimSpace(n.name) != n.name:
		return f.refuse(at+".name", "must be a text without space around it")
	case isName && sameName != "":
		return f.sameAs(at+".name", sameName, ": a name must mean one thing")
	case isName && model.LooksLikeOtherID(n.name, model.MakeID(n.id)):
		return f.refuse(at+".name", "looks like the identifier of another "+section+": choose another name")
	}
	taken[n.id] = at + ".id"
	if isName {
		taken[n.name] = at + ".name"
	}
	return nil
}

// merge adds the instruments of a section of a file to others, and to each of those what it lacks. A name that means
// something else there is left out; the error is for the first of these. Assets may share a symbol.
func (all instruments) merge(section string, from *File, more []instrument, configuration string) (problem error) {
	places, owners := make(map[string]int), make(map[string]string)
	for i, n := range all[section] {
		places[n.id], owners[n.name], owners[n.id] = i, n.id, n.id
	}
	for i, n := range more {
		at, known := places[n.id]
		isUsed := section == assetSection || known && all[section][at].name != ""
		if owner, taken := owners[n.name]; !isUsed && n.name != "" && taken && owner != n.id {
			words := fmt.Sprintf("%q means something else in %s", n.name, configuration)
			problem = cmp.Or(problem, from.refuse(fmt.Sprintf("%s[%d].name", section, i), words))
			n.name = ""
		}
		if known {
			all[section][at].fill(n)
		} else {
			all[section] = append(all[section], n)
		}
	}
	return problem
}

// fill sets what an instrument lacks to that of another.
func (n *instrument) fill(other instrument) {
	n.name, n.asset = cmp.Or(n.name, other.name), cmp.Or(n.asset, other.asset)
	n.decimals = orDecimals(n.decimals, other.decimals)
	n.priceDecimals = orDecimals(n.priceDecimals, other.priceDecimals)
	n.sizeDecimals = orDecimals(n.sizeDecimals, other.sizeDecimals)
	n.linear = n.linear && other.linear
}

func orDecimals(own, other int) int {
	if own != model.Unscaled {
		return own
	}
	return other
}

// keys returns the keys of a section that describes an instrument. The first is its identifier.
func (n *instrument) keys(section string) keys {
	switch section {
	case partySection:
		return keys{
			{name: "id", kind: text(&n.id, "the identifier of the party"),
				sample: `"a3f90000000000000000000000000000000000000000000000000000000081c2"`},
			{name: "name", kind: text(&n.name, "a text that is not empty"), sample: `"desk-1"`},
		}
	case marketSection:
		return keys{
			{name: "id", kind: text(&n.id, "the identifier of the market"),
				sample: `"f9600000000000000000000000000000000000000000000000000000000000b1"`},
			{name: "name", kind: text(&n.name, "a text that is not empty"), sample: `"BTC/USDT"`},
			{name: "asset", kind: text(&n.asset, "the identifier of an asset, or the symbol of one [[asset]]"), sample: `"USDT"`,
				help: "The asset of the market's profits, by identifier or symbol. If it is not given, it is learned from margin levels."},
			{name: "price_decimals", kind: decimals(&n.priceDecimals), sample: "1"},
			{name: "size_decimals", kind: decimals(&n.sizeDecimals), sample: "3", help: "Negative if the smallest size is " +
				"more than 1: with -3, the integer 1234 of the service is a size of 1,234,000."},
			{name: "linear", kind: booleanOff(&n.linear), sample: "false", help: "Set it to false if profits are not size × change " +
				"of the price, as for inverse contracts. Then nothing is worked out from size × price: there are no mark price, " +
				"notional, price to trouble, prices of trades or what if of the market, and sums of these say how many they leave out."},
		}
	}
	return keys{
		{name: "id", kind: text(&n.id, "the identifier of the asset"),
			sample: `"ee940000000000000000000000000000000000000000000000000000000000a7"`},
		{name: "symbol", kind: text(&n.name, "a text that is not empty"), sample: `"USDT"`},
		{name: "decimals", kind: decimals(&n.decimals), sample: "6"},
		{name: "display_decimals", kind: number(&n.displayDecimals, model.Unscaled, 0, model.MaxDecimals),
			sample: "2", help: "The decimals of profits and margins that " +
				"tables show for this asset, in place of screen.display_decimals."},
	}
}

func decimals(to *int) kind {
	return number(to, model.Unscaled, model.MinDecimals, model.MaxDecimals)
}
