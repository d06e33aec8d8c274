package market

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Instruments are the readable names of what a market trades.
type Instruments struct {
	Parties []Party
	Markets []Market
	Assets  []Asset
}

// Party holds positions: a desk, or the network itself.
type Party struct{ ID, Name string }

// Market is what a position is in. Its amounts of money are in its asset.
type Market struct {
	ID, Name string
	AssetID  string

	// PriceDecimals and SizeDecimals are how many decimal places the integers of the wire have.
	PriceDecimals, SizeDecimals int
}

// Asset is what a market settles in.
type Asset struct {
	ID, Symbol string
	Decimals   int
}

// coin is what a market trades.
type coin struct {
	symbol string
	price  int64 // about what it costs, in ticks

	priceDecimals, sizeDecimals int
}

// The prices have many numbers of decimal places; none needs more than six together, the fewest that an asset has.
var coins = []coin{
	{"BTC", 641205, 1, 3}, {"ETH", 341010, 2, 3}, {"SOL", 148220, 3, 2}, {"LINK", 14118, 3, 1}, {"DOGE", 38410, 5, 0},
	{"AVAX", 31254, 3, 1}, {"XRP", 61204, 5, 0}, {"ADA", 45217, 5, 0}, {"DOT", 6412, 3, 1}, {"LTC", 8435, 2, 2},
	{"ATOM", 8731, 3, 1}, {"NEAR", 5266, 3, 1}, {"UNI", 9318, 3, 1}, {"AAVE", 10442, 2, 2}, {"ARB", 10877, 4, 0},
	{"OP", 24310, 4, 0}, {"FIL", 5921, 3, 1}, {"APT", 9104, 3, 1}, {"INJ", 25316, 3, 1}, {"TIA", 11052, 3, 1},
	{"SUI", 14485, 4, 0}, {"XMR", 13275, 2, 2}, {"ETC", 26120, 3, 1}, {"BCH", 47260, 2, 2}, {"ALGO", 18250, 5, 0},
}

var currencies = []Asset{{Symbol: "USDT", Decimals: 6}, {Symbol: "DAI", Decimals: 18}, {Symbol: "EURC", Decimals: 6}}

// pair is a coin and the index of its currency.
type pair struct {
	coin
	currency int
}

// pairs returns every coin in every currency. The best known come first, and soon one of each other currency, so that a
// small market too has amounts that exceed 64 bits.
func pairs() []pair {
	all := []pair{}
	for _, c := range coins[:8] {
		all = append(all, pair{c, 0})
	}
	all = append(all, pair{coins[2], 1}, pair{coins[1], 2})
	for currency := range currencies {
		for _, c := range coins {
			if !slices.Contains(all, pair{c, currency}) {
				all = append(all, pair{c, currency})
			}
		}
	}
	return all
}

// newInstruments makes random instruments, and returns the coin of each market too. After the pairs there are futures
// on them, a quarter apart.
func newInstruments(random *rand.Rand, parties, markets int) (Instruments, []coin) {
	names := Instruments{Parties: []Party{{"network", "network"}}}
	for desk := 1; desk < parties; desk++ {
		names.Parties = append(names.Parties, Party{identifier(random), fmt.Sprintf("desk-%d", desk)})
	}
	for _, currency := range currencies {
		currency.ID = identifier(random)
		names.Assets = append(names.Assets, currency)
	}
	var traded []coin
	pairs := pairs()
	for i := range markets {
		p := pairs[i%len(pairs)]
		asset := names.Assets[p.currency]
		name := p.symbol + "/" + asset.Symbol
		if quarter := i/len(pairs) - 1; quarter >= 0 {
			month := []string{"MAR", "JUN", "SEP", "DEC"}[quarter%4]
			name += fmt.Sprintf("-%s%d", month, 27+quarter/4)
		}
		names.Markets = append(names.Markets, Market{
			ID: identifier(random), Name: name, AssetID: asset.ID,
			PriceDecimals: p.priceDecimals, SizeDecimals: p.sizeDecimals,
		})
		traded = append(traded, p.coin)
	}
	return names, traded
}

// identifier returns 64 random hex digits.
func identifier(random *rand.Rand) string {
	var id [32]byte
	for i := range id {
		id[i] = byte(random.Uint32())
	}
	return hex.EncodeToString(id[:])
}
