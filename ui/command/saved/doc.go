// Package saved is what the screen saves for the next run. Each file is replaced whole or not at all.
//
//	state      the columns, the order and the like of all services, in one file
//	baseline   the baseline of each service, in a file beside the state
//	days       the totals of days of each service, in a file beside the state
//	alerts     what is in alert on each service and what waits for programs, in a file beside the state
//	names      the names and decimals that the trader gives on the screen, in a file beside the configuration
//
// A file of states or names that blotter did not write is never replaced. Packages persist, book and config define
// what is in the files.
package saved
