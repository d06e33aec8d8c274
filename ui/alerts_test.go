package ui

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/uitest"
)

// ruleOf is an alert that rings the bell and runs its command.
func ruleOf(name, typed, clear string) alerts.Rule {
	query := func(text string) *filter.Query {
		if text == "" {
			return nil
		}
		query, err := filter.Parse(text)
		if err != nil {
			panic(err)
		}
		return query
	}
	return alerts.Rule{AlertRule: view.AlertRule{Name: name, Filter: query(typed), Clear: query(clear)}, FilterText: typed, ClearText: clear, Bell: true, Notify: alerts.OSC9, Run: true}
}

// alertScreen is a screen of the desk with alerts. events returns what their commands have got since its last call,
// such as "+distress 1".
func alertScreen(t *testing.T, change func(*Options), test func(s *screen, events func() string), all ...alerts.Rule) {
	t.Helper()
	var ran []view.AlertEvent
	var running sync.Mutex
	events := func() string {
		var words []string
		for _, event := range ran {
			words = append(words, fmt.Sprintf("%s%s %d", map[bool]string{true: "+", false: "-"}[event.Begins], event.Rule.Name, event.Count))
		}
		ran = nil
		slices.Sort(words)
		return strings.Join(words, ", ")
	}
	onScreen(t, 80, 24, func(o *Options) {
		watchAll(o)
		o.Alerts = all
		o.Programs = uitest.NewPrograms(func(events []view.AlertEvent) error {
			running.Lock()
			defer running.Unlock()
			ran = append(ran, events...)
			return nil
		}, 0)
		if change != nil {
			change(o)
		}
	}, func(s *screen) { test(s, events) })
}

// raised returns what was written to the terminal besides frames.
func (s *screen) raised() string {
	var all []string
	for _, msg := range s.sent {
		if raw, ok := msg.(tea.RawMsg); ok {
			all = append(all, fmt.Sprint(raw.Msg))
		}
	}
	s.sent = nil
	return strings.Join(all, "|")
}

// logHas looks for a line of the page of alerts, with one space between its words.
func (s *screen) logHas(words string) {
	s.t.Helper()
	for _, line := range s.lines() {
		if strings.HasPrefix(strings.TrimLeft(strings.Join(strings.Fields(line), " "), "▌"), words) {
			return
		}
	}
	s.t.Errorf("no line is %q:\n%s", words, s.text())
}

// updates publishes an update of a live stream, and waits two seconds.
func (s *screen) updates(positions ...model.Position) {
	delta := updatesOf(all, positions...)
	delta.Links = []model.Link{liveLink(all)}
	s.publish(delta)
	s.pass(2 * time.Second)
}

func wantText(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

var distress = ruleOf("distress", "status:distressed|m%<-30", "m%>-20")

// TestAnAlertIsMarkedAndReportedOnce: at the start with what matched before, then at each change.
func TestAnAlertIsMarkedAndReportedOnce(t *testing.T) {
	alertScreen(t, nil, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		s.sees("LIVE 2s  ALERT distress 1, 1 new ", "\n!ETH/USDT  desk-1", " distress: ETH/USDT desk-1, size -10.000, uPnL -449.20, uPnL/MM -37.4%…")
		wantText(t, "the command", events(), "+distress 1")
		wantText(t, "the terminal", s.raised(), "\x1b]9;blotter: distress: ETH/USDT desk-1, size -10.000, uPnL -449.20, uPnL/MM -37.4%, DISTRESSED\a\a")
		s.updates(worse("-50000"))
		s.updates(worse("-60000"))
		wantText(t, "the command", events(), "")
		better := worse("60000")
		better.SetStatus([]byte("0"))
		s.updates(better)
		wantText(t, "the command", events(), "-distress 1")
		s.sees("ALERT distress 0, 1 new") // nobody has seen it
		s.seesNot("!ETH")
		s.press("!")
		s.logHas("distress status:distressed|m%<-30 clear m%>-20 0 now, 1 began")
		s.logHas("14:02:13 end distress ETH/USDT desk-1")
		s.seesNot("ALERT")
		wantText(t, "the terminal", s.raised(), "")
	}, distress)
}

