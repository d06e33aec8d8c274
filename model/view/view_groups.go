package view

import (
	"slices"

	"blotter/model"
)

// LineKey names a line of a view: a row, or the heading of a group.
type LineKey struct {
	Position  model.Key // of a row
	IsHeading bool
	Group     model.ID // of a heading, or the own group that a row is shown in
}

// Folded returns the view with other groups folded. Its cost grows with the number of groups. From then on
// the new view must be used.
func (v *View) Folded(folding Folding) *View {
	r := *v
	r.Groups.Folding = folding
	if v.groups != nil {
		r.groups = v.groups.folded(folding)
	}
	return &r
}

// Lines returns how many lines the view has: one for each row shown, and if rows are grouped one for each heading,
// but none for the rows of a folded group.
func (v *View) Lines() int {
	if v.groups == nil {
		return v.Len()
	}
	return v.groups.index.AllLines()
}

// GroupCount returns how many groups have rows shown.
func (v *View) GroupCount() int {
	if v.groups == nil {
		return 0
	}
	return v.groups.index.Len()
}

// LineKey returns the key of line i, and false if there is none.
func (v *View) LineKey(i int) (LineKey, bool) {
	e, heading, ok := v.rowAt(i)
	switch {
	case !ok:
		return LineKey{}, false
	case heading != nil:
		return LineKey{IsHeading: true, Group: heading.ID}, true
	}
	key := LineKey{Position: v.encoder.Key(e)}
	if v.Groups.By == GroupByOwn {
		h, _, _ := v.groups.index.At(i)
		key.Group = h.group.ID
	}
	return key, true
}

// Line returns the line that the key names, and whether there is one. For a row or a group that is not shown, it is the
// line where it would be, -1 if it is not in scope or was removed. For a row of a folded group it is that of the
// heading.
func (v *View) Line(key LineKey) (line int, ok bool) {
	if !key.IsHeading {
		line, ok = v.placeOf(key)
		id, _ := key.GroupIn(v)
		return line, ok || line >= 0 && v.groups.isFolded(id)
	}
	of := v.groups.withID(key.Group)
	switch {
	case of == nil:
		return -1, false
	case of.heading.lines > 0:
		return v.groups.index.Place(of.heading)
	}
	if first, ok := v.groups.firstRow(of, &v.index); ok {
		return v.groups.lineIfShown(of, first), false
	}
	return -1, false
}

// placeOf returns the line of a row: in the own group of the key, if the row is in it.
func (v *View) placeOf(key LineKey) (line int, isShown bool) {
	id, _ := key.GroupIn(v)
	of := v.groups.withID(id)
	t, number := v.book.Row(key.Position)
	if v.Groups.By != GroupByOwn || id != key.Group || of == nil || number == 0 || !v.scope.Covers(key.Position) {
		return v.Place(key.Position)
	}
	return v.groups.placeIn(of, v.entry(t, number), &v.index)
}

// IsFolded reports whether the row with the key has no line of its own only because its group is folded.
func (v *View) IsFolded(key model.Key) bool {
	t, number := v.book.Row(key)
	id, _ := v.GroupOf(key)
	return number != 0 && v.scope.Covers(key) && v.groups.isFolded(id) && v.visibilityOf(v.entry(t, number)) == shown
}

// GroupIn does what View.GroupOf does, for the key of a row: it is the own group that the row is shown in, if it is in
// it.
func (key LineKey) GroupIn(v *View) (model.ID, bool) {
	if v.Groups.By == GroupByOwn && slices.Contains(v.encoder.Instruments.GroupIDs(key.Position), key.Group) {
		return key.Group, true
	}
	return v.GroupOf(key.Position)
}

// GroupsOf returns an iterator over all groups that a position with the key is in: none if the view has no groups.
func (v *View) GroupsOf(key model.Key) func(yield func(model.ID) bool) {
	return func(yield func(model.ID) bool) {
		if v.Groups.By != GroupByOwn {
			if id, ok := v.GroupOf(key); ok {
				yield(id)
			}
			return
		}
		for _, id := range v.encoder.Instruments.GroupIDs(key) {
			if !yield(id) {
				return
			}
		}
	}
}

// GroupOf returns the party, market or asset that a position with the key is grouped by, or the first own group that it
// is in, and false if the view has no groups.
func (v *View) GroupOf(key model.Key) (model.ID, bool) {
	if v.Groups.By == GroupByOwn {
		return v.encoder.Instruments.GroupIDs(key)[0], true
	}
	return v.Groups.By.Of(key, v.encoder.Instruments.Market(key.Market).Asset), v.Groups.By != Ungrouped
}

// GroupsShown yields the groups that have rows shown, in order.
func (v *View) GroupsShown(yield func(*Group) bool) {
	if v.groups == nil {
		return
	}
	for h := range v.groups.index.All {
		if !yield(h.group.described()) {
			return
		}
	}
}

// Group returns the group of a party, market or asset, and false if none of its rows is shown.
func (v *View) Group(id model.ID) (*Group, bool) {
	of := v.groups.withID(id)
	if of == nil || of.heading.lines == 0 {
		return nil, false
	}
	return of.described(), true
}

// RowsOf returns an iterator over the rows shown of a group, in order, also of one that is folded. The book must not be
// changed during the loop.
func (v *View) RowsOf(id model.ID) func(yield func(model.Position) bool) {
	return func(yield func(model.Position) bool) {
		if of := v.groups.withID(id); of != nil {
			v.groups.rowsOf(of, &v.index, yield)
		}
	}
}
