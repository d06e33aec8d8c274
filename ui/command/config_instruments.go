package command

import (
	"fmt"
	"slices"
	"strings"

	"blotter/model"
)

// instruments are the names and decimals that the file gives.
func (d *configDocument) instruments() (*model.Instruments, error) {
	assets, err := d.assets()
	if err != nil {
		return nil, err
	}
	parties, err := d.parties()
	if err != nil {
		return nil, err
	}
	markets, err := d.markets(assets)
	if err != nil {
		return nil, err
	}
	return model.NewInstruments(parties, markets, assets), nil
}

func (d *configDocument) parties() ([]model.Party, error) {
	names := make(naming)
	var parties []model.Party
	for i, section := range d.Parties {
		key := fmt.Sprintf("party[%d]", i)
		id, err := d.identifier(names, key, section.ID)
		if err != nil {
			return nil, err
		}
		if err := d.name(names, key, section.Name); err != nil {
			return nil, err
		}
		parties = append(parties, model.Party{ID: id, Name: section.Name})
	}
	return parties, nil
}

func (d *configDocument) markets(assets []model.Asset) ([]model.Market, error) {
	names := make(naming)
	var markets []model.Market
	for i, section := range d.Markets {
		key := fmt.Sprintf("market[%d]", i)
		id, err := d.identifier(names, key, section.ID)
		if err != nil {
			return nil, err
		}
		if err := d.name(names, key, section.Name); err != nil {
			return nil, err
		}
		asset, err := d.marketAsset(key+".asset", section.Asset, assets)
		if err != nil {
			return nil, err
		}
		market := model.Market{ID: id, Name: section.Name, Asset: asset}
		if market.PriceDecimals, err = d.decimals(key+".price_decimals", section.PriceDecimals); err != nil {
			return nil, err
		}
		if market.SizeDecimals, err = d.decimals(key+".size_decimals", section.SizeDecimals); err != nil {
			return nil, err
		}
		markets = append(markets, market)
	}
	return markets, nil
}

// assets may share a symbol, as there may be two assets that are called the same in two places.
func (d *configDocument) assets() ([]model.Asset, error) {
	names := make(naming)
	var assets []model.Asset
	for i, section := range d.Assets {
		key := fmt.Sprintf("asset[%d]", i)
		id, err := d.identifier(names, key, section.ID)
		if err != nil {
			return nil, err
		}
		if d.lines.has(key+".symbol") && strings.TrimSpace(section.Symbol) == "" {
			return nil, d.wrong(key + ".symbol")
		}
		decimals, err := d.decimals(key+".decimals", section.Decimals)
		if err != nil {
			return nil, err
		}
		assets = append(assets, model.Asset{ID: id, Symbol: section.Symbol, Decimals: decimals})
	}
	return assets, nil
}

// naming is which key gave each identifier and name of one kind.
type naming map[string]string

// identifier checks the identifier of a section.
func (d *configDocument) identifier(names naming, section, text string) (model.ID, error) {
	id := model.CanonicalID(text)
	key := section + ".id"
	switch other, taken := names[id.String()]; {
	case id.IsZero() && d.lines.has(key):
		return id, d.wrong(key)
	case id.IsZero():
		return id, d.problem(section, "must have an id")
	case taken:
		return id, d.problem(key, "is the same as on line %d", d.lines.line(other))
	}
	names[id.String()] = key
	return id, nil
}

// name checks the name of a section. A section need not have one.
func (d *configDocument) name(names naming, section, text string) error {
	key := section + ".name"
	if text == "" && !d.lines.has(key) {
		return nil
	}
	if text == "" || strings.TrimSpace(text) != text {
		return d.problem(key, "must be a text without space around it")
	}
	if other, taken := names[text]; taken && other != section+".id" {
		return d.problem(key, "is the same as on line %d: a name must mean one thing", d.lines.line(other))
	}
	names[text] = key
	return nil
}

// marketAsset is the asset that a market says it settles in, by identifier or by symbol.
func (d *configDocument) marketAsset(key, text string, assets []model.Asset) (model.ID, error) {
	if text == "" && d.lines.has(key) {
		return model.ID{}, d.wrong(key)
	}
	bySymbol := slices.DeleteFunc(slices.Clone(assets), func(a model.Asset) bool { return a.Symbol != text })
	switch {
	case text == "" || len(bySymbol) == 0:
		return model.CanonicalID(text), nil
	case len(bySymbol) > 1:
		return model.ID{}, d.problem(key, "means several assets, which share the symbol: give the identifier")
	}
	return bySymbol[0].ID, nil
}

// decimals checks how many decimal places something has. Where the file does not say, they are not known.
func (d *configDocument) decimals(key string, n *int) (int, error) {
	switch {
	case n == nil:
		return model.Unscaled, nil
	case *n < 0 || *n > model.MaxDecimals:
		return 0, d.wrong(key)
	}
	return *n, nil
}
