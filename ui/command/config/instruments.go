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

// instrument is a section [[party]], [[market]] or [[asset]]. Fields for which its section has no key are not used.
type instrument struct {
	id, name                    string // the name of an asset is its symbol
	asset                       string
	priceDecimals, sizeDecimals int
	decimals, displayDecimals   int
}

// instruments are the sections of a file that describe instruments.
type instruments struct{ parties, markets, assets []instrument }

// list returns the sections of a name, or nil if they do not describe instruments.
func (all *instruments) list(section string) *[]instrument {
	switch section {
	case partySection:
		return &all.parties
	case marketSection:
		return &all.markets
	case assetSection:
		return &all.assets
	}
	return nil
}

// model returns instruments that have been resolved as package model has them.
func (all *instruments) model() *model.Instruments {
	var parties []model.Party
	for _, p := range all.parties {
		parties = append(parties, model.Party{ID: model.MakeID(p.id), Name: p.name})
	}
	var markets []model.Market
	for _, m := range all.markets {
		markets = append(markets, model.Market{
			ID: model.MakeID(m.id), Name: m.name, Asset: model.MakeID(m.asset), PriceDecimals: m.priceDecimals, SizeDecimals: m.sizeDecimals,
		})
	}
	var assets []model.Asset
	for _, a := range all.assets {
		assets = append(assets, model.Asset{ID: model.MakeID(a.id), Symbol: a.name, Decimals: a.decimals})
	}
	return model.NewInstruments(parties, markets, assets)
}

// resolve checks the instruments of the file against each other, and returns copies with the identifiers that they
// mean. A market can also name one of more assets by its symbol. Assets may share a symbol.
func (f *File) resolve(more []instrument) (instruments, error) {
	var resolved instruments
	symbols := make(map[string][]string) // the identifiers of the assets with a symbol
	for _, section := range []string{assetSection, partySection, marketSection} {
		taken := takenNames{f, make(map[string]string)}
		to := resolved.list(section)
		for i, n := range *f.list(section) {
			at, unique := fmt.Sprintf("%s[%d]", section, i), n.name
			if section == assetSection {
				unique = ""
			}
			n.id = canonical(n.id)
			if err := taken.add(at, n.id, unique); err != nil {
				return resolved, err
			}
			switch ids := symbols[n.asset]; {
			case n.asset == "" || len(ids) == 0:
				n.asset = canonical(n.asset)
			case len(ids) > 1:
				return resolved, f.refuse(at+".asset", "means several assets, which share the symbol: give the identifier")
			default:
				n.asset = ids[0]
			}
			*to = append(*to, n)
		}
		if section == assetSection {
			for _, a := range new(claims).merge(section, slices.Clone(more), resolved.assets) {
				symbols[a.name] = append(symbols[a.name], a.id)
			}
		}
	}
	return resolved, nil
}

// canonical returns the text of the identifier that a person means.
func canonical(text string) string { return model.CanonicalID(text).String() }

// takenNames are the keys that gave each identifier and name of one kind.
type takenNames struct {
	file *File
	keys map[string]string
}

// add checks the identifier and the name of a section. The name may be empty.
func (t *takenNames) add(section, id, name string) error {
	key := section + ".id"
	if id == "" {
		return t.file.Wrap(section, errors.New("must have an id"))
	}
	if other, taken := t.keys[id]; taken {
		return t.file.sameAs(key, other, "")
	}
	t.keys[id] = key
	if name == "" {
		return nil
	}
	key = section + ".name"
	if strings.TrimSpace(name) != name {
		return t.file.refuse(key, "must be a text without space around it")
	}
	if other, taken := t.keys[name]; taken && other != section+".id" {
		return t.file.sameAs(key, other, ": a name must mean one thing")
	}
	t.keys[name] = key
	return nil
}

// claims finds names that mean one thing in the configuration and another in the file with names.
type claims struct {
	names         *File
	configuration string // its path
	problem       error  // the first
}

// merge adds instruments to others, and to each of those what it lacks. A name that means something else there is left
// out. Assets may share a symbol.
func (c *claims) merge(section string, own, more []instrument) []instrument {
	places, owners := make(map[string]int, len(own)), make(map[string]string, len(own))
	for i, n := range own {
		places[n.id], owners[n.name], owners[n.id] = i, n.id, n.id
	}
	for i, n := range more {
		at, known := places[n.id]
		if section != assetSection && (!known || own[at].name == "") {
			n.name = c.free(owners, n, fmt.Sprintf("%s[%d].name", section, i))
		}
		if !known {
			own = append(own, n)
			continue
		}
		to := &own[at]
		to.name, to.asset = cmp.Or(to.name, n.name), cmp.Or(to.asset, n.asset)
		to.decimals = orDecimals(to.decimals, n.decimals)
		to.priceDecimals = orDecimals(to.priceDecimals, n.priceDecimals)
		to.sizeDecimals = orDecimals(to.sizeDecimals, n.sizeDecimals)
	}
	return own
}

// free returns the name of an instrument, or an empty one if the configuration uses it for something else.
func (c *claims) free(owners map[string]string, n instrument, key string) string {
	owner, taken := owners[n.name]
	if n.name == "" || !taken || owner == n.id {
		return n.name
	}
	if c.problem == nil {
		c.problem = c.names.refuse(key, fmt.Sprintf("%q means something else in %s", n.name, c.configuration))
	}
	return ""
}

func orDecimals(own, other int) int {
	if own != model.Unscaled {
		return own
	}
	return other
}
