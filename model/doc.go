// Package model has the data that blotter shows, and the rules about it: positions, margin levels, the order and the
// filter of rows. It starts no goroutine, reads no clock, and uses neither network nor terminal.
//
// A number is an [Amount]: exactly the text that the service wrote. A [Position] is a plain value. Its party and market
// are interned identifiers, see [ID].
//
//	Scope ── Subscriptions ──> Subscription           which streams are needed
//	    │
//	Delta: Links, Snapshots, Updates, AuditPages      what the feed hands over
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
// No type is safe for use by several goroutines at once, except to read values that nobody changes.
package model
