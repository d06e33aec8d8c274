package persist

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
	SetAt(NameField) string
	// Keep keeps names for the next run, and those that it could not keep before. It may block.
	Keep([]GivenName) error
}

// NameField is a name or a number: a key of a party, a market or an asset, as the configuration calls it.
type NameField struct {
	Section string // party, market or asset
	ID      model.ID
	Key     string
}

// GivenName is the value of such a field. It is empty if the value was removed.
type GivenName struct {
	NameField
	Value string
}

// WithNames returns the instruments with names and decimals that were given. Decimals that are no number from
// model.MinDecimals to model.MaxDecimals are not known.
func WithNames(in *model.Instruments, given []GivenName) *model.Instruments {
	for _, g := range given {
		decimals, err := strconv.Atoi(g.Value)
		if err != nil || decimals < model.MinDecimals || decimals > model.MaxDecimals {
			decimals = model.Unscaled
		}
		switch g.Section {
		case "party":
			party := in.Party(g.ID)
			party.Name = g.Value
			in = in.WithParty(party)
		case "market":
			market := in.Market(g.ID)
			if !in.LearnedAsset(g.ID).IsZero() {
				market.Asset = model.ID{}
			}
			switch g.Key {
			case "name":
				market.Name = g.Value
			case "size_decimals":
				market.SizeDecimals = decimals
			case "price_decimals":
				market.PriceDecimals = decimals
			case "asset":
				market.Asset = model.CanonicalID(g.Value)
			}
			in = in.WithMarket(market)
		case "asset":
			asset := in.Asset(g.ID)
			if g.Key == "symbol" {
				asset.Symbol = g.Value
			} else {
				asset.Decimals = decimals
			}
			in = in.WithAsset(asset)
		}
	}
	return in
}
