package ui

import (
	tea "charm.land/bubbletea/v2"

	"blotter/ui/draw"
	"blotter/ui/theme"
)

// Looks is how the screen is drawn, whatever is on it.
type Looks struct {
	Theme string // the name of one in package theme; empty for the default
	Mouse bool   // clicks, the wheel and drags do something, in place of the terminal's own selection
	ASCII bool   // for a terminal without Unicode
}

// text returns text of the screen in the characters that the terminal has.
func (l *Looks) text(text string) string {
	if l.ASCII {
		return draw.ASCII(text)
	}
	return text
}

// styles returns the styles for the background that the terminal reports.
func (l *Looks) styles(dark bool) theme.Styles { return theme.New(l.Theme, dark) }

// mouseMode returns what the terminal reports of the mouse.
func (l *Looks) mouseMode() tea.MouseMode {
	if l.Mouse {
		return tea.MouseModeCellMotion
	}
	return tea.MouseModeNone
}
