package ui

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/theme"
)

// The pictures in .github are screens of the tests as SVG. After a change of the screen on purpose, renew them:
//
//	go test ./ui -run Picture -update

// inVivid sets the options of the pictures: the colours of the demo.
func inVivid(o *Options) {
	watchAll(o)
	o.Appearance.Theme = theme.Vivid
}

// TestPicture: .github/screen.svg is a screen of 120x40 while numbers change, after two minutes in which a profit has
// come and gone, on a dark background, and screen-light.svg the same on a light one.
func TestPicture(t *testing.T) {
	vivid := func(o *Options) {
		inTrouble(o)
		watchAll(o)
		o.Appearance.Theme = theme.Vivid
	}
	onScreen(t, 120, 40, vivid, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(4 * time.Second)
		for _, profit := range []int{-44920, -41000, -22000, -3100, 8400, 17250, 9100, -12900, -26000, -38500, -47000, -51300} {
			for range 5 { // the chart of the day
				s.publish(updatesOf(all, worse(strconv.Itoa(profit))))
				s.passLive(2 * time.Second)
			}
		}
		s.passLive(2 * time.Second)
		s.publish(updatesOf(all, worse("-66130"), changed(1, "42000", "-13110", "8841")))
		for name, of := range map[string]*pictureColours{"screen.svg": onDarkPicture, "screen-light.svg": onLightPicture} {
			s.send(background(of == onDarkPicture))
			s.picture(name, 120, 40, of, pictureFrame{lines: strings.Split(s.m.draw().Content, "\n")})
		}
	})
}

// takeFrames returns frames of a picture, and a function that takes another one after keys.
func (s *screen) takeFrames() (frames *[]pictureFrame, take func(caption string, keys ...string)) {
	frames = new([]pictureFrame)
	return frames, func(caption string, keys ...string) {
		s.press(keys...)
		s.pass(time.Second)
		*frames = append(*frames, pictureFrame{strings.Split(s.m.draw().Content, "\n"), caption})
	}
}

// TestMovingPictureOfTrouble: .github/trouble.svg is a screen of 80x24 while a position is closed out: what is told of
// it, why its PnL changed, what other prices would do, and a group of marked rows.
func TestMovingPictureOfTrouble(t *testing.T) {
	memory := fakeMemory{fakeReplay: &fakeReplay{speed: 1}, until: time.Date(2000, 1, 1, 13, 2, 27, 0, time.UTC)}
	vivid := func(o *Options) {
		margin(o)
		o.Appearance.Theme = theme.Vivid
		memory.fakeSource = newFakeSource()
		recorded := whole(all, deskRows()[1:]...)
		recorded.Restart = true
		memory.publish(recorded)
		o.Memory = &memory
	}
	onScreen(t, 80, 24, vivid, func(s *screen) {
		s.publish(whole(all, deskRows()[1:]...))
		s.updates(ethOf("-10000", "-10000", "100210", model.StatusUnspecified))
		s.send(background(true))
		s.pass(4 * time.Second)
		frames, take := s.takeFrames()
		s.incident()
		take("A close-out stays for a minute, with what it cost.")
		take("! has its story, from the alert on.", "!")
		take("enter: the detail says how it ended, and why its PnL changed.", "esc", "g", "down", "down", "enter")
		s.press("esc", "x")
		s.pass(4 * time.Second)
		take("x: what if all prices changed?")
		s.write("all -5%")
		s.press("enter", "x")
		s.pass(4 * time.Second)
		take("all -5% enter: what is, and what would be.")
		s.press("esc", "esc", "x", "tab", "tab")
		s.pass(4 * time.Second)
		take("Tabs have the exposure, the days, and parties by markets.")
		s.press("esc", "g", "a", "down", "down", "down", "a", "O")
		s.write("hedge")
		take("a marks rows, and O makes a group of them, with sums of its own.", "enter", "b", "b", "b", "b")
		s.picture("trouble.svg", 80, 24, onDarkPicture, *frames...)
	})
}

// TestMovingPicture: .github/moving.svg is a screen of 80x24 while keys are pressed.
func TestMovingPicture(t *testing.T) {
	onScreen(t, 80, 24, inVivid, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.send(background(true))
		s.pass(time.Second)
		frames, take := s.takeFrames()
		take("The worst positions are first.")
		take("/ filters the rows after each key.", "/", "e", "t", "h", "|", "b", "t", "c")
		take("esc takes one step back.", "esc")
		take("b groups them: by party, by market, by asset.", "b")
		take("enter opens the detail.", "b", "b", "b", "down", "enter")
		s.press("esc")
		brokenLink(model.Waiting, 0, "connection lost")(s)
		take("STALE: the rows may be out of date. Since when, why, and when is the next try?")
		s.publish(whole(all, deskRows()...))
		s.pass(12 * time.Second)
		s.publish(whole(all, deskRows()...))
		take("B takes a baseline: changes since then are exact.", "B")
		s.publish(updatesOf(all, worse("-50130")))
		take("A number that has just changed is bold for a second, and an arrow says whether it grew.")
		s.picture("moving.svg", 80, 24, onDarkPicture, *frames...)
	})
}

// pictureFrame is a screen with its styles, and what a picture says below it.
type pictureFrame struct {
	lines   []string
	caption string
}

// picture compares a picture of frames, one after the other, with a file in .github.
func (s *screen) picture(name string, width, height int, of *pictureColours, frames ...pictureFrame) {
	s.t.Helper()
	path := filepath.Join("..", ".github", name)
	want := svg(width, height, of, frames)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	if string(got) != want {
		s.t.Errorf("%s is not the screen; go test ./ui -run Picture -update renews it", path)
	}
}

