// Package book keeps the positions and the margin records of all subscriptions in little memory, and merges what the
// feed delivers. The rows of half a snapshot are marked as partial, an old state of a row never replaces a newer one,
// and what has changed is returned, as a list. It uses the values of package model.
//
// A [Book] has a table for each subscription. Its rows are records without pointers; a row is found by its key, and
// then by its number.
//
//	Delta ──ApplyTo──▶ Book ──▶ Changes ──▶ view.View.Apply, event.Finder, and what else needs each change
//	Snapshot ──SnapshotChanges──▶ each Change; then Replaced ──▶ another Book, of which a new view is made
//
// No file uses one of a line above its own:
//
//	copy, new_books           copies of books and rows; books that are made of another one
//	apply, audit_page         how updates and audits come into a book
//	set_row, book_pairs       how it sets a row, and which rows wait for their margin records
//	standing                  which state of a row stands; snapshot_changes: what a snapshot changes
//	book, unsent, hints       the book; rows that a stream has not sent again after an outage, or that lack an update
//	baselines, listings       from what changes are counted, and positions that come and leave the list; unlisted, baseline
//	tables, delta, change     the tables of the subscriptions; what the feed delivers; what has changed
//	pairs                     what package pairs decides for the rows: which of them and their records are of one moment
//	table, audit, left        the rows of a subscription, the audit that is running, and rows that may come again
//	rows, margins, backlog    the positions, the newest margin records, and positions that wait
//	records, hash_index       both as they are stored
package book
