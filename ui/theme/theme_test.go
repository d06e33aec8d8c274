package theme

import (
	"fmt"
	"image/color"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/ui/draw"
)

// The default backgrounds of terminals: xterm, Windows Terminal, VS Code, Solarized, Dracula; white, and Solarized
// light.
var (
	darkBackgrounds  = []uint32{0x000000, 0x0c0c0c, 0x1e1e1e, 0x002b36, 0x282a36}
	lightBackgrounds = []uint32{0xffffff, 0xfdf6e3}
)

// The first 16 colours as VS Code has them on its dark and on its light background. Other terminals have other colours:
// the green of xterm and of the Linux console is hard to read on white, but these have 256 colours, or a black
// background.
var (
	basicOnDark = [16]uint32{
		0x000000, 0xcd3131, 0x0dbc79, 0xe5e510, 0x2472c8, 0xbc3fbc, 0x11a8cd, 0xe5e5e5,
		0x666666, 0xf14c4c, 0x23d18b, 0xf5f543, 0x3b8eea, 0xd670d6, 0x29b8db, 0xe5e5e5,
	}
	basicOnLight = [16]uint32{
		0x000000, 0xcd3131, 0x107c10, 0x949800, 0x0451a5, 0xbc05bc, 0x0598bc, 0x555555,
		0x666666, 0xcd3131, 0x14ce14, 0xb5ba00, 0x0451a5, 0xbc05bc, 0x0598bc, 0xa5a5a5,
	}
)

func rgb(value uint32) color.Color {
	return color.RGBA{R: uint8(value >> 16), G: uint8(value >> 8), B: uint8(value), A: 0xff}
}

// luminance returns the relative luminance of WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	linear := func(v uint32) float64 {
		s := float64(v) / 0xffff
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// contrast returns the contrast ratio of WCAG 2, from 1 to 21.
func contrast(a, b color.Color) float64 {
	light, dark := max(luminance(a), luminance(b)), min(luminance(a), luminance(b))
	return (light + 0.05) / (dark + 0.05)
}

// texts returns the colours of texts.
func (p *palette) texts() map[string]color.Color {
	texts := map[string]color.Color{
		"accent": p.accent, "quiet": p.quiet, "gain": p.gain, "loss": p.loss, "live": p.live, "warning": p.warning, "alarm": p.alarm,
	}
	if p.dim != nil {
		texts["dim"] = p.dim
	}
	return texts
}

// grounds returns the backgrounds of cells: of gains, and of losses.
func (t *tints) grounds() []color.Color { return append([]color.Color{t.up}, t.heat[:]...) }

// full returns the colours of a theme on a terminal that shows all.
func full(name string, isDark bool) palette {
	return new(Set).paletteOf(name, Terminal{isDark, AllColours})
}

// eachPalette runs a test for each theme with colours, on each background that it is for.
func eachPalette(t *testing.T, test func(t *testing.T, p palette, isDark bool)) {
	for _, name := range Names() {
		for _, isDark := range []bool{true, false} {
			isOnlyDark, isOnlyLight := name == Dark || name == VividDark, name == Light || name == VividLight
			if name == Monochrome || isOnlyDark && !isDark || isOnlyLight && isDark {
				continue
			}
			t.Run(fmt.Sprintf("%s, dark %t", name, isDark), func(t *testing.T) { test(t, full(name, isDark), isDark) })
		}
	}
}

// TestContrast: with 256 colours, or all, each text has the contrast that WCAG 2 requires, on the usual backgrounds, on
// the row under the cursor and on the headline.
func TestContrast(t *testing.T) {
	const enough = 4.5
	eachPalette(t, func(t *testing.T, p palette, isDark bool) {
		usual := lightBackgrounds
		if isDark {
			usual = darkBackgrounds
		}
		backgrounds := []color.Color{p.cursor, bandOf(p.cursor, isDark)}
		for _, value := range usual {
			backgrounds = append(backgrounds, rgb(value))
		}
		for name, text := range p.texts() {
			for _, background := range backgrounds {
				if got := contrast(text, background); got < enough {
					t.Errorf("%s, colour %v, has a contrast of %.2f on %v", name, text, got, background)
				}
			}
		}
	})
}

// TestTints: the texts on the backgrounds of cells can be read, and the backgrounds differ from each other and from
// that of the terminal.
func TestTints(t *testing.T) {
	const enough = 4.5
	eachPalette(t, func(t *testing.T, p palette, isDark bool) {
		for _, ground := range p.tints.grounds() {
			if got := contrast(p.tints.text, ground); got < enough {
				t.Errorf("a text has a contrast of %.2f on %v", got, ground)
			}
			if r, g, b, _ := ground.RGBA(); r == g && g == b {
				t.Errorf("the background %v is grey", ground)
			}
		}
		if p.tints.up == p.tints.heat[0] {
			t.Error("a gain looks like a loss")
		}
		for i, ground := range p.tints.heat[1:] {
			if ground == p.tints.heat[i] {
				t.Errorf("two steps of the heat are %v", ground)
			}
		}
	})
}

