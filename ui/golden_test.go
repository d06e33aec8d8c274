// A golden screen is what a trader sees of one layout or state, kept in testdata: NAME.golden is its text.
// dark/NAME.golden has the styles too, on a dark background, as tags: <red> and what follows is in that colour of
// ui/theme, </> ends all styles, <on 237> is a background; light/NAME.golden has those on a light background. They are
// kept of the screens of darkScreens and lightScreens, which have all styles together. themes/THEME-dark.golden and so
// on are the same screen in the other themes. modes/NAME.golden is a screen of modeScreens with 16 colours, without
// colour, and in ASCII.
//
// After a change of the screen on purpose, renew all of them, and the pictures in README.md, which are some of them:
//
//	go test ./ui -run 'Golden|Readme|Picture' -update
//
// Then read the changes with git diff before they are kept: each line of them is a change that a trader notices.

package ui

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/draw"
	"blotter/ui/theme"
)

var update = flag.Bool("update", false, "write the golden screens anew; read them before keeping them")

// golden compares the screen with those in testdata.
func (s *screen) golden(name string) {
	s.t.Helper()
	s.compare(filepath.Join("testdata", name+".golden"), strings.Join(s.whole(), "\n")+"\n")
	s.send(background(true))
	if slices.Contains(darkScreens, name) {
		s.compare(filepath.Join("testdata", "dark", name+".golden"), tagged(s.m.draw().Content))
	}
	if slices.Contains(lightScreens, name) {
		s.send(background(false))
		s.compare(filepath.Join("testdata", "light", name+".golden"), tagged(s.m.draw().Content))
	}
	s.isASCII()
	if slices.Contains(modeScreens, name) {
		s.compare(filepath.Join("testdata", "modes", name+".golden"), s.inModes())
	}
}

// modeScreens are the screens that are compared in each mode of a terminal that has less.
var modeScreens = strings.Fields(`
	120x40 grouped-120x40 why-120x40 grid-120x40 timeline-120x40 incidents-120x40 ribbon-200x60 days-120x40`)

// inModes returns the screen as terminals draw it that have 16 colours, no colour, or no Unicode. A program that begins
// with Options.ASCII writes -> between two values: TestASCIIOnTheScreen.
func (s *screen) inModes() string {
	s.t.Helper()
	s.send(background(true))
	before, has := s.m.options.Appearance, s.m.colours.Terminal
	var drawn strings.Builder
	draw := func(mode string, as theme.Appearance, colours colorprofile.Profile) {
		s.m.options.Appearance = as
		s.send(tea.ColorProfileMsg{Profile: colours})
		var shown bytes.Buffer
		_, _ = (&colorprofile.Writer{Forward: &shown, Profile: colours}).WriteString(s.m.draw().Content)
		drawn.WriteString("═══ " + mode + "\n" + tagged(shown.String()))
	}
	draw("16 colours", before, colorprofile.ANSI)
	none := before
	none.Theme = theme.Monochrome
	draw("without colour", none, colorprofile.TrueColor)
	ascii := none
	ascii.ASCII = true
	draw("without colour, in ASCII", ascii, colorprofile.TrueColor)
	s.m.options.Appearance, s.m.colours.Terminal = before, has
	s.send(background(has.IsDark))
	return drawn.String()
}

// darkScreens are the screens whose styles are compared too: each page, dialog and state of a stream has one.
var darkScreens = strings.Fields(`
	40x10 80x24 120x40 200x60 alert alerts-80x24 behind closed-shown columns connection detail detail-200x60 distance-120x40 events
	exposure-80x24 filtering frozen grouped-80x24 help margins matrix-80x24 palette partial session-80x24 stale`)

// lightScreens are the screens that are compared on a light background too. The two backgrounds differ only in the
// colours of the theme, which has tests of its own.
var lightScreens = []string{"120x40", "alert", "stale"}

// background is the response of a terminal with a dark or a light background.
func background(dark bool) tea.Msg {
	return tea.BackgroundColorMsg{Color: lipgloss.Color(map[bool]string{true: "#000000", false: "#ffffff"}[dark])}
}

