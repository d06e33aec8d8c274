package ui

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/ui/alerts"
	"blotter/ui/replay"
)

// fakeMemory has one past, the positions of the desks, from 13:00 to 14:00 of the day that the tests begin.
type fakeMemory struct {
	*fakeSource
	*fakeReplay
	err   error
	saved []string      // the files
	takes time.Duration // until the past is opened
	until time.Time     // if the past does not end at 14:00
}

// keepingPast gives the screen a memory.
func keepingPast(m *fakeMemory) func(*Options) {
	return func(o *Options) {
		watchAll(o)
		m.fakeSource, m.fakeReplay = newFakeSource(), &fakeReplay{speed: 1}
		first := whole(all, deskRows()[0])
		first.Restart = true
		m.publish(first)
		o.Memory = m
	}
}

func (m *fakeMemory) Oldest() (time.Time, bool)      { oldest, _ := m.Range(); return oldest, true }
func (m *fakeMemory) IsTooSmall() bool               { return false }
func (m *fakeMemory) Play() (replay.Past, error)     { time.Sleep(m.takes); return m, m.err }
func (m *fakeMemory) Place() (string, bool)          { return "/home/a/past.zst", true }
func (m *fakeMemory) Save(path string) error         { m.saved = append(m.saved, path); return m.err }
func (m *fakeMemory) Now() time.Time                 { return m.jumped }
func (m *fakeMemory) Events(time.Time) []event.Event { return m.events }
func (m *fakeMemory) Range() (oldest, newest time.Time) {
	newest = cmp.Or(m.until, time.Date(2000, 1, 1, 13, 0, 0, 0, time.UTC))
	return newest.Add(-time.Hour), newest
}

func TestKeysOfRewind(t *testing.T) {
	var memory fakeMemory
	onScreen(t, 120, 40, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("w")
		s.sees("REWIND 14:00:00 (2m ago)", " 13:00 ───", "─● 14:00, live 14:02", "space play/pause", "1 open")
		s.press("w")
		s.write("13:30")
		s.sees(" go to: 13:30", "enter go", "esc stay")
		s.press("esc")
		s.seesNot("go to: ")
		s.press("w")
		s.write("13:30")
		s.press("enter")
		s.sees("REWIND 13:30:00 (32m ago)", "─●─")
		s.press("w")
		s.write("12:59")
		s.press("enter")
		s.sees(" go to: 12:59", "the oldest is 13:00:00; 12:59:00 is too early")
		s.press("esc", "w")
		s.write("-5m")
		s.press("enter")
		s.sees("REWIND 13:25:00 (37m ago)")
		s.press("z", "esc", "esc")
		s.sees("LIVE", "6 open")
		if !memory.closed {
			t.Error("the past was not closed")
		}
		s.press("w")
		s.sees("REWIND", "q live")
		s.press("q")
		s.sees("LIVE", "6 open", "q quit")
		if s.sentMsg("QuitMsg") {
			t.Error("q in the past quits")
		}
	})
}

// TestRewindAfterTheClockWasSetBack: the past ends an hour later than now.
func TestRewindAfterTheClockWasSetBack(t *testing.T) {
	memory := fakeMemory{until: time.Date(2000, 1, 1, 14, 2, 7, 0, time.UTC)}
	onScreen(t, 120, 40, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("w")
		s.sees("REWIND 15:02:07 (0s ago)")
		s.press("w")
		s.write("-5m")
		s.press("enter")
		s.sees("REWIND 14:57:07 (5m ago)")
	})
	memory = fakeMemory{until: time.Date(2000, 1, 1, 14, 32, 7, 0, time.UTC)}
	onScreen(t, 120, 40, func(o *Options) {
		keepingPast(&memory)(o)
		o.Alerts = []alerts.Rule{ruleOf("deep", "upnl<-1k", "")}
	}, func(s *screen) {
		s.publish(whole(all, worse("-200000")))
		s.pass(30 * time.Minute)
		s.press("w")
		s.sees(" 14:32 ──", " !\n", "─● 15:32") // the alert began half an hour ago
	})
}

// TestAPastOnANarrowScreen still says how fresh its rows were.
func TestAPastOnANarrowScreen(t *testing.T) {
	memory := fakeMemory{until: time.Date(2000, 1, 1, 13, 2, 7, 0, time.UTC)}
	onScreen(t, 40, 24, func(o *Options) { keepingPast(&memory)(o); o.Demo = true }, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("w")
		s.sees(" REWIND 14:02:07, was LIVE 0s  DEMO")
		s.press("w")
		s.write("12:00")
		s.press("enter")
		s.sees("the oldest is 13:02:07;")
		s.press("esc")
		s.press("f")
		s.sees(" REWIND 14:02, was LIVE  FROZEN  DEMO")
		s.send(tea.WindowSizeMsg{Width: 36, Height: 24})
		s.sees(" REWIND 14:02, was LIVE  FROZEN")
	})
}

