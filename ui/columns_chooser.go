package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/draw"
	"blotter/ui/theme"
)

// columnChooser covers the panes while the columns of the positions table are chosen. It changes a copy of the
// settings, which enter applies.
type columnChooser struct {
	settings columnSettings
	place    int // of the cursor
	top      int // the first row on the screen, where the cursor allows it
}

func (m *Model) chooseColumns() tea.Cmd {
	m.closePages()
	m.chooser = &columnChooser{settings: slices.Clone(m.positions.columns)}
	return nil
}

func (c *columnChooser) move(step int) tea.Cmd {
	c.place = max(min(c.place+step, len(c.settings)-1), 0)
	return nil
}

// here returns the setting under the cursor.
func (c *columnChooser) here() *columnSetting { return &c.settings[c.place] }

// shift moves the column under the cursor to another place.
func (c *columnChooser) shift(step int) tea.Cmd {
	if to := c.place + step; to >= 0 && to < len(c.settings) {
		c.settings[c.place], c.settings[to] = c.settings[to], c.settings[c.place]
		c.place = to
	}
	return nil
}

func (m *Model) columnUp() tea.Cmd           { return m.chooser.move(-1) }
func (m *Model) columnDown() tea.Cmd         { return m.chooser.move(+1) }
func (m *Model) columnHalfUp() tea.Cmd       { return m.chooser.move(-m.listRoom() / 2) }
func (m *Model) columnHalfDown() tea.Cmd     { return m.chooser.move(+m.listRoom() / 2) }
func (m *Model) columnScreenUp() tea.Cmd     { return m.chooser.move(-m.listRoom()) }
func (m *Model) columnScreenDown() tea.Cmd   { return m.chooser.move(+m.listRoom()) }
func (m *Model) firstColumn() tea.Cmd        { return m.chooser.move(-len(m.chooser.settings)) }
func (m *Model) lastColumn() tea.Cmd         { return m.chooser.move(+len(m.chooser.settings)) }
func (m *Model) moveColumnToLeft() tea.Cmd   { return m.chooser.shift(-1) }
func (m *Model) moveColumnToRight() tea.Cmd  { return m.chooser.shift(+1) }
func (m *Model) widerColumn() tea.Cmd        { m.chooser.here().changeWidth(+1); return nil }
func (m *Model) narrowerColumn() tea.Cmd     { m.chooser.here().changeWidth(-1); return nil }
func (m *Model) cancelColumnChoice() tea.Cmd { m.chooser = nil; return nil }

func (m *Model) showOrHideColumn() tea.Cmd {
	s := m.chooser.here()
	if isIdentity(s.column) {
		m.notify(s.column.Title() + " is always shown: rows would look the same without it.")
		return nil
	}
	s.hidden = !s.hidden
	return nil
}

func (m *Model) pinColumn() tea.Cmd {
	s := m.chooser.here()
	s.pinned = !s.pinned
	return nil
}

func (m *Model) resetColumns() tea.Cmd {
	m.chooser.settings = defaultColumns()
	return nil
}

func (m *Model) applyColumns() tea.Cmd {
	m.positions.columns = m.chooser.settings
	m.positions.widths.Forget()
	m.chooser = nil
	return nil
}

// draw draws the columns below each other, and below them what the column under the cursor is.
func (c *columnChooser) draw(s *theme.Styles, width, height int) []string {
	lines := []string{
		draw.Text(width, s.Accent, " columns of the positions table, the leftmost first"),
		draw.Rule(width, s.Dim, s.Dim, fmt.Sprintf("%d columns", len(c.settings)), ""),
	}
	room := max(height-listLines, 1)
	top := draw.Top(c.top, c.place, room)
	for place := top; place < len(c.settings) && place < top+room; place++ {
		lines = append(lines, c.drawSetting(s, place, width))
	}
	return append(draw.Fit(lines, height-1), draw.Text(width, s.Strong, " "+c.here().words()))
}

// notesFrom is the cell from which the settings of columns are aligned below each other.
const notesFrom = 24

func (c *columnChooser) drawSetting(s *theme.Styles, place, width int) string {
	setting := &c.settings[place]
	mark, style, box := " ", draw.Plain, "[x] "
	if place == c.place {
		mark, style = "▌", s.Cursor
	}
	if setting.hidden {
		box = "[ ] "
	}
	l := draw.NewLine(width).Put(style, mark+box+setting.column.Title())
	if notes := setting.notes(); notes != "" {
		l.Put(style, strings.Repeat(" ", max(notesFrom-l.Width(), 2))+notes)
	}
	if place == c.place {
		l.Put(style, strings.Repeat(" ", l.Left()))
	}
	return l.String()
}

// notes are the settings of a column in a few words.
func (s *columnSetting) notes() string {
	var notes []string
	if s.pinned {
		notes = append(notes, "pinned")
	}
	if s.width > 0 {
		notes = append(notes, fmt.Sprintf("width %d", s.width))
	}
	return strings.Join(notes, ", ")
}

// words returns when the column is shown, and how wide it is.
func (s *columnSetting) words() string {
	view := columnViews[s.column]
	words := s.column.Title() + " is "
	switch {
	case isIdentity(s.column):
		words += "always shown"
	case s.hidden:
		return words + "not shown, unless the rows are sorted by it"
	case s.pinned:
		words += "left out last on a narrow screen"
	case isChange(s.column):
		words += "shown while there is a baseline"
	case view.from > 0:
		words += fmt.Sprintf("shown from a width of %d cells on", view.from)
	default:
		words += "shown where there is room for it"
	}
	switch {
	case s.width > 0 && view.number:
		return words + fmt.Sprintf(", at least %d cells wide", s.width)
	case s.width > 0:
		return words + fmt.Sprintf(", %d cells wide", s.width)
	}
	return words + ", as wide as its texts"
}
