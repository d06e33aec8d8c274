// Package model has the data that blotter shows, and the rules about it: positions, margin levels, the order and the
// filter of rows. It starts no goroutine, reads no clock, and uses neither network nor terminal.
//
// A number is an [Amount]: exactly the text that the service wrote. A [Position] is a plain value. Its party and market
// are interned identifiers, see [ID].
//
//	Scope ── Subscriptions ──> Subscription           which streams are needed
//	    │
//	Delta: Links, Snapshots, Updates, AuditPages      what the feed delivers
//	    │
//	    v
//	Book: a table of Rows for each Subscription       all positions
//	    │
//	    v
//	View: the rows in Scope that match a Filter, in an Order, with their Totals
//
// [Instruments] has the names and decimal places of markets, parties and assets. Without them a number is shown as the
// service wrote it. [Column] is the list of the table's columns.
//
// Files whose names begin with the same word belong together:
//
//	amount, sum, unit, rounding   exact numbers, and which of them can be compared and added
//	position, margin              what the service sends
//	rows, records, entry          positions in little memory, and the parts of them that a view needs
//	book, change, audit, link     merging what the feed delivers, and how far it can be trusted
//	margins                       the newest margin levels; margin_walk: which page of them is due
//	view, order, filter, group    the rows of a view: which, in which order, under which headings
//	event, alert, baseline        what has happened, which positions match a rule, what has changed since a time
//	trend, survey, axis           a number over time, sums over a scope, the scale of a chart
//
// No type is safe for use by several goroutines at once, except to read values that do not change.
package model
