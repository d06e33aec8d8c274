package ui

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
	"blotter/ui/alerts"
)

// fits fails the test if a line is wider or the screen is higher than the terminal.
func (s *screen) fits(width, height int) {
	s.t.Helper()
	view := s.m.View()
	if most := 100 * (width + 100) * height; len(view.Content) > most {
		s.t.Fatalf("%d bytes are drawn on a screen of %dx%d", len(view.Content), width, height)
	}
	lines := strings.Split(view.Content, "\n")
	if len(lines) > max(height, 1) {
		s.t.Fatalf("%d lines on a screen of %dx%d:\n%s", len(lines), width, height, ansi.Strip(view.Content))
	}
	for _, line := range lines {
		if got := ansi.StringWidth(line); got > width {
			s.t.Fatalf("%d cells on a screen of %dx%d: %q", got, width, height, line)
		}
	}
	if c := view.Cursor; c != nil && (c.X < 0 || c.X >= width || c.Y < 0 || c.Y >= height) {
		s.t.Fatalf("the cursor is at %d,%d on a screen of %dx%d", c.X, c.Y, width, height)
	}
}

// everyKey are the keys that do anything, and some text.
func everyKey() []string {
	var names []string
	for _, g := range DefaultKeys().Groups {
		for _, a := range g.Actions {
			names = append(names, a.Keys...)
		}
	}
	return append(names, "e", "t", "h", "x", "backspace", "delete", "ctrl+u", "ctrl+w", "home", "end")
}

var keySeeds = flag.Uint64("key-seeds", 3, "how many times TestAnyKeysAtAnySize presses 500 random keys; TestKeysBeforeTheResponses does it eight times as often")

// TestAnyKeysAtAnySize presses keys and uses the mouse at random while the screen changes its size, data comes in, time
// passes and the service fails.
func TestAnyKeysAtAnySize(t *testing.T) {
	names := everyKey()
	for seed := range *keySeeds {
		var memory fakeMemory
		change := func(o *Options) {
			if seed%2 == 1 { // else the scope has parties
				keepingPast(&memory)(o)
				withMouse(o)
			}
			o.Alerts = []alerts.Rule{ruleOf("short", "side:short", ""), ruleOf("loss", "upnl<-100", "")}
		}
		onScreen(t, 80, 24, change, func(s *screen) {
			random := rand.New(rand.NewPCG(seed, 1))
			width, height := 80, 24
			s.publish(deskDelta(s))
			s.source.respond = randomPages(seed)
			for range 500 {
				switch random.IntN(24) {
				case 0:
					width, height = 1+random.IntN(500), 1+random.IntN(200)
					s.send(tea.WindowSizeMsg{Width: width, Height: height})
				case 1, 2:
					width, height = 1+random.IntN(120), 1+random.IntN(45)
					s.send(tea.WindowSizeMsg{Width: width, Height: height})
				case 3:
					s.publish(deskDelta(s))
				case 4, 5, 6:
					row := randomChange(random)
					for _, subscription := range s.m.store.Subscriptions() {
						if subscription.Covers(row.Key) { // a feed lets no other rows through
							s.publish(updatesOf(subscription, row))
						}
					}
				case 7:
					s.pass(time.Second)
				case 8:
					time.Sleep(time.Duration(random.Int64N(int64(5 * time.Minute))))
					s.drain()
				case 9:
					link := liveLink(s.m.store.Subscriptions()[0])
					link.StaleSince, link.Problem = time.Now(), &model.Problem{Words: hostile[random.IntN(len(hostile))]}
					s.publish(book.Delta{Links: []model.Link{link}})
				case 10:
					texts := append([]string{desk1.String(), "eth", "-5%", "-5m", "upnl<0"}, hostile...)
					s.send(tea.PasteMsg{Content: texts[random.IntN(len(texts))]})
				case 11, 12:
					at := tea.Mouse{X: random.IntN(width), Y: random.IntN(height), Button: tea.MouseLeft}
					s.send(tea.MouseClickMsg(at))
					at.Y = random.IntN(height)
					s.send(tea.MouseMotionMsg(at))
					s.send(tea.MouseReleaseMsg(at))
				case 13:
					button := []tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}[random.IntN(2)]
					s.send(tea.MouseWheelMsg{X: random.IntN(width), Y: random.IntN(height), Button: button})
				default:
					s.press(names[random.IntN(len(names))])
				}
				s.fits(width, height)
				if len(s.m.store.Settings().Scope.Parties) > 20 || len(s.m.store.Settings().Scope.Markets) > 20 {
					t.Fatal("the scope grows without end")
				}
			}
		})
	}
}

// randomPages returns what responds with pages of the desk, with failures, and with hostile texts.
func randomPages(seed uint64) func(context.Context, model.PageRequest) (*model.Page, error) {
	random := rand.New(rand.NewPCG(seed, 2))
	var mu sync.Mutex // requests come from several goroutines
	return func(_ context.Context, request model.PageRequest) (*model.Page, error) {
		mu.Lock()
		defer mu.Unlock()
		page := deskPage(request)
		switch random.IntN(6) {
		case 0:
			return nil, errors.New(hostile[random.IntN(len(hostile))])
		case 1:
			id := model.MakeID(hostile[random.IntN(len(hostile))])
			page.Rows = append(page.Rows, record(id, id, random.IntN(100), random.Int64(), 0, -1, random.Int64()))
		}
		return page, nil
	}
}

