// Package market makes a random market: instruments, parties that trade them, prices that move, and the margin levels
// that follow. It uses no service and no network; feed/sim serves its data.
//
//	instruments.go  what is traded, and by whom
//	population.go   the positions at the start
//	prices.go       the mark price of a market, and what follows from it for each position
//	trading.go      trades
//	distress.go     distress, close-outs, and the losses that lead to them
//	exchange.go     which market moves when; blocks
//	records.go      positions and margin levels as others get them
//	int128.go       amounts beyond 64 bits
package market
