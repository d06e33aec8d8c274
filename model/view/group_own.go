package view

import (
	"blotter/model/view/ordered"
	"blotter/model/view/sorting"
)

// index makes the index of the rows of an own group.
func (of *rowGroup) index(g *rowGroups) {
	index := ordered.New(of.entries, g.compare)
	index.Count(g.rowLines)
	of.own, of.entries = &index, nil
}

// changeOwn calls change for the index of each own group that an entry is in.
func (g *rowGroups) changeOwn(e sorting.Entry, change func(rows *ordered.Index[sorting.Entry])) {
	if g == nil || g.by != GroupByOwn {
		return
	}
	for of := range g.groupsOf(e) {
		change(of.own)
	}
}
