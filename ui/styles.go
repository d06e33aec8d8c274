package ui

import (
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/table"
)

// styles are the styles of the screen. Colour only repeats what a sign, a word or a place says, so that nothing is
// missing on a terminal without colours.
type styles struct {
	brand       draw.Style // the program's name
	accent      draw.Style // the title of the focused pane, keys
	dim         draw.Style // headings, rules, hints
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
}

// The background of the row under the cursor: a grey near the terminal's own background, so that all colours can be read
// on it. A terminal of 16 colours takes the nearest that it has.
const (
	cursorOnDark  = 237
	cursorOnLight = 254
)

// newStyles returns the styles for a dark or a light background, in the terminal's own 16 colours.
func newStyles(dark bool) styles {
	colour := func(onDark, onLight ansi.BasicColor) ansi.Style {
		if dark {
			return ansi.NewStyle().ForegroundColor(onDark)
		}
		return ansi.NewStyle().ForegroundColor(onLight)
	}
	grey := ansi.IndexedColor(cursorOnLight)
	if dark {
		grey = cursorOnDark
	}
	accent := colour(ansi.BrightCyan, ansi.Blue)
	warning := colour(ansi.BrightYellow, ansi.Magenta)
	gain, loss := colour(ansi.BrightGreen, ansi.Green), colour(ansi.BrightRed, ansi.Red)
	return styles{
		brand:       draw.Style(accent.Bold().String()),
		accent:      draw.Style(accent.String()),
		dim:         draw.Style(ansi.NewStyle().Faint().String()),
		gain:        draw.Style(gain.String()),
		loss:        draw.Style(loss.String()),
		live:        draw.Style(gain.Bold().String()),
		warning:     draw.Style(warning.String()),
		alarm:       draw.Style(loss.Bold().String()),
		stale:       draw.Style(ansi.NewStyle().Faint().String()),
		cursor:      draw.Style(ansi.NewStyle().Bold().BackgroundColor(grey).String()),
		staleCursor: draw.Style(ansi.NewStyle().Faint().BackgroundColor(grey).String()),
		chosen:      draw.Style(ansi.NewStyle().Underline(true).String()),
		reverse:     draw.Style(ansi.NewStyle().Reverse(true).String()),
		strong:      draw.Style(ansi.NewStyle().Bold().String()),
	}
}

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