// TestTheEndOfTheBar: the service goes on while its past is shown, which ends when it was opened. A change of a size
// has no mark.
func TestTheEndOfTheBar(t *testing.T) {
	memory := fakeMemory{until: time.Date(2000, 1, 1, 13, 2, 0, 0, time.UTC)}
	onScreen(t, 120, 40, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		grown, _ := event.New(&deskRows()[0], &deskRows()[1], book.ChangedByUpdate, memory.until.Add(-time.Hour/2))
		memory.events = []event.Event{grown}
		s.press("w")
		s.sees("─● 14:02 live")
		s.seesNot("e─", "×", "─!")
		s.pass(5 * time.Minute)
		s.sees("─● 14:02, live 14:07")
	})
}

// TestGoldenTimeline: the timeline of rewind has the total PnL as far as it is known, and marks alerts and close-outs,
// on a large screen with their markets. A click goes to a time.
func TestGoldenTimeline(t *testing.T) {
	for _, c := range []struct{ width, height int }{{40, 10}, {80, 24}, {120, 40}, {200, 60}} {
		memory := fakeMemory{until: time.Date(2000, 1, 1, 13, 17, 7, 0, time.UTC)}
		onScreen(t, c.width, c.height, func(o *Options) {
			keepingPast(&memory)(o)
			o.Alerts = []alerts.Rule{ruleOf("margin", "upnl<-400", "")}
		}, func(s *screen) {
			closed := func(p model.Position, at time.Time) {
				before := p
				before.SetStatus([]byte("4"))
				p.SetNumber(model.OpenVolume, model.AmountOf(0))
				p.SetStatus([]byte("2"))
				e, _ := event.New(&before, &p, book.ChangedByUpdate, at)
				memory.events = append(memory.events, e)
			}
			s.publish(whole(all, deskRows()...))
			for step := range 90 {
				profit := fmt.Sprint(-10000 - 800*((step+20)%60))
				delta := updatesOf(all, ethOf("-10000", profit, "100210", model.StatusUnspecified))
				delta.Links = []model.Link{liveLink(all)}
				s.publish(delta)
				s.pass(10 * time.Second)
			}
			closed(deskRows()[5], time.Date(2000, 1, 1, 13, 12, 0, 0, time.UTC))
			closed(deskRows()[3], time.Date(2000, 1, 1, 12, 50, 0, 0, time.UTC))
			closed(deskRows()[2], time.Date(2000, 1, 1, 12, 50, 1, 0, time.UTC))
			s.press("w")
			s.sees(" 13:17 ──", "● 14:17", "×", "!")
			s.golden(fmt.Sprintf("timeline-%dx%d", c.width, c.height))
			s.clickCell(c.width/2, 1)
			if at := memory.jumped; at.Sub(memory.until.Add(-time.Hour/2)).Abs() > 7*time.Minute {
				t.Errorf("a click on the middle of the line goes to %s", at)
			}
		})
	}
}

// TestWhatIsTypedWhileThePastIsOpened is for the past.
func TestWhatIsTypedWhileThePastIsOpened(t *testing.T) {
	memory := fakeMemory{takes: time.Second}
	onScreen(t, 120, 40, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("w", "w")
		s.write("13:30")
		s.press("enter", "B")
		s.seesNot("REWIND", "Baseline", "go to: ")
		s.pass(2 * time.Second)
		there := whole(all, deskRows()[0])
		there.Restart = true
		memory.publish(there) // the rows of 13:30
		s.drain()
		s.sees("REWIND 13:30:00 (32m ago)", "Baseline taken", "ΔuPnL")
		s.press("esc")
		memory.err = errors.New("no space left on device")
		s.press("w", "b")
		s.pass(2 * time.Second)
		s.sees("The past cannot be shown: no space left on device")
		s.seesNot("PARTY / MARKET")
	})
}

// TestThePastIsDrawnBeforeWhatWasTyped, however much that was. What is typed now comes after it.
func TestThePastIsDrawnBeforeWhatWasTyped(t *testing.T) {
	memory := fakeMemory{takes: time.Second}
	onScreen(t, 120, 40, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("w")
		s.sees("Reading what was recorded...")
		s.press("w")
		s.write("13:30")
		for !strings.Contains(s.text(), "REWIND") {
			_, cmd := s.m.Update(<-s.messages)
			s.start(cmd)
		}
		s.seesNot("go to: ", "Reading")
		s.press("enter")
		s.sees("REWIND 13:30:00 (32m ago)")
	})
}

