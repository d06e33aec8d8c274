package theme

import (
	"image/color"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Own is a theme of the configuration: that of the default, with some colours replaced. A colour is written as
// ParseColour takes it; empty is that of the default.
type Own struct {
	Name string

	Accent, Quiet, Gain, Loss, Live, Warning, Alarm, Cursor, Dim string

	Up, Heat25, Heat50, Heat75, OnColour string
}

// MaxName is how many characters the name of a theme has at most.
const MaxName = 40

func (o *Own) replace(p *palette) {
	for _, each := range []struct {
		text string
		of   *color.Color
	}{
		{o.Accent, &p.accent}, {o.Quiet, &p.quiet}, {o.Gain, &p.gain}, {o.Loss, &p.loss}, {o.Live, &p.live},
		{o.Warning, &p.warning}, {o.Alarm, &p.alarm}, {o.Cursor, &p.cursor}, {o.Dim, &p.dim},
		{o.Up, &p.tints.up}, {o.Heat25, &p.tints.heat[0]}, {o.Heat50, &p.tints.heat[1]},
		{o.Heat75, &p.tints.heat[2]},
		{o.OnColour, &p.tints.text},
	} {
		if parsed, ok := ParseColour(each.text); ok {
			*each.of = parsed
		}
	}
}

// ParseColour returns a colour: #rrggbb, or a number from 0 to 255, of which those below 16 are the terminal's own. A
// terminal with fewer colours shows the nearest of them. It returns false for every other text.
func ParseColour(text string) (c color.Color, ok bool) {
	if number, err := strconv.ParseUint(text, 10, 8); err == nil {
		return ansi.IndexedColor(number), true
	}
	digits, isHex := strings.CutPrefix(text, "#")
	if _, err := strconv.ParseUint(digits, 16, 32); !isHex || len(digits) != 6 || err != nil {
		return nil, false
	}
	return lipgloss.Color(text), true
}

// Set is the themes that can be chosen: those of the program, and those of the configuration. A nil Set has none of the
// latter.
type Set struct{ all []Own }

// NewSet returns a set with themes of the configuration. Their names are not those of the program.
func NewSet(own []Own) *Set { return &Set{slices.Clone(own)} }

// own returns the theme of the configuration with a name, or nil if there is none.
func (s *Set) own(name string) *Own {
	if s == nil {
		return nil
	}
	if at := slices.IndexFunc(s.all, func(o Own) bool { return o.Name == name }); at >= 0 {
		return &s.all[at]
	}
	return nil
}

// Names returns the names of all themes: those of the program, that of the default first, then the others.
func (s *Set) Names() []string {
	names := Names()
	if s != nil {
		for i := range s.all {
			names = append(names, s.all[i].Name)
		}
	}
	return names
}