// isASCII checks that the screen has only ASCII if Options.ASCII is set, that only what is after an arrow has moved,
// and that each character of the program has one in ASCII: only letters of names and characters wider than a cell
// become question marks.
func (s *screen) isASCII() {
	s.t.Helper()
	whole := ansi.Strip(s.m.draw().Content)
	s.m.options.Appearance.ASCII = true
	plain := ansi.Strip(s.m.draw().Content)
	s.m.options.Appearance.ASCII = false
	if at := strings.IndexFunc(plain, func(r rune) bool { return r >= 0x80 }); at >= 0 {
		s.t.Errorf("the screen has %q", plain[at:])
	}
	for _, r := range whole {
		if drawn := draw.ASCII(string(r)); drawn == "?" && r != '?' && !unicode.IsLetter(r) {
			s.t.Errorf("%q has no character of ASCII in ui/draw/ascii.go", r)
		}
	}
	lines, plainLines := strings.Split(whole, "\n"), strings.Split(plain, "\n")
	for i := range lines {
		hasArrow := strings.Contains(lines[i], "→") || strings.Contains(plainLines[i], "->")
		width := draw.Width(strings.TrimRight(plainLines[i], " "))
		if !hasArrow && draw.Width(strings.TrimRight(lines[i], " ")) != width || width > s.m.layout.Screen.Width {
			s.t.Errorf("the line %q is as wide as %q", plainLines[i], lines[i])
		}
	}
}

// compare compares a text with a file, or writes the file.
func (s *screen) compare(path, got string) {
	s.t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatalf("%v: go test ./ui -run 'Golden|Readme|Picture' -update writes it; read it before you commit it", err)
	}
	if got != string(want) {
		s.t.Errorf("%s: the screen is\n%s\nand should be\n%s", path, got, want)
	}
}

var (
	sequence = regexp.MustCompile("\x1b\\[([0-9;]*)m")
	// colourNames are the colours of all themes.
	colourNames = map[string]string{
		"22": "green", "231": "white", "232": "black", "255": "white", "23": "cyan", "25": "blue", "75": "blue", "90": "purple", "94": "orange", "114": "green", "123": "cyan",
		"124": "red", "208": "orange", "210": "red", "213": "pink", "227": "yellow", "239": "grey", "248": "grey",
	}
	styleNames = map[string]string{
		"1": "bold", "2": "dim", "4": "underline", "7": "reverse", "22": "normal",
		"31": "red", "32": "green", "33": "yellow", "34": "blue", "35": "purple", "36": "cyan", "37": "white",
		"91": "bright red", "92": "bright green", "93": "bright yellow", "94": "bright blue", "95": "bright purple", "96": "bright cyan", "97": "bright white",
		"40": "on black",
	}
)

