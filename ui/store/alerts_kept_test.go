package store

import (
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/alerts"
)

// next returns the Store of another run, which begins with what this one has kept, and with other options.
func (s *shown) next(change func(*Options)) *shown {
	options := s.options
	if change != nil {
		change(&options)
	}
	source := &scripted{deltas: make(chan book.Delta, 10), links: make(chan book.Delta, 10), margins: make(chan book.MarginsRead, 10)}
	next := &shown{Store: New(s.flow.ctx, source, options), source: source, messages: make(chan tea.Msg, 1000)}
	next.do(next.Start())
	return next
}

// audited is a link whose rows an audit has compared.
func (s *shown) audited() model.Link {
	link := s.link()
	link.Audits = 1
	return link
}

// paged runs a test with an alert of losses that is reported again, and with its program.
func paged(t *testing.T, test func(s *shown, events func() []string)) {
	got := new(got)
	set := func(o *Options) {
		withRule(t, view.AlertRule{Name: "loss", Again: 10 * time.Minute}, filter.Parse, "upnl<0")(o)
		o.Alerts[0].FilterText = "upnl<0"
		o.Alerts[0].Run, o.Programs = true, got
	}
	onStore(t, set, func(s *shown) {
		test(s, func() []string {
			events := got.events
			got.events = nil
			return events
		})
	})
}

func wantEvents(t *testing.T, when string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s the program gets %q, want %q", when, got, want)
	}
}

// TestARestartIsNoEvent: an alert that lasts does not begin again, and is reported again when that is due. One that has
// ended meanwhile ends when an audit has verified it, or after a minute.
func TestARestartIsNoEvent(t *testing.T) {
	paged(t, func(s *shown, events func() []string) {
		s.publish(s.snapshot(profit("btc", -5), profit("eth", -5), profit("sol", 5)))
		s.pass(2 * time.Second)
		wantEvents(t, "at first", events(), "begin 2")
		time.Sleep(time.Minute)
		s = s.next(nil)
		s.pass(20 * time.Second) // rows come late
		s.publish(s.snapshot(profit("btc", -7), profit("eth", 5), profit("sol", -5)))
		s.pass(20 * time.Second)
		wantEvents(t, "after the restart", events(), "begin 1")
		if words, _ := s.Alerts().Words(); words != "ALERT loss 3, 1 new" {
			t.Errorf("the first line has %q", words)
		}
		s.publish(book.Delta{Links: []model.Link{s.audited()}})
		s.pass(2 * time.Second)
		wantEvents(t, "after an audit", events(), "end 1 whileAway: loss ended: eth (none), size +1r, uPnL +5r, while it was not watched")
		for range 60 {
			s.publish(book.Delta{Links: []model.Link{s.audited()}})
			s.pass(9 * time.Second)
		}
		wantEvents(t, "10 minutes after its begin", events(), "again 1")
		s.publish(s.update(profit("btc", 5)))
		s.pass(2 * time.Second)
		wantEvents(t, "when one that has lasted ends", events(), "end 1: loss ended: btc (none), size +1r, uPnL +5r")
	})
}

// TestAnEndOfAnEarlierRunWaits for a minute if no audit comes, and while a first snapshot without rows is not verified.
func TestAnEndOfAnEarlierRunWaits(t *testing.T) {
	paged(t, func(s *shown, events func() []string) {
		s.publish(s.snapshot(profit("btc", -5), profit("eth", -5)))
		s.pass(2 * time.Second)
		events()
		s = s.next(nil)
		empty := s.snapshot()
		empty.Links[0].EmptySnapshots = 1
		s.publish(empty)
		for range 9 {
			s.publish(book.Delta{Links: empty.Links})
			empty.Links[0].MessageAt = time.Now()
			s.pass(9 * time.Second)
		}
		wantEvents(t, "without rows", events())
		s.publish(s.snapshot(profit("btc", -5), profit("eth", 5)))
		s.pass(5 * time.Second)
		wantEvents(t, "then", events(), "end 1 whileAway: loss ended: eth (none), size +1r, uPnL +5r, while it was not watched")
	})
}

