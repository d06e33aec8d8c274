package theme

import "blotter/ui/draw"

// Appearance is how the screen is drawn, whatever is on it.
type Appearance struct {
	Theme string // the name of a theme; empty for the default
	Mouse bool   // clicks, the wheel and drags do something, in place of the terminal's own selection
	ASCII bool   // for a terminal without Unicode
}

// Text returns text of the screen in the characters that the terminal has.
func (a *Appearance) Text(text string) string {
	if a.ASCII {
		return draw.ASCII(text)
	}
	return text
}

// Styles returns the styles for the background that the terminal reports.
func (a *Appearance) Styles(dark bool) Styles { return New(a.Theme, dark) }
