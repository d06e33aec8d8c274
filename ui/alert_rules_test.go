package ui

import (
	"fmt"
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
)

// TestTheDialogOfARuleOnANarrowScreen: what is shown in its empty fields is not cut.
func TestTheDialogOfARuleOnANarrowScreen(t *testing.T) {
	onScreen(t, 40, 24, watchAll, func(s *screen) {
		s.press("!", "n")
		s.sees("of the rule, on the screen\n", "it begins for these positions\n", "if set, it ends only for these\n", "for     5s\n", "again   15m\n", "no; yes rings the bell\n", "none; osc9 or osc777: desktop\n", "none; its sums, not positions\n", "of a group: such as USDT\n")
		s.write("trouble")
		s.press("tab")
		s.write("status:distressed|m%<-50")
		s.press("tab")
		s.write("m%>-40")
		s.press("tab", "ctrl+u", "tab", "ctrl+u")
		s.sees("at once; 5s if it must last\n", "never; 15m repeats it\n")
		s.press("enter")
		s.sees("▌trouble status:distr", " 0 now")
	})
}

func TestGoldenRuleForm(t *testing.T) {
	for name, size := range map[string][2]int{"rule-form-40x10": {40, 10}, "rule-form-80x24": {80, 24}} {
		alertScreen(t, withMajors, func(s *screen, _ func() string) {
			s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			s.publish(whole(all, deskRows()...))
			s.press("!", "n")
			s.write("majors lose")
			s.press("tab", "ctrl+u")
			s.write("upnl<-150|m%<-30")
			s.press("shift+tab", "shift+tab", "shift+tab")
			s.write("majors")
			s.press("enter")
			s.golden(name)
		})
	}
}

// TestARuleOfAGroupIsMadeOnTheScreen: it compares the sums of the group, is there in the next run, and can be made one
// of positions again.
func TestARuleOfAGroupIsMadeOnTheScreen(t *testing.T) {
	var state persist.State
	alertScreen(t, withMajors, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.press("!", "n")
		s.write("majors lose")
		s.press("tab", "ctrl+u")
		s.write("notional>1|dey<0")
		s.press("tab", "tab", "ctrl+u", "shift+tab", "enter")
		s.sees("─ for positions ─", "unknown field \"dey\"")
		s.press("shift+tab", "ctrl+u")
		s.write("notional>1")
		s.press("tab", "tab", "tab", "tab", "tab", "tab")
		s.write("miners")
		s.press("enter")
		s.sees("─ for the sums of a group ─", "a group needs an asset, such as USDT: sums of several assets are not added")
		s.press("tab")
		s.write("USDT")
		s.press("enter")
		s.sees("There is no group miners.")
		s.press("shift+tab", "ctrl+u")
		s.write("majors")
		s.press("enter")
		s.sees("Alert majors lose is set.")
		s.pass(2 * time.Second)
		s.sees("majors USDT: notional>1; now uPnL -114.97, net notional ≈ +43,951.0; again\n", " 15m; 1 now, 1 began.")
		state = s.m.State()
	})
	alertScreen(t, func(o *Options) { withMajors(o); o.Use(&state, func(string) bool { return false }) }, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		s.press("!", "g")
		s.sees("majors USDT: notional>1")
		s.press("enter")
		s.sees("group   majors", "asset   USDT")
		s.press("shift+tab", "ctrl+u", "shift+tab", "ctrl+u", "enter")
		s.pass(2 * time.Second)
		s.logHas("majors lose notional>1 again 15m 3 now, 4 began")
	})
}

