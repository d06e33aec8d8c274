package sim

// Instruments are the names of what a market trades, for people.
type Instruments struct {
	Parties []Party
	Markets []Market
	Assets  []Asset
}

// Party is one that holds positions: a desk, or the network itself.
type Party struct{ ID, Name string }

// Market is what a position is in. Amounts of money in it are in its asset.
type Market struct {
	ID, Name string
	AssetID  string

	// PriceDecimals and SizeDecimals are how many decimal places the integers
	// of the wire have.
	PriceDecimals, SizeDecimals int
}

// Asset is what a market settles in.
type Asset struct {
	ID, Symbol string
	Decimals   int
}
