// Package theme has the colours of the screen. It does not know what is drawn in them.
package theme

import (
	"cmp"

	"github.com/charmbracelet/x/ansi"
)

// Colour is one of the 240 colours that are the same on all terminals of 256, by its number from 16 on. A terminal of
// 16 colours shows the nearest that it has.
type Colour int

// None is no colour: the text has that of the terminal, and stands out by being bold, dim or reversed.
const None Colour = 0

// Indexed returns the colour for a style, and false for None.
func (c Colour) Indexed() (ansi.IndexedColor, bool) { return ansi.IndexedColor(c), c != None }

// Palette is the colours of a screen on a dark or on a light background.
type Palette struct {
	Accent  Colour // the title of the focused pane, keys
	Quiet   Colour // numbers that do not lead
	Gain    Colour
	Loss    Colour
	Live    Colour // rows that can be trusted
	Warning Colour // a state to look at
	Alarm   Colour // a state to act on
	Cursor  Colour // the background of the row under the cursor, near the terminal's own, so that all can be read on it
}

// The themes. All but Dark and Light have colours for both backgrounds.
const (
	Auto       = "auto" // Dark or Light
	Dark       = "dark"
	Light      = "light"
	BlueOrange = "blue-orange" // for people who do not tell red from green
	RedUp      = "red-up"      // gains are red and losses green, as in East Asia
	Monochrome = "monochrome"
)

// Names returns the names of all themes, that of the default first.
func Names() []string { return []string{Auto, Dark, Light, BlueOrange, RedUp, Monochrome} }

var (
	onDark            = Palette{Accent: 123, Quiet: 248, Gain: 114, Loss: 210, Live: 114, Warning: 227, Alarm: 210, Cursor: 237}
	onLight           = Palette{Accent: 25, Quiet: 239, Gain: 22, Loss: 124, Live: 22, Warning: 90, Alarm: 124, Cursor: 254}
	blueOrangeOnDark  = Palette{Accent: 123, Quiet: 248, Gain: 75, Loss: 208, Live: 75, Warning: 227, Alarm: 208, Cursor: 237}
	blueOrangeOnLight = Palette{Accent: 23, Quiet: 239, Gain: 25, Loss: 94, Live: 25, Warning: 90, Alarm: 94, Cursor: 255}
	redUpOnDark       = Palette{Accent: 123, Quiet: 248, Gain: 210, Loss: 114, Live: 123, Warning: 227, Alarm: 213, Cursor: 237}
	redUpOnLight      = Palette{Accent: 25, Quiet: 239, Gain: 124, Loss: 22, Live: 25, Warning: 94, Alarm: 90, Cursor: 254}
)

// Of returns the colours of a theme for the background that the terminal reports. An empty name is Auto.
func Of(name string, dark bool) Palette {
	switch cmp.Or(name, Auto) {
	case Dark:
		return onDark
	case Light:
		return onLight
	case BlueOrange:
		return either(dark, blueOrangeOnDark, blueOrangeOnLight)
	case RedUp:
		return either(dark, redUpOnDark, redUpOnLight)
	case Monochrome:
		return Palette{}
	}
	return either(dark, onDark, onLight)
}

func either(dark bool, onDark, onLight Palette) Palette {
	if dark {
		return onDark
	}
	return onLight
}