// TestTheStartReportsHowManyMatch, once, even if the margin levels come later.
func TestTheStartReportsHowManyMatch(t *testing.T) {
	alertScreen(t, nil, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.sees("ALERT loss 3", " loss: 3 positions")
		s.pass(5 * time.Second)
		wantText(t, "the command", events(), "+loss 3")
		wantText(t, "the terminal", s.raised(), "\x1b]9;blotter: loss: 3 positions\a\a")
	}, ruleOf("loss", "upnl<0", ""))
}

// TestStaleRowsAreNotReported: what has changed meanwhile is reported when they are no longer stale.
func TestStaleRowsAreNotReported(t *testing.T) {
	old := ruleOf("old", "age>30s side:long", "")
	alertScreen(t, nil, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		delta := updatesOf(all, worse("-90000"))
		delta.Links = []model.Link{liveLink(all)}
		delta.Links[0].Phase, delta.Links[0].StaleSince = model.Waiting, time.Now()
		s.publish(delta)
		s.pass(time.Minute)
		wantText(t, "the command", events(), "")
		s.seesNot("ALERT")
		s.publish(book.Delta{Links: []model.Link{liveLink(all)}})
		s.pass(3 * time.Second)
		wantText(t, "the command", events(), "+big loss 1, +old 3")
		s.sees("!ETH")
		rows := deskRows() // a snapshot after a reconnect
		s.publish(whole(all, rows...))
		s.pass(3 * time.Second)
		wantText(t, "the command", events(), "-big loss 1, -old 3")
	}, ruleOf("big loss", "upnl<-800", ""), old)
}

// TestAFilterOfTimeDelaysNothing: it makes a view each second, and alerts and the session page are still updated.
func TestAFilterOfTimeDelaysNothing(t *testing.T) {
	withFilter := func(o *Options) { o.Filter = "age<1m" }
	alertScreen(t, withFilter, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.sees("DOGE/USDT")
		s.press("h")
		s.updates(changed(0, "-10000", "-30000", "100210"))
		for range 6 {
			s.updates()
		}
		s.rowHas("ETH/USDT desk-1", "+149.20")
		s.press("esc")
		for range 25 {
			s.updates()
		}
		wantText(t, "the command", events(), "+old 1, +old 1, +old 1")
		s.sees("No position matches")
	}, ruleOf("old", "age>30s age<10m side:long", ""))
}

// TestAlertsAreReportedOnceASecond: what comes in between is reported together.
func TestAlertsAreReportedOnceASecond(t *testing.T) {
	alertScreen(t, nil, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		events()
		for i := range 50 {
			p := position(desk2, model.MakeID(fmt.Sprint("m", i)), "1", "1", "1", "1", model.StatusDistressed, 0)
			delta := updatesOf(all, p)
			delta.Links = []model.Link{liveLink(all)}
			s.publish(delta)
		}
		s.pass(3 * time.Second)
		wantText(t, "the command", events(), "+distress 1, +distress 49")
		wantText(t, "the terminal", fmt.Sprint(strings.Count(s.raised(), "\a")), "6") // with those of the start; each of a notification and a bell
	}, distress)
}