// TestAProfileIsShownWhileThePastIsOpened: the past of the profile before is closed, and what was typed then is for the
// profile.
func TestAProfileIsShownWhileThePastIsOpened(t *testing.T) {
	for _, err := range []error{nil, errors.New("no space left on device")} {
		memory, p := fakeMemory{takes: 2 * time.Second, err: err}, profiled{}
		onScreen(t, 120, 40, func(o *Options) { keepingPast(&memory)(o); p.begin(o) }, func(s *screen) {
			p.waiting = make(chan struct{})
			s.publish(whole(all, deskRows()...))
			s.press("v", "end", "enter", "w")
			close(p.waiting)
			s.drain()
			s.press("?")
			s.pass(3 * time.Second)
			s.seesNot("REWIND")
			if err == nil {
				s.sees("testnet", "─ help ─")
			} else {
				s.sees("This is profile testnet")
			}
			if isClosed := memory.closed; isClosed != (err == nil) {
				t.Errorf("the past is closed: %v", isClosed)
			}
		})
	}
}

// TestNothingOfThePastIsTakenForTheService when a baseline is taken and the past is left at once.
func TestNothingOfThePastIsTakenForTheService(t *testing.T) {
	var memory fakeMemory
	onScreen(t, 120, 40, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("w", "<", "B", "esc")
		s.sees("REWIND")
		there := whole(all, deskRows()[0])
		there.Restart = true
		memory.publish(there)
		s.drain()
		s.sees("LIVE", "6 open", "ΔuPnL")
		old := updatesOf(all, changed(0, "-10000", "-70000", "100210"))
		memory.publish(old) // too late
		s.pass(2 * time.Second)
		s.sees("-449.20")
		s.seesNot("-700.00", "the replay has ended")
		s.updates(changed(0, "-10000", "-60000", "100210"))
		s.sees("-600.00")
	})
}

// TestAFrozenPastIsLeft when its baseline has its rows, which do not come while it is frozen.
func TestAFrozenPastIsLeft(t *testing.T) {
	var memory fakeMemory
	onScreen(t, 80, 24, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("w", "<", "B", "f")
		s.sees("REWIND", "FROZEN")
		s.press("esc")
		there := whole(all, deskRows()[0])
		there.Restart = true
		memory.publish(there)
		s.drain()
		s.sees("LIVE", "6 open")
		s.seesNot("REWIND", "FROZEN")
	})
}

// TestWhatIsTypedWhileThePastIsLeft goes on: its other letters are no keys of the service.
func TestWhatIsTypedWhileThePastIsLeft(t *testing.T) {
	var memory fakeMemory
	onScreen(t, 80, 24, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("w", "<", "B", "esc", "/", "e")
		s.sees("REWIND")
		there := whole(all, deskRows()[0])
		there.Restart = true
		memory.publish(there)
		s.drain()
		s.write("th")
		s.press("enter")
		s.sees("LIVE", "[eth]")
		s.seesNot("REWIND", "session")
	})
}

// TestAPastThatWasStaleSaysSo on every screen, also on one that is too small for a table.
func TestAPastThatWasStaleSaysSo(t *testing.T) {
	for _, size := range [][2]int{{40, 3}, {40, 10}, {80, 24}} {
		var memory fakeMemory
		onScreen(t, size[0], size[1], keepingPast(&memory), func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.press("w")
			stale := whole(all, deskRows()...)
			stale.Restart = true
			stale.Links[0].StaleSince = memory.Now().Add(-28 * time.Second)
			memory.publish(stale)
			s.drain()
			s.sees("REWIND 14:00:00", "was STALE 28s")
		})
	}
}

// TestAPastThatCannotBeShown says why, and so does one that cannot be saved.
func TestAPastThatCannotBeShown(t *testing.T) {
	memory := fakeMemory{err: errors.New("no space left on device")}
	onScreen(t, 80, 24, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("w")
		s.sees("The past cannot be shown: no space left on device", "LIVE")
		s.press("W")
		s.press("enter")
		s.sees("Not saved: no space left on device")
	})
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.press("w")
		s.sees("No past: rewind is off.")
		s.press("W")
		s.sees("No past: rewind is off.")
	})
}

