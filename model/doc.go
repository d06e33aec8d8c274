// Package model holds what is true: positions and margin levels as the service told of them, and pure rules on
// them. It starts no goroutine, reads no clock, and knows neither network nor terminal.
//
// A number is an [Amount], exactly the text that the service wrote. A [Position] is a value, its identifiers are
// interned as an [ID], and a subscription's positions are [Rows].
//
//	Scope ── Subscriptions ──> Subscription      what is asked for
//	Delta: Link, Snapshot, Updates               what is told
//	    │
//	    v
//	Book: a table of Rows for each Subscription  what is known
//	    │
//	    v
//	View: the rows that a Filter lets through, in an Order, with their Totals
//
// [Instruments] give names and decimal places; without them every number is shown as the service wrote it.
//
// Nothing here is safe for use by several goroutines at once, except that values which nobody changes may be read.
package model