// randomChange is a row of the desk with other numbers.
func randomChange(random *rand.Rand) model.Position {
	row := deskRows()[random.IntN(10)]
	numbers := []model.Amount{
		model.AmountOf(random.Int64()), model.AmountOf(-random.Int64()), model.AmountOf(random.Int64N(100_000)), model.AmountOf(0),
		model.ParseAmount(strings.Repeat("9", 60)), model.ParseAmount("no number"),
	}
	for range 1 + random.IntN(3) {
		row.SetNumber(model.Field(random.IntN(int(model.UpdatedAt)+1)), numbers[random.IntN(len(numbers))])
	}
	row.SetStatus([]byte(model.AmountOf(random.Int64N(5)).String()))
	return row
}

// hostile are identifiers that try to leave their cells.
var hostile = []string{
	"\x1b[2J\x1b[31mred", "a\r\nb\tc", "\u202egnol", "wide世界世界世界世界世界世界", "e\u0301\u0301\u0301", "\x00\x07\x7f",
	"👨‍👩‍👧‍👦🏳️‍🌈", "\u3164\u115f", strings.Repeat("long", 200), "\u009b31m", "\u200bzero", " ", "r.r.r",
}

// hostileKeys open and leave all pages that show what the service names.
var hostileKeys = [][]string{
	{"enter"}, {"esc"}, {"i"}, {"esc"}, {"p"}, {"esc"}, {"tab"}, {"tab"}, {"n"}, {"esc"}, {"B"}, {"e"}, {"down"}, {"y"}, {"enter"}, {"h"}, {"a"}, {"esc"},
	{"b"}, {"down"}, {"b"}, {"down"}, {"b"}, {"s"}, {"q"}, {"b"}, {"!"}, {"v"}, {"esc"}, {"y"}, {"down"},
	{"/", "m", "a", "r", "k", "e", "t", ":", "tab"}, {"esc"}, {"/", "s", "t", "a", "t", "u", "s", ":", "tab"}, {"esc"},
}

// looksSequence sets looks of text. No other sequence is drawn.
var looksSequence = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// drives reports whether a text has anything but looks that a terminal does not show as it is.
func drives(text string) bool {
	return strings.ContainsAny(looksSequence.ReplaceAllString(text, ""), "\x1b\x07\r\t\x00\x7f\u202e\u009b")
}

func TestHostileTextStaysInItsCells(t *testing.T) {
	alerted := func(o *Options) {
		watchAll(o)
		o.Alerts = []alerts.Rule{ruleOf("short", "side:short", "")}
	}
	for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 40}, {200, 60}}[:modeltest.Times(4)] {
		onScreen(t, size[0], size[1], alerted, func(s *screen) {
			s.source.respond = func(context.Context, model.PageRequest) (*model.Page, error) {
				page := &model.Page{ReadAt: time.Now()}
				for _, text := range hostile {
					r := record(model.MakeID(text), model.MakeID(text), 1, 1, 2, 3, 4)
					r.Asset, r.Search = model.MakeID(text), model.ParseAmount(text)
					page.Rows = append(page.Rows, r)
				}
				return page, nil
			}
			s.press("r")
			var rows []model.Position
			for _, text := range hostile {
				p := position(model.MakeID(text), model.MakeID(text), text, text, text, text, 0, 1)
				p.SetStatus([]byte(text))
				p.SetNumber(model.UpdatedAt, model.ParseAmount(text))
				rows = append(rows, p)
			}
			s.publish(whole(all, rows...))
			s.pass(time.Second)
			var changes []model.Position // for events
			for i, text := range hostile {
				p := rows[i]
				p.SetNumber(model.OpenVolume, model.AmountOf(-5))
				p.SetNumber(model.LossSocialisationAmount, model.ParseAmount(text))
				p.SetStatus([]byte("NEW_" + text))
				changes = append(changes, p)
			}
			s.publish(updatesOf(all, changes...))
			s.pass(4 * time.Second)
			// Every line ends at the same column whatever is in its cells, if nothing moves.
			for range rows {
				for _, keys := range hostileKeys {
					s.press(keys...)
					s.fits(size[0], size[1])
					if drives(s.m.View().Content) {
						t.Fatalf("after %v something drives the terminal: %q", keys, s.m.View().Content)
					}
				}
			}
			raised := s.raised()
			notified := strings.NewReplacer("\x1b]9;blotter: ", "", "\a", "").Replace(raised)
			if !strings.Contains(raised, "\x1b]9;blotter: short") || drives(notified) || strings.Count(raised, "\a") != 2*strings.Count(raised, "\x1b]9;") {
				t.Errorf("the desktop is notified with %q", raised)
			}
		})
	}
}