// TestARuleIsMadeOnTheScreen from the filter that is on, with a name. It begins for the rows that match, and is there
// in the next run; its keys change it and remove it.
func TestARuleIsMadeOnTheScreen(t *testing.T) {
	var state persist.State
	alertScreen(t, nil, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.press("/")
		s.write("upnl<-100")
		s.press("enter", "!")
		s.sees("No alerts are set: n makes one")
		s.sees("! next")
		s.press("n")
		s.sees("─ new alert", "filter  upnl<-100")
		s.press("enter")
		s.sees("the name must have 1 to 40 cells")
		s.write("loss")
		s.press("tab", "tab", "tab")
		for _, wrong := range []string{"0", "-5s", "five", "25h"} {
			s.press("ctrl+u")
			s.write(wrong)
			s.press("enter")
			s.sees("for must be a time from 1s to 24h, such as 5s, or empty")
		}
		s.press("ctrl+u", "tab", "ctrl+u")
		s.write("9s")
		s.press("enter")
		s.sees("again must be a time from 10s to 24h, such as 15m, or empty")
		s.press("ctrl+u")
		s.write("10m")
		s.press("tab")
		s.write("maybe")
		s.press("enter")
		s.sees("Bell must be yes or no.")
		s.press("ctrl+u")
		s.write("yes")
		s.press("enter")
		s.pass(3 * time.Second)
		s.logHas("loss upnl<-100 again 10m 2 now, 2 began")
		s.logHas("14:02:08 begin loss ETH/USDT desk-1 -10.000 -449.20 -37.4%")
		if !strings.Contains(s.raised(), "\a") {
			t.Error("the bell does not ring")
		}
		s.press("n")
		s.write("loss")
		s.press("enter")
		s.sees("Another rule has this name.")
		s.press("esc", "g", "enter")
		s.sees("─ alert loss", "for     at once", "again   10m", "bell    yes")
		s.press("tab")
		s.write("0") // upnl<-1000
		s.press("enter")
		s.pass(3 * time.Second)
		s.logHas("loss upnl<-1000 again 10m 0 now, 2 began")
		state = s.m.State()
	})
	alertScreen(t, func(o *Options) { o.Use(&state, func(string) bool { return false }) }, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.press("!", "g", "d")
		s.sees("d again removes the rule loss.")
		s.press("d")
		s.pass(2 * time.Second)
		s.sees("No alerts are set")
		if left := s.m.State().Alerts.Own; len(left) != 0 {
			t.Errorf("%v are remembered", left)
		}
	})
}

// TestARuleThatIsMadeOnTheScreenLasts: unless the trader changes that, it begins after 5 seconds, and is reported again
// each 15 minutes. The page shows what is about to begin, and enter leads to its position.
func TestARuleThatIsMadeOnTheScreenLasts(t *testing.T) {
	alertScreen(t, nil, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.press("!", "n")
		s.write("loss")
		s.press("tab")
		s.write("upnl<-400")
		s.press("enter")
		s.pass(3 * time.Second)
		s.logHas("loss upnl<-400 for 5s, again 15m 0 now, 1 soon, 0 began")
		s.logHas("2s of 5s soon loss ETH/USDT desk-1 -10.000 -449.20 -37.4%")
		s.press("g", "j")
		if line := s.cursorLine(); !strings.Contains(line, "2s of 5s") {
			t.Errorf("the cursor is on %q", line)
		}
		s.sees("w rewind")
		s.pass(3 * time.Second)
		s.logHas("loss upnl<-400 for 5s, again 15m 1 now, 1 began")
		s.logHas("14:02:13 begin loss ETH/USDT desk-1 -10.000 -449.20 -37.4%")
		s.press("g", "G")
		for range 15*60/5 + 1 {
			s.publish(book.Delta{Links: []model.Link{liveLink(all)}})
			s.pass(5 * time.Second)
		}
		s.logHas("14:17:13 again loss ETH/USDT desk-1 -10.000 -449.20")
		s.logHas("loss upnl<-400 for 5s, again 15m 1 now, 1 began")
		s.sees("ALERT loss 1")
		s.updates(worse("-70000"), position(desk2, btcMarket, "1250", "641205", "-54688", "1200", model.StatusUnspecified, 0))
		s.press("g", "j", "j", "enter") // after the rule and the incident of ETH/USDT
		s.seesNot("─ alerts")
		if p := s.m.positions.Selected(); p == nil || p.Market != btcMarket {
			t.Errorf("the cursor is on %+v", p)
		}
	})
}

