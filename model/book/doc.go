// Package book keeps the positions and the margin records of all subscriptions in little memory, and merges what the
// feed delivers. Half a snapshot is never in the book, an old state of a row never replaces a newer one, and
// what has changed is returned, as a list. It uses the values of package model.
//
// A [Book] has a table for each subscription. Its rows are records without pointers; a row is found by its key, and
// then by its number.
//
//	Delta ──ApplyTo──▶ Book ──▶ Changes ──▶ view.View.Apply, event.Finder, and what else needs each change
//	Snapshot ──SnapshotChanges──▶ each Change; then Replaced ──▶ another Book, of which a new view is made
//
//	delta, apply, change      what the feed delivers, how it comes into a book, and what that changes
//	snapshot_changes          what a snapshot changes
//	book, tables              the tables of the subscriptions
//	audit, audit_page         how an audit corrects them
//	rows, records, hash_index the rows as they are stored; row is one of them
//	margins                   the newest margin records
//	pairs                     what package pairs decides for the rows: which of them and their records are of one moment
//	unsent                    rows that a stream has not sent again after an outage
//	copy                      copies of books and rows
//	baselines, baseline       the positions at a time, from which changes are counted
package book
