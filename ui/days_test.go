package ui

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/history"
	"blotter/ui/store"
)

// beforeMidnight is a zone in which a test begins ten seconds before midnight.
var beforeMidnight = time.FixedZone("X", 10*60*60+57*60+43)

// day passes seconds with a live stream and an unrealised PnL of ETH/USDT of desk-1.
func (s *screen) day(profit string, seconds int) {
	for range seconds {
		delta := updatesOf(all, ethOf("-10000", profit, "100210", model.StatusUnspecified))
		delta.Links = []model.Link{liveLink(all)}
		s.publish(delta)
		s.pass(time.Second)
	}
}

// TestTodayIsComparedWithTheDayBefore: with its last total, from midnight of the zone of the screen on.
func TestTodayIsComparedWithTheDayBefore(t *testing.T) {
	onScreen(t, 120, 40, func(o *Options) { watchAll(o); o.Location = beforeMidnight }, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.day("-44920", 3)
		s.day("-10000", 3)
		s.press("h")
		s.sees("USDT since 23:59:", "+349.20")
		s.seesNot("USDT today")
		s.day("-10000", 5)
		s.day("15000", 3)
		s.sees("USDT today  +250.00 of all positions since 00:00:00")
	})
}

// TestTodayKeepsAPositionThatLeaves: a closed row that is no longer listed is no loss of today.
func TestTodayKeepsAPositionThatLeaves(t *testing.T) {
	onScreen(t, 200, 40, func(o *Options) { watchAll(o); o.Location = beforeMidnight }, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.day("-44920", 12)
		s.publish(updatesOf(all, changed(0, "0", "0", "56290"))) // a realised loss of 439.20, and its uPnL of -449.20 is gone
		s.pass(4 * time.Second)
		s.press("h")
		s.sees("USDT today  +10.00 of all positions since ")
		rows := deskRows()[1:]
		s.publish(whole(all, rows...))
		s.pass(4 * time.Second)
		s.sees("USDT today  +10.00 of all positions since ")
	})
}

// earlier returns the days of earlier runs, which end the given number of days before today, with a total each: all
// parties but the first one have the total of today. The total of today is +326.67 at first.
func earlier(lines []history.DayLine, ago int, totals ...int64) *history.Days {
	var others model.Sum
	for _, line := range lines[1:] {
		others.Add(line.Days[0].First.Total)
	}
	var kept []history.DayLine
	for place, line := range lines {
		today := line.Days[0].First.Total
		line.Days = nil
		for i, total := range totals {
			at := time.Date(2000, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, i-ago-len(totals)+1)
			of := history.DayTotal{At: at, Total: today}
			if place == 0 {
				of.Total, _ = model.Difference(model.AmountOf(total), others.Amount(2), 2)
			}
			line.Days = append(line.Days, &history.Day{Date: at.Format(time.DateOnly), First: of, Last: of})
		}
		kept = append(kept, line)
	}
	return history.NewDays(history.Kept{Lines: kept}, 0)
}

// daysOfARun returns what a run keeps of its days.
func daysOfARun(t *testing.T, change func(*Options)) (kept []history.DayLine) {
	onScreen(t, 80, 24, change, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(3 * time.Second)
		kept = s.m.Days().Lines
	})
	return kept
}

// TestGoldenDays: a tab of the analysis has a bar for each day. A day without a run is a gap, and the change over it
// says so.
func TestGoldenDays(t *testing.T) {
	kept := daysOfARun(t, watchAll)
	if len(kept) != 5 || len(kept[0].Days) != 1 { // parties
		t.Fatalf("a run keeps %+v", kept)
	}
	for _, c := range []struct{ width, height int }{{40, 10}, {80, 24}, {120, 40}, {200, 60}} {
		for name, days := range map[string]*history.Days{
			"days": earlier(kept, 1, -50000, 20000, -8000, 31000, 30000), "days-gap": earlier(kept, 4, 10000, 90000),
		} {
			onScreen(t, c.width, c.height, func(o *Options) { watchAll(o); o.Days = days }, func(s *screen) {
				s.publish(whole(all, deskRows()...))
				s.day("-44920", 4)
				s.press("h")
				if s.sees("USDT today  "); name == "days-gap" && c.width >= 80 {
					s.sees(" 0.00 since 14:02:08", "; -573.33 since 1999-12-28, ", "by party")
				}
				s.press("esc", "x", "tab", "tab", "tab")
				s.sees("PnL by day · USDT", "today")
				switch {
				case name == "days-gap" && c.width < 60:
					s.sees("4 days -573.33", "3 days, no run", "+800.00")
				case name == "days-gap":
					s.sees("over 4 days -573.33", "3 days without a run", "+800.00")
				default:
					s.sees("+26.67", "-10.00", "+390.00", "-280.00")
				}
				s.golden(fmt.Sprintf("%s-%dx%d", name, c.width, c.height))
			})
		}
	}
}

