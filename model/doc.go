// Package model has the values that blotter shows, and the rules about one value: amounts, positions, margin levels,
// names and decimals, scopes, and the state of a subscription. The packages below it keep many of these values: each
// imports only those above it in the diagram. All of them use the standard library only, start no goroutine, read no
// clock, and use neither network nor terminal.
//
// A number is an [Amount]: exactly the text that the service wrote. A [Position] is a plain value. Its party and market
// are interned identifiers, see [ID]. [Instruments] has the names and decimal places of markets, parties and assets.
// Without them a number is shown as the service wrote it.
//
//	Scope ── Subscriptions ──> Subscription               model: which streams are needed
//	    │
//	Delta: Links, Snapshots, Updates, AuditPages          book: what the feed delivers
//	    │
//	    v
//	Book: a table of Rows for each Subscription           book: all positions, and what was changed
//	    │                    └─ Event ──> Log             event: what happened to a position
//	    v
//	Query                                                 filter: which rows and events match
//	    │
//	    v
//	View: the rows in Scope that match a Filter, in an    view: what the screen shows
//	Order, with their Totals
//	    │
//	    v
//	Survey                                                analysis: the largest exposures and moves
//
// Files whose names begin with the same word belong together:
//
//	amount, packed, sum, estimate, rounding   exact numbers
//	ids, field, position, side, margin        what the service sends
//	scope, link                               what is watched, and how far it can be trusted
//	instruments, unit                         names, decimals, and which numbers can be compared
//	trend, axis                               a number over time, the scale of a chart
//	dictionary                                small codes for values
//	text                                      texts of the service made safe
//
// No type is safe for use by several goroutines at once, except to read values that do not change.
package model