// TestAlertsAreEvents: the page of events lists their begins and ends among what else has happened.
func TestAlertsAreEvents(t *testing.T) {
	blind := ruleOf("blind", "", "")
	blind.StaleFor = 30 * time.Second
	alertScreen(t, nil, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		s.updates(position(desk2, btcMarket, "1250", "641205", "34688", "1200", model.StatusDistressed, 0))
		s.updates(position(desk2, btcMarket, "1250", "641205", "34688", "1200", model.StatusUnspecified, 0))
		s.press("e", "/")
		s.write("event:alert")
		s.press("enter")
		s.sees("3 events of 5", "desk-1       alert distress began\n") // the first is of the start
		s.sees("desk-2       alert distress ended\n", "desk-2       alert distress began\n")
		s.press("y")
		wantText(t, "the copied line", strings.Split(s.clipboard(), "\t")[5], "alert distress ended")
		s.press("enter")
		if line := s.cursorLine(); !strings.Contains(line, "BTC/USDT") || !strings.Contains(line, "desk-2") {
			t.Errorf("the cursor is on %q", line)
		}
		link := liveLink(all)
		link.StaleSince, link.Problem = time.Now(), &model.Problem{Words: "connection refused"}
		s.publish(book.Delta{Links: []model.Link{link}})
		s.pass(40 * time.Second)
		s.press("e", "g")
		s.sees("▌14:02:44                           alert blind began: rows out of date for 30s")
		s.press("enter")
		s.sees("This alert is of no position")
	}, distress, blind)
}

// TestFrozenRowsBeginAlerts: what the service sends begins and ends them, while the screen below its first two lines
// stays as it is. After the release it is that of a trader who has not frozen it.
func TestFrozenRowsBeginAlerts(t *testing.T) {
	screens := make(map[bool]string)
	for _, freezes := range []bool{false, true} {
		alertScreen(t, nil, func(s *screen, events func() string) {
			s.publish(whole(all, deskRows()...))
			s.pass(2 * time.Second)
			events()
			below := func() string { return withoutTime(s.lines()[2:]) }
			before := below()
			if freezes {
				s.press("f")
			}
			inTrouble := position(desk2, btcMarket, "1250", "641205", "34688", "1200", model.StatusDistressed, 0)
			s.updates(inTrouble)
			wantText(t, "the command", events(), "+distress 1")
			s.updates(position(desk2, btcMarket, "1250", "641205", "34689", "1200", model.StatusUnspecified, 0))
			wantText(t, "the command", events(), "-distress 1")
			s.updates(inTrouble)
			s.pass(time.Second)
			wantText(t, "the command", events(), "+distress 1")
			if freezes {
				s.sees("ALERT 2", "FROZEN 7s, 1 change waits")
				wantText(t, "the frozen screen", below(), before)
				s.press("f")
			} else if below() == before {
				t.Error("a screen that is not frozen has not changed")
			}
			wantText(t, "the command", events(), "")
			s.pass(10 * time.Second)
			screens[freezes] = withoutTime(s.lines())
		}, distress)
	}
	wantText(t, "the screen after the release", screens[true], screens[false])
}

// withoutTime returns lines without the ages in them, and without the lines of trends, which have a gap while the rows
// are frozen.
func withoutTime(lines []string) string {
	text := regexp.MustCompile(`[ ─]+`).ReplaceAllString(strings.Join(lines, "\n"), " ")
	return regexp.MustCompile(` ?[0-9]+[sm]( ago)?\b`).ReplaceAllString(text, "")
}

// TestTimeBeginsAlertsOfFrozenRows.
func TestTimeBeginsAlertsOfFrozenRows(t *testing.T) {
	old := ruleOf("old", "age>30s side:long", "")
	alertScreen(t, nil, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		s.press("f")
		for range 60 {
			s.pass(time.Second)
			s.publish(book.Delta{Links: []model.Link{liveLink(all)}})
		}
		wantText(t, "the command", events(), "+old 1, +old 1, +old 1")
		s.press("f")
		s.pass(3 * time.Second)
		wantText(t, "the command", events(), "")
	}, old)
}

