package columns

import (
	"fmt"
	"slices"
	"strings"

	"blotter/ui/draw"
	"blotter/ui/theme"
)

// Chooser covers the panes while the columns of the positions table are chosen. It changes a copy of the
// settings.
type Chooser struct {
	settings Settings
	place    int // of the cursor
	top      int // the first row on the screen, where the cursor allows it
}

// NewChooser returns a dialog that begins with some settings.
func NewChooser(settings Settings) *Chooser { return &Chooser{settings: slices.Clone(settings)} }

// Settings returns the settings as they are now.
func (c *Chooser) Settings() Settings { return c.settings }

// Move moves the cursor by so many rows.
func (c *Chooser) Move(step int) { c.place = max(min(c.place+step, len(c.settings)-1), 0) }

// Click puts the cursor on a row of the list, of which room rows are on the screen. It returns false where no row is
// there.
func (c *Chooser) Click(row, room int) bool {
	place := draw.Top(c.top, c.place, room) + row
	if place >= len(c.settings) {
		return false
	}
	c.top, c.place = place-row, place
	return true
}

// here returns the setting under the cursor.
func (c *Chooser) here() *Setting { return &c.settings[c.place] }

// Shift moves the column under the cursor by so many places to the right.
func (c *Chooser) Shift(step int) {
	if to := c.place + step; to >= 0 && to < len(c.settings) {
		c.settings[c.place], c.settings[to] = c.settings[to], c.settings[c.place]
		c.place = to
	}
}

// ShowOrHide shows or hides the column under the cursor. Where that is not possible, it returns why.
func (c *Chooser) ShowOrHide() (problem string) {
	s := c.here()
	if isIdentity(s.Column) {
		return s.Column.Title() + " is always shown: rows would look the same without it."
	}
	s.Hidden = !s.Hidden
	return ""
}

// Pin pins the column under the cursor, or no longer.
func (c *Chooser) Pin() { c.here().Pinned = !c.here().Pinned }

// ChangeWidth makes the column under the cursor wider by so many cells.
func (c *Chooser) ChangeWidth(cells int) { c.here().changeWidth(cells) }

// Reset sets every column to its default.
func (c *Chooser) Reset() { c.settings = Default() }

// Draw draws the columns below each other, and below them what the column under the cursor is.
func (c *Chooser) Draw(s *theme.Styles, width, height int) []string {
	lines := []string{
		draw.Text(width, s.Accent, " columns of the positions table, the leftmost first"),
		draw.Rule(width, s.Dim, s.Dim, fmt.Sprintf("%d columns", len(c.settings)), ""),
	}
	room := max(height-draw.ListFrame, 1)
	top := draw.Top(c.top, c.place, room)
	for place := top; place < len(c.settings) && place < top+room; place++ {
		lines = append(lines, c.drawSetting(s, place, width))
	}
	return append(draw.Fit(lines, height-1), draw.Text(width, s.Strong, " "+c.here().words()))
}

// notesFrom is the cell of a row from which the settings of columns are aligned below each other.
const notesFrom = 23

func (c *Chooser) drawSetting(s *theme.Styles, place, width int) string {
	setting := &c.settings[place]
	text := "[x] " + setting.Column.Title()
	if setting.Hidden {
		text = "[ ] " + setting.Column.Title()
	}
	if notes := setting.notes(); notes != "" {
		text += strings.Repeat(" ", max(notesFrom-draw.Width(text), 2)) + notes
	}
	return draw.ListRow(width, place == c.place, s.Cursor, text)
}

// notes are the settings of a column in a few words.
func (s *Setting) notes() string {
	var notes []string
	if s.Pinned {
		notes = append(notes, "pinned")
	}
	if s.Width > 0 {
		notes = append(notes, fmt.Sprintf("width %d", s.Width))
	}
	return strings.Join(notes, ", ")
}

// words returns when the column is shown, and how wide it is.
func (s *Setting) words() string {
	layout := layouts[s.Column]
	words := s.Column.Title() + " is "
	switch {
	case isIdentity(s.Column):
		words += "always shown"
	case s.Hidden:
		return words + "not shown, unless the rows are sorted by it"
	case s.Pinned:
		words += "left out last on a narrow screen"
	case s.Column.NeedsBaseline():
		words += "shown while there is a baseline"
	case layout.from > 0:
		words += fmt.Sprintf("shown from a width of %d cells on", layout.from)
	default:
		words += "shown where there is room for it"
	}
	switch {
	case s.Width > 0 && layout.number:
		return words + fmt.Sprintf(", at least %d cells wide", s.Width)
	case s.Width > 0:
		return words + fmt.Sprintf(", %d cells wide", s.Width)
	}
	return words + ", as wide as its texts"
}
