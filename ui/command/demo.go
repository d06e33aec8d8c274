package command

import (
	"context"
	"sync"

	"blotter/feed/sim"
	"blotter/model"
)

// demoMarket is what --demo shows: enough to fill a screen, and busy enough to look alive.
var demoMarket = sim.Config{Seed: 1, Parties: 8, Markets: 8, Rate: 20}

// startDemo runs a service inside the program, which is reached through memory and not through a network.
func (p *program) startDemo(c *configuration) error {
	if len(p.baseURLs) > 0 {
		return usage("--demo and --base-url exclude each other: the demonstration has a service of its own")
	}
	node := sim.New(demoMarket)
	listener := sim.Listen()
	ctx, stop := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() { _ = node.Serve(ctx, listener) }) // an error of a listener in memory would show as a lost connection
	c.ends = append(c.ends, func() {
		stop()
		serving.Wait()
	})
	c.service = "demo"
	c.feed.BaseURLs = []string{"http://localhost"}
	c.feed.Dial = listener.DialContext
	c.instruments = instrumentsOf(node.Instruments())
	return nil
}

// instrumentsOf are the names and decimals of a simulated service as those of a configuration.
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