// The size of a cell, where letters stand in it, the margin, and how many seconds a frame is shown.
const (
	cellWidth, cellHeight, baselineAt = 8.4, 18, 13
	pictureMargin                     = 12
	frameSeconds                      = 4
)

// svg draws frames. Several are shown one after the other, with captions.
func svg(width, height int, of *pictureColours, frames []pictureFrame) string {
	rows := height
	if frames[0].caption != "" {
		rows += 2
	}
	var b strings.Builder
	w, h := float64(width)*cellWidth+2*pictureMargin, rows*cellHeight+2*pictureMargin
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %d\" width=\"%.0f\" height=\"%d\" fill=\"%s\">\n<style>\n", w, h, w, h, of.text)
	b.WriteString("text{font:14px ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace}\n")
	b.WriteString(".b{font-weight:bold}.d{opacity:.6}.u{text-decoration:underline}\n")
	if n := len(frames); n > 1 {
		for i := range frames {
			from, to := 100*float64(i)/float64(n), 100*float64(i+1)/float64(n)
			usual := "hidden"
			if i == 0 { // what shows no animation shows this one
				usual = "visible"
			}
			fmt.Fprintf(&b, "#f%d{visibility:%s;animation:k%d %ds step-end infinite}\n", i, usual, i, n*frameSeconds)
			fmt.Fprintf(&b, "@keyframes k%d{0%%{visibility:hidden}%.2f%%{visibility:visible}%.2f%%{visibility:hidden}}\n", i, from, to)
		}
		b.WriteString("@media(prefers-reduced-motion){g{animation:none!important}}\n")
	}
	fmt.Fprintf(&b, "</style>\n<rect width=\"100%%\" height=\"100%%\" rx=\"6\" fill=\"%s\"/>\n", of.ground)
	for i, f := range frames {
		fmt.Fprintf(&b, "<g id=\"f%d\" transform=\"translate(%d %d)\">\n", i, pictureMargin, pictureMargin)
		for row, line := range f.lines {
			svgLine(&b, of, row, line)
		}
		if f.caption != "" {
			svgLine(&b, of, height+1, "\x1b[1m "+f.caption)
		}
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// pictureColours are the colours of a terminal that has no others.
type pictureColours struct{ text, ground string }

var (
	onDarkPicture  = &pictureColours{"#d4d4d4", "#16181d"}
	onLightPicture = &pictureColours{"#24292f", "#ffffff"}
)

// pictureWords are words with one space between them: not every program that draws SVG keeps several.
var pictureWords = regexp.MustCompile(`\S+( \S+)*`)

// svgLine draws a line of a screen: a text, and perhaps a ground, for each part with one style.
func svgLine(b *strings.Builder, of *pictureColours, row int, line string) {
	style := pictureStyle{of: of}
	column, at := 0, 0
	put := func(text string) {
		cells := draw.Width(text)
		x, width := float64(column)*cellWidth, float64(cells)*cellWidth
		colour, ground := style.colours()
		if ground != "" {
			fmt.Fprintf(b, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", x, row*cellHeight, width, cellHeight, ground)
		}
		for _, at := range pictureWords.FindAllStringIndex(text, -1) {
			words := text[at[0]:at[1]]
			fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\"%s%s>%s</text>\n", x+float64(draw.Width(text[:at[0]]))*cellWidth,
				row*cellHeight+baselineAt, float64(draw.Width(words))*cellWidth, style.class(), colour, html.EscapeString(words))
		}
		column += cells
	}
	for _, found := range sequence.FindAllStringSubmatchIndex(line, -1) {
		if found[0] > at {
			put(line[at:found[0]])
		}
		style.set(strings.Split(line[found[2]:found[3]], ";"))
		at = found[1]
	}
	if at < len(line) {
		put(line[at:])
	}
}

// pictureStyle is the style of a text. An empty colour is that of the terminal.
type pictureStyle struct {
	of                            *pictureColours
	bold, dim, underline, reverse bool
	text, ground                  string
}

// set changes the style by the numbers of a sequence.
func (p *pictureStyle) set(codes []string) {
	for i := 0; i < len(codes); i++ {
		switch codes[i] {
		case "", "0":
			*p = pictureStyle{of: p.of}
		case "1":
			p.bold = true
		case "2":
			p.dim = true
		case "4":
			p.underline = true
		case "7":
			p.reverse = true
		case "38", "48":
			colour, more := pictureColour(codes[i+1:])
			if codes[i] == "38" {
				p.text = colour
			} else {
				p.ground = colour
			}
			i += more
		}
	}
}

// pictureColour returns a colour by the numbers of a sequence: one of 256, or all three parts of one.
func pictureColour(codes []string) (colour string, used int) {
	part := func(i int) int {
		n, _ := strconv.Atoi(codes[i])
		return n
	}
	if codes[0] == "2" {
		return fmt.Sprintf("#%02x%02x%02x", part(1), part(2), part(3)), 4
	}
	red, green, blue, _ := ansi.IndexedColor(part(1)).RGBA()
	return fmt.Sprintf("#%02x%02x%02x", red>>8, green>>8, blue>>8), 2
}

// colours returns the attribute of the text, empty if it is that of the terminal, and the colour of the ground.
func (p *pictureStyle) colours() (attribute, ground string) {
	text, ground := p.text, p.ground
	if p.reverse {
		text, ground = p.of.ground, p.of.text
		if p.text != "" {
			ground = p.text
		}
	}
	if text == "" {
		return "", ground
	}
	return fmt.Sprintf(" fill=%q", text), ground
}

func (p *pictureStyle) class() string {
	var names []string
	for i, is := range []bool{p.bold, p.dim, p.underline} {
		if is {
			names = append(names, "bdu"[i:i+1])
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf(" class=%q", strings.Join(names, " "))
}
