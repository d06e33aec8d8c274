package view

import (
	"slices"

	"blotter/model"
	"blotter/model/view/ordered"
	"blotter/model/view/sorting"
)

// rowIndex has the rows of a view in their places: in order, with whether each is shown, counted, and in groups.
type rowIndex struct {
	encoder    *sorting.Encoder
	matcher    *matcher
	visibility visibilityRules
	index      ordered.Index[sorting.Entry] // of all rows in scope, so that another filter needs no sort
	groups     *rowGroups                   // nil if the rows are not grouped
	counts     counts
	alerts     *rowAlerts // nil if there are no alerts
}

// counts are the numbers of rows in scope, and their totals.
type counts struct {
	rows   [visibilities]int
	open   int
	totals totals // of all rows in scope, shown or not
}

// visibilityOf returns whether a row is shown, and if not, why.
func (r *rowIndex) visibilityOf(e sorting.Entry) visibility {
	return r.shows(e, r.visibility.of(r.matcher.matches(e), e.Side()))
}

// shows returns the visibility of a row that has another one if it is not kept.
func (r *rowIndex) shows(e sorting.Entry, without visibility) visibility {
	if without == hiddenAsClosed && r.encoder.Keeps(e) {
		return shown
	}
	return without
}

// countAll counts all rows by their visibility, in new groups.
func (r *rowIndex) countAll() {
	r.counts = counts{totals: r.counts.totals}
	var visible [matchedTogether]visibility
	defer r.matcher.matchInAdvance(r.index.Buckets)()
	for i := range r.index.Buckets {
		b := &r.index.Buckets[i]
		before := r.counts.rows[shown]
		for part := range slices.Chunk(b.Entries, matchedTogether) {
			matched := r.matcher.matchAll(part)
			for i := range part {
				visible[i] = r.shows(part[i], r.visibility.of(matched>>i&1 != 0, part[i].Side()))
				r.counts.rows[visible[i]]++
				r.counts.open += part[i].Open()
			}
			r.groups.countAll(part, visible[:])
		}
		b.Lines = r.counts.rows[shown] - before
	}
	r.index.SumSpans(0)
	r.groups.repositionAll()
}

// count adds one row to the counts if sign is +1, and subtracts it if it is -1.
func (r *rowIndex) count(e sorting.Entry, p *model.Position, visibility visibility, sign int) {
	r.counts.rows[visibility] += sign
	r.counts.open += sign * e.Open()
	asset := r.encoder.AssetCode(e)
	r.counts.totals.addPosition(asset, p.Number, sign)
	if r.encoder.IsOther(e) {
		r.counts.totals[asset].baseline.addOther(p.Number, sign)
	}
	r.groups.count(e, p, visibility, sign)
	r.alerts.countInSums(e, p, sign)
}

// replace counts another state of a row, if they only differ as changesOnlySums says.
func (r *rowIndex) replace(e sorting.Entry, before, after *model.Position, visibility visibility) {
	of := &r.counts.totals[r.encoder.AssetCode(e)]
	of.replaceNumbers(before, after)
	if of.baseline.rows != of.Rows && r.encoder.IsOther(e) {
		of.baseline.replaceOther(before, after)
	}
	r.groups.replace(e, before, after, visibility)
	if r.alerts.hasSums() {
		r.alerts.sums.replace(e, before, after)
	}
}

// insert adds the entry of row p.
func (r *rowIndex) insert(e sorting.Entry, p *model.Position) {
	visibility := r.visibilityOf(e)
	r.count(e, p, visibility, +1)
	r.countBaseline(e, visibility, +1)
	r.index.Insert(e, visibility.lines())
	r.groups.changeOwn(e, func(rows *ordered.Index[sorting.Entry]) { rows.Insert(e, visibility.lines()) })
	r.noteInGroups(e, visibility)
}

// remove removes the entry of row p.
func (r *rowIndex) remove(e sorting.Entry, p *model.Position) {
	visibility := r.visibilityOf(e)
	r.count(e, p, visibility, -1)
	r.countBaseline(e, visibility, -1)
	r.index.Remove(e, visibility.lines())
	r.groups.changeOwn(e, func(rows *ordered.Index[sorting.Entry]) { rows.Remove(e, visibility.lines()) })
	r.noteInGroups(e, filteredOut)
}

// noteInGroups records in the groups, if the view has any, whether a row is shown now. Its entry has its rank.
func (r *rowIndex) noteInGroups(e sorting.Entry, visibility visibility) {
	switch {
	case r.groups == nil:
	case visibility == shown:
		r.groups.noteShown(e)
	default:
		r.groups.noteHidden(e, &r.index)
	}
}

// repositionGroup puts the group of an entry in its place after it has changed.
func (r *rowIndex) repositionGroup(e sorting.Entry) {
	if r.groups == nil {
		return
	}
	for of := range r.groups.groupsOf(e) {
		r.groups.reposition(of)
	}
}

// rowAt returns the entry of the row at line i, the group of that line if it is a heading, and false if there is
// no such line.
func (r *rowIndex) rowAt(i int) (e sorting.Entry, heading *rowGroup, ok bool) {
	if r.groups == nil {
		e, _, ok = r.index.At(i)
		return e, nil, ok
	}
	h, line, ok := r.groups.index.At(i)
	if !ok || line == 0 {
		return sorting.Entry{}, h.group, ok
	}
	rows, n, first := r.groups.start(h.group, &r.index)
	e, _, ok = rows.After(n, first, line-1)
	return e, nil, ok
}

// NotLinear returns how many markets match no comparison of the filter because they are not linear.
func (r *rowIndex) NotLinear() int { return r.matcher.notLinear() }

// HasSeveralAssets reports whether the rows in scope settle in more than one known asset.
func (r *rowIndex) HasSeveralAssets() bool {
	assets := 0
	for code, id := range r.encoder.Assets.Values()[:len(r.counts.totals)] {
		if r.counts.totals[code].Rows > 0 && !id.IsZero() {
			assets++
		}
	}
	return assets > 1
}

// countBaseline counts what a row had at the baseline in the totals of the view and of its group, if sign is +1, and
// subtracts it if it is -1.
func (r *rowIndex) countBaseline(e sorting.Entry, visibility visibility, sign int) {
	if row, ok := r.encoder.Taken(e); ok {
		r.counts.totals[r.encoder.AssetCode(e)].baseline.addRow(&row, sign)
	}
	r.groups.countBaseline(e, visibility, sign)
}

// changeVisibility records that a row, which keeps its place, is shown now or is no longer shown. It is counted
// already, but for its baseline.
func (r *rowIndex) changeVisibility(e sorting.Entry, before, after visibility) {
	if before == after {
		return
	}
	r.groups.countBaseline(e, before, -1)
	r.groups.countBaseline(e, after, +1)
	if lines := after.lines() - before.lines(); lines != 0 {
		r.index.AddLines(e, lines)
		r.groups.changeOwn(e, func(rows *ordered.Index[sorting.Entry]) { rows.AddLines(e, lines) })
		r.noteInGroups(e, after)
	}
}
