package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/format"
)

// The groups of the positions table: what rows are grouped by, which groups are folded, and the heading under the
// cursor.

// setGrouping groups the rows. It adds no step.
func (m *Model) setGrouping(by view.Grouping) tea.Cmd {
	settings := m.store.Settings()
	settings.Group = by
	return m.store.Set(settings)
}

// nextGrouping groups the rows by the next grouping, as a step.
func (m *Model) nextGrouping() tea.Cmd {
	before, by := m.store.Settings().Group, m.store.Settings().Group.Next()
	if at := m.steps.groupStep(); at >= 0 {
		before = m.steps[at].group
	}
	if m.steps.remove(groupStep, noPage); by != before {
		m.steps.add(step{kind: groupStep, group: before})
	}
	if by == view.Ungrouped {
		m.notify("Not grouped.")
	} else {
		m.notify("Grouped by " + by.String() + ".")
	}
	return m.setGrouping(by)
}

// groupStep returns where the step of groups since the latest view is; -1 where there is none.
func (s steps) groupStep() int {
	for i := len(s) - 1; i > s.latestView(); i-- {
		if s[i].kind == groupStep {
			return i
		}
	}
	return -1
}

// selectedGroup returns the group whose heading is under the cursor, and false where a row or nothing is.
func (m *Model) selectedGroup() (*view.Group, bool) {
	w := &m.positions
	if _, ok := w.Cursor(); !ok {
		return nil, false
	}
	return m.groupAt(w.Place())
}

// groupAt returns the group whose heading is at a line, and false where there is none.
func (m *Model) groupAt(line int) (*view.Group, bool) {
	key, ok := m.store.View().LineKey(line)
	if !ok || !key.IsHeading {
		return nil, false
	}
	return m.store.View().Group(key.Group)
}

// groupOfCursor returns the group that the line under the cursor belongs to.
func (m *Model) groupOfCursor() (model.ID, bool) {
	key, ok := m.positions.Cursor()
	switch {
	case !ok:
		return model.ID{}, false
	case key.IsHeading:
		return key.Group, true
	}
	return m.store.View().GroupOf(key.Position)
}

// foldGroup folds the group under the cursor, or unfolds it. The cursor moves from a row that is folded to the heading.
func (m *Model) foldGroup() tea.Cmd {
	if id, ok := m.groupOfCursor(); ok {
		m.positions.Stay() // else the cursor would be on another line when it is unfolded
		m.refold(m.store.Folding().Toggled(id))
	}
	return nil
}

// foldAll folds all groups. Where all are folded, it unfolds them.
func (m *Model) foldAll() tea.Cmd {
	folding := view.FoldAll()
	if v := m.store.View(); v.Lines() == v.GroupCount() {
		folding = view.Folding{}
	}
	m.refold(folding)
	return nil
}

// refold folds these groups. That costs as much as there are groups, so it is done at once.
func (m *Model) refold(folding view.Folding) {
	m.store.Fold(folding)
	m.positions.widths.Forget()
}

// placeOf returns the line of a position and whether it is shown. It unfolds the group of the position.
func (m *Model) placeOf(key model.Key) (line int, isShown bool) {
	if id, ok := m.store.View().GroupOf(key); ok && m.store.View().IsFolded(key) {
		m.refold(m.store.Folding().Toggled(id))
	}
	return m.store.View().Place(key)
}

// followGroup moves the cursor from the heading of a group to its first row, where the rows are grouped by something
// else than before.
func (m *Model) followGroup(before *view.View) {
	key, ok := m.positions.Cursor()
	if v := m.store.View(); ok && key.IsHeading && !m.positions.StaysFirst() && v.Groups.By != before.Groups.By {
		for p := range before.RowsOf(key.Group) {
			line, _ := v.Line(view.LineKey{Position: p.Key})
			m.positions.MoveTo(line)
			return
		}
	}
}

// noLine and the functions like it return why a key does nothing now; empty where it does something.
func (m *Model) noLine() string {
	if _, isGroup := m.selectedGroup(); isGroup {
		return ""
	}
	return m.noRow()
}

func (m *Model) noGroups() string {
	switch {
	case m.store.View().Groups.By == view.Ungrouped:
		return m.keys.Fill("no groups; {group} makes them")
	case m.store.View().Lines() == 0:
		return "no group is selected"
	}
	return ""
}

// selectedParty returns the party of the line under the cursor, and false where it has none.
func (m *Model) selectedParty() (model.ID, bool) {
	if g, ok := m.selectedGroup(); ok {
		return g.ID, m.store.View().Groups.By == view.GroupByParty
	}
	if p := m.selected(); p != nil {
		return p.Party, true
	}
	return model.ID{}, false
}

// selectedMarket returns the market of the line under the cursor, and false where it has none.
func (m *Model) selectedMarket() (model.ID, bool) {
	if g, ok := m.selectedGroup(); ok {
		return g.ID, m.store.View().Groups.By == view.GroupByMarket
	}
	if p := m.selected(); p != nil {
		return p.Market, true
	}
	return model.ID{}, false
}

func (m *Model) noParty() string {
	party, ok := m.selectedParty()
	switch {
	case !ok:
		return m.noRow()
	case party.IsZero():
		return "the service names no party here"
	}
	return ""
}

func (m *Model) noMarket() string {
	market, ok := m.selectedMarket()
	switch {
	case !ok:
		return m.noRow()
	case market.IsZero():
		return "the service names no market here"
	}
	return ""
}

// groupCounts returns how many positions are shown, in how many groups.
func (m *Model) groupCounts() string {
	view, w := m.store.View(), &m.positions
	text := model.Counted(view.Len(), "position")
	if view.Len() != view.Rows() {
		text = format.Grouped(view.Len()) + " of " + model.Counted(view.Rows(), "position")
	}
	text += " in " + model.Counted(view.GroupCount(), "group")
	if view.ClosedHidden() > 0 {
		text += fmt.Sprintf(", %s closed hidden", format.Grouped(view.ClosedHidden()))
	}
	if lines := view.Lines(); lines > w.Height() {
		text = fmt.Sprintf("lines %s–%s of %s: ", format.Grouped(w.Top()+1), format.Grouped(min(w.Top()+w.Height(), lines)), format.Grouped(lines)) + text
	}
	return text
}
