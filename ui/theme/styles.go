package theme

import (
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/table"
)

// Styles are the styles of the screen. Colours only repeat what signs, words or places show, so that nothing is missing
// on a terminal without colours.
type Styles struct {
	Brand       draw.Style // the program's name
	Accent      draw.Style // the title of the focused pane, keys
	Dim         draw.Style // headings, rules, hints
	Quiet       draw.Style // less important numbers
	gain        draw.Style
	Loss        draw.Style
	Live        draw.Style
	Warning     draw.Style // a state that needs attention
	Alarm       draw.Style // a state that needs action
	Stale       draw.Style // data that may be out of date: dim and without colour
	Cursor      draw.Style // the row under the cursor
	StaleCursor draw.Style // the row under the cursor if it is stale
	chosen      draw.Style // the heading of the chosen column
	Reverse     draw.Style
	Strong      draw.Style
	Changed     draw.Style // on the style of a cell that has just changed
}

// New returns the styles of a theme for the background that the terminal reports. An empty name is Auto. If a theme
// has no colours, important texts are bold.
func New(name string, dark bool) Styles {
	p := paletteOf(name, dark)
	none := ansi.NewStyle()
	faint, bold, underlined := styleOf(none.Faint()), styleOf(none.Bold()), styleOf(none.Underline(true))
	reverse := styleOf(none.Reverse(true))
	inColour := func(c colour, otherwise draw.Style) draw.Style {
		if indexed, ok := c.indexed(); ok {
			return styleOf(none.ForegroundColor(indexed))
		}
		return otherwise
	}
	cursor := reverse
	if indexed, ok := p.cursor.indexed(); ok {
		cursor = styleOf(none.BackgroundColor(indexed))
	}
	return Styles{
		Brand:       bold + inColour(p.accent, draw.Plain),
		Accent:      inColour(p.accent, draw.Plain),
		Dim:         faint,
		Quiet:       inColour(p.quiet, faint),
		gain:        inColour(p.gain, draw.Plain),
		Loss:        inColour(p.loss, bold),
		Live:        bold + inColour(p.live, draw.Plain),
		Warning:     inColour(p.warning, bold),
		Alarm:       bold + inColour(p.alarm, underlined),
		Stale:       faint,
		Cursor:      bold + cursor,
		StaleCursor: faint + cursor,
		chosen:      underlined,
		Reverse:     reverse,
		Strong:      bold,
		Changed:     underlined, // bold text can be underlined too
	}
}

func styleOf(style ansi.Style) draw.Style { return draw.Style(style.String()) }

// Table returns the styles of a table.
func (s *Styles) Table() table.Styles {
	return table.Styles{Heading: s.Dim, Chosen: s.chosen, Cursor: s.Cursor, Stale: s.Stale, StaleCursor: s.StaleCursor}
}

// Profit returns the style of a gain or a loss.
func (s *Styles) Profit(sign int) draw.Style {
	switch sign {
	case -1:
		return s.Loss
	case +1:
		return s.gain
	}
	return draw.Plain
}

// Status returns the style of a position's status.
func (s *Styles) Status(status model.Status) draw.Style {
	switch status {
	case model.StatusUnspecified:
		return draw.Plain
	case model.StatusDistressed:
		return s.Alarm
	}
	return s.Warning
}

// Dimmed returns lines as they are drawn if their data may be out of date: dim and without colour.
func (s *Styles) Dimmed(lines []string, width int) []string {
	dim := make([]string, len(lines))
	for i, line := range lines {
		dim[i] = draw.Text(width, s.Stale, ansi.Strip(line))
	}
	return dim
}
