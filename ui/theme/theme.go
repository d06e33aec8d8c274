// Package theme has the styles of the screen: the colours of each theme, and which texts are bold, dim or underlined.
// It returns styles for packages draw and table, and for some values of package model. It draws nothing.
package theme

import (
	"cmp"

	"github.com/charmbracelet/x/ansi"
)

// colour is one of the 240 colours that are the same on all terminals of 256, by its number from 16 on. A terminal of
// 16 colours shows the nearest of them.
type colour int

// noColour is no colour: the text has that of the terminal, and is bold, dim or reversed if it is important.
const noColour colour = 0

// indexed returns the colour for a style, and false for noColour.
func (c colour) indexed() (ansi.IndexedColor, bool) { return ansi.IndexedColor(c), c != noColour }

// palette is the colours of a screen on a dark or on a light background. Styles has what they are for.
type palette struct {
	accent, quiet, gain, loss, live, warning, alarm colour

	cursor colour // the background of the row under the cursor, near the terminal's own: all texts can be read on it
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
	onDark            = palette{accent: 123, quiet: 248, gain: 114, loss: 210, live: 114, warning: 227, alarm: 210, cursor: 237}
	onLight           = palette{accent: 25, quiet: 239, gain: 22, loss: 124, live: 22, warning: 90, alarm: 124, cursor: 254}
	blueOrangeOnDark  = palette{accent: 123, quiet: 248, gain: 75, loss: 208, live: 75, warning: 227, alarm: 208, cursor: 237}
	blueOrangeOnLight = palette{accent: 23, quiet: 239, gain: 25, loss: 94, live: 25, warning: 90, alarm: 94, cursor: 255}
	redUpOnDark       = palette{accent: 123, quiet: 248, gain: 210, loss: 114, live: 123, warning: 227, alarm: 213, cursor: 237}
	redUpOnLight      = palette{accent: 25, quiet: 239, gain: 124, loss: 22, live: 25, warning: 94, alarm: 90, cursor: 254}
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

// paletteOf returns the colours of a theme for the background that the terminal reports. An empty name is Auto.
func paletteOf(name string, dark bool) palette {
	colours := themes[cmp.Or(name, Auto)]
	if dark {
		return colours.onDark
	}
	return colours.onLight
}
