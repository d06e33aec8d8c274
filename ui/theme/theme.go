// Package theme has the styles of the screen: the colours of each theme, and which texts are bold, dim or underlined.
// It returns styles for packages draw and table, and for some values of package model. It draws nothing.
package theme

import (
	"cmp"
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// palette is the colours of a screen on a dark or on a light background. Styles has what they are for. Those of most
// themes here are of the 240 colours that are the same on all terminals of 256; one of 16 shows the nearest, and no
// tints. Those of Vivid need a terminal that shows all colours. Nil is no colour: the text has that of the terminal,
// and is bold, dim or reversed if it is important.
type palette struct {
	accent, quiet, gain, loss, live, warning, alarm color.Color

	cursor color.Color // the background of the row under the cursor, near the terminal's own: all texts can be read on it
	dim    color.Color // of headings, rules and hints; nil: they are faint
	tints  tints
}

// tints are backgrounds of cells, and the colour of the texts on them.
type tints struct {
	text, up color.Color
	heat     [HeatSteps]color.Color
}

// indexed returns a palette of colours by their numbers.
func indexed(accent, quiet, gain, loss, live, warning, alarm, cursor ansi.IndexedColor) palette {
	return palette{accent: accent, quiet: quiet, gain: gain, loss: loss, live: live, warning: warning, alarm: alarm, cursor: cursor}
}

// with returns the palette with tints by their numbers.
func (p palette) with(text, up, first, second, third ansi.IndexedColor) palette {
	p.tints = tints{text, up, [HeatSteps]color.Color{first, second, third}}
	return p
}

// The themes. All but Dark, Light, VividDark and VividLight have colours for both backgrounds.
const (
	Auto       = "auto" // Dark or Light
	Dark       = "dark"
	Light      = "light"
	Vivid      = "vivid" // VividDark or VividLight
	VividDark  = "vivid-dark"
	VividLight = "vivid-light"
	BlueOrange = "blue-orange" // for people who cannot distinguish red and green
	RedUp      = "red-up"      // gains are red and losses green, as in East Asia
	Monochrome = "monochrome"
)

// Names returns the names of all themes, that of the default first.
func Names() []string {
	return []string{Auto, Dark, Light, Vivid, VividDark, VividLight, BlueOrange, RedUp, Monochrome}
}

var (
	onDark            = indexed(123, 248, 114, 210, 114, 227, 210, 237).with(255, 22, 52, 88, 124)
	onLight           = indexed(25, 239, 22, 124, 22, 90, 124, 254).with(232, 151, 224, 217, 210)
	blueOrangeOnDark  = indexed(123, 248, 75, 208, 75, 227, 208, 237).with(231, 24, 58, 94, 130)
	blueOrangeOnLight = indexed(23, 239, 25, 94, 25, 90, 94, 255).with(232, 153, 230, 222, 215)
	redUpOnDark       = indexed(123, 248, 210, 114, 123, 227, 213, 237).with(255, 52, 53, 90, 127)
	redUpOnLight      = indexed(25, 239, 124, 22, 25, 94, 90, 254).with(232, 217, 225, 219, 213)

	vividOnDark = palette{
		accent: lipgloss.Color("#7dcfff"), quiet: lipgloss.Color("#b4bde0"), gain: lipgloss.Color("#7ee2a8"),
		loss: lipgloss.Color("#ff8fa3"),
		live: lipgloss.Color("#7ee2a8"), warning: lipgloss.Color("#ffcb6b"), alarm: lipgloss.Color("#ff8095"),
		cursor: lipgloss.Color("#2a3150"),
		dim:    lipgloss.Color("#9aa3c7"),
		tints: tints{lipgloss.Color("#ffffff"), lipgloss.Color("#17402f"), [HeatSteps]color.Color{
			lipgloss.Color("#5a2030"), lipgloss.Color("#80203a"), lipgloss.Color("#ad1f3d"),
		}},
	}
	vividOnLight = palette{
		accent: lipgloss.Color("#0b5cad"), quiet: lipgloss.Color("#454f66"), gain: lipgloss.Color("#0f6b3a"),
		loss: lipgloss.Color("#b01030"),
		live: lipgloss.Color("#0f6b3a"), warning: lipgloss.Color("#8a4b00"), alarm: lipgloss.Color("#b01030"),
		cursor: lipgloss.Color("#e4eafc"),
		dim:    lipgloss.Color("#5b6480"),
		tints: tints{lipgloss.Color("#1a0508"), lipgloss.Color("#bfe8cd"), [HeatSteps]color.Color{
			lipgloss.Color("#f9d5d5"), lipgloss.Color("#f3a9ad"), lipgloss.Color("#ea8088"),
		}},
	}
)

// themes are the colours of each theme, on a dark and on a light background.
var themes = map[string]struct{ onDark, onLight palette }{
	Auto:       {onDark, onLight},
	Dark:       {onDark, onDark},
	Light:      {onLight, onLight},
	Vivid:      {vividOnDark, vividOnLight},
	VividDark:  {vividOnDark, vividOnDark},
	VividLight: {vividOnLight, vividOnLight},
	BlueOrange: {blueOrangeOnDark, blueOrangeOnLight},
	RedUp:      {redUpOnDark, redUpOnLight},
	Monochrome: {},
}

// withFewer are the themes that take the place of those that need all colours.
var withFewer = map[string]string{Vivid: Auto, VividDark: Dark, VividLight: Light}

// under returns a terminal as a theme takes it. One for a certain background has that, whatever the terminal says: it
// may say nothing.
func under(name string, on Terminal) Terminal {
	switch name {
	case Dark, VividDark:
		on.IsDark = true
	case Light, VividLight:
		on.IsDark = false
	}
	return on
}

// paletteOf returns the colours of a theme on a terminal. An empty name, and one that no theme has, is Auto.
func (s *Set) paletteOf(name string, on Terminal) palette {
	if other, ok := withFewer[name]; ok && on.Colours != AllColours {
		name = other
	}
	colours, isKnown := themes[cmp.Or(name, Auto)]
	if !isKnown {
		colours = themes[Auto]
	}
	p := colours.onLight
	if on.IsDark {
		p = colours.onDark
	}
	if own := s.own(name); own != nil {
		own.replace(&p)
	}
	return p
}
