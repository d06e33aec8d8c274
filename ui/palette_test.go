package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/history"
	"blotter/ui/persist"
	"blotter/ui/theme"
	"blotter/ui/views"
)

// palette types a text in the palette.
func (s *screen) palette(text string) {
	s.press(":")
	s.write(text)
}

func TestPaletteDoesWhatIsUnderTheCursor(t *testing.T) {
	withViews := func(o *Options) {
		watchAll(o)
		o.Views = []views.View{{Number: 3, Name: "longs", Shown: views.Shown{Settings: view.Settings{Filter: "side:long"}}}}
	}
	for typed, did := range map[string]func(*screen) bool{
		"worst":             screenShows("The worst first: "), // by what it does
		"sort by trou":      screenShows("The worst first: "), // by its name
		"T":                 screenShows("The worst first: "), // by its key
		"srtbtrbl":          screenShows("The worst first: "), // by letters of its name
		"events":            screenShows("─ events ─"),        //
		"help":              screenShows("─ help"),            // a page
		"help filters":      screenShows("─ help: which positions"),
		"view longs":        screenShows("[side:long]"), //
		"3":                 screenShows("[side:long]"), //
		"theme blue":        func(s *screen) bool { return s.m.colours.Theme == theme.BlueOrange },
		"sort by column st": screenShows("STATUS ▲"),
		"show column today": func(s *screen) bool {
			isShown := func(of columns.Setting) bool { return columns.Title(of.Column) == "TODAY" && !of.Hidden }
			return slices.ContainsFunc(s.m.positions.Columns(), isShown)
		},
		"party desk-2": func(s *screen) bool { return s.m.store.Settings().Scope.Equal(model.Scope{Parties: []model.ID{desk2}}) },
		"SOL": func(s *screen) bool {
			return s.m.store.Settings().Scope.Equal(model.Scope{Markets: []model.ID{solMarket}})
		},
		"choose parties":      screenShows("all parties\n"),
		"nothing is named so": screenShows("Nothing has this name."),
	} {
		t.Run(typed, func(t *testing.T) {
			onScreen(t, 80, 24, withViews, func(s *screen) {
				s.publish(whole(all, deskRows()...))
				s.pass(time.Second)
				s.palette(typed)
				s.press("enter")
				if !did(s) {
					t.Errorf("it is not done:\n%s", s.text())
				}
			})
		})
	}
}

// TestPaletteSaysWhyNot: what cannot be done now is listed with its reason, and enter does not close the palette.
func TestPaletteSaysWhyNot(t *testing.T) {
	for typed, reason := range map[string]string{
		"name":              "no row is selected",
		"fold":              "no groups; b makes them",
		"sort by column Δu": "there is no baseline",
	} {
		onScreen(t, 80, 24, watchAll, func(s *screen) {
			s.publish(whole(all))
			s.palette(typed)
			s.sees("not now: " + reason)
			s.press("enter")
			s.sees("\n "+strings.ToUpper(reason[:1])+reason[1:]+".", "\n : "+typed)
		})
	}
}

// TestPaletteOnAPage does what can be done there: the table below has its actions no more.
func TestPaletteOnAPage(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second) // until there are totals
		s.press("h", "ctrl+p")
		s.write("next total")
		s.press("enter")
		if s.sees("─ session "); s.m.overlays.top() != nil || s.m.analysis.Session.Series != history.Realised {
			t.Error("the next total is not shown")
		}
		s.palette("back")
		s.press("enter")
		s.seesNot("─ session ")
		s.press("f")
		s.palette("freeze")
		s.press("enter")
		s.seesNot("FROZEN")
	})
}

// TestThemesOfTheConfiguration can be chosen, and are remembered. One that is no longer there is not used.
func TestThemesOfTheConfiguration(t *testing.T) {
	themes := theme.NewSet([]theme.Own{{Name: "neon", Loss: "#ff00ff"}})
	var state persist.State
	onScreen(t, 120, 40, func(o *Options) { watchAll(o); o.Appearance.Themes = themes }, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.palette("theme neon")
		s.press("enter")
		if drawn := s.m.draw().Content; !strings.Contains(drawn, "38;2;255;0;255m") {
			t.Error("a loss does not have the colour of the theme")
		}
		state = s.m.State()
	})
	for _, c := range []struct {
		themes *theme.Set
		want   string
	}{{themes, "neon"}, {nil, theme.Light}} {
		o := Options{Appearance: theme.Appearance{Theme: theme.Light, Themes: c.themes}}
		if o.Use(&state, func(string) bool { return false }); o.Appearance.Theme != c.want {
			t.Errorf("the theme is %q, want %q", o.Appearance.Theme, c.want)
		}
	}
}

