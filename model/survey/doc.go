// Package survey finds the largest exposures and the largest changes of PnL among the rows of a view. It uses the
// values of package model, and packages book and view.
//
//	survey     what is found, and the changes
//	exposure   the sums of the estimated notional
package survey
