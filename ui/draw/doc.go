// Package draw draws texts, facts, lists, bars and charts as lines of the screen.
//
//	text               how wide a text is, and where it is cut or wrapped; styles
//	line               lines that are put together from texts with styles
//	facts              names with their values, one below the other
//	cell               what is in a row and a column of a table
//	over               lines that lie over others
//	list               the lines of a list that are on the screen, and its cursor
//	bars, sparkline,   numbers as drawings
//	chart
//	ascii              the same characters for a terminal without Unicode
//
// All widths are cells of the terminal. The package does not depend on what the texts and numbers mean.
package draw