// tagged returns text with tags for its styles, and without spaces at the ends of lines.
func tagged(text string) string {
	text = sequence.ReplaceAllStringFunc(text, func(code string) string {
		codes := strings.Split(sequence.FindStringSubmatch(code)[1], ";")
		var names []string
		for i := 0; i < len(codes); i++ {
			n, _ := strconv.Atoi(codes[i])
			switch {
			case n == 0:
				return "</>"
			case (n == 38 || n == 48) && i+4 < len(codes) && codes[i+1] == "2":
				names = append(names, map[int]string{38: "", 48: "on "}[n]+strings.Join(codes[i+2:i+5], "."))
				i += 4
			case n == 38 && i+2 < len(codes):
				names = append(names, cmp.Or(colourNames[codes[i+2]], codes[i+2]))
				i += 2
			case n == 48 && i+2 < len(codes):
				names = append(names, "on "+codes[i+2])
				i += 2
			case styleNames[codes[i]] != "":
				names = append(names, styleNames[codes[i]])
			default:
				names = append(names, codes[i])
			}
		}
		return "<" + strings.Join(slices.Compact(names), "><") + ">"
	})
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestReadmeShowsAGoldenScreen: the picture in README.md is the golden screen of 80x24, between two comments.
func TestReadmeShowsAGoldenScreen(t *testing.T) {
	golden, err := os.ReadFile(filepath.Join("testdata", "80x24.golden"))
	if err != nil {
		t.Fatal(err)
	}
	picture := ""
	for line := range strings.Lines(string(golden)) {
		if line != "\n" {
			line = "    " + line
		}
		picture += line
	}
	inReadme(t, "<!-- the golden screen of 80x24; go test ./ui -run 'Golden|Readme' -update renews it -->\n\n", picture, "\n<!-- end of the screen -->\n")
}

// TestReadmeExplainsFreshness with the words of the topic about the screen.
func TestReadmeExplainsFreshness(t *testing.T) {
	topic, err := os.ReadFile("topics/text/screen.txt")
	if err != nil {
		t.Fatal(err)
	}
	table := "\n  | word | what it means |\n  |---|---|\n"
	for _, freshness := range model.Freshnesses() {
		if freshness == model.FreshConnecting { // there are no rows yet
			continue
		}
		word := freshness.String()
		_, text, found := strings.Cut(string(topic), "\n- "+word+"  ")
		text, _, _ = strings.Cut(text, "\n")
		if !found || strings.Contains(text, "{") {
			t.Fatalf("the topic has no %s: %q", word, text)
		}
		table += "  | " + word + " | " + text + " |\n"
	}
	inReadme(t, "  <!-- the words of freshness; go test ./ui -run 'Golden|Readme' -update renews them -->\n", table, "\n  <!-- end of the words -->\n")
}

// inReadme checks a text of README.md between two others. With -update it is written anew.
func inReadme(t *testing.T, begin, text, end string) {
	t.Helper()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(readme), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("README.md has no lines %q and %q", begin, end)
	}
	want := before + begin + text + end + after
	switch {
	case *update:
		if err := os.WriteFile("../README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	case want != string(readme):
		t.Errorf("README.md does not have this below %q; go test ./ui -run 'Golden|Readme' -update renews it:\n%s", begin, text)
	}
}

func TestGoldenSizes(t *testing.T) {
	for name, size := range map[string][2]int{
		"40x10": {40, 10}, "80x24": {80, 24}, "120x40": {120, 40}, "200x60": {200, 60}, "30x8": {30, 8},
		"60x20": {60, 20}, "70x24": {70, 24}, "50x16": {50, 16}, "20x3": {20, 3}, "20x5": {20, 5}, "39x12": {39, 12},
	} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, size[0], size[1], inTrouble, func(s *screen) {
				s.publish(deskDelta(s))
				s.pass(4 * time.Second)
				s.golden(name)
			})
		})
	}
}

// TestGoldenOverlays: on a large screen, a list and a dialog lie over the table and over a page.
func TestGoldenOverlays(t *testing.T) {
	for name, keys := range map[string][]string{"picker-120x40": {"p", "d", "e", "s"}, "naming-120x40": {"enter", "n", "x"}, "palette-120x40": {":", "t", "r", "o", "u"}} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, 120, 40, nil, func(s *screen) {
				s.publish(deskDelta(s))
				s.press(keys...)
				s.golden(name)
				if at := s.m.draw().Cursor; s.whole()[at.Y] == "" || !strings.HasSuffix(ansi.Truncate(s.whole()[at.Y], at.X, ""), keys[len(keys)-1]) {
					t.Errorf("the cursor is at %d, %d, not after what was typed", at.X, at.Y)
				}
			})
		})
	}
}

// TestGoldenDetail: everything about a position, as a page of each size.
func TestGoldenDetail(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {60, 20}, {120, 40}, {200, 60}} { // 80x24 is in TestGoldenStates
		name := fmt.Sprintf("detail-%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			onScreen(t, size[0], size[1], nil, func(s *screen) {
				s.publish(deskDelta(s))
				s.pass(4 * time.Second)
				s.press("enter")
				s.golden(name)
				s.fits(size[0], size[1])
			})
		})
	}
}

