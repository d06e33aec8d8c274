package views

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/input"
	"blotter/ui/pane"
	"blotter/ui/theme"
)

// Dialog covers the panes and lists the views, and below them the profiles.
type Dialog struct {
	pane.Rows[int] // the views 0 to 9, then the profiles
	// Deleting is true where the last key was that which deletes; pressed again, it deletes the view under the cursor.
	Deleting bool

	naming *input.Line // the name of a view that is about to be saved; nil where none is
}

// Content is what the dialog lists.
type Content struct {
	Set          *Set
	Shown        View // what is on the screen
	Format       *format.Formatter
	Profiles     []Profile
	ProfilesNote string // why no profile can be chosen; empty where one can
	SaveKey      string // the key that saves a view
}

// Profile is a row of the dialog.
type Profile struct {
	Name      string // empty: no profile
	IsPresent bool   // it is the one that is shown
	Words     string // what enter does with it
}

// NewDialog returns a dialog with so many profiles, and with the cursor on the view with a number.
func NewDialog(number, profiles int) *Dialog {
	return &Dialog{Rows: pane.NewChoices(func() int { return Last + 1 + profiles }, number)}
}

// ScrollBy moves the cursor by so many rows: it stays in the middle of the list.
func (d *Dialog) ScrollBy(rows int) { d.MoveBy(rows) }

// View returns the number of the view under the cursor; one higher than Last where a profile is there.
func (d *Dialog) View() int { return d.Place() }

// Profile returns the place of the profile under the cursor among the profiles, and false where a view is there.
func (d *Dialog) Profile() (place int, ok bool) { return d.Place() - Last - 1, d.Place() > Last }

// CannotSave returns why nothing can be saved under the cursor, in a few words; empty where something can.
func (d *Dialog) CannotSave() string {
	switch {
	case d.Place() == 0:
		return "view 0 is what the program began with; choose a number from 1 to 9"
	case d.Place() > Last:
		return "a profile is here; choose a number from 1 to 9"
	}
	return ""
}

// StartNaming begins to type the name of the view that is saved under the cursor.
func (d *Dialog) StartNaming(name string) {
	line := input.New(name)
	d.naming = &line
}

// IsNaming reports whether a name is typed.
func (d *Dialog) IsNaming() bool { return d.naming != nil }

// StopNaming ends the typing, and returns the name.
func (d *Dialog) StopNaming() string {
	name := draw.Cut(format.OneLine(d.naming.String()), maxName)
	d.naming = nil
	return name
}

// Press handles a key that types the name.
func (d *Dialog) Press(key tea.KeyPressMsg) { d.naming.Press(key) }

// Paste types a text in the name.
func (d *Dialog) Paste(text string) { d.naming.Insert(text) }

// namePrompt is the text before the name that is typed.
const namePrompt = " name of view %d: "

// CursorColumn returns the cell of the cursor in the first line while a name is typed.
func (d *Dialog) CursorColumn() int {
	return draw.Width(fmt.Sprintf(namePrompt, d.Place())) + d.naming.Column()
}

// Draw draws the list, and below it what the row under the cursor is.
func (d *Dialog) Draw(c *Content, s *theme.Styles, width, height int) []string {
	first := draw.Text(width, s.Accent, " views and profiles")
	if d.naming != nil {
		first = draw.NewLine(width).Put(s.Accent, fmt.Sprintf(namePrompt, d.Place())).Put(draw.Plain, d.naming.String()).String()
	}
	rows, words := d.rows(c, s, width), d.wordLines(c, width)
	room := d.room(c, width, height)
	top := d.top(c, room)
	lines := draw.Fit(append([]string{first}, rows[top:min(top+room, len(rows))]...), height-len(words))
	for _, line := range words {
		lines = append(lines, draw.Text(width, s.Strong, " "+line))
	}
	return lines
}

// maxWordLines is how many lines the words below the list take: why a profile cannot be used may be long.
const maxWordLines = 3

// wordLines are the words below the list.
func (d *Dialog) wordLines(c *Content, width int) []string {
	lines := draw.Wrap(d.words(c), max(width-2, 1))
	return lines[:min(len(lines), maxWordLines)]
}

// room returns how many lines of the list there is room for, between the first line and the words below.
func (d *Dialog) room(c *Content, width, height int) int {
	return max(height-1-len(d.wordLines(c, width)), 1)
}

// profilesLine is the line of the list with the title of the profiles: below that of the views, and ten views.
const profilesLine = 1 + Last + 1

// top returns which line of the list is the first on the screen where there is room for so many lines.
func (d *Dialog) top(c *Content, room int) int {
	lines, cursor := profilesLine+1+len(c.Profiles), d.Place()+1
	if cursor >= profilesLine {
		cursor++
	}
	return max(min(cursor-room/2, lines-room), 0)
}

// ClickLine puts the cursor on the view or profile at a line of the list on the screen, but not while a name is typed.
func (d *Dialog) ClickLine(c *Content, line, width, height int) {
	line += d.top(c, d.room(c, width, height))
	place := line - 1
	if line > profilesLine {
		place--
	}
	if d.naming == nil && line != 0 && line != profilesLine {
		d.MoveTo(place)
	}
}

// rows returns the lines of the list.
func (d *Dialog) rows(c *Content, s *theme.Styles, width int) []string {
	var rows []string
	row := func(place int, text string) {
		rows = append(rows, draw.ListRow(width, place == d.Place(), s.Cursor, text))
	}
	rows = append(rows, draw.Rule(width, s.Dim, s.Dim, "views", "esc back"))
	for number := range Last + 1 {
		row(number, c.viewRow(number))
	}
	rows = append(rows, draw.Rule(width, s.Dim, s.Dim, "profiles", c.ProfilesNote))
	for i, profile := range c.Profiles {
		mark := "  "
		if profile.IsPresent {
			mark = "✓ "
		}
		row(Last+1+i, mark+cmp.Or(format.OneLine(profile.Name), "no profile"))
	}
	return rows
}

// viewRow returns a view in the list.
func (c *Content) viewRow(number int) string {
	view, found := c.Set.Find(number)
	if !found {
		return fmt.Sprintf("%d", number)
	}
	row := view.Title()
	row += strings.Repeat(" ", max(maxName-draw.Width(row), 0)) + "  "
	if c.Set.IsConfigured(number) {
		row += "configured · "
	}
	return row + view.Summary(c.Format)
}

// words returns what enter does with the row under the cursor.
func (d *Dialog) words(c *Content) string {
	if at, ok := d.Profile(); ok {
		return c.Profiles[at].Words
	}
	view, found := c.Set.Find(d.Place())
	switch {
	case d.naming != nil:
		return "enter saves " + c.Shown.Summary(c.Format)
	case !found:
		return fmt.Sprintf("no view %d; %s saves what is on the screen", d.Place(), c.SaveKey)
	}
	return "enter shows " + strings.Join(view.columnTitles(), " ")
}