// TestARuleThatWasFullBeginsAgain for a position that was left out, when another alert of the rule ends.
func TestARuleThatWasFullBeginsAgain(t *testing.T) {
	alertScreen(t, nil, func(s *screen, events func() string) {
		var rows []model.Position
		for i := range view.MaxAlerts + 1 {
			rows = append(rows, position(desk1, model.MakeID(fmt.Sprint("m", i)), "-1", "1", "-1", "1", model.StatusUnspecified, 0))
		}
		s.publish(whole(all, rows...))
		s.pass(2 * time.Second)
		wantText(t, "the command", events(), "+loss 1000")
		for i := range rows {
			if s.m.store.Alerts().IsActive(rows[i].Key) {
				s.updates(position(desk1, rows[i].Market, "0", "0", "0", "1", model.StatusUnspecified, 0))
				break
			}
		}
		s.pass(2 * time.Second)
		wantText(t, "the command", events(), "+loss 1, -loss 1")
	}, ruleOf("loss", "side:short", ""))
}

// TestAReplayRunsNothing: what it shows has happened long ago.
func TestAReplayRunsNothing(t *testing.T) {
	alertScreen(t, func(o *Options) { o.Replay = &fakeReplay{speed: 1} }, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		s.sees("ALERT distress 1", "!ETH")
		wantText(t, "the command", events(), "")
		wantText(t, "the terminal", s.raised(), "")
	}, distress)
}

// TestTheKeyGoesFromAlertToAlert: the newest that was not seen first; it then counts as seen, with those of its rule.
// From there, enter leads to the position.
func TestTheKeyGoesFromAlertToAlert(t *testing.T) {
	gain := ruleOf("gain", "upnl>0", "")
	alertScreen(t, nil, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		s.sees("ALERT distress 1, gain 3, 4 new")
		s.updates(position(desk2, btcMarket, "1250", "641205", "34688", "1200", model.StatusDistressed, 0))
		s.press("!")
		s.sees("ALERT gain 3, 3 new")
		s.seesNot("distress 2")
		if line := strings.Join(strings.Fields(s.cursorLine()), " "); !strings.HasPrefix(line, "▌14:02:09 begin distress BTC/USDT desk-2 +1.250 +346.88") {
			t.Errorf("the cursor is on %q", line)
		}
		s.press("enter")
		s.seesNot("─ alerts")
		if p := s.m.positions.Selected(); p == nil || p.Market != btcMarket || p.Party != desk2 {
			t.Errorf("the cursor is on %+v", p)
		}
		s.press("!")
		s.seesNot("ALERT")
		if !strings.Contains(s.cursorLine(), " gain ") {
			t.Errorf("the cursor is on %q", s.cursorLine())
		}
		s.press("!")
		s.sees("All alerts were seen.")
		s.press("esc")
		s.seesNot("─ alerts")
		s.press("/")
		s.write("eth")
		s.press("enter", "!", "G", "k", "enter")
		s.sees("Its position is hidden: it is closed, or the filter leaves it out.")
	}, distress, gain)
}

// TestTheLogOfAlerts has each begin and end with what was true then, the newest first. Beside its rule is for how many
// positions it is active now.
func TestTheLogOfAlerts(t *testing.T) {
	alertScreen(t, nil, func(s *screen, events func() string) {
		s.press("!")
		s.sees("─ since 14:02:07 ─", "No alert has begun.", "0 now, 0 began")
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		s.logHas("distress status:distressed|m%<-30 clear m%>-20 1 now, 1 began")
		better := worse("60000")
		better.SetStatus([]byte("0"))
		s.updates(better)
		s.logHas("distress status:distressed|m%<-30 clear m%>-20 0 now, 1 began")
		s.logHas("14:02:09 end distress ETH/USDT desk-1 -10.000 +600.00 +50.0%")
		s.logHas("14:02:07 begin distress ETH/USDT desk-1 -10.000 -449.20 -37.4%")
		if text := s.text(); strings.Index(text, " end ") > strings.Index(text, " begin ") {
			t.Errorf("the newest is not the first:\n%s", text)
		}
		s.updates()
		s.press("G")
		s.updates(worse("-70000"))
		if !strings.Contains(s.cursorLine(), "-449.20") {
			t.Errorf("a newer line has moved the cursor to %q", s.cursorLine())
		}
		s.publish(whole(all, deskRows()[1:]...)) // the service no longer has the position
		s.pass(2 * time.Second)
		s.logHas("14:02:15 end distress ETH/USDT desk-1")
		s.press("j", "j", "G", "enter")
		s.sees("The service no longer has this position.")
	}, distress)
}

