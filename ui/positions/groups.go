package positions

import (
	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/pane"
)

// nextGrouping groups the rows by the next grouping.
func (p *Pane) nextGrouping(*pane.Context) []pane.Effect {
	by := p.store.Settings().Group.Next(p.store.Instruments())
	words := "Grouped by " + columns.GroupedBy(by) + "."
	if by == view.Ungrouped {
		words = "Not grouped."
	}
	return []pane.Effect{pane.Say(words), pane.Set(func(s *view.Settings) { s.Group = by })}
}

// headingAt returns the group of a view whose heading is at a line, and false if there is none.
func headingAt(v *view.View, line int) (*view.Group, bool) {
	key, ok := v.LineKey(line)
	if !ok || !key.IsHeading {
		return nil, false
	}
	return v.Group(key.Group)
}

// groupOfCursor returns the group that the line under the cursor belongs to.
func (p *Pane) groupOfCursor() (model.ID, bool) {
	key, ok := p.Rows.Cursor()
	switch {
	case !ok:
		return model.ID{}, false
	case key.IsHeading:
		return key.Group, true
	}
	return key.GroupIn(p.store.View())
}

// toggleFold folds the group under the cursor, or unfolds it. The cursor moves from a row that is folded to the
// heading, and back when the group is unfolded.
func (p *Pane) toggleFold(*pane.Context) []pane.Effect {
	if id, ok := p.groupOfCursor(); ok {
		if p.Rows.StaysFirst() {
			p.Rows.Stay() // else the cursor would be on another line when the group is unfolded
		}
		p.refold(p.store.Folding().Toggled(id))
	}
	return nil
}

// toggleFoldAll folds all groups. If all are folded, it unfolds them.
func (p *Pane) toggleFoldAll(*pane.Context) []pane.Effect {
	folding := view.FoldAll()
	if v := p.store.View(); v.Lines() == v.GroupCount() {
		folding = view.Folding{}
	}
	p.refold(folding)
	return nil
}

// refold folds these groups, and no others.
func (p *Pane) refold(folding view.Folding) {
	p.store.Fold(folding)
	p.revealsCursor = true
	p.widths.Forget()
}

// followGroup moves the cursor from the heading of a group to its first row, if the rows are grouped by something
// else than before, and from a group that is no longer shown to the next one.
func (p *Pane) followGroup(before *view.View) {
	key, ok := p.Rows.Chosen()
	switch v := p.store.View(); {
	case !ok:
	case v.Groups.By == before.Groups.By:
		if v.Groups.By != view.Ungrouped {
			p.leaveHiddenGroup(key, before)
		}
	case key.IsHeading:
		for row := range before.RowsOf(key.Group) {
			line, _ := v.Line(view.LineKey{Position: row.Key})
			p.Rows.MoveTo(line)
			return
		}
	}
}

// leaveHiddenGroup moves the cursor from a line of a group that is not shown now to the next group, as the groups were
// when it was shown last: groups in the order of their subtotals have no place while they are not shown.
func (p *Pane) leaveHiddenGroup(key view.LineKey, before *view.View) {
	v, id := p.store.View(), key.Group
	if !key.IsHeading {
		id, _ = key.GroupIn(before)
	}
	if _, isShown := v.Group(id); isShown {
		return
	}
	if _, wasShown := before.Group(id); wasShown {
		p.groupsAfter = groupsAfter(before, id)
	}
	line := v.Lines()
	for _, id := range p.groupsAfter {
		if at, isShown := v.Line(view.LineKey{IsHeading: true, Group: id}); isShown {
			line = at
			break
		}
	}
	p.Rows.Replace(lines{v}.inPlaceOf(key, line))
}

func groupsAfter(v *view.View, id model.ID) []model.ID {
	var after []model.ID
	isAfter := false
	for g := range v.GroupsShown {
		if isAfter {
			after = append(after, g.ID)
		}
		isAfter = isAfter || g.ID == id
	}
	return after
}

func (p *Pane) whyNoGroups(c *pane.Context) string {
	switch {
	case p.store.View().Groups.By == view.Ungrouped:
		return c.Keys.Fill("no groups; {group} makes them")
	case p.store.View().Lines() == 0:
		return "no group is selected"
	}
	return ""
}

// selectedID returns the party or the market of the line under the cursor, and false if it has none. The kind is that
// of a group of it.
func (p *Pane) selectedID(kind view.Grouping) (model.ID, bool) {
	if g, ok := p.selectedGroup(); ok {
		return g.ID, p.store.View().Groups.By == kind
	}
	selected := p.Selected()
	switch {
	case selected == nil:
		return model.ID{}, false
	case kind == view.GroupByParty:
		return selected.Party, true
	}
	return selected.Market, true
}

func whyNoID(kind view.Grouping) func(*Pane, *pane.Context) string {
	return func(p *Pane, _ *pane.Context) string {
		id, ok := p.selectedID(kind)
		switch {
		case !ok:
			return p.whyNoRow()
		case id.IsZero():
			return "the service names no " + kind.String() + " here"
		}
		return ""
	}
}