// TestGoldenThemes: those that are not the default have the same screen in their colours.
func TestGoldenThemes(t *testing.T) {
	for _, name := range theme.Names() {
		if slices.Contains([]string{theme.Auto, theme.Dark, theme.Light, theme.VividDark, theme.VividLight}, name) { // all other golden screens have the first three
			continue
		}
		t.Run(name, func(t *testing.T) {
			onScreen(t, 80, 24, func(o *Options) { o.Appearance.Theme = name }, func(s *screen) {
				s.publish(deskDelta(s))
				s.pass(4 * time.Second)
				for folder, dark := range map[string]bool{"dark": true, "light": false} {
					s.send(background(dark))
					s.compare(filepath.Join("testdata", "themes", name+"-"+folder+".golden"), tagged(s.m.draw().Content))
				}
			})
		})
	}
}

// brokenLink returns what shows rows of a subscription that has a problem.
func brokenLink(phase model.Phase, status int, words string) func(*screen) {
	return func(s *screen) {
		delta := whole(all, deskRows()...)
		link := &delta.Links[0]
		link.Phase, link.StaleSince = phase, time.Now().Add(-47*time.Second)
		link.Problem = &model.Problem{Status: status, Words: words, Refuse: phase == model.Refused}
		link.Attempt, link.RetryAt = 3, time.Now().Add(4*time.Second)
		if status == 401 {
			link.Problem.Advice = "check the token: $BLOTTER_TOKEN, service.token_file or service.token_command"
		}
		if status == 403 {
			link.ByService, link.RetryAt = true, time.Now().Add(9*time.Minute)
		}
		s.publish(delta)
	}
}

// youngLink returns what shows a subscription that has no rows yet.
func youngLink(change func(*model.Link)) func(*screen) {
	return func(s *screen) {
		link := model.Link{Subscription: s.m.store.Subscriptions()[0], Address: "https://node.example"}
		change(&link)
		s.publish(book.Delta{Links: []model.Link{link}})
	}
}

// heldBackLink makes a link that of a stream that a proxy seems to hold back.
func heldBackLink(l *model.Link) {
	l.Problem = &model.Problem{
		Words: "a proxy seems to hold back the stream: 8 KiB came, and not the rest of a message", HeldBack: true,
		Advice: "have the proxy pass streams on at once: in nginx proxy_buffering off for their path, or X-Accel-Buffering: no from the service",
	}
}

// laggingNode shows rows of a node whose last block is old.
func laggingNode(s *screen) {
	delta := whole(all, deskRows()...)
	delta.Links[0].Block = model.Block{Height: 1_234_567, Time: time.Now().Add(-127 * time.Second)}
	delta.Links[0].BlockAt = time.Now()
	delta.Links[0].Lag = model.Lag{By: 127 * time.Second, Shown: model.LagOfBlock}
	s.publish(delta)
}

// deskThen returns what shows the desk's rows and presses keys.
func deskThen(keys ...string) func(*screen) {
	return func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.press(keys...)
	}
}

