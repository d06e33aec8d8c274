package ui

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"blotter/model"
)

var update = flag.Bool("update", false, "write the golden screens anew; read them before keeping them")

// golden compares the screen with the one in testdata.
func (s *screen) golden(name string) {
	s.t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(s.text()), 0o644); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	if got := s.text(); got != string(want) {
		s.t.Errorf("%s: the screen is\n%s\nand should be\n%s", path, got, want)
	}
}

func TestGoldenSizes(t *testing.T) {
	for name, size := range map[string][2]int{
		"40x10": {40, 10}, "80x24": {80, 24}, "120x40": {120, 40}, "200x60": {200, 60}, "30x8": {30, 8},
	} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, size[0], size[1], nil, func(s *screen) {
				s.publish(deskDelta(s))
				s.pass(4 * time.Second)
				s.golden(name)
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
		link := model.Link{Subscription: s.m.data.subscriptions[0], Address: "https://node.example"}
		change(&link)
		s.publish(model.Delta{Links: []model.Link{link}})
	}
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
		"nothing":    func(s *screen) { s.publish(whole(all)) },
		"pair": func(s *screen) {
			s.press("m")
			s.write("ETH/USDT")
			s.press("enter", "p")
			s.write("desk-1")
			s.press("enter")
			s.publish(whole(s.m.data.subscriptions[0]))
		},
		"quiet": func(s *screen) {
			delta := whole(all, deskRows()...)
			delta.Links[0].HeardAt = time.Now().Add(-3 * time.Minute)
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
		"margins":        deskThen("tab"),
		"margins-zoomed": deskThen("tab", "z"),
		"long-number": func(s *screen) {
			rows := deskRows()
			rows[0].SetNumber(model.UnrealisedPnl, longNumber(45))
			s.publish(whole(all, rows...))
			s.pass(time.Second)
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