// TestTheLogOfAlertsIsBounded: the oldest lines are dropped, and that is said.
func TestTheLogOfAlertsIsBounded(t *testing.T) {
	alertScreen(t, nil, func(s *screen, events func() string) {
		var lost, won []model.Position
		for i := range 1000 {
			market := model.MakeID(fmt.Sprint("m", i))
			lost = append(lost, position(desk1, market, "-1", "1", "-1", "1", model.StatusUnspecified, 0))
			won = append(won, position(desk1, market, "1", "1", "1", "1", model.StatusUnspecified, 0))
		}
		s.publish(whole(all, lost...))
		s.pass(2 * time.Second)
		for range 5 {
			s.updates(won...)
			s.updates(lost...)
		}
		s.press("!")
		s.sees("1,000 older dropped", "1,000 now, 5,000 began")
		s.press("G")
		s.logHas("14:02:09 end loss m0")
	}, ruleOf("loss", "side:short", ""))
}

// TestAlertsOfTheServiceAreListedInThePast, with those that begin meanwhile.
func TestAlertsOfTheServiceAreListedInThePast(t *testing.T) {
	deskScreenWith(t, func(s *screen) {
		s.press("w")
		s.sees("REWIND")
		s.publish(updatesOf(all, worse("-200000")))
		s.pass(2 * time.Second)
		s.press("!")
		s.sees("REWIND", "1 now, 1 began")
		s.logHas("14:02:07 begin deep ETH/USDT desk-1 -10.000 -2,000.00")
	}, ruleOf("deep", "upnl<-1k", ""))
}

// TestAnOutageIsReportedInThePast, at once: from a service that is lost, nothing more may come.
func TestAnOutageIsReportedInThePast(t *testing.T) {
	blind := alerts.Rule{AlertRule: view.AlertRule{Name: "blind"}, StaleFor: 30 * time.Second, Bell: true}
	deskScreenWith(t, func(s *screen) {
		lost := liveLink(all)
		lost.StaleSince = time.Now()
		s.publish(book.Delta{Links: []model.Link{lost}})
		s.press("w")
		s.sees("REWIND")
		s.pass(31 * time.Second)
		wantText(t, "the terminal", s.raised(), "\a")
	}, blind)
}

// TestTextsOfAlertsCannotEndTheSequence, nor can names.
func TestTextsOfAlertsCannotEndTheSequence(t *testing.T) {
	hostile := ruleOf("a\x07b\x1b]0;c\nd", "market:eth", "")
	hostile.Bell, hostile.Notify = false, alerts.OSC777
	alertScreen(t, nil, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		got := s.raised()
		if strings.Count(got, "\x1b") != 1 || strings.Count(got, "\a") != 1 || strings.Count(got, ";") != 3 {
			t.Errorf("the terminal gets %q", got)
		}
		s.sees("a␇b␛]0;c d: 2 positions")
	}, hostile)
}

func TestAFailedCommandOfAnAlertIsShown(t *testing.T) {
	failing := func(o *Options) {
		o.Programs = uitest.NewPrograms(func([]view.AlertEvent) error { return errors.New("page.sh failed (exit status 3)") }, 3)
	}
	alertScreen(t, failing, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.sees(" distress: ETH/USDT desk-1")
		s.pass(4 * time.Second)
		s.sees(" page.sh failed (exit status 3): command of alert distress.")
		s.updates(position(desk2, btcMarket, "1250", "641205", "34688", "1200", model.StatusDistressed, 0))
		s.pass(3 * time.Second)
		s.seesNot("command of alert") // it has failed again
		s.sees(" distress: BTC/USDT desk-2")
		s.press("!")
		s.sees(" program fails, 3 not delivered")
		s.press("g")
		s.sees("page.sh failed (exit status 3).")
	}, distress)
}

