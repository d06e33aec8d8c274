package ui

import (
	"blotter/ui/views"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/persist"
	"blotter/ui/store"
)

// profiled is a screen of the profile mainnet, which can be switched to testnet, if desk-2 is watched.
type profiled struct {
	testnet *fakeSource
	opened  []string
	states  []persist.State
	refusal error
	waiting chan struct{} // closed when a profile may be opened; nil: at once
}

func (p *profiled) begin(o *Options) {
	watchAll(o)
	o.Profiles, o.OpenProfile = views.ProfileSwitch{Names: []string{"", "mainnet", "testnet"}, Current: "mainnet"}, p.open
}

func (p *profiled) open(name string, state persist.State) (store.Source, Options, error) {
	if p.waiting != nil {
		<-p.waiting
	}
	p.opened, p.states = append(p.opened, name), append(p.states, state)
	if p.refusal != nil {
		return nil, Options{}, p.refusal
	}
	p.testnet = newFakeSource()
	options := Options{
		Service:     "testnet.example",
		Extent:      store.Whole(0),
		Instruments: deskInstruments(),
		Location:    time.FixedZone("CET", 3600),
		Shown:       views.Shown{Settings: view.Settings{Scope: model.Scope{Parties: []model.ID{desk2}}, Order: view.Order{Column: view.SizeColumn}}},
	}
	p.begin(&options)
	options.Scope, options.Profiles.Current = model.Scope{Parties: []model.ID{desk2}}, name
	return p.testnet, options, nil
}

func TestAProfileIsShownInPlaceOfAnother(t *testing.T) {
	var p profiled
	onScreen(t, 120, 24, p.begin, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("/", "e", "enter", "z", "v", "end")
		s.sees("   no profile\n ✓ mainnet\n▌  testnet", "enter shows profile testnet")
		s.press("enter")
		s.sees("This is profile testnet, with testnet.example.")
		s.firstLine("  CONNECTING  desk-2  ")
		s.seesNot("mainnet", "ETH/USDT", "[e]", "─ views")
		if !s.source.closed || len(p.testnet.watched) != 1 {
			t.Errorf("closed: %v, watched: %v", s.source.closed, p.testnet.watched)
		}
		s.press("esc")
		s.sees("No step to undo.")
		p.testnet.publish(whole(s.m.store.Subscriptions()[0], deskRows()[5]))
		s.drain()
		s.wantMarkets("BTC")
		s.press("v", "end")
		s.sees("   mainnet\n▌✓ testnet", " testnet is shown")
	})
}

// TestAProfileSaysWhatIsWrongWithIt, such as names that cannot be used, also if an alert begins at once. Its own name
// follows, or the alert.
func TestAProfileSaysWhatIsWrongWithIt(t *testing.T) {
	var p profiled
	change := func(o *Options) {
		p.begin(o)
		o.OpenProfile = func(name string, state persist.State) (store.Source, Options, error) {
			source, options, err := p.open(name, state)
			options.Notices, options.Alerts = []string{"Names are not used."}, []alerts.Rule{ruleOf("gain", "upnl>0", "")}
			return source, options, err
		}
	}
	for row, next := range map[int]string{6: "This is profile testnet, with testnet.example.", 5: "gain: BTC/USDT desk-2"} {
		onScreen(t, 120, 24, change, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.press("v", "end", "enter")
			p.testnet.publish(whole(s.m.store.Subscriptions()[0], deskRows()[row]))
			s.pass(3 * time.Second)
			s.sees("Names are not used.")
			s.pass(2 * time.Second)
			s.sees(next)
		})
	}
}

// TestWhatIsSavedWhileAProfileIsOpenedIsKept: it may take seconds to get its token.
func TestWhatIsSavedWhileAProfileIsOpenedIsKept(t *testing.T) {
	var p profiled
	var kept []persist.State
	change := func(o *Options) {
		p.begin(o)
		o.Keep.State = func(state persist.State) error { kept = append(kept, state); return nil }
	}
	onScreen(t, 120, 24, change, func(s *screen) {
		p.waiting = make(chan struct{})
		s.publish(whole(all, deskRows()...))
		s.press("v", "end", "enter", "v", "g", "down", "s", "enter")
		s.sees("Saved as view 1.")
		close(p.waiting)
		s.drain()
		s.press("esc")
		s.sees("This is profile testnet, with testnet.example.")
		if len(kept) == 0 || len(kept[len(kept)-1].Views) != 1 {
			t.Errorf("it is kept as %+v", kept)
		}
	})
}

