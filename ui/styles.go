package ui

import (
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/table"
	"blotter/ui/theme"
)

// styles are the styles of the screen. Colour only repeats what a sign, a word or a place says, so that nothing is
// missing on a terminal without colours.
type styles struct {
	brand       draw.Style // the program's name
	accent      draw.Style // the title of the focused pane, keys
	dim         draw.Style // headings, rules, hints
	quiet       draw.Style // numbers that do not lead
	gain        draw.Style
	loss        draw.Style
	live        draw.Style
	warning     draw.Style // a state to look at
	alarm       draw.Style // a state to act on
	stale       draw.Style // what may be out of date: dim and without colour
	cursor      draw.Style // the row under the cursor
	staleCursor draw.Style // the row under the cursor where it is stale
	chosen      draw.Style // the heading of the chosen column
	reverse     draw.Style
	strong      draw.Style
	changed     draw.Style // on the style of a cell that has just changed
}

// newStyles returns the styles with the colours of a theme. Where it has none, what leads is bold.
func newStyles(p theme.Palette) styles {
	none := ansi.NewStyle()
	faint, bold, underlined := styleOf(none.Faint()), styleOf(none.Bold()), styleOf(none.Underline(true))
	reverse := styleOf(none.Reverse(true))
	inColour := func(colour theme.Colour, otherwise draw.Style) draw.Style {
		if indexed, ok := colour.Indexed(); ok {
			return styleOf(none.ForegroundColor(indexed))
		}
		return otherwise
	}
	cursor := reverse
	if indexed, ok := p.Cursor.Indexed(); ok {
		cursor = styleOf(none.BackgroundColor(indexed))
	}
	return styles{
		brand:       bold + inColour(p.Accent, draw.Plain),
		accent:      inColour(p.Accent, draw.Plain),
		dim:         faint,
		quiet:       inColour(p.Quiet, faint),
		gain:        inColour(p.Gain, draw.Plain),
		loss:        inColour(p.Loss, bold),
		live:        bold + inColour(p.Live, draw.Plain),
		warning:     inColour(p.Warning, bold),
		alarm:       bold + inColour(p.Alarm, underlined),
		stale:       faint,
		cursor:      bold + cursor,
		staleCursor: faint + cursor,
		chosen:      underlined,
		reverse:     reverse,
		strong:      bold,
		changed:     underlined, // what is bold already can be underlined too
	}
}

func styleOf(style ansi.Style) draw.Style { return draw.Style(style.String()) }

// table returns the styles of a table.
func (s *styles) table() table.Styles {
	return table.Styles{Heading: s.dim, Chosen: s.chosen, Cursor: s.cursor, Stale: s.stale, StaleCursor: s.staleCursor}
}

// profit returns the style of a gain or a loss.
func (s *styles) profit(sign int) draw.Style {
	switch sign {
	case -1:
		return s.loss
	case +1:
		return s.gain
	}
	return draw.Plain
}

// status returns the style of a position's status.
func (s *styles) status(status model.Status) draw.Style {
	switch status {
	case model.StatusUnspecified:
		return draw.Plain
	case model.StatusDistressed:
		return s.alarm
	}
	return s.warning
}

// dimmed returns lines as they are drawn where they may be out of date: dim and without colour.
func (s *styles) dimmed(lines []string, width int) []string {
	dim := make([]string, len(lines))
	for i, line := range lines {
		dim[i] = draw.Text(width, s.stale, ansi.Strip(line))
	}
	return dim
}