// TestASavedRuleIsAskedAboutOnce: whether one of an earlier program shall watch all parties, or only those that are
// shown. Until then it watches all. A rule that is made now is not asked about.
func TestASavedRuleIsAskedAboutOnce(t *testing.T) {
	const question = "Saved rules watch all parties: p chooses some, o keeps a rule to them."
	state := persist.State{Alerts: alerts.Remembered{Own: []alerts.Own{{Name: "loss", Filter: "upnl<1000"}}}}
	use := func(o *Options) { o.Use(&state, func(string) bool { return false }) }
	alertScreen(t, use, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()[0]))
		s.press("!")
		s.seesNot("Saved rules") // there is one party
		s.press("esc")
		s.publish(whole(all, deskRows()...))
		s.press("!")
		s.sees(question)
		s.press("g", "o")
		s.sees("It watches the scope that is shown.")
		s.pass(20 * time.Second)
		s.press("esc", "!")
		s.seesNot("Saved rules")
		s.press("esc", "g", "P")
		s.pass(3 * time.Second)
		s.press("!", "g")
		s.logHas("loss upnl<1000 10 now")
		s.press("o")
		s.sees("Alert loss is party:=desk-1 upnl<1000 now.")
		s.pass(3 * time.Second)
		s.logHas("loss party:=desk-1 upnl<1000 2 now")
		s.press("o") // the terms are not added twice
		s.sees("Its filter names a party already.")
		state = s.m.State()
	})
	alertScreen(t, use, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.press("!")
		s.seesNot("Saved rules")
		s.logHas("loss party:=desk-1 upnl<1000")
	})
}

// TestTheLogOutlivesItsRules: it is on the screen for as long as its keys act on it.
func TestTheLogOutlivesItsRules(t *testing.T) {
	own := alerts.Remembered{Own: []alerts.Own{{Name: "loss", Filter: "upnl<-100"}}}
	state := persist.State{Alerts: own}
	alertScreen(t, func(o *Options) { o.Use(&state, func(string) bool { return false }) }, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(3 * time.Second)
		s.press("!", "g", "d", "d")
		s.pass(2 * time.Second)
		s.logHas("14:02:07 begin loss ETH/USDT desk-1 -10.000 -449.20 -37.4%")
		s.logHas("14:02:10 end loss ETH/USDT desk-1 -10.000 -449.20 -37.4%")
		if got := s.cursorLine(); !strings.Contains(got, "end") {
			t.Errorf("enter acts on %q", got)
		}
	})
}

// TestARuleIsTurnedOff, and is off in the next run too, which says so: its alerts end, and it begins for nothing
// until it is on again.
func TestARuleIsTurnedOff(t *testing.T) {
	var state persist.State
	gain := ruleOf("gain", "upnl>300", "")
	alertScreen(t, nil, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		s.press("!", "!")
		s.sees("2 in alert")
		events()
		s.press("g", "t")
		s.pass(2 * time.Second)
		s.sees("1 in alert, 1 rule off")
		wantText(t, "what was run when it was turned off", events(), "-distress 1")
		s.updates(worse("-70000"))
		s.pass(2 * time.Second)
		wantText(t, "what was run of a rule that is off", events(), "")
		s.logHas("distress status:distressed|m%<-30 clear m%>-20 off")
		state = s.m.State()
	}, distress, gain)
	alertScreen(t, func(o *Options) { o.Use(&state, func(string) bool { return false }) }, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		wantText(t, "what was run", events(), "+gain 1")
		s.press("!")
		s.sees("1 in alert, 1 rule off")
		s.press("g", "t")
		s.pass(2 * time.Second)
		wantText(t, "what was run of a rule that is on again", events(), "+distress 1")
		s.press("!", "!")
		s.sees("2 in alert")
		s.seesNot("rule off")
	}, distress, gain)
}

