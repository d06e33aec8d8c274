// Package view puts the rows of a book in order, as the screen shows them: those in scope that match a filter, sorted
// and grouped, with their totals; and the events that match one. A change of one row costs about the same with any
// number of rows: for each row a view keeps an entry with what it needs, and reads the row only if that is not
// enough. It uses the values of package model, the rows of package book, and the queries of package filter.
//
//	view, settings, totals      the rows in order, and their sums
//	view_changes                what the changes of a book change in the order and the sums
//	column                      which order each column has
//	package sorting             entries, which are the parts of rows that a view needs, and how they are sorted
//	package ordered             entries in order that can be found by their line
//	filter, matcher             which of all rows match
//	group                       rows under headings, with subtotals
//	alert, view_alerts          for which positions a rule of the trader begins and ends
//	events                      the events of a log that match
package view
