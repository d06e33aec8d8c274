// Package filter has the language of filters, which is the same wherever a filter can be given. It parses a filter to a
// [Query], and matches one position, margin record or event with it. Package view matches all rows of a book at once,
// by the terms of the query, and the sums of groups. [Meets] evaluates a condition for all of them. The package uses
// the values of package model, the margin records of package book, and the events of package event.
//
// The language:
//
//	eth               the name or the identifier of the market or the party contains eth, in upper or lower case
//	"two words"       the same for a text with spaces, or with one of : < > = ! |
//	=desk-7           the whole name or identifier is desk-7
//	!eth              eth does not match
//	eth|btc           one of these; without a field, the field of the text before counts
//	party:desk        the party alone, and so market: asset: status:
//	party:=desk-7     the whole name or identifier of the party is desk-7
//	side:long         long, short or flat
//	size>0            a comparison: < <= > >= = !=
//	uPnL/MM<-20%      the margin ratio in percent; m%<-20 and pnl/mm<-20 are the same
//	age>5m            changed longer ago: 30s 5m 2h 3d
//	updated>14:02     changed after the last 14:02, today's or yesterday's; or updated>2026-11-22T14:02
//
// Terms have spaces between them, and a row must match all of them. A term with nothing to search for, such as party:
// without a text, is an error. Numbers are in the units that the screen shows: 1500, -1,500.25, 1.5k, 2M. A number
// whose decimals are not known is compared with 0, and with numbers that are marked as raw: 1500r. It matches no other
// comparison. An absent number, such as the margin ratio of a position without a margin record, matches no comparison.
//
// Filters of events also have event:closed, and do not have the fields that events lack: see [ParseEvents].
//
//	query, conditions   a parsed filter, and its conditions
//	parse, number       from text to query, and its errors
//	meets, answer       whether what a query is about meets a condition
//	row, event          whether one row or event matches
//	complete            what the end of a text can be completed to
//	valid_part          a filter without the words that are wrong
//	hint                what may have been meant
package filter
