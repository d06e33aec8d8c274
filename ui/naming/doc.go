// Package naming has the dialog in which the trader gives names and decimals to the party, the market and the asset of
// a row (dialog.go, draw.go), and the instruments with what was given (given.go). It saves nothing: Names keeps what
// was given, and returns where the configuration sets a name. The package handles only the keys that type.
package naming
