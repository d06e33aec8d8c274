package command

import (
	"context"
	"sync"
	"time"

	"blotter/feed/sim"
	"blotter/feed/sim/faulty"
	"blotter/model"
	"blotter/ui/command/config"
)

const demoName = "demo"

// demoMarket is the market of --demo: it fills a screen, and changes often enough to look real.
var demoMarket = sim.Config{Seed: 1, Parties: 8, Markets: 8, Rate: 20}

// demoAlert is the alert of --demo if the configuration has none.
var demoAlert = config.AlertRule{
	Name: "margin", Filter: "status:distressed|uPnL/MM<-50%", Clear: "uPnL/MM>-40%", For: 5 * time.Second, Again: 15 * time.Minute,
}

// startDemo runs a simulated service inside the program. It is reached through memory, not through a network.
func (s *settings) startDemo(c *configuration) error {
	market := demoMarket
	if s.chaos != 0 {
		market.Faults = faulty.New(s.chaos, c.feed.Logger)
	}
	node := sim.New(market)
	listener := sim.Listen()
	ctx, stop := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() {
		defer s.panics.Recover()
		_ = node.Serve(ctx, listener) // an error would be shown as a lost connection
	})
	c.closers = append(c.closers, func() {
		stop()
		serving.Wait()
	})
	c.service = demoName
	c.feed.BaseURLs = []string{"http://localhost"}
	c.feed.Dial = listener.DialContext
	c.useNamesOf(node)
	if len(c.file.Alerts) == 0 {
		c.file.Alerts = []config.AlertRule{demoAlert}
	}
	return nil
}

// useNamesOf sets the names and decimals to those of a simulated service: those of the file are of another one. The own
// groups of the file stay.
func (c *configuration) useNamesOf(node *sim.Node) {
	c.instruments, c.names, c.namesProblem = c.file.WithGroups(instrumentsOf(node.Instruments())), nil, nil
}

// demoParties returns the parties whose positions the demo shows: all except the network, which is the counterparty of
// their trades. With it, all totals would be zero.
func demoParties(instruments *model.Instruments) []string {
	var desks []string
	for _, id := range instruments.Parties() {
		if id.String() != "network" {
			desks = append(desks, id.String())
		}
	}
	return desks
}

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