// TestOnlyTotalsThatAreFreshAndWholeCount: not those of a partial snapshot, of a stream that is behind or stale, and
// not those of rows whose asset is not known.
func TestOnlyTotalsThatAreFreshAndWholeCount(t *testing.T) {
	link := func(change func(*model.Link)) model.Link {
		l := liveLink(all)
		change(&l)
		return l
	}
	for name, c := range map[string]struct {
		link  func() model.Link
		names bool
		want  int
	}{
		"live":    {func() model.Link { return link(func(*model.Link) {}) }, true, 5},
		"stale":   {func() model.Link { return link(func(l *model.Link) { l.StaleSince = time.Now() }) }, true, 0},
		"behind":  {func() model.Link { return link(func(l *model.Link) { l.Lag.By = 5 * time.Second }) }, true, 0},
		"partial": {func() model.Link { return link(func(l *model.Link) { l.Partial, l.Committed = true, false }) }, true, 0},
		"unknown": {func() model.Link { return link(func(*model.Link) {}) }, false, 0},
	} {
		onScreen(t, 80, 24, func(o *Options) {
			if watchAll(o); !c.names {
				o.Instruments = nil
			}
		}, func(s *screen) {
			s.source.respond = nil
			delta := whole(all, deskRows()...)
			delta.Links = []model.Link{c.link()}
			if name == "partial" {
				delta = updatesOf(all, deskRows()...)
				delta.Updates[0].BeginsPartial = true
				delta.Links = []model.Link{c.link()}
			}
			s.publish(delta)
			for range 3 {
				s.publish(book.Delta{Links: []model.Link{c.link()}})
				s.pass(time.Second)
			}
			if got := len(s.m.Days().Lines); got != c.want {
				t.Errorf("%s: %d lines of days, want %d", name, got, c.want)
			}
		})
	}
}

// TestDaysOfAPartyAreThoseOfAllScopes with the same markets. Other markets are another line, and no profit; so are
// those of what another trader may see.
func TestDaysOfAPartyAreThoseOfAllScopes(t *testing.T) {
	ofDesk1 := make(map[string]int)
	for _, change := range []func(*Options){
		watchAll, func(o *Options) {
			watchAll(o)
			o.Extent = store.Part(model.Scope{Parties: []model.ID{desk1}}, 0, model.Scope.Subscriptions)
		},
		func(o *Options) { o.Scope = model.Scope{Parties: []model.ID{desk1}} },
		func(o *Options) { o.Scope = model.Scope{Parties: []model.ID{desk1}, Markets: []model.ID{ethMarket}} },
		func(o *Options) {
			watchAll(o)
			o.Extent = store.Part(model.Scope{Markets: []model.ID{ethMarket}}, 0, model.Scope.Subscriptions)
		},
	} {
		onScreen(t, 80, 24, change, func(s *screen) {
			var links []model.Link
			for _, of := range s.m.store.Subscriptions() {
				links = append(links, liveLink(of))
				s.publish(whole(of, deskRows()[0]))
			}
			s.publish(book.Delta{Links: links})
			s.pass(4 * time.Second)
			for _, line := range s.m.Days().Lines {
				if line.Party == desk1 {
					ofDesk1[line.Scope]++
				}
			}
		})
	}
	if len(ofDesk1) != 3 || slices.Max(slices.Collect(maps.Values(ofDesk1))) != 3 {
		t.Errorf("the lines of a party in five scopes: %v", ofDesk1)
	}
}

// TestAWiderScopeIsNoProfit: the days of one party go on, and another one counts from its first total.
func TestAWiderScopeIsNoProfit(t *testing.T) {
	var kept []history.DayLine
	onScreen(t, 80, 24, func(o *Options) { o.Scope = model.Scope{Parties: []model.ID{desk1}} }, func(s *screen) {
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()[:2]...))
		s.pass(4 * time.Second)
		kept = s.m.Days().Lines
	})
	if len(kept) != 1 {
		t.Fatalf("one party has the lines %+v", kept)
	}
	onScreen(t, 120, 40, func(o *Options) { watchAll(o); o.Days = earlier(kept, 1, 9_000_000) }, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.day("-44920", 4)
		s.press("h")
		of := deskRows()
		var desk model.Sum // the total of its two positions now, less that of the day before
		for _, p := range of[:2] {
			desk.Add(p.Number(model.UnrealisedPnl))
			desk.Add(p.Number(model.RealisedPnl))
		}
		desk.Subtract(model.AmountOf(9_000_000))
		s.sees("USDT today  "+s.m.store.Format().RoundedAmount(desk.Amount(2), usdt, true), "by party, 4 of 5 since the first total of today")
		s.press("esc", "x", "tab", "tab", "tab")
		s.sees("PnL by day", s.m.store.Format().RoundedAmount(desk.Amount(2), usdt, true))
	})
}

// TestDaysAreKeptNowAndThen, in case the program does not end in order.
func TestDaysAreKeptNowAndThen(t *testing.T) {
	var kept [][]history.DayLine
	onScreen(t, 80, 24, func(o *Options) {
		watchAll(o)
		o.Keep.Days = func(days history.Kept) error {
			kept = append(kept, days.Lines)
			return nil
		}
	}, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.day("-44920", 11*60)
	})
	if len(kept) != 2 || len(kept[0]) != 5 {
		t.Errorf("the days were kept %d times in eleven minutes", len(kept))
	}
}

// TestASecondRunOfTheSameDay goes on with its first total.
func TestASecondRunOfTheSameDay(t *testing.T) {
	kept := daysOfARun(t, watchAll)
	kept[0].Days[0].First.At = kept[0].Days[0].First.At.Add(-time.Hour)
	onScreen(t, 80, 24, func(o *Options) { watchAll(o); o.Days = history.NewDays(history.Kept{Lines: kept}, 0) }, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.day("0", 3)
		s.press("h")
		s.sees("USDT today  +449.20 since 13:02:08, by party")
	})
}

// TestThePastHasNoDays, and the session of the service has.
func TestThePastHasNoDays(t *testing.T) {
	kept, memory := daysOfARun(t, watchAll), fakeMemory{}
	onScreen(t, 80, 24, func(o *Options) { keepingPast(&memory)(o); o.Days = earlier(kept, 1, 100) }, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(3 * time.Second)
		s.press("h")
		s.sees("USDT today")
		s.press("esc", "w", "h")
		s.seesNot("USDT today")
	})
}
