package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"blotter/model"
)

// Names are the names and decimals that were given on the screen: sections [[party]], [[market]] and [[asset]] of a
// file beside the configuration. What the configuration sets comes before them.
type Names struct{ file *File }

// NamesPath returns the path of the names beside the configuration at a path.
func NamesPath(path string) string { return strings.TrimSuffix(path, ".toml") + ".names.toml" }

// ParseNames reads the text of a file with names. Every error is an *Error.
func ParseNames(path string, text []byte) (*Names, error) {
	file, err := Parse(path, text)
	if err != nil {
		return nil, err
	}
	others := slices.Collect(maps.Keys(file.places))
	if len(file.profiles) > 0 {
		others = append(others, profileSection)
	}
	if len(file.Views) > 0 {
		others = append(others, viewSection)
	}
	if len(others) > 0 {
		words := errors.New("is not a setting of this file: it has only sections [[party]], [[market]] and [[asset]]")
		problems := make([]problem, len(others))
		for i, key := range others {
			problems[i] = problem{key, words}
		}
		return nil, file.first(problems)
	}
	return &Names{file}, nil
}

// Path returns the path of the file.
func (n *Names) Path() string { return n.file.Path }

// Count returns how many parties, markets and assets the file has.
func (n *Names) Count() int { return len(n.file.parties) + len(n.file.markets) + len(n.file.assets) }

// AddNames adds names to the instruments, but for what the file sets. A name that means something else in the file is
// left out; the error is for the first of these. With another error nothing is added.
func (f *File) AddNames(n *Names) error {
	assets, parties, markets, err := f.modelLists(nil)
	if err != nil {
		return err
	}
	ownAssets := assets
	moreAssets, moreParties, moreMarkets, err := n.file.modelLists(ownAssets)
	if err != nil {
		return err
	}
	assets = mergeAssets(assets, moreAssets)
	claimed := claims{names: n.file, configuration: f.Path}
	parties = claimed.mergeParties(parties, moreParties)
	markets = claimed.mergeMarkets(markets, moreMarkets)
	f.Instruments, f.names = model.NewInstruments(parties, markets, assets), n
	return claimed.problem
}

// Names returns the names that were added, or nil if none were.
func (f *File) Names() *Names { return f.names }

// modelLists returns what the sections describe. A market can also name one of more assets by its symbol.
func (f *File) modelLists(more []model.Asset) (assets []model.Asset, parties []model.Party, markets []model.Market, err error) {
	if assets, err = f.modelAssets(); err != nil {
		return nil, nil, nil, err
	}
	if parties, err = f.modelParties(); err != nil {
		return nil, nil, nil, err
	}
	markets, err = f.modelMarkets(mergeAssets(slices.Clone(more), assets))
	return assets, parties, markets, err
}

// mergeAssets adds assets to others, and to each of those what it lacks.
func mergeAssets(assets, more []model.Asset) []model.Asset {
	places := make(map[model.ID]int, len(assets))
	for i, a := range assets {
		places[a.ID] = i
	}
	for _, a := range more {
		at, known := places[a.ID]
		if !known {
			assets = append(assets, a)
			continue
		}
		own := &assets[at]
		own.Symbol = cmp.Or(own.Symbol, a.Symbol)
		own.Decimals = orDecimals(own.Decimals, a.Decimals)
	}
	return assets
}

func orDecimals(own, other int) int {
	if own != model.Unscaled {
		return own
	}
	return other
}

// claims finds names that mean one thing in the configuration and another in the file with names.
type claims struct {
	names         *File
	configuration string // its path
	problem       error  // the first
}

// free returns a name, or an empty one if the configuration uses it for something else.
func (c *claims) free(owners map[string]model.ID, id model.ID, name, key string) string {
	owner, taken := owners[name]
	if name == "" || !taken || owner == id {
		return name
	}
	if c.problem == nil {
		c.problem = c.names.refuse(key, fmt.Sprintf("%q means something else in %s", name, c.configuration))
	}
	return ""
}

func (c *claims) mergeParties(parties, more []model.Party) []model.Party {
	places, owners := make(map[model.ID]int, len(parties)), make(map[string]model.ID, len(parties))
	for i, p := range parties {
		places[p.ID], owners[p.Name], owners[p.ID.String()] = i, p.ID, p.ID
	}
	for i, p := range more {
		at, known := places[p.ID]
		if known && parties[at].Name != "" {
			continue
		}
		p.Name = c.free(owners, p.ID, p.Name, fmt.Sprintf("party[%d].name", i))
		if known {
			parties[at].Name = p.Name
		} else {
			parties = append(parties, p)
		}
	}
	return parties
}

func (c *claims) mergeMarkets(markets, more []model.Market) []model.Market {
	places, owners := make(map[model.ID]int, len(markets)), make(map[string]model.ID, len(markets))
	for i, m := range markets {
		places[m.ID], owners[m.Name], owners[m.ID.String()] = i, m.ID, m.ID
	}
	for i, m := range more {
		at, known := places[m.ID]
		if !known || markets[at].Name == "" {
			m.Name = c.free(owners, m.ID, m.Name, fmt.Sprintf("market[%d].name", i))
		}
		if !known {
			markets = append(markets, m)
			continue
		}
		own := &markets[at]
		own.Name = cmp.Or(own.Name, m.Name)
		if own.Asset.IsZero() {
			own.Asset = m.Asset
		}
		own.PriceDecimals, own.SizeDecimals = orDecimals(own.PriceDecimals, m.PriceDecimals), orDecimals(own.SizeDecimals, m.SizeDecimals)
	}
	return markets
}