// TestPaletteShowsThemesAtOnce while the cursor is on them, and the theme of before after esc.
func TestPaletteShowsThemesAtOnce(t *testing.T) {
	configured := func(o *Options) {
		watchAll(o)
		o.Appearance.Theme = theme.Dark
	}
	onScreen(t, 120, 40, configured, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		before := s.m.draw().Content
		drawn := func(name string) {
			t.Helper()
			if want := new(theme.Set).New(name, theme.Terminal{IsDark: true, Colours: theme.AllColours}); s.m.colours.Styles.Loss != want.Loss || s.m.colours.Styles.Live != want.Live {
				t.Errorf("the colours are not those of %s", name)
			}
		}
		s.palette("theme")
		s.press("down", "down", "down")
		drawn(theme.Vivid)
		s.press("down", "down", "down")
		drawn(theme.BlueOrange)
		s.press("esc")
		drawn(theme.Dark)
		if after := s.m.draw().Content; after != before {
			t.Errorf("the screen is not as before:\n%q\n%q", before, after)
		}
		if got := s.m.State().Theme; got != "" {
			t.Errorf("%q is remembered although it was only shown", got)
		}
		s.palette("theme blue")
		s.press("enter")
		drawn(theme.BlueOrange)
		if got := s.m.State().Theme; got != theme.BlueOrange {
			t.Errorf("%q is remembered", got)
		}
		s.send(background(false))
		if want := new(theme.Set).New(theme.BlueOrange, theme.Terminal{}); s.m.colours.Styles.Loss != want.Loss {
			t.Error("the colours are not those for a light background")
		}
	})
}

// TestTheNextRunHasTheTheme that was chosen, unless the configuration, a flag or the environment sets one.
func TestTheNextRunHasTheTheme(t *testing.T) {
	for _, c := range []struct {
		remembered   string
		isConfigured bool
		want         string
	}{{theme.Light, false, theme.Light}, {theme.Light, true, theme.Dark}, {"", false, theme.Dark}} {
		o := Options{Appearance: theme.Appearance{Theme: theme.Dark}}
		o.Use(&persist.State{Theme: c.remembered}, func(key string) bool { return c.isConfigured && key == "screen.theme" })
		if o.Appearance.Theme != c.want {
			t.Errorf("with %+v the theme is %s", c, o.Appearance.Theme)
		}
	}
}

// TestPaletteShowsAColumn: what was hidden is offered to be shown.
func TestPaletteShowsAColumn(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("C", "end", "tab", "enter")
		s.seesNot(" IDLE")
		s.palette("show column idle")
		if cursor := s.cursorLine(); !strings.Contains(cursor, "show column "+columns.Title(view.AgeColumn)) {
			t.Errorf("the first is %q", cursor)
		}
		s.press("enter")
		s.sees(" IDLE")
	})
}

func TestGoldenPaletteFitsOneScreen(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		onScreen(t, size[0], size[1], watchAll, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.press(":")
			for range 70 {
				s.fits(size[0], size[1])
				s.sees("esc cancel")
				s.press("pgdown")
			}
			if cursor := s.cursorLine(); !strings.Contains(cursor, "market ") {
				t.Errorf("at %v the last entry is %q", size, cursor)
			}
			if size != [2]int{80, 24} && size != [2]int{120, 40} { // see TestGoldenStates and TestGoldenOverlays
				s.press("esc")
				s.palette("theme")
				s.golden(fmt.Sprintf("palette-%dx%d", size[0], size[1]))
			}
		})
	}
}

// TestThePaletteFindsPlacesByOtherWords: what a trader looks for, whatever the action is called.
func TestThePaletteFindsPlacesByOtherWords(t *testing.T) {
	for typed, want := range map[string]string{
		"exposure": "[exposure]", "matrix": "[matrix]", "what if": "[what if]",
		"PnL by day": "[days]", "csv": "\n save to: ", "export by": "─ help: ", "mouse": "─ help: ", "font": "─ help: ", "save view": "─ views ─",
	} {
		onScreen(t, 100, 30, func(o *Options) { watchAll(o); o.Files = fakeFiles{} }, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.pass(time.Second)
			s.press(":")
			s.write(typed)
			s.press("enter")
			s.sees(want)
		})
	}
}

// TestTheDemoIsNamedOnce on the first line.
func TestTheDemoIsNamedOnce(t *testing.T) {
	onScreen(t, 100, 30, func(o *Options) { o.Demo, o.Service = true, "demo" }, func(s *screen) {
		if line := s.lines()[0]; !strings.Contains(line, "DEMO") || strings.Contains(line, "demo") {
			t.Errorf("the first line is %q", line)
		}
	})
}
