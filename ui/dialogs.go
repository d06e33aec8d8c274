package ui

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/columns"
	"blotter/ui/draw"
)

// What covers the panes to choose from: the picker, the columns, the views, and the names.

// listRoom returns how many rows of a list that covers the panes the screen has room for.
func (m *Model) listRoom() int {
	l := m.layout()
	return max(l.middle-draw.ListFrame, 2)
}

// moveInList moves the cursor of the list that covers the panes by the given number of rows.
func (m *Model) moveInList(rows int) tea.Cmd {
	switch {
	case m.picker != nil:
		m.picker.Move(rows)
	case m.chooser != nil:
		m.chooser.Move(rows)
	case m.viewList != nil:
		m.viewList.Move(rows, len(m.options.Profiles.Names))
	}
	return nil
}

func (m *Model) listUp() tea.Cmd         { return m.moveInList(-1) }
func (m *Model) listDown() tea.Cmd       { return m.moveInList(+1) }
func (m *Model) listHalfUp() tea.Cmd     { return m.moveInList(-m.listRoom() / 2) }
func (m *Model) listHalfDown() tea.Cmd   { return m.moveInList(+m.listRoom() / 2) }
func (m *Model) listScreenUp() tea.Cmd   { return m.moveInList(-m.listRoom()) }
func (m *Model) listScreenDown() tea.Cmd { return m.moveInList(+m.listRoom()) }
func (m *Model) listFirst() tea.Cmd      { return m.moveInList(-toEnd) }
func (m *Model) listLast() tea.Cmd       { return m.moveInList(+toEnd) }

func (m *Model) chooseColumns() tea.Cmd {
	m.closePages()
	m.chooser = columns.NewChooser(m.positions.columns)
	return nil
}

func (m *Model) moveColumnToLeft() tea.Cmd   { m.chooser.Shift(-1); return nil }
func (m *Model) moveColumnToRight() tea.Cmd  { m.chooser.Shift(+1); return nil }
func (m *Model) widerColumn() tea.Cmd        { m.chooser.ChangeWidth(+1); return nil }
func (m *Model) narrowerColumn() tea.Cmd     { m.chooser.ChangeWidth(-1); return nil }
func (m *Model) pinColumn() tea.Cmd          { m.chooser.Pin(); return nil }
func (m *Model) resetColumns() tea.Cmd       { m.chooser.Reset(); return nil }
func (m *Model) cancelColumnChoice() tea.Cmd { m.chooser = nil; return nil }

func (m *Model) showOrHideColumn() tea.Cmd {
	if problem := m.chooser.ShowOrHide(); problem != "" {
		m.notify(problem)
	}
	return nil
}

func (m *Model) applyColumns() tea.Cmd {
	m.positions.columns = m.chooser.Settings()
	m.positions.widths.Forget()
	m.chooser = nil
	return nil
}

// boxCells is how many cells at the left of a row in a list are its mark and its box.
const boxCells = len(" [x]")

// clickChoice puts the cursor of what covers the panes on the row that was clicked. A click on its box also marks it,
// or shows or hides the column.
func (m *Model) clickChoice(at image.Point) tea.Cmd {
	switch {
	case m.picker != nil:
		return m.clickOffer(at)
	case m.naming != nil:
		return m.clickNameField(at.Y)
	case m.chooser != nil:
		return m.clickColumn(at)
	}
	l := m.layout()
	m.viewList.Click(m.listedViews(), at.Y, m.width, l.middle)
	return nil
}

func (m *Model) clickOffer(at image.Point) tea.Cmd {
	if m.picker.Click(at.Y, m.listRoom()) && at.X < boxCells {
		return m.pickMark()
	}
	return nil
}

func (m *Model) clickColumn(at image.Point) tea.Cmd {
	if m.chooser.Click(at.Y, m.listRoom()) && at.X < boxCells {
		return m.showOrHideColumn()
	}
	return nil
}

func (m *Model) clickNameField(line int) tea.Cmd {
	l := m.layout()
	d, room := m.naming, nameRoom(l.middle)
	if place := d.top(room) + line; line < room && place < len(d.fields) && d.fields[place].setAt == "" {
		d.place = place
	}
	return nil
}
