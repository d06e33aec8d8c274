package view

import (
	"sort"

	"blotter/model/view/sorting"
)

// HasWorstFirst reports whether the rows in this order begin with the worst one.
func (o Order) HasWorstFirst() bool {
	switch o.Column {
	case TroubleColumn, MarginRatioColumn, UnrealisedColumn:
		return !o.Descending
	}
	return false
}

// WorseAbove returns how many lines above a line are worse than it: rows that the order puts before it because of their
// numbers, or the lines of groups that are before its group because of theirs. Amounts of other assets do not count. It
// is 0 in an order that does not begin with the worst.
func (v *View) WorseAbove(line int) int {
	if !v.Order.HasWorstFirst() || line <= 0 || line >= v.Lines() {
		return 0
	}
	first := 0
	if v.groups != nil {
		worst, _, _ := v.groups.index.At(0)
		at, lineOfGroup, _ := v.groups.index.At(line)
		if worst.group != at.group {
			if worst.rank < at.rank && worst.group.key.asset == at.group.key.asset {
				return line - lineOfGroup
			}
			return 0
		}
		first = 1 // a row of the first group
	}
	top, heading, _ := v.rowAt(line)
	if heading != nil {
		return 0
	}
	row := func(i int) sorting.Entry {
		e, _, _ := v.rowAt(i)
		return e
	}
	order := v.Order.sorter()
	first += sort.Search(line-first, func(i int) bool { return order.UnitOf(row(first+i), v.encoder) == order.UnitOf(top, v.encoder) })
	return sort.Search(line-first, func(i int) bool { return row(first+i).Rank >= top.Rank })
}

// HasSeveralUnits reports whether numbers of several units, which do not compare, are in a column: rows that are sorted
// by it are in the order of their assets or markets first.
func (v *View) HasSeveralUnits(column Column) bool {
	return Order{Column: column}.sorter().HasSeveralUnits(v.encoder)
}
