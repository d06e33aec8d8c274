package view

import (
	"blotter/model"
	"blotter/model/book"
)

// Apply brings the view up to date with changes of its book. All of them must be applied, in order.
//
// The rows are read as they were until their change is applied, so that the order stays right.
func (v *View) Apply(changes book.Changes) {
	if v.Order.usesMargins() {
		v.encoder.prefetchMargins(changes.Rows)
	}
	v.encoder.begin(changes.Rows)
	for i := range changes.Rows {
		c := &changes.Rows[i]
		switch {
		case !v.scope.Covers(c.Key()):
			v.encoder.end(c)
		case c.Before == nil:
			v.add(c)
		case c.After == nil:
			v.removeRow(c)
		case c.IsOfRatio:
			from := v.beginRatio(c.Table, c.Row)
			v.encoder.end(c)
			v.endRatio(&from)
		default:
			v.change(c)
		}
	}
	if v.alerts != nil && changes.Ends {
		v.alerts.alerts.noteActive() // all rows are there now: alerts of rows that are missing, or were removed, end
	}
}

func (v *View) add(c *book.Change) {
	v.encoder.end(c)
	e := v.encoder.entry(c.Table, c.Row)
	v.encoder.findMarginRecord(e)
	e.rank = v.ranks.of(e, c.After)
	v.matcher.matchNew()
	v.covered += v.encoder.covered(e)
	v.alerts.noteChanged(e)
	v.insert(e, c.After)
	v.repositionGroup(e)
}

func (v *View) removeRow(c *book.Change) {
	e := v.entry(c.Table, c.Row)
	v.covered -= v.encoder.covered(e)
	v.remove(e, c.Before)
	v.repositionGroup(e)
	v.alerts.noteRemoved(c.Before.Key)
	v.encoder.end(c)
}

// change changes a row. Most changes do not move it.
func (v *View) change(c *book.Change) {
	e := v.encoder.entry(c.Table, c.Row)
	after := v.encoder.updated(e, c.After)
	v.matcher.matchNew()
	v.keepClosedOut(e, c.Before, c.After)
	if e.open() != after.open() {
		v.covered += v.encoder.covered(after) - v.encoder.covered(e)
	}
	switch {
	case e.codes == after.codes && v.Order.ordering().isSame(c.Before, c.After):
		v.changeInPlace(e, c)
	case v.groups != nil:
		e.rank = v.ranks.of(e, c.Before)
		v.remove(e, c.Before)
		v.encoder.end(c)
		after.rank = v.ranks.of(after, c.After)
		v.insert(after, c.After)
	default:
		v.changeAndMove(e, after, c)
	}
	v.repositionGroup(after)
	v.alerts.noteChanged(after)
}

// changeInPlace changes a row that keeps its entry.
func (v *View) changeInPlace(e entry, c *book.Change) {
	visibilityBefore := v.visibilityOf(e)
	v.count(e, c.Before, visibilityBefore, -1)
	v.encoder.end(c)
	visibility := v.visibilityOf(e)
	v.count(e, c.After, visibility, +1)
	if visibility != visibilityBefore {
		v.groups.countBaseline(e, visibilityBefore, -1)
		v.groups.countBaseline(e, visibility, +1)
	}
	if lines := visibility.lines() - visibilityBefore.lines(); lines != 0 {
		e.rank = v.ranks.of(e, c.After)
		v.index.addLines(e, lines)
		v.noteInGroups(e, visibility)
	}
}

// changeAndMove changes a row that may move, in a view without groups. If the row were removed and inserted instead,
// BenchmarkMerge would take 1.3 times as long with a thousand rows.
func (v *View) changeAndMove(e, after entry, c *book.Change) {
	e.rank = v.ranks.of(e, c.Before)
	var n, i int
	if !e.rank.isExact() { // it is found by its numbers, which change now
		n, i = v.index.find(e)
	}
	visibilityBefore := v.visibilityOf(e)
	v.count(e, c.Before, visibilityBefore, -1)
	v.encoder.end(c)
	after.rank = v.ranks.of(after, c.After) // not before: the ratio depends on when the size changed
	visibility := v.visibilityOf(after)
	v.count(after, c.After, visibility, +1)
	if e.rank.isExact() {
		if after == e && visibility == visibilityBefore {
			return
		}
		n, i = v.index.find(e)
	}
	v.index.move(n, i, after, visibilityBefore.lines(), visibility.lines())
}

// entry returns the entry of a row as it is in the index.
func (v *View) entry(t *book.Table, number uint32) entry {
	e := v.encoder.entry(t, number)
	e.rank = v.ranks.ofStored(e, v.encoder)
	return e
}

// insert adds the entry of row p.
func (v *View) insert(e entry, p *model.Position) {
	visibility := v.visibilityOf(e)
	v.count(e, p, visibility, +1)
	v.countBaseline(e, visibility, +1)
	v.index.insert(e, visibility.lines())
	v.noteInGroups(e, visibility)
}

// remove removes the entry of row p.
func (v *View) remove(e entry, p *model.Position) {
	visibility := v.visibilityOf(e)
	v.count(e, p, visibility, -1)
	v.countBaseline(e, visibility, -1)
	v.index.remove(e, visibility.lines())
	v.noteInGroups(e, filteredOut)
}