// TestAlertsThatCompareNothingAreNamed: their market has no decimals.
func TestAlertsThatCompareNothingAreNamed(t *testing.T) {
	alertScreen(t, func(o *Options) { o.Instruments = nil }, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(5 * time.Second) // after what is said first
		s.sees("Alert loss cannot compare numbers of markets without decimals.")
	}, ruleOf("loss", "upnl<-100", ""))
}

// TestAnEventHasWhatWasTrueAtItsTime: the position, its ratio, and the names.
func TestAnEventHasWhatWasTrueAtItsTime(t *testing.T) {
	var got []view.AlertEvent
	alertScreen(t, func(o *Options) {
		o.Programs = uitest.NewPrograms(func(events []view.AlertEvent) error { got = append(got, events...); return nil }, 0)
	}, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		if len(got) != 1 || len(got[0].Changes) != 1 || got[0].Service != "mainnet" {
			t.Fatalf("the events are %+v", got)
		}
		change := got[0].Changes[0]
		p := change.Position
		if name := got[0].Instruments.Party(p.Party).Name; name != "desk-1" || change.Ratio.String() != "-37.4%" || p.Number(model.UnrealisedPnl).String() != "-44920" {
			t.Errorf("it is %+v of %q", change, name)
		}
	}, distress)
}

// TestAlertsGoOnWhileOthersAreShown: nothing ends or begins because of that, what happens to rows that are not shown is
// reported, and rows beyond those of the start have no alerts, which the first line says.
func TestAlertsGoOnWhileOthersAreShown(t *testing.T) {
	alertScreen(t, nil, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		events()
		s.press("G", "P") // desk-2
		s.pass(2 * time.Second)
		wantText(t, "the command", events(), "") // that of desk-2 has not ended
		s.press("!")
		s.sees("1 now, 1 began", "3 now, 3 began")
		s.press("esc")
		better := worse("60000")
		better.SetStatus([]byte("0"))
		s.updates(better) // of desk-1
		s.pass(2 * time.Second)
		s.press("!")
		s.sees("0 now, 1 began")
		s.press("g", "j", "j", "j", "enter") // after the rules and the incident of ETH/USDT
		s.sees("This position is not in the scope that is shown")
		s.press("esc", "esc")
		s.pass(2 * time.Second)
		s.press("!")
		s.sees("0 now, 1 began", "4 now, 4 began")
	}, distress, ruleOf("gain", "upnl>0", ""))
}

// TestAPartyBeyondTheStartIsNotJudged: the first line says so.
func TestAPartyBeyondTheStartIsNotJudged(t *testing.T) {
	start := func(o *Options) { o.Scope.Parties = []model.ID{desk1} }
	alertScreen(t, start, func(s *screen, _ func() string) {
		s.seesNot("not judged by alerts")
		s.press("p")
		s.write("desk-2")
		s.press("tab")
		s.write("desk-1")
		s.press("tab", "enter")
		s.sees("not judged by alerts")
	}, distress)
}

// TestANewRuleIsOfTheScope that is shown, as its form says: it is not about other rows later.
func TestANewRuleIsOfTheScope(t *testing.T) {
	alertScreen(t, nil, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.press("G", "P", "!", "n") // of desk-2
		s.sees("party:=desk-2")
		s.write("win")
		s.press("tab", "end")
		s.write(" upnl>0")
		s.press("tab", "tab", "ctrl+u", "enter")
		s.sees("party:=desk-2 upnl>0")
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()...))
		s.press("esc", "esc")
		s.pass(3 * time.Second)
		n := 0
		for _, p := range deskRows() {
			if p.Party == desk2 && p.Number(model.UnrealisedPnl).Sign() > 0 {
				n++
			}
		}
		if got := s.m.store.Alerts().State(0).Now; got != n || n == 0 {
			t.Errorf("the rule is active for %d positions, want %d", got, n)
		}
	})
}