// TestAnAlertOfTheServiceWhileThePastIsShown is counted in the first line, and rings.
func TestAnAlertOfTheServiceWhileThePastIsShown(t *testing.T) {
	var memory fakeMemory
	onScreen(t, 120, 40, func(o *Options) {
		keepingPast(&memory)(o)
		o.Alerts = []alerts.Rule{ruleOf("deep", "upnl<-1k", "")}
	}, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("w")
		s.publish(updatesOf(all, worse("-200000")))
		s.pass(3 * time.Second)
		s.sees("REWIND", "ALERT deep 1, 1 new, live", "deep: ETH/USDT desk-1")
		s.pass(10 * time.Second)
		s.seesNot("-2,000.00")
		s.press("esc")
		s.sees("-2,000.00")
	})
}

// TestStepsOfThePast are undone one by one: what was done in the past first, then the past.
func TestStepsOfThePast(t *testing.T) {
	var memory fakeMemory
	onScreen(t, 120, 40, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("/")
		s.write("eth")
		s.press("enter", "w", "/")
		s.write("btc")
		s.press("enter")
		s.sees("REWIND", "[ethbtc]")
		s.press("esc")
		s.sees("REWIND")
		s.seesNot("[ethbtc]")
		s.press("esc")
		s.sees("LIVE")
		if strings.Contains(s.text(), "REWIND") {
			t.Errorf("the past is still shown:\n%s", s.text())
		}
	})
}

// TestTheServiceGoesOnWhileThePastIsShown, also if its rows are matched each second with a filter or a rule about time.
func TestTheServiceGoesOnWhileThePastIsShown(t *testing.T) {
	for _, of := range []struct {
		filter string
		alerts []alerts.Rule
	}{
		{filter: "age<1h"},
		{alerts: []alerts.Rule{ruleOf("young", "age<1h", "")}},
	} {
		var memory fakeMemory
		onScreen(t, 120, 40, func(o *Options) {
			keepingPast(&memory)(o)
			o.Filter, o.Alerts = of.filter, of.alerts
		}, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.press("w")
			s.pass(5 * time.Second)
			s.sees("REWIND", "1 open")
			s.press("q")
			s.sees("LIVE", "6 open")
			s.publish(updatesOf(all, worse("-200000")))
			s.sees("-2,000.00")
		})
	}
}

// TestAViewOfThePastIsNotShownAsTheServices if it is still made when the past is left: the baseline is awaited, and
// with it comes the command for another view.
func TestAViewOfThePastIsNotShownAsTheServices(t *testing.T) {
	var memory fakeMemory
	onScreen(t, 120, 40, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("w")
		s.sees("REWIND", "1 open")
		_, prepare := s.m.Update(keyNamed("B"))
		s.press("s")
		_, outdate := s.m.Update(keyNamed("e")) // another order
		_, leave := s.m.Update(keyNamed("esc"))
		s.start(tea.Batch(outdate, leave))
		s.drain()
		s.sees("REWIND")
		s.start(prepare)
		synctest.Wait()
		_, then := s.m.Update(<-s.messages)
		s.startInTurn(then, func() { s.sees("LIVE", "6 open") })
	})
}

// startInTurn runs the commands that a command consists of one after the other, each with all that follows from it, and
// checks the screen after each.
func (s *screen) startInTurn(cmd tea.Cmd, check func()) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, each := range msg {
			s.startInTurn(each, check)
		}
	default:
		s.messages <- msg
		s.drain()
		check()
	}
}

// TestTheSessionOfAPastIsThatOfTheService, up to the totals that the past shows: a line of totals has points of several
// seconds. What if shows the totals at its mark prices.
func TestTheSessionOfAPastIsThatOfTheService(t *testing.T) {
	for key, sees := range map[string][]string{
		"w": {"REWIND 14:12:00", "USDT since 14:02:08  +50.80 (realised 0.00, unrealised +50.80)", "USDT unrealised PnL  -449.20"},
		"x": {"WHAT IF ETH/USDT -1%", "USDT since 14:02:08  +396.30 (realised 0.00, unrealised +396.30)", "USDT unrealised PnL  -103.70"},
	} {
		memory := fakeMemory{until: time.Date(2000, 1, 1, 13, 12, 0, 0, time.UTC)}
		onScreen(t, 120, 40, keepingPast(&memory), func(s *screen) {
			s.publish(whole(all, changed(0, "-10000", "-50000", "100210")))
			s.pass(10 * time.Minute)
			if s.press(key); key == "x" {
				s.write("eth -1%")
				s.press("enter")
			}
			s.press("h")
			s.pass(4 * time.Second)
			s.sees(append(sees, "─ session · since 14:02:07, 9m", "lowest -500.00 at 14:02:08")...)
		})
	}
}

