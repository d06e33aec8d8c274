// Package naming has the names and decimals that the trader gives on the screen: who keeps them, and the instruments
// with what was given.
package naming

import (
	"strconv"

	"blotter/model"
)

// Names keeps the names and decimals that the trader gives on the screen.
type Names interface {
	// Path returns the file that they are kept in.
	Path() string
	// SetAt returns where the configuration sets a name or number, FILE:LINE, and an empty text if it does not. What
	// it sets is not changed on the screen. It does not block.
	SetAt(Field) string
	// Keep keeps names for the next run, and those that it could not keep before. It may take its time.
	Keep([]Given) error
}

// Field is a name or a number: a key of a party, a market or an asset, as the configuration calls it.
type Field struct {
	Section string // party, market or asset
	ID      model.ID
	Key     string
}

// Given is the value of such a field. It is empty if the value was taken away.
type Given struct {
	Field
	Value string
}

// With returns the instruments with names and decimals that were given.
func With(in *model.Instruments, given []Given) *model.Instruments {
	for _, g := range given {
		decimals, err := strconv.Atoi(g.Value)
		if err != nil {
			decimals = model.Unscaled
		}
		party, market, asset := in.Party(g.ID), in.Market(g.ID), in.Asset(g.ID)
		if !in.LearnedAsset(g.ID).IsZero() {
			market.Asset = model.ID{}
		}
		switch g.Section + "." + g.Key {
		case "party.name":
			party.Name = g.Value
		case "market.name":
			market.Name = g.Value
		case "market.size_decimals":
			market.SizeDecimals = decimals
		case "market.price_decimals":
			market.PriceDecimals = decimals
		case "market.asset":
			market.Asset = model.CanonicalID(g.Value)
		case "asset.symbol":
			asset.Symbol = g.Value
		case "asset.decimals":
			asset.Decimals = decimals
		}
		switch g.Section {
		case "party":
			in = in.WithParty(party)
		case "market":
			in = in.WithMarket(market)
		case "asset":
			in = in.WithAsset(asset)
		}
	}
	return in
}
