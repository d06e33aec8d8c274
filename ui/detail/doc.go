// Package detail draws what belongs to the selected line of the positions table, in lines for a page, or in few lines
// for a pane below the table, and requests the margin levels of the selected position. A function returns which line is
// selected.
//
//	pane       what is shown of a line, and in how much room
//	page       the page with a cursor on the fields
//	requests   the requests for the margin levels of the selected position
//	position   all values of a position
//	levels     its margin levels, and the ratios with them
//	trends     how its numbers have moved
//	why        by how much its PnL has changed in the last hour, and by what
//	trades     what was traded of it, and at which prices
//	group      the totals of a group
package detail
