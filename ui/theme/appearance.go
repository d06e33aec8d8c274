package theme

import "blotter/ui/draw"

// Appearance is how the screen is drawn, whatever is on it.
type Appearance struct {
	Theme  string // the name of a theme; empty for the default
	Themes *Set   // those that can be chosen
	Mouse  bool   // clicks, the wheel and drags do something, in place of the terminal's own selection
	ASCII  bool   // for a terminal without Unicode
}

// Text returns text of the screen in the characters that the terminal has.
func (a *Appearance) Text(text string) string {
	if a.ASCII {
		return draw.ASCII(text)
	}
	return text
}

// Current are the styles of the screen. They are made again only for another theme or another terminal.
type Current struct {
	Terminal // as it is known so far
	Themes   *Set
	Styles   Styles
	Theme    string // of the styles

	madeFor Terminal
}

// Use makes the styles of a theme, if the theme or the terminal has changed.
func (c *Current) Use(theme string) {
	if c.Theme != theme || c.madeFor != c.Terminal {
		c.Styles, c.Theme, c.madeFor = c.Themes.New(theme, c.Terminal), theme, c.Terminal
	}
}