// TestWhatIfKnowsAllMarkets, also one whose positions come after tens of thousands in others.
func TestWhatIfKnowsAllMarkets(t *testing.T) {
	var memory fakeMemory
	onScreen(t, 80, 24, keepingPast(&memory), func(s *screen) {
		var rows []model.Position
		for i := range 20_000 {
			rows = append(rows, position(model.MakeID(fmt.Sprintf("p%05d", i)), btcMarket, "10", "100", "1", "0", model.StatusUnspecified, 1))
		}
		s.publish(whole(all, append(rows, deskRows()[0])...))
		s.pass(time.Second)
		s.press("x")
		s.write("eth -5%")
		s.press("enter")
		s.sees("WHAT IF ETH/USDT -5%")
	})
}

// TestThePastOfOneParty: the whole service is watched now, and one party was then. The first line says what was
// followed, no sum of the service is compared with that of the one party, and after the return a baseline of that time
// counts only the party's positions and says so.
func TestThePastOfOneParty(t *testing.T) {
	var memory fakeMemory
	onScreen(t, 120, 40, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(17 * time.Second)
		s.press("w")
		first := whole(all, deskRows()[0])
		first.Restart, first.Snapshots[0].Followed = true, []model.Key{{Party: desk1}}
		memory.publish(first)
		s.drain()
		s.sees("REWIND 14:00:00", "only desk-1 was followed", "-449.20")
		s.press("B")
		s.sees("Baseline taken: ΔSIZE, ΔuPnL and ΔrPnL count from 14:00:00", "for positions that were followed then")
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		s.sees("only desk-1 was followed")
		if line := s.lines()[1]; strings.Contains(line, "+201.08") || strings.Contains(line, "-650.28") {
			t.Errorf("the second line compares with other positions: %q", line)
		}
		s.press("esc", "esc")
		s.pass(time.Second)
		s.seesNot("REWIND", "only desk-1 was followed")
		s.sees(" USDT ΔuPnL -132.30 of 2 of 10") // ETH as then, SOL is new: it counts from 0
	})
}

// TestThePastShowsWhatWasShown: a row that was kept after its close-out, and the marks of alerts, at each time.
func TestThePastShowsWhatWasShown(t *testing.T) {
	var memory fakeMemory
	onScreen(t, 120, 40, func(o *Options) {
		keepingPast(&memory)(o)
		o.Alerts = []alerts.Rule{ruleOf("deep", "upnl<-600", "")}
	}, func(s *screen) {
		states := []model.Position{ethOf("-10000", "-10000", "100210", model.StatusUnspecified),
			ethOf("-10000", "-90000", "100210", model.StatusDistressed), ethOf("0", "0", "-20267", model.StatusClosedOut)}
		var events []event.Event
		var times []time.Time
		var shown []string
		row := func() string { // with the mark, without the age
			for _, line := range s.lines()[5:] {
				if strings.Contains(line, "ETH/USDT") && strings.Contains(line, "3,410.10") {
					text, _, _ := strings.Cut(strings.TrimLeft(line, "▌"), " ago")
					words := strings.Fields(strings.TrimRight(text, " 0123456789s"))
					return strings.Join(words, " ")
				}
			}
			return ""
		}
		s.publish(whole(all, wellRows()...))
		s.press("G")
		for i := range states {
			if i > 0 {
				s.publish(updatesOf(all, states[i]))
				e, _ := event.New(&states[i-1], &states[i], book.ChangedByUpdate, s.m.store.ServiceNow())
				events = append(events, e)
			}
			s.passLive(5 * time.Second)
			times, shown = append(times, s.m.store.Now()), append(shown, row())
			s.passLive(5 * time.Second)
		}
		if !strings.HasPrefix(shown[1], "!ETH") || !strings.HasPrefix(shown[0], "ETH") || !strings.Contains(shown[2], "CLOSED OUT") {
			t.Errorf("the service shows %q", shown)
		}
		s.passLive(2 * time.Minute)
		s.seesNot("3,410.10")
		memory.until = s.m.store.Now()
		s.press("w")
		s.sees("REWIND")
		for _, i := range []int{2, 1, 0, 1, 2} {
			memory.jumped, memory.restart, memory.events = times[i], true, events[:i]
			there := whole(all, append([]model.Position{states[i]}, deskRows()[1:]...)...)
			there.Restart = true
			memory.publish(there)
			s.drain()
			s.press("G")
			if got := row(); got != shown[i] {
				t.Errorf("the past at time %d shows\n%q, want\n%q", i, got, shown[i])
			}
		}
	})
}
