// Package view puts the rows of a book in order, as the screen shows them: those in scope that match a filter, sorted
// and grouped, with their totals; and the events that match one. A change of one row costs about the same with any
// number of rows: for each row a view keeps an entry with what it needs, and reads the row only if that is not
// enough. It uses the values of package model, the rows of package book, and the queries of package filter.
//
// The floors, from the top. A file uses only what is on its own floor and below, and only the top one knows View:
//
//	view, view_..., settings     the rows in order, and what changes them; which alerts begin and end
//	row_index                    the rows in their places, counted, in groups, and matched with the rules of alerts
//	alert, alert_...             for which positions and groups a rule of the trader begins and ends
//	alert_rule, group_sums       a rule, and the sums that rules about groups compare
//	group, row_group, group_...  rows under headings, with subtotals
//	totals, margins              sums and margin records of rows
//	filter, matcher, visibility  which of all rows match, and are shown
//	column                       which order each column has
//	events                       the events of a log that match
//	package sorting              entries, which are the parts of rows that a view needs, and how they are sorted
//	package ordered              entries in order that can be found by their line
package view