func TestGoldenAlert(t *testing.T) {
	alertScreen(t, nil, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.press("down")
		s.golden("alert")
	}, distress, ruleOf("gain", "upnl>300", ""))
}

// TestPlainWritesAlerts, and what changes, even if all rows are matched each second.
func TestPlainWritesAlerts(t *testing.T) {
	onPlain(t, func(o *Options) { o.Alerts = []alerts.Rule{ruleOf("old", "age>1000d", ""), distress} }, func(r *reader) {
		r.begin()
		r.updated(1, func(p *model.Position) { p.SetStatus([]byte("POSITION_STATUS_DISTRESSED")) })
		r.pass(time.Second)
		r.gets(
			"distress: SOL/USDT desk-1, size +420.00, uPnL -132.30, uPnL/MM -4.3%, DISTRESSED",
			"Now DISTRESSED, SOL/USDT desk-1: unrealised PnL -132.30, margin ratio -4.3 percent, DISTRESSED.",
		)
	})
}

// TestAlertsReportedAtOnceAreOnOneLine: none hides another.
func TestAlertsReportedAtOnceAreOnOneLine(t *testing.T) {
	alertScreen(t, nil, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.sees(" loss: 3 positions; gain: 3 positions")
	}, ruleOf("loss", "upnl<0", ""), ruleOf("gain", "upnl>0", ""))
}

func TestGoldenAlertsPage(t *testing.T) {
	for name, size := range map[string][2]int{"alerts-40x10": {40, 10}, "alerts-60x20": {60, 20}, "alerts-80x24": {80, 24}, "alerts-120x40": {120, 40}, "alerts-200x60": {200, 60}} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, size[0], size[1], func(o *Options) {
				watchAll(o)
				o.Alerts = []alerts.Rule{distress, ruleOf("big loss", "upnl<-100", ""), ruleOf("gain", "upnl>300", "")}
			}, func(s *screen) {
				s.publish(whole(all, deskRows()...))
				s.pass(2 * time.Second)
				better := worse("60000")
				better.SetStatus([]byte("0"))
				s.updates(better)
				s.press("!")
				s.golden(name)
				s.fits(size[0], size[1])
			})
		})
	}
}

// TestTheCursorIsSeenOnAMarkedRow, without colours too: on a row in alert, and on one that may be out of date.
func TestTheCursorIsSeenOnAMarkedRow(t *testing.T) {
	reversed := func(s *screen, mark string) (lines []string) {
		for line := range strings.SplitSeq(s.m.View().Content, "\n") {
			if styles, _, ok := strings.Cut(line, mark); ok && strings.HasSuffix(styles, string(s.m.colours.Styles.Reverse)) {
				lines = append(lines, ansi.Strip(line))
			}
		}
		return lines
	}
	alertScreen(t, nil, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		if lines := reversed(s, "!"); len(lines) != 1 || !strings.Contains(lines[0], "ETH/USDT") {
			t.Errorf("reversed marks of alerts: %q", lines)
		}
		s.press("down", "down")
		if lines := reversed(s, "!"); len(lines) != 0 {
			t.Errorf("reversed marks of alerts: %q", lines)
		}
	}, ruleOf("loss", "upnl<-100", ""))
	onScreen(t, 80, 24, nil, func(s *screen) {
		delta := deskDelta(s)
		delta.Links[0].StaleSince = time.Now().Add(-5 * time.Second)
		s.publish(delta)
		s.press("g")
		if lines := reversed(s, "?"); len(lines) != 1 || !strings.Contains(lines[0], "ETH/USDT") {
			t.Errorf("reversed marks of stale rows: %q", lines)
		}
	})
}

// ofMajors is a rule about a group that is not a grouping of the screen.
func ofMajors(typed string) alerts.Rule {
	query, err := filter.ParseSums(typed)
	if err != nil {
		panic(err)
	}
	return alerts.Rule{AlertRule: view.AlertRule{Name: "majors lose", Group: "majors", Asset: "USDT", Filter: query}, FilterText: typed, Bell: true, Run: true}
}