// TestRulesOfTheConfigurationStay: they are not removed on the screen, and one of the screen with the same name gets
// another one.
func TestRulesOfTheConfigurationStay(t *testing.T) {
	own := alerts.Remembered{Own: []alerts.Own{{Name: "distress", Filter: "upnl>0"}, {Name: "wrong", Filter: "upnl>>"}, {Name: "mine", Filter: "eth"}}}
	state := persist.State{Alerts: own}
	alertScreen(t, func(o *Options) { o.Use(&state, func(string) bool { return false }) }, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.press("!", "g")
		s.sees("status:distressed", " mine", " distress 2 ")
		s.seesNot("upnl>>")
		s.press("d")
		s.sees("It is in the configuration.")
		s.press("enter")
		s.sees("It is in the configuration.")
	}, distress)
}

// TestARuleWithoutRoomIsNotLost: it is named at the start, and is there again in the first run that has room for it.
func TestARuleWithoutRoomIsNotLost(t *testing.T) {
	state := persist.State{Alerts: alerts.Remembered{Own: []alerts.Own{{Name: "mine", Filter: "eth"}, {Name: "late", Filter: "eth"}}}}
	var configured []alerts.Rule
	for n := range alerts.MaxRules - 1 {
		configured = append(configured, ruleOf(fmt.Sprint("rule ", n), "btc", ""))
	}
	use := func(o *Options) { o.Use(&state, func(string) bool { return false }) }
	const words = "There can be at most 20 rules: remove one and start again. Left out: late."
	alertScreen(t, use, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.sees(words)
		s.press("!", "g")
		s.press(slices.Repeat([]string{"j"}, alerts.MaxRules-1)...)
		s.sees(" mine ")
		s.seesNot(" late ")
		state = s.m.State()
	}, configured...)
	alertScreen(t, use, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.seesNot(words)
		s.press("!", "g")
		s.press(slices.Repeat([]string{"j"}, alerts.MaxRules-1)...)
		s.sees(" late ")
	}, configured[1:]...)
}

// TestADeskHearsThatItIsBlind: a rule about the feed begins when rows have been out of date for its time, although no
// data comes, and ends when they are current.
func TestADeskHearsThatItIsBlind(t *testing.T) {
	blind := alerts.Rule{AlertRule: view.AlertRule{Name: "blind"}, StaleFor: 30 * time.Second, Bell: true, Run: true}
	alertScreen(t, nil, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(10 * time.Second)
		wantText(t, "the command of a service that is up", events(), "")
		link := liveLink(all)
		link.Phase, link.StaleSince = model.Waiting, time.Now()
		s.publish(book.Delta{Links: []model.Link{link}})
		s.pass(29 * time.Second)
		wantText(t, "the command after 29 seconds", events(), "")
		s.raised()
		s.pass(3 * time.Second)
		wantText(t, "the command", events(), "+blind 0")
		s.sees("blind: rows out of date for 30s", "ALERT blind")
		if !strings.Contains(s.raised(), "\a") {
			t.Error("the bell does not ring")
		}
		s.publish(book.Delta{Links: []model.Link{liveLink(all)}})
		s.pass(3 * time.Second)
		wantText(t, "the command", events(), "-blind 0")
		s.sees("ALERT blind") // until it was seen
		s.press("!")
		s.seesNot("ALERT blind")
		if line := s.cursorLine(); !strings.Contains(line, "begin blind") {
			t.Errorf("the cursor is on %q", line)
		}
		s.logHas("blind on stale for 30s 0 now, 1 began")
		s.logHas("14:02:50 end blind rows are current again")
		s.press("G", "enter")
		s.sees("It is about the feed, not about a position.")
	}, blind)
}

// TestAnAlertReplacesNoAnswer: what a key has done is read first, and then what has begun.
func TestAnAlertReplacesNoAnswer(t *testing.T) {
	alertScreen(t, nil, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(5 * time.Second)
		s.press("B")
		s.updates(worse("-90000"))
		s.pass(time.Second)
		s.sees(" Baseline taken: ")
		s.pass(4 * time.Second)
		s.sees(" loss: ETH/USDT")
		s.pass(5 * time.Second)
		s.seesNot(" loss: ETH/USDT")
	}, ruleOf("loss", "upnl<-500", ""))
}
