// Package analysis answers questions about positions beyond what the service sends:
//
//	attribution   why PnL has changed: by the price, by trading, by loss socialisation
//	survey        the largest exposures and the largest changes of PnL among the rows of a view
//	exposure      the sums of the estimated notional for it
//	grid          how many positions are beyond a limit of the margin ratio if all mark prices change
//	price_shift   what positions would be worth at other mark prices
package analysis