// TestHeat: a ratio below -50% has a background, of which each step differs; an estimate has the same, and none with 16
// colours or without.
func TestHeat(t *testing.T) {
	ratioOf := func(permille int64) model.MarginRatio {
		return model.MarginRatio{Profit: model.AmountOf(permille), Maintenance: model.AmountOf(1000)}
	}
	for _, name := range Names() {
		s := new(Set).New(name, Terminal{IsDark: true, Colours: AllColours})
		seen := make(map[draw.Style]int64)
		for _, permille := range []int64{-100, -501, -751, -1001} {
			style := s.Ratio(ratioOf(permille))
			if before, ok := seen[style]; ok && name != Monochrome {
				t.Errorf("%s: %d and %d thousandths look the same", name, before, permille)
			}
			seen[style] = permille
		}
		if s.Ratio(ratioOf(-500)) != s.Ratio(ratioOf(-100)) || s.Ratio(ratioOf(-750)) != s.Ratio(ratioOf(-501)) {
			t.Errorf("%s: a step begins too early", name)
		}
		hasHeat := s.EstimatedRatio(ratioOf(-600)) == s.Ratio(ratioOf(-600))
		if hasHeat == (name == Monochrome) || s.EstimatedRatio(ratioOf(-100)) != s.Quiet || s.EstimatedRatio(ratioOf(900)) != s.Quiet {
			t.Errorf("%s: an estimate of -60%% looks like a ratio: %t", name, hasHeat)
		}
		basic := new(Set).New(name, Terminal{IsDark: true})
		if basic.EstimatedRatio(ratioOf(-900)) != basic.Quiet || basic.Risk != basic.Alarm {
			t.Errorf("%s: with 16 colours a cell has a background", name)
		}
	}
}

// TestSixteenColours: on a terminal of 16 colours a gain and a loss, a warning and an alarm still have two colours, and
// texts can be read. There the terminal chooses the colours, so less contrast is required.
func TestSixteenColours(t *testing.T) {
	const enough = 3
	eachPalette(t, func(t *testing.T, p palette, isDark bool) {
		if p == vividOnDark || p == vividOnLight { // it has the colours of Auto there
			return
		}
		if ansi.Convert16(p.gain) == ansi.Convert16(p.loss) {
			t.Error("a gain and a loss have the same colour")
		}
		if ansi.Convert16(p.warning) == ansi.Convert16(p.alarm) {
			t.Error("a warning and an alarm have the same colour")
		}
		basic, background := basicOnLight, rgb(0xffffff)
		if isDark {
			basic, background = basicOnDark, rgb(0x1e1e1e)
		}
		for name, text := range p.texts() {
			nearest := ansi.Convert16(text)
			if got := contrast(rgb(basic[nearest]), background); got < enough {
				t.Errorf("%s, colour %v, has a contrast of %.2f", name, nearest, got)
			}
		}
	})
}

// TestAChosenBackgroundIsThatOfAllStyles, whatever the terminal says of its own.
func TestAChosenBackgroundIsThatOfAllStyles(t *testing.T) {
	for _, name := range []string{Dark, VividDark, Light, VividLight} {
		onDark, onLight := new(Set).New(name, Terminal{true, AllColours}), new(Set).New(name, Terminal{false, AllColours})
		if !reflect.DeepEqual(onDark, onLight) {
			t.Errorf("%s has other styles if the terminal is dark", name)
		}
	}
}

// TestNamesAreThemes: each name but that of the default has colours of its own, and an unknown one has those of the
// default.
func TestNamesAreThemes(t *testing.T) {
	for _, isDark := range []bool{true, false} {
		var seen []palette
		for _, name := range []string{Auto, Vivid, BlueOrange, RedUp, Monochrome} {
			p := full(name, isDark)
			if slices.Contains(seen, p) {
				t.Errorf("%s, dark %t, has the colours of another theme", name, isDark)
			}
			seen = append(seen, p)
		}
		if full("", isDark) != full(Auto, isDark) || full(Dark, isDark) != full(Auto, true) || full(Light, isDark) != full(Auto, false) {
			t.Error("the default does not depend on the background")
		}
		if got := new(Set).paletteOf(Vivid, Terminal{isDark, IndexedColours}); got != full(Auto, isDark) {
			t.Errorf("with 256 colours %s has %v", Vivid, got)
		}
	}
}

// TestTheStepsOfAMarginRatio differ with the colours of each theme, and without.
func TestTheStepsOfAMarginRatio(t *testing.T) {
	ratioOf := func(permille int64) model.MarginRatio {
		return model.MarginRatio{Profit: model.AmountOf(permille), Maintenance: model.AmountOf(1000)}
	}
	for _, name := range Names() {
		s := new(Set).New(name, Terminal{IsDark: true})
		seen := make(map[draw.Style]int64)
		for _, permille := range []int64{-1, -100, -501, -1001} {
			style := s.Ratio(ratioOf(permille))
			if before, ok := seen[style]; ok {
				t.Errorf("%s: %d and %d thousandths look the same", name, before, permille)
			}
			seen[style] = permille
		}
		if s.Ratio(ratioOf(-500)) != s.Ratio(ratioOf(-100)) || s.Ratio(ratioOf(-1000)) != s.Ratio(ratioOf(-501)) {
			t.Errorf("%s: a step begins too early", name)
		}
		if worst := string(s.Ratio(ratioOf(-1001))); !strings.Contains(worst, "7m") || !strings.Contains(worst, "1m") {
			t.Errorf("%s: the worst ratios are not bold and reversed: %q", name, worst)
		}
	}
}

// TestEachThemeHasColours: a name without colours would be shown in those of Auto.
func TestEachThemeHasColours(t *testing.T) {
	if got, want := slices.Sorted(maps.Keys(themes)), slices.Sorted(slices.Values(Names())); !slices.Equal(got, want) {
		t.Errorf("there are colours of %q, and names of %q", got, want)
	}
}
