// Package saved is what the screen saves for the next run: its state (columns, order and the like, state.go), and the
// names and decimals that the trader gives on it (names.go). Each is one file, which is replaced whole or not at all; a
// file that blotter did not write is never replaced. The packages ui and config define what is in the files.
package saved
