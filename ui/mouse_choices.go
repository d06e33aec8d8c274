package ui

import (
	"blotter/ui/draw"
	"image"

	tea "charm.land/bubbletea/v2"
)

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
	if m.viewList.naming == nil {
		m.clickView(at.Y)
	}
	return nil
}

// scrollChoice moves the cursor of what covers the panes by the given number of rows.
func (m *Model) scrollChoice(rows int) {
	switch {
	case m.picker != nil:
		m.picker.Move(rows)
	case m.naming != nil:
	case m.chooser != nil:
		m.chooser.move(rows)
	default:
		m.moveInViews(rows)
	}
}

func (m *Model) clickOffer(at image.Point) tea.Cmd {
	if m.picker.Click(at.Y, m.listRoom()) && at.X < boxCells {
		return m.pickMark()
	}
	return nil
}

func (m *Model) clickColumn(at image.Point) tea.Cmd {
	c := m.chooser
	place := draw.Top(c.top, c.place, m.listRoom()) + at.Y
	if place >= len(c.settings) {
		return nil
	}
	c.top, c.place = place-at.Y, place
	if at.X < boxCells {
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
