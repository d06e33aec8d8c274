package ui

import (
	"errors"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/alerts"
	"blotter/ui/pane"
)

// waysIntoOverlays are the keys that open each overlay, two that lie over pages among them.
func waysIntoOverlays() map[string][]string {
	ways := map[string][]string{"the filter of the events": {"e", "/"}, "the palette over a page": {"?", ":"}, "the time over a page": {"w", "?", "w"}}
	for _, g := range dialogKeys() {
		ways[g.Title] = entering[g.Title]
	}
	return ways
}

// isReady lets the profile be opened.
func (p *profiled) isReady() {
	if p.waiting != nil {
		close(p.waiting)
	}
	p.waiting = nil
}

// typedScreen is a screen of the desk with a past and with profiles, which are opened when isReady is called.
func typedScreen(t *testing.T, test func(s *screen, p *profiled, memory *fakeMemory)) {
	t.Helper()
	memory, p := fakeMemory{takes: time.Second}, profiled{}
	onScreen(t, 80, 24, func(o *Options) {
		keepingPast(&memory)(o)
		p.begin(o)
		o.Alerts = []alerts.Rule{ruleOf("deep", "upnl<-1k", "")}
	}, func(s *screen) {
		p.waiting = make(chan struct{})
		s.publish(whole(all, deskRows()...))
		test(s, &p, &memory)
		p.isReady()
	})
}

// TestNoMessageClosesWhatIsTypedIn, or the rest of the text would be keys: q quits, R sorts.
func TestNoMessageClosesWhatIsTypedIn(t *testing.T) {
	messages := map[string]func(s *screen, p *profiled){
		"a snapshot": func(s *screen, _ *profiled) { s.publish(whole(all, deskRows()[3])) },
		"no rows":    func(s *screen, _ *profiled) { s.publish(whole(all)) },
		"an alert":   func(s *screen, _ *profiled) { s.updates(worse("-200000")) },
		"a lost stream": func(s *screen, _ *profiled) {
			link := liveLink(all)
			link.Phase, link.StaleSince, link.Problem = model.Waiting, time.Now(), &model.Problem{Words: "connection refused"}
			s.publish(book.Delta{Links: []model.Link{link}})
		},
		"a refused stream": func(s *screen, _ *profiled) {
			link := liveLink(all)
			link.Phase, link.StaleSince = model.Refused, time.Now()
			s.publish(book.Delta{Links: []model.Link{link}})
		},
		"a tiny window": func(s *screen, _ *profiled) {
			for _, size := range []tea.WindowSizeMsg{{}, {Width: 5, Height: 1}, {Width: 20, Height: 3}, {Width: 80, Height: 24}} {
				s.send(size)
			}
		},
		"an error": func(s *screen, _ *profiled) {
			s.m.options.Recording = func() error { return errors.New("disk full") }
			s.pass(2 * time.Second)
		},
		"a notice":     func(s *screen, _ *profiled) { s.send(pane.Said("Saved.")) },
		"a minute":     func(s *screen, _ *profiled) { s.pass(time.Minute) },
		"the mouse":    func(s *screen, _ *profiled) { s.send(tea.MouseWheelMsg{X: 30, Y: 12, Button: tea.MouseWheelDown}) },
		"a background": func(s *screen, _ *profiled) { s.send(tea.BackgroundColorMsg{}) },
		"a resume":     func(s *screen, _ *profiled) { s.send(tea.ResumeMsg{}) },
		"a profile":    func(s *screen, p *profiled) { p.isReady(); s.drain() },
		"a wrong profile": func(s *screen, p *profiled) {
			p.refusal = errors.New("its token is missing")
			p.isReady()
			s.drain()
		},
	}
	for over, keys := range waysIntoOverlays() {
		for what, come := range messages {
			t.Run(over+", "+what, func(t *testing.T) {
				typedScreen(t, func(s *screen, p *profiled, _ *fakeMemory) {
					s.press("v", "end", "enter") // a profile is opened
					s.press(keys...)
					s.pass(2 * time.Second) // until the past is there
					on := s.m.overlays.top()
					if on == nil {
						s.t.Errorf("%v opens nothing:\n%s", keys, s.text())
						return
					}
					come(s, p)
					s.keepsTyping(on)
				})
			})
		}
	}
}

