package command

import (
	"fmt"

	"github.com/pelletier/go-toml/v2"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/ui/command/files"
)

// marketFile is a configuration file for a simulated service: its address and certificate, and the names and decimals
// of its parties, markets and assets. The keys are those of package config.
type marketFile struct {
	Service struct {
		Name     string   `toml:"name"`
		BaseURLs []string `toml:"base_urls"`
		CAFile   string   `toml:"ca_file,omitempty"`
	} `toml:"service"`
	Parties []partySection  `toml:"party"`
	Markets []marketSection `toml:"market"`
	Assets  []assetSection  `toml:"asset"`
}

type partySection struct {
	ID   string `toml:"id"`
	Name string `toml:"name"`
}

type marketSection struct {
	ID            string `toml:"id"`
	Name          string `toml:"name"`
	Asset         string `toml:"asset"`
	PriceDecimals int    `toml:"price_decimals"`
	SizeDecimals  int    `toml:"size_decimals"`
}

type assetSection struct {
	ID       string `toml:"id"`
	Symbol   string `toml:"symbol"`
	Decimals int    `toml:"decimals"`
}

func newMarketFile(address, caFile string, names sim.Instruments) *marketFile {
	f := new(marketFile)
	f.Service.Name, f.Service.BaseURLs, f.Service.CAFile = "simulate", []string{address}, caFile
	for _, party := range names.Parties {
		f.Parties = append(f.Parties, partySection{ID: party.ID, Name: party.Name})
	}
	for _, market := range names.Markets {
		f.Markets = append(f.Markets, marketSection{
			ID: market.ID, Name: market.Name, Asset: market.AssetID,
			PriceDecimals: market.PriceDecimals, SizeDecimals: market.SizeDecimals,
		})
	}
	for _, asset := range names.Assets {
		f.Assets = append(f.Assets, assetSection{ID: asset.ID, Symbol: asset.Symbol, Decimals: asset.Decimals})
	}
	return f
}

// write writes the file.
func (f *marketFile) write(path string) error {
	text, err := toml.Marshal(f)
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return files.WriteOwn(path, text)
}

// instrumentsOf returns the names and decimals of a simulated service.
func instrumentsOf(names sim.Instruments) *model.Instruments {
	var parties []model.Party
	for _, party := range names.Parties {
		parties = append(parties, model.Party{ID: model.MakeID(party.ID), Name: party.Name})
	}
	var assets []model.Asset
	for _, asset := range names.Assets {
		assets = append(assets, model.Asset{ID: model.MakeID(asset.ID), Symbol: asset.Symbol, Decimals: asset.Decimals})
	}
	var markets []model.Market
	for _, market := range names.Markets {
		markets = append(markets, model.Market{
			ID: model.MakeID(market.ID), Name: market.Name, Asset: model.MakeID(market.AssetID),
			PriceDecimals: market.PriceDecimals, SizeDecimals: market.SizeDecimals,
		})
	}
	return model.NewInstruments(parties, markets, assets)
}
