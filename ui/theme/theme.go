// Package theme has the styles of the screen: the colours of each theme, and which texts are bold, dim or underlined.
// It returns styles for packages draw and table, and for some values of package model. It draws nothing.
package theme

import (
	"cmp"
	"image/color"

	"github.com/charmbracelet/x/ansi"
)

// palette is the colours of a screen on a dark or on a light background. Styles has what they are for. Those of the
// themes here are of the 240 colours that are the same on all terminals of 256; a terminal of 16 colours shows the
// nearest. Nil is no colour: the text has that of the terminal, and is bold, dim or reversed if it is important.
type palette struct {
	accent, quiet, gain, loss, live, warning, alarm color.Color

	cursor color.Color // the background of the row under the cursor, near the terminal's own: all texts can be read on it
}

// indexed returns a palette of colours by their numbers.
func indexed(accent, quiet, gain, loss, live, warning, alarm, cursor ansi.IndexedColor) palette {
	return palette{accent, quiet, gain, loss, live, warning, alarm, cursor}
}

// The themes. All but Dark and Light have colours for both backgrounds.
const (
	Auto       = "auto" // Dark or Light
	Dark       = "dark"
	Light      = "light"
	BlueOrange = "blue-orange" // for people who cannot distinguish red and green
	RedUp      = "red-up"      // gains are red and losses green, as in East Asia
	Monochrome = "monochrome"
)

// Names returns the names of all themes, that of the default first.
func Names() []string { return []string{Auto, Dark, Light, BlueOrange, RedUp, Monochrome} }

var (
	onDark            = indexed(123, 248, 114, 210, 114, 227, 210, 237)
	onLight           = indexed(25, 239, 22, 124, 22, 90, 124, 254)
	blueOrangeOnDark  = indexed(123, 248, 75, 208, 75, 227, 208, 237)
	blueOrangeOnLight = indexed(23, 239, 25, 94, 25, 90, 94, 255)
	redUpOnDark       = indexed(123, 248, 210, 114, 123, 227, 213, 237)
	redUpOnLight      = indexed(25, 239, 124, 22, 25, 94, 90, 254)
)

// themes are the colours of each theme, on a dark and on a light background.
var themes = map[string]struct{ onDark, onLight palette }{
	Auto:       {onDark, onLight},
	Dark:       {onDark, onDark},
	Light:      {onLight, onLight},
	BlueOrange: {blueOrangeOnDark, blueOrangeOnLight},
	RedUp:      {redUpOnDark, redUpOnLight},
	Monochrome: {},
}

// paletteOf returns the colours of a theme for the background that the terminal reports. An empty name, and one that no
// theme has, is Auto.
func (s *Set) paletteOf(name string, dark bool) palette {
	colours, isKnown := themes[cmp.Or(name, Auto)]
	if !isKnown {
		colours = themes[Auto]
	}
	p := colours.onLight
	if dark {
		p = colours.onDark
	}
	if own := s.own(name); own != nil {
		own.replace(&p)
	}
	return p
}
