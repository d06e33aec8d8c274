package view

// index makes the index of the rows of an own group.
func (of *rowGroup) index(g *rowGroups) {
	index := newOrderedIndex(of.entries, g.compare)
	index.lines = g.rowLines
	for i := range index.buckets {
		index.buckets[i].count(g.rowLines)
	}
	index.sumSpans(0)
	of.own, of.entries = &index, nil
}

// changeOwn calls change for the index of each own group that an entry is in.
func (g *rowGroups) changeOwn(e entry, change func(rows *orderedIndex[entry])) {
	if g == nil || g.by != GroupByOwn {
		return
	}
	for of := range g.groupsOf(e) {
		change(of.own)
	}
}