func TestGoldenStates(t *testing.T) {
	for name, set := range map[string]func(*screen){
		"connecting": youngLink(func(l *model.Link) {}),
		"loading":    youngLink(func(l *model.Link) { l.Phase, l.StagedRows, l.StagedPages = model.Syncing, 150, 3 }),
		"held-back":  youngLink(heldBackLink),
		"held-back-120x40": func(s *screen) {
			s.send(tea.WindowSizeMsg{Width: 120, Height: 40})
			youngLink(heldBackLink)(s)
		},
		"nothing": func(s *screen) { s.publish(whole(all)) },
		"pair": func(s *screen) {
			s.press("m")
			s.write("ETH/USDT")
			s.press("enter", "p")
			s.write("desk-1")
			s.press("enter")
			s.publish(whole(s.m.store.Subscriptions()[0]))
		},
		"quiet": func(s *screen) {
			delta := whole(all, deskRows()...)
			delta.Links[0].MessageAt = time.Now().Add(-3 * time.Minute)
			delta.Links[0].VerifiedAt = time.Now().Add(-12 * time.Second)
			s.publish(delta)
		},
		"stale":          brokenLink(model.Waiting, 0, "connection lost (reset by peer)"),
		"banned":         brokenLink(model.Waiting, 403, "Forbidden"),
		"refused":        brokenLink(model.Refused, 401, "invalid token"),
		"filtering":      deskThen("/", "e", "t", "h"),
		"filtered":       deskThen("/", "e", "t", "h", "enter"),
		"nothing-match":  deskThen("/", "x", "r", "p"),
		"frozen":         deskThen("f"),
		"closed-shown":   deskThen("c"),
		"help":           deskThen("?"),
		"connection":     aBusyConnection,
		"detail":         deskThen("enter"),
		"picker":         deskThen("p", "d", "e", "s"),
		"naming":         deskThen("down", "down", "n", "h", "o", "u", "s", "e", "tab", "tab", "3", "9"),
		"palette":        deskThen(":", "d", "e", "s", "k"),
		"columns":        deskThen("C", "down", "down", "p", "right"),
		"margins":        deskThen("tab"),
		"margins-zoomed": deskThen("tab", "z"),
		"long-number": func(s *screen) {
			rows := deskRows()
			rows[0].SetNumber(model.UnrealisedPnl, longNumber(45))
			s.publish(whole(all, rows...))
			s.pass(time.Second)
		},
		"refused-at-first": youngLink(func(l *model.Link) {
			l.Phase, l.Attempt, l.RetryAt = model.Refused, 1, time.Now().Add(5*time.Minute)
			l.Problem = &model.Problem{
				Status: 404, Words: "unknown party", Refuse: true,
				Advice: `"desk-99" is no name in the configuration and no identifier; press p to choose another`,
			}
		}),
		"behind": laggingNode,
		"partial": func(s *screen) {
			delta := whole(all, deskRows()...)
			delta.Links[0].Partial, delta.Links[0].StagedRows = true, 1_234
			s.publish(delta)
		},
		"partial-again": func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.pass(time.Second)
			delta := whole(all)
			delta.Snapshots, delta.Audits = nil, nil
			delta.Links[0].Partial, delta.Links[0].StagedRows = true, 3
			delta.Updates = []book.Updates{{Subscription: all, Positions: deskRows()[:3], BeginsPartial: true}}
			s.publish(delta)
		},
		"stale-filtered": func(s *screen) {
			brokenLink(model.Waiting, 0, "connection lost (reset by peer)")(s)
			s.press("/")
			s.write("status:distressed")
			s.press("enter")
		},
		"all-closed": func(s *screen) {
			s.publish(whole(all, deskRows()[6:]...))
		},
	} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, 80, 24, watchAll, func(s *screen) {
				set(s)
				s.golden(name)
			})
		})
	}
}

// TestGoldenNames: names too long for their columns, of wide characters, emoji, Arabic and Hebrew, keep the columns
// straight and stay different from one another.
func TestGoldenNames(t *testing.T) {
	named := func(o *Options) {
		watchAll(o)
		parties := []model.Party{
			{ID: desk1, Name: "Northern Lights fund, alpha"}, {ID: desk2, Name: "Northern Lights fund, omega"},
			{ID: desk3, Name: "東京トレーディングデスク一号"}, {ID: nobody, Name: "مكتب التداول"}, {ID: network, Name: "👩‍👩‍👧 family office"},
		}
		markets := []model.Market{
			{ID: ethMarket, Name: "Ether perpetual future in USDT", Asset: usdt, PriceDecimals: 2, SizeDecimals: 3},
			{ID: btcMarket, Name: "BTC/USDT", Asset: usdt, PriceDecimals: 1, SizeDecimals: 3},
			{ID: linkMarket, Name: "חוזה עתידי על לינק", Asset: usdt, PriceDecimals: 3, SizeDecimals: 1},
		}
		o.Instruments = model.NewInstruments(parties, markets, []model.Asset{{ID: usdt, Symbol: "USDT", Decimals: 2}})
	}
	for name, width := range map[string]int{"names-50": 50, "names-80": 80, "names-120": 120} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, width, 24, named, func(s *screen) {
				s.publish(whole(all, deskRows()...))
				s.pass(time.Second)
				s.golden(name)
				s.fits(width, 24)
			})
		})
	}
}

// TestGoldenWithoutConfiguration: whatever the service has, without names and decimals.
func TestGoldenWithoutConfiguration(t *testing.T) {
	bare := func(o *Options) {
		watchAll(o)
		o.Instruments = nil
	}
	onScreen(t, 80, 24, bare, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.golden("without-configuration")
	})
}