// TestABaselineThatIsTakenWhileAProfileIsOpenedIsKept for the next run with the service before.
func TestABaselineThatIsTakenWhileAProfileIsOpenedIsKept(t *testing.T) {
	var p profiled
	var kept *book.Baseline
	onScreen(t, 120, 24, func(o *Options) { p.begin(o); keeping(&kept)(o) }, func(s *screen) {
		p.waiting = make(chan struct{})
		s.publish(whole(all, deskRows()...))
		s.press("v", "end", "enter", "B")
		close(p.waiting)
		s.drain()
		s.sees("This is profile testnet, with testnet.example.")
		if kept.Len() != len(deskRows()) {
			t.Errorf("a baseline of %d positions is kept", kept.Len())
		}
	})
}

// TestEventsOfTheNextProfile are on its page of events, and those of the profile before are not.
func TestEventsOfTheNextProfile(t *testing.T) {
	var p profiled
	onScreen(t, 120, 24, p.begin, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		closed := deskRows()[0]
		closed.SetNumber(model.OpenVolume, model.ParseAmount("0"))
		s.publish(updatesOf(all, closed))
		s.press("e")
		s.sees("ETH/USDT")
		s.press("v", "end", "enter")
		s.press("p", "home", "enter") // the scope of then counts, not the one that it began with
		s.wantScope(nil, nil)
		p.testnet.publish(whole(s.m.store.Subscriptions()[0], deskRows()[3]))
		s.drain()
		flipped := deskRows()[3]
		flipped.SetNumber(model.OpenVolume, model.ParseAmount("-1250"))
		p.testnet.publish(updatesOf(s.m.store.Subscriptions()[0], flipped))
		s.drain()
		s.press("e")
		s.sees("LINK/USDT", "flipped")
		s.seesNot("ETH/USDT")
	})
}

// TestNothingOfTheProfileBeforeIsShown: what its service had sent before the switch is dropped.
func TestNothingOfTheProfileBeforeIsShown(t *testing.T) {
	var p profiled
	onScreen(t, 120, 24, p.begin, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("v", "end")
		_, opening := s.m.Update(keyNamed("enter"))
		s.start(opening)
		s.source.publish(whole(all, deskRows()...))
		_, late := s.m.Update(tickMsg{}) // what this starts ends after the switch
		s.drain()
		s.sees("testnet.example")
		s.start(late)
		s.pass(10 * time.Second)
		s.seesNot("ETH/USDT", "LIVE")
		if n := len(s.m.store.Flow().Links()); n != 0 {
			t.Errorf("%d links are those of the profile before", n)
		}
	})
}

// TestAProfileThatCannotBeUsed leaves the present one as it is, and the screen shows why.
func TestAProfileThatCannotBeUsed(t *testing.T) {
	p := profiled{refusal: errors.New("pass failed (exit status 1);\nrun it by hand to see \x1b[31mwhy")}
	onScreen(t, 120, 24, p.begin, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("c", "v", "end", "enter")
		s.sees(" Not profile testnet: pass failed (exit status 1); run it by hand to see", "10 positions")
		s.firstLine("mainnet")
		if s.source.closed {
			t.Error("the source of the present profile is closed")
		}
		s.publish(updatesOf(all, worse("99900")))
		s.sees("999.00")
		s.press("v", "end")
		s.sees("not used: pass failed (exit status 1)")
		p.refusal = nil
		s.press("enter")
		s.sees("This is profile testnet")
	})
}

// TestTheScreenGoesOnWhileAProfileIsOpened, and only one is opened at a time.
func TestTheScreenGoesOnWhileAProfileIsOpened(t *testing.T) {
	var p profiled
	onScreen(t, 120, 24, p.begin, func(s *screen) {
		p.waiting = make(chan struct{})
		s.publish(whole(all, deskRows()...))
		s.press("v", "end", "enter")
		s.sees("Opening profile testnet...")
		s.press("v", "end", "enter")
		s.sees("A profile is being opened already.")
		s.press("s", "r")
		s.publish(updatesOf(all, worse("99900")))
		s.sees("999.00", "rPnL ▲")
		close(p.waiting)
		s.drain()
		s.sees("This is profile testnet")
		if !slices.Equal(p.opened, []string{"testnet"}) {
			t.Errorf("opened: %v", p.opened)
		}
	})
}

