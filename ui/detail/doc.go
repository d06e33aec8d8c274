// Package detail draws what belongs to the selected line of the positions table, in lines for a page, or in few lines
// for a pane below the table. It only draws what it is given, with packages format, draw and theme. It does not depend
// on requests or on the cursor.
//
//	position   all values of a position
//	levels     its margin levels, and the ratios with them
//	trends     how its numbers have moved
//	group      the totals of a group
package detail