func withMajors(o *Options) {
	o.Filter = "link" // which hides all rows of the group
	o.Instruments = o.Instruments.WithGroups([]model.Group{{Name: "majors", Scope: model.Scope{Markets: []model.ID{btcMarket, ethMarket}}}})
}

// TestAGroupHasOneAlert for its sum, although a filter hides its rows: on the second line, in the events, on the page,
// and for its command. It has no position to open.
func TestAGroupHasOneAlert(t *testing.T) {
	alertScreen(t, withMajors, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		wantText(t, "the command", events(), "")
		s.updates(worse("-50000"))
		s.sees("ALERT majors lose 1", " majors lose: majors, 5 positions in USDT, uPnL -165.77")
		wantText(t, "the command", events(), "+majors lose 0")
		wantText(t, "the terminal", s.raised(), "\a")
		s.press("!")
		s.logHas("majors lose majors USDT: upnl<-150 now uPnL -165.77 1 now, 1 began")
		s.logHas("14:02:09 begin majors lose majors group in USDT 5 pos -165.77")
		s.press("enter")
		s.sees("It is about a group, not about a position.", "1 group in alert")
		s.press("esc", "e")
		s.sees("alert majors lose began: majors, 5 positions in USDT, uPnL -165.77", "group majors")
		s.press("esc")
		s.updates(worse("-44920"))
		wantText(t, "the command", events(), "-majors lose 0")
		s.seesNot("in alert")
	}, ofMajors("upnl<-150"))
}

// TestTheRatioOfAGroupWaitsForItsRecords: it is of no row as long as one has none.
func TestTheRatioOfAGroupWaitsForItsRecords(t *testing.T) {
	alertScreen(t, withMajors, func(s *screen, events func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		s.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		s.press("!")
		s.sees("uPnL/MM not known (1 of 3 without)")
		wantText(t, "the command", events(), "")
	}, ofMajors("m%<99"))
}

// TestARuleOfNoGroupSaysSo on the page.
func TestARuleOfNoGroupSaysSo(t *testing.T) {
	alertScreen(t, nil, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		s.sees("Alert majors lose watches nothing: there is no group majors.")
		s.press("!")
		s.sees("there is no group majors")
	}, ofMajors("upnl<-150"))
}

// TestARuleThatIsCutIsReadWhole below the list, with the cursor on it.
func TestARuleThatIsCutIsReadWhole(t *testing.T) {
	alertScreen(t, withMajors, func(s *screen, _ func() string) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		for _, c := range []struct {
			width, height int
			whole         []string
		}{
			{80, 24, []string{"majors USDT: upnl<-150|m%<-30; now uPnL -114.97, uPnL/MM not known (1 of 3\n", " without); 0 now, 0 began."}},
			{40, 10, []string{"majors USDT: upnl<-150|m%<-30; now\n", " uPnL -114.97, uPnL/MM not known (1 of\n", " 3 without); 0 now, 0 began."}},
		} {
			s.send(tea.WindowSizeMsg{Width: c.width, Height: c.height})
			s.press("!", "g")
			s.sees(append(c.whole, "▌majors lose", "─ majors lose ─")...)
			s.press("G")
			s.seesNot(c.whole...)
			s.press("esc")
		}
	}, ofMajors("upnl<-150|m%<-30"), distress)
}

func TestGoldenGroupAlert(t *testing.T) {
	for name, size := range map[string][2]int{"alert-group-40x10": {40, 10}, "alert-group-80x24": {80, 24}, "alert-group-120x40": {120, 40}} {
		alertScreen(t, withMajors, func(s *screen, _ func() string) {
			s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			s.publish(whole(all, deskRows()...))
			s.pass(2 * time.Second)
			s.updates(worse("-50000"))
			s.press("!")
			s.golden(name)
		}, ofMajors("upnl<-150|m%<-30"), distress)
	}
}