// TestTheStateIsKeptForTheNextProfile: saved views, columns and the like.
func TestTheStateIsKeptForTheNextProfile(t *testing.T) {
	var p profiled
	onScreen(t, 120, 24, p.begin, func(s *screen) {
		s.press("s", "r", "v", "down", "s", "a", "enter", "end", "enter")
		if len(p.states) != 1 || p.states[0].Order != "realised" || len(p.states[0].Views) != 1 || p.states[0].Views[0].Name != "a" {
			t.Errorf("the state is %+v", p.states)
		}
	})
}

func TestProfilesThatCannotBeSwitched(t *testing.T) {
	for _, test := range []struct {
		profiles views.ProfileSwitch
		keys     []string
		want     []string
	}{
		{views.ProfileSwitch{}, []string{"v", "end"}, []string{"─ profiles ─", " none in the configuration ─", "no view 1"}},
		{
			views.ProfileSwitch{Names: []string{"", "a"}, Unavailable: "a recording is of one service"}, []string{"v", "end"},
			[]string{" a recording is of one service ─", "▌  a", "profiles cannot be switched: a recording is of one service"},
		},
		{
			views.ProfileSwitch{Names: []string{"", "a"}, Unavailable: "a recording is of one service"}, []string{"v", "end", "enter"},
			[]string{"Profiles cannot be switched: a recording is of one service."},
		},
	} {
		onScreen(t, 80, 24, func(o *Options) { o.Profiles = test.profiles }, func(s *screen) {
			s.press(test.keys...)
			s.sees(test.want...)
		})
	}
}

// TestManyProfilesScroll, also on a small screen, and the mouse finds them.
func TestManyProfilesScroll(t *testing.T) {
	change := func(o *Options) {
		o.Appearance.Mouse = true
		for i := range 30 {
			o.Profiles.Names = append(o.Profiles.Names, strings.Repeat("p", i+1)+"!")
		}
	}
	onScreen(t, 60, 12, change, func(s *screen) {
		s.press("v")
		for i := range 40 {
			if s.cursorLine() == "" {
				t.Fatalf("after %d lines the cursor is not on the screen:\n%s", i, s.text())
			}
			s.press("down")
		}
		if !cursorOn(strings.Repeat("p", 30) + "!")(s) {
			t.Errorf("the end is not reached:\n%s", s.text())
		}
		for y, line := range s.lines() {
			if name := strings.TrimSpace(line); strings.HasSuffix(name, "!") && !strings.HasPrefix(line, "▌") {
				s.send(tea.MouseClickMsg{X: 5, Y: y, Button: tea.MouseLeft})
				if !cursorOn(name)(s) {
					t.Errorf("a click on %s goes elsewhere:\n%s", name, s.text())
				}
				break
			}
		}
	})
}

// TestWhatAProfileSetsIsNotRemembered for the others: the order that its configuration has is not the trader's own.
func TestWhatAProfileSetsIsNotRemembered(t *testing.T) {
	remembered := persist.State{Remembered: views.Remembered{Order: "age", ShowClosed: true, Group: "market"}, PageSize: 20}
	change := func(o *Options) {
		watchAll(o)
		o.Order = view.Order{Column: view.SizeColumn}
		o.Use(&remembered, func(key string) bool { return strings.HasPrefix(key, "screen.") })
	}
	onScreen(t, 120, 24, change, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		if state := s.m.State(); state.Order != "age" || !state.ShowClosed || state.Group != "market" || state.PageSize != 20 {
			t.Errorf("the state is %+v", state)
		}
		s.press("s", "r", "c", "c", "c", "b", "tab")
		s.palette("larger pages")
		s.press("enter")
		if state := s.m.State(); state.Order != "realised" || !state.ShowClosed || state.Group != "party" || state.PageSize != 100 {
			t.Errorf("after keys the state is %+v", state)
		}
	})
}