// keepsTyping fails the test unless an overlay, in which text may be typed, still gets the keys.
func (s *screen) keepsTyping(on pane.Pane) {
	s.t.Helper()
	if s.m.overlays.top() != on {
		s.t.Errorf("it is closed:\n%s", s.text())
		return
	}
	if _, isTyping := on.(pane.Typing); isTyping {
		s.write("qRq")
		s.sees("qRq")
	}
	if s.sentMsg("QuitMsg") {
		s.t.Error("a letter quits")
	}
}

// TestTheProfileIsShownAfterWhatIsTyped, and the screen says that it waits.
func TestTheProfileIsShownAfterWhatIsTyped(t *testing.T) {
	for over, keys := range waysIntoOverlays() {
		t.Run(over, func(t *testing.T) {
			typedScreen(t, func(s *screen, p *profiled, _ *fakeMemory) {
				s.press("v", "end", "enter")
				s.press(keys...)
				s.pass(2 * time.Second)
				p.isReady()
				s.drain()
				if over != "searching in a page" { // no notice is shown there
					s.sees("The profile is shown when ")
				}
				for s.m.overlays.top() != nil {
					s.press("esc")
				}
				s.sees("testnet", "This is profile testnet")
				s.publish(whole(all, deskRows()...))
				s.press("q")
				if !s.sentMsg("QuitMsg") {
					t.Errorf("keys do nothing:\n%s", s.text())
				}
			})
		})
	}
}

// TestLeavingThePastClosesNothingThatIsTypedIn: the past is left after it.
func TestLeavingThePastClosesNothingThatIsTypedIn(t *testing.T) {
	ways := waysIntoOverlays()
	ways["typing a time"], ways["the time over a page"] = []string{"w"}, []string{"?", "w"}
	delete(ways, "replacing a baseline")
	for over, keys := range ways {
		t.Run(over, func(t *testing.T) {
			typedScreen(t, func(s *screen, _ *profiled, memory *fakeMemory) {
				s.press("w")
				s.pass(2 * time.Second)
				s.press("<", "B", "esc")
				s.press(keys...)
				on := s.m.overlays.top()
				if on == nil { // not in the past
					return
				}
				there := whole(all, deskRows()[0])
				there.Restart = true
				memory.publish(there)
				s.drain()
				s.keepsTyping(on)
				for s.m.overlays.top() != nil {
					s.sees("REWIND")
					s.press("esc")
				}
				s.sees("LIVE", "6 open")
				s.seesNot("REWIND")
			})
		})
	}
}

// TestATimeThatIsTypedWhileThePastIsLeft is shown.
func TestATimeThatIsTypedWhileThePastIsLeft(t *testing.T) {
	typedScreen(t, func(s *screen, _ *profiled, memory *fakeMemory) {
		s.press("w")
		s.pass(2 * time.Second)
		s.press("<", "B", "esc", "w")
		there := whole(all, deskRows()[0])
		there.Restart = true
		memory.publish(there)
		s.drain()
		s.write("13:30")
		s.press("enter")
		s.sees("REWIND 13:30:00")
		s.press("esc")
		s.sees("LIVE", "6 open")
	})
}

// TestWhatIsTypedForAPastThatCannotBeShown does nothing, also the letters that come later.
func TestWhatIsTypedForAPastThatCannotBeShown(t *testing.T) {
	for _, end := range []string{"enter", "esc"} {
		typedScreen(t, func(s *screen, _ *profiled, memory *fakeMemory) {
			memory.err = errors.New("no space left on device")
			s.press("w", "/", "e")
			s.pass(2 * time.Second)
			const words = "Keys do nothing until enter or esc. The past cannot be shown: no space left…"
			s.sees(words)
			s.write("th")
			s.press("s", "r", "q")
			s.sees(words, "LIVE", "uPnL ▲")
			s.seesNot("session")
			if s.sentMsg("QuitMsg") {
				t.Error("a letter quits")
			}
			s.press(end)
			s.seesNot("Keys do nothing")
			s.press("s", "r")
			s.sees("rPnL ▲")
		})
	}
}
