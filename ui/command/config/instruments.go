package config

import (
	"errors"
	"fmt"
	"strings"

	"blotter/model"
)

// party is a section [[party]].
type party struct{ id, name string }

// market is a section [[market]].
type market struct {
	id, name, asset             string
	priceDecimals, sizeDecimals int
}

// asset is a section [[asset]].
type asset struct {
	id, symbol                string
	decimals, displayDecimals int
}

// instruments checks the parties, markets and assets of the file against each other.
func (f *File) instruments() (*model.Instruments, error) {
	assets, err := f.modelAssets()
	if err != nil {
		return nil, err
	}
	parties, err := f.modelParties()
	if err != nil {
		return nil, err
	}
	markets, err := f.modelMarkets(assets)
	if err != nil {
		return nil, err
	}
	return model.NewInstruments(parties, markets, assets), nil
}

func (f *File) modelParties() ([]model.Party, error) {
	taken := takenNames{file: f}
	var parties []model.Party
	for i, p := range f.parties {
		id, err := taken.add(fmt.Sprintf("party[%d]", i), p.id, p.name)
		if err != nil {
			return nil, err
		}
		parties = append(parties, model.Party{ID: id, Name: p.name})
	}
	return parties, nil
}

func (f *File) modelMarkets(assets []model.Asset) ([]model.Market, error) {
	taken := takenNames{file: f}
	bySymbol := make(map[string][]model.ID, len(assets))
	for _, a := range assets {
		bySymbol[a.Symbol] = append(bySymbol[a.Symbol], a.ID)
	}
	var markets []model.Market
	for i, m := range f.markets {
		section := fmt.Sprintf("market[%d]", i)
		id, err := taken.add(section, m.id, m.name)
		if err != nil {
			return nil, err
		}
		asset := model.CanonicalID(m.asset)
		switch ids := bySymbol[m.asset]; {
		case m.asset == "" || len(ids) == 0:
		case len(ids) > 1:
			return nil, f.refuse(section+".asset", "means several assets, which share the symbol: give the identifier")
		default:
			asset = ids[0]
		}
		markets = append(markets, model.Market{ID: id, Name: m.name, Asset: asset, PriceDecimals: m.priceDecimals, SizeDecimals: m.sizeDecimals})
	}
	return markets, nil
}

// modelAssets lets assets share a symbol: there may be two that are called the same.
func (f *File) modelAssets() ([]model.Asset, error) {
	taken := takenNames{file: f}
	var assets []model.Asset
	for i, a := range f.assets {
		id, err := taken.add(fmt.Sprintf("asset[%d]", i), a.id, "")
		if err != nil {
			return nil, err
		}
		assets = append(assets, model.Asset{ID: id, Symbol: a.symbol, Decimals: a.decimals})
	}
	return assets, nil
}

// takenNames are the keys that gave each identifier and name of one kind.
type takenNames struct {
	file *File
	keys map[string]string
}

// add checks the identifier and the name of a section. The name may be empty.
func (t *takenNames) add(section, text, name string) (model.ID, error) {
	if t.keys == nil {
		t.keys = make(map[string]string)
	}
	id, key := model.CanonicalID(text), section+".id"
	if id.IsZero() {
		return id, t.file.Wrap(section, errors.New("must have an id"))
	}
	if other, taken := t.keys[id.String()]; taken {
		return id, t.sameAs(key, other, "")
	}
	t.keys[id.String()] = key
	if name == "" {
		return id, nil
	}
	key = section + ".name"
	if strings.TrimSpace(name) != name {
		return id, t.file.refuse(key, "must be a text without space around it")
	}
	if other, taken := t.keys[name]; taken && other != section+".id" {
		return id, t.sameAs(key, other, ": a name must mean one thing")
	}
	t.keys[name] = key
	return id, nil
}

func (t *takenNames) sameAs(key, other, words string) error {
	return t.file.Wrap(key, fmt.Errorf("is the same as on line %d%s", linesOf(t.file.text).line(other), words))
}