// TestAnEndOfAGroupOfAnEarlierRunWaits as that of a position does, also while no rows have come.
func TestAnEndOfAGroupOfAnEarlierRunWaits(t *testing.T) {
	got := new(got)
	set := func(o *Options) {
		withGroupAlert(t, "upnl<0")(o)
		o.Alerts[0].FilterText = "upnl<0"
		o.Alerts[0].Run, o.Programs = true, got
	}
	onStore(t, set, func(s *shown) {
		s.publish(s.snapshot(holding("p", "btc", -5)))
		s.pass(2 * time.Second)
		wantEvents(t, "at first", got.events, "begin 0")
		got.events = nil
		s = s.next(nil)
		s.pass(20 * time.Second) // rows come late
		s.publish(s.snapshot(holding("p", "btc", 5)))
		s.pass(20 * time.Second)
		wantEvents(t, "before an audit", got.events)
		s.publish(book.Delta{Links: []model.Link{s.audited()}})
		s.pass(2 * time.Second)
		wantEvents(t, "after an audit", got.events, "end 0 whileAway: loss ended: desk, 1 position in USDT, uPnL +5, while it was not watched")
	})
}

// TestARuleThatChangesEndsItsAlerts, now or between two runs.
func TestARuleThatChangesEndsItsAlerts(t *testing.T) {
	changed := func(set func(*alerts.Rule)) func(*Options) {
		return func(o *Options) {
			o.Alerts = slices.Clone(o.Alerts)
			set(&o.Alerts[0])
		}
	}
	off := func(r *alerts.Rule) { r.IsOff = true }
	other := func(r *alerts.Rule) {
		r.FilterText = "upnl<-100r"
		r.Filter, _ = filter.Parse(r.FilterText)
	}
	for name, set := range map[string]func(*alerts.Rule){"off": off, "changed": other} {
		for _, isRestart := range []bool{false, true} {
			paged(t, func(s *shown, events func() []string) {
				rows := []model.Position{profit("btc", -5), profit("eth", -500)}
				s.publish(s.snapshot(rows...))
				s.pass(2 * time.Second)
				events()
				if isRestart {
					s = s.next(changed(set))
					s.publish(s.snapshot(rows...))
				} else {
					options := s.options
					changed(set)(&options)
					SetRules(s.Store, options.Alerts)
				}
				s.pass(5 * time.Second)
				want := []string{"end 2 ruleChanged: loss ended: 2 positions, its rule was changed"}
				if name == "changed" {
					want = append(want, "begin 1")
				}
				wantEvents(t, name, events(), want...)
			})
		}
	}
}

// TestAlertsOfAnotherScopeAreKept, also for the next run. They do not begin again when the scope has them again.
func TestAlertsOfAnotherScopeAreKept(t *testing.T) {
	paged(t, func(s *shown, events func() []string) {
		p, q := holding("p", "btc", -5), holding("q", "btc", -6)
		s.publish(s.snapshot(p, q))
		s.pass(2 * time.Second)
		wantEvents(t, "at first", events(), "begin 2")
		ofP := func(o *Options) { o.Settings.Scope.Parties = []model.ID{model.MakeID("p")} }
		s = s.next(ofP)
		s.publish(snapshot(s.everything(), holding("p", "btc", 5)))
		s.publish(book.Delta{Links: []model.Link{s.audited()}})
		s.pass(5 * time.Second)
		wantEvents(t, "in a scope", events(), "end 1 whileAway: loss ended: btc p, size +1r, uPnL +5r, while it was not watched")
		s = s.next(func(o *Options) { o.Settings.Scope = model.Scope{} })
		s.publish(s.snapshot(holding("p", "btc", 5), q))
		s.pass(5 * time.Second)
		wantEvents(t, "in all", events())
		if n := s.Alerts().State(0).Now; n != 1 {
			t.Errorf("the rule is in alert for %d positions", n)
		}
	})
}

// TestTheStateOfARuleSaysWhoRunsItsProgram, if another program of blotter does.
func TestTheStateOfARuleSaysWhoRunsItsProgram(t *testing.T) {
	set := func(o *Options) {
		withAlert(t, "upnl<0")(o)
		o.Alerts = append(o.Alerts, o.Alerts[0])
		o.Alerts[1].Name, o.Alerts[1].Run, o.Programs = "paged", true, &got{runBy: "process 7 on desk"}
	}
	onStore(t, set, func(s *shown) {
		if without, with := s.Alerts().State(0).RunBy, s.Alerts().State(1).RunBy; without != "" || with != "process 7 on desk" {
			t.Errorf("it is %q for a rule without a program, and %q for one with it", without, with)
		}
	})
}
