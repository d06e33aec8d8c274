package command

import (
	"context"
	"sync"

	"blotter/feed/sim"
)

// demoMarket is what --demo shows: enough to fill a screen, and busy enough to look alive.
var demoMarket = sim.Config{Seed: 1, Parties: 8, Markets: 8, Rate: 20}

// startDemo runs a service inside the program, which is reached through memory and not through a network.
func (p *program) startDemo(c *configuration) error {
	if len(p.baseURLs) > 0 {
		return usage("--demo and --base-url exclude each other: the demonstration has a service of its own")
	}
	market := demoMarket
	market.Chaos, market.Log = p.chaos, c.feed.Logger
	node := sim.New(market)
	listener := sim.Listen()
	ctx, stop := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() {
		defer p.guard()
		_ = node.Serve(ctx, listener) // an error of a listener in memory would show as a lost connection
	})
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
