// Package book keeps the positions and the margin records of all subscriptions in little memory, and merges what the
// feed delivers. It promises that half a snapshot is never in the book, that an old state of a row never replaces a
// newer one, and that each change is reported to its observers. It uses the values of package model, and package
// dictionary.
//
// A [Book] has a table for each subscription. Its rows are records without pointers; a row is found by its key, and
// then by its number. What keeps a view of the book in order changes rows through a [RowWriter].
//
//	delta                     what the feed delivers
//	book, change, audit       the tables, who is told of a change, and what an audit corrects
//	rows, records, hash_index the rows as they are stored
//	margins, margin_walk      the newest margin records, and which page of them is due
//	baseline                  what the positions were at a time, to count changes from
package book
