package columns

import (
	"fmt"
	"slices"
	"strings"

	"blotter/ui/draw"
	"blotter/ui/pane"
	"blotter/ui/theme"
)

// Chooser covers the panes while the columns of the positions table are chosen. It changes a copy of the
// settings.
type Chooser struct {
	pane.Rows[int]
	settings Settings
}

// NewChooser returns a dialog that begins with some settings.
func NewChooser(settings Settings) *Chooser {
	c := &Chooser{settings: slices.Clone(settings)}
	c.Rows = pane.NewChoices(func() int { return len(c.settings) }, 0)
	return c
}

// Settings returns the settings as they are now.
func (c *Chooser) Settings() Settings { return c.settings }

// here returns the setting under the cursor.
func (c *Chooser) here() *Setting { return &c.settings[c.Place()] }

// Shift moves the column under the cursor by so many places to the right.
func (c *Chooser) Shift(step int) {
	if from, to := c.Place(), c.Place()+step; to >= 0 && to < len(c.settings) {
		c.settings[from], c.settings[to] = c.settings[to], c.settings[from]
		c.MoveTo(to)
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
	for place := c.Top(); place < min(len(c.settings), c.Top()+c.Height()); place++ {
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
	return draw.ListRow(width, place == c.Place(), s.Cursor, text)
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
