package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/model/modeltest"
	"blotter/model/view"
	"blotter/ui/alerts"
)

// withAlert sets an alert of positions.
func withAlert(t *testing.T, text string) func(*Options) {
	return withRule(t, view.AlertRule{Name: "loss"}, filter.Parse, text)
}

// withRule sets an alert with a filter.
func withRule(t *testing.T, rule view.AlertRule, parse filter.Parser, text string) func(*Options) {
	var err error
	if rule.Filter, err = parse(text); err != nil {
		t.Fatal(err)
	}
	return func(o *Options) { o.Alerts = []alerts.Rule{{AlertRule: rule}} }
}

// ofParties sets what the rules watch, besides what another function sets.
func ofParties(change func(*Options), parties ...string) func(*Options) {
	return func(o *Options) {
		change(o)
		o.Settings.Scope = scopeOfParties(parties...)
	}
}

func scopeOfParties(parties ...string) (scope model.Scope) {
	for _, party := range parties {
		scope.Parties = append(scope.Parties, model.MakeID(party))
	}
	return scope
}

// show shows the rows of parties; of all parties if none are given.
func (s *shown) show(parties ...string) {
	settings := s.Settings()
	settings.Scope = scopeOfParties(parties...)
	s.do(s.Set(settings))
}

// everything is the subscription of a Store of everything.
func (s *shown) everything() model.Subscription { return s.Subscriptions()[0] }

// link is a link whose last message came just now.
func (s *shown) link() model.Link {
	return model.Link{Subscription: s.everything(), Phase: model.Live, Committed: true, MessageAt: time.Now()}
}

// profit is a long position in a market.
func profit(market string, unrealised int64) model.Position {
	p := model.Position{Key: model.Key{Market: model.MakeID(market)}}
	p.SetNumber(model.OpenVolume, model.AmountOf(1))
	p.SetNumber(model.UnrealisedPnl, model.AmountOf(unrealised))
	p.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().UnixNano()))
	return p
}

// snapshot is a snapshot of everything with its link.
func (s *shown) snapshot(positions ...model.Position) book.Delta {
	rows := book.NewRows()
	for i := range positions {
		rows.Put(&positions[i])
	}
	return book.Delta{Links: []model.Link{s.link()}, Snapshots: []book.Snapshot{{AsIs: true, Subscription: s.everything(), Rows: rows}}}
}

// update is an update of everything with its link.
func (s *shown) update(positions ...model.Position) book.Delta {
	return book.Delta{Links: []model.Link{s.link()}, Updates: []book.Updates{{Subscription: s.everything(), Positions: positions}}}
}

// pass waits for a time, and ticks each second.
func (s *shown) pass(d time.Duration) {
	for ; d > 0; d -= time.Second {
		time.Sleep(time.Second)
		s.do(s.Tick(nil, NoSurveys))
	}
}

// reported returns the texts of the notices since the last call.
func (s *shown) reported() string {
	var texts []string
	for _, notice := range s.Notices() {
		texts = append(texts, notice.Text)
	}
	return strings.Join(texts, "; ")
}

// TestFrozenRowsBeginAlerts, also if they were being matched when they were frozen, and what comes ends them.
func TestFrozenRowsBeginAlerts(t *testing.T) {
	onStore(t, withAlert(t, "age>30s upnl<10r"), func(s *shown) {
		s.publish(s.snapshot(profit("btc", 5)))
		s.pass(2 * time.Second)
		time.Sleep(40 * time.Second)
		s.publish(book.Delta{Links: []model.Link{s.link()}})
		matched := checkAlerts(s.Store)
		s.Freeze(true)
		s.do(matched)
		s.pass(5 * time.Second)
		if words, _ := s.Alerts().Words(); words != "ALERT loss 1, 1 new" {
			t.Errorf("frozen, the alerts are %q", words)
		}
		s.publish(s.update(profit("btc", 60)))
		s.pass(5 * time.Second)
		if words, _ := s.Alerts().Words(); words != "ALERT loss 0, 1 new" || FrozenOf(s.Store).Waiting() != 1 {
			t.Errorf("after the end the alerts are %q, and %d changes wait", words, FrozenOf(s.Store).Waiting())
		}
		s.want(t, "frozen", "btc 5")
		s.Freeze(false)
		s.do(nil)
		s.want(t, "released", "btc 60")
		if n := len(s.Alerts().Log()); n != 2 {
			t.Errorf("after the release the log has %d lines", n)
		}
	})
}

// TestAMatchOfAnotherViewIsRepeated: while the rows are matched, the trader folds a group.
func TestAMatchOfAnotherViewIsRepeated(t *testing.T) {
	grouped := func(o *Options) {
		withAlert(t, "upnl<0")(o)
		o.Settings.Group = view.GroupByMarket
	}
	onStore(t, grouped, func(s *shown) {
		s.publish(s.snapshot(profit("btc", 5)))
		s.pass(2 * time.Second)
		delta := s.update(profit("btc", -5))
		delta.Links[0].StaleSince = time.Now()
		s.publish(delta)
		s.pass(2 * time.Second)
		if words, _ := s.Alerts().Words(); words != "" {
			t.Fatalf("an alert of a stale row: %s", words)
		}
		s.publish(book.Delta{Links: []model.Link{s.link()}})
		matched := checkAlerts(s.Store)
		if matched == nil {
			t.Fatal("the rows are not matched when they are no longer stale")
		}
		result := matched()
		s.Fold(view.FoldAll())
		s.do(func() tea.Msg { return result })
		s.pass(3 * time.Second)
		if words, _ := s.Alerts().Words(); words != "ALERT loss 1, 1 new" {
			t.Errorf("the alerts are %q", words)
		}
	})
}

// behind is a link of a node that is behind.
func (s *shown) behind(by time.Duration) model.Link {
	link := s.link()
	link.Lag = model.Lag{By: by, Shown: model.LagOfRows}
	return link
}

// TestAStreamThatIsStaleBetweenTwoTicks: its alerts begin when its rows are current again, also if another stream stays
// stale, or has changes at the same time.
func TestAStreamThatIsStaleBetweenTwoTicks(t *testing.T) {
	onStore(t, ofParties(withAlert(t, "upnl<0"), "p", "q"), func(s *shown) {
		streams := s.Subscriptions()
		links := func(stale ...bool) (links []model.Link) {
			for i := range stale {
				links = append(links, liveLink(streams[i]))
				if stale[i] {
					links[i].StaleSince = time.Now()
				}
			}
			return links
		}
		for i, party := range []string{"p", "q"} {
			first := snapshot(streams[i], holding(party, "btc", 5))
			first.Links = links(false, false)
			s.publish(first)
		}
		s.pass(2 * time.Second)
		late := updates(streams[0], holding("p", "btc", -5))
		late.Links = links(true, true)
		s.publish(late)
		late = updates(streams[1], holding("q", "btc", -6))
		late.Links = links(false, true)
		s.publish(late)
		s.publish(updates(streams[1], holding("q", "btc", -6)))
		s.pass(3 * time.Second)
		if got, want := s.reported(), "loss: btc p, size +1r, uPnL -5r"; got != want {
			t.Errorf("with a stream that is stale, %q is reported, want %q", got, want)
		}
		s.publish(book.Delta{Links: links(false, false)})
		s.pass(3 * time.Second)
		if got, want := s.reported(), "loss: btc q, size +1r, uPnL -6r"; got != want {
			t.Errorf("%q is reported, want %q", got, want)
		}
	})
}

// TestStreamsThatWereStaleAreBounded: those that are no longer followed, or that only the screen shows, are not kept.
func TestStreamsThatWereStaleAreBounded(t *testing.T) {
	onStore(t, ofParties(withAlert(t, "upnl<0"), "start"), func(s *shown) {
		for i := range 10 {
			s.show(fmt.Sprint("p", i))
			var links []model.Link
			for _, of := range s.Subscriptions() {
				links = append(links, model.Link{Subscription: of, Phase: model.Live, Committed: true, StaleSince: time.Now()})
			}
			s.publish(book.Delta{Links: links})
			s.pass(2 * time.Second)
		}
		if n := len(s.alerts.stale); n != 1 {
			t.Errorf("%d streams are kept", n)
		}
	})
}

// TestALittleBehindIsUsedAndSaid: distress is not silenced.
func TestALittleBehindIsUsedAndSaid(t *testing.T) {
	onStore(t, withAlert(t, "upnl<0"), func(s *shown) {
		s.publish(s.snapshot(profit("btc", 5), profit("eth", 5)))
		s.pass(2 * time.Second)
		delta := s.update(profit("btc", -500))
		delta.Links = []model.Link{s.behind(40 * time.Second)}
		s.publish(delta)
		s.pass(2 * time.Second)
		if got, want := s.reported(), "loss: btc (none), size +1r, uPnL -500r, behind 40s"; got != want {
			t.Errorf("it is reported as %q, want %q", got, want)
		}
		delta = s.update(profit("btc", 5))
		delta.Links = []model.Link{s.behind(40 * time.Second)}
		s.publish(delta)
		s.pass(5 * time.Second)
		if !s.Alerts().IsActive(profit("btc", 0).Key) {
			t.Error("an alert has ended for a row that is a little behind")
		}
		delta = s.update(profit("btc", 5), profit("eth", -5))
		delta.Links = []model.Link{s.behind(time.Minute)}
		s.publish(delta)
		s.pass(5 * time.Second)
		if got := s.reported(); got != "" {
			t.Errorf("of rows that are out of date %q is reported", got)
		}
		s.publish(book.Delta{Links: []model.Link{s.link()}})
		s.pass(5 * time.Second)
		if got, want := s.reported(), "loss: eth (none), size +1r, uPnL -5r"; got != want {
			t.Errorf("it is reported as %q, want %q", got, want)
		}
		if s.Alerts().IsActive(profit("btc", 0).Key) {
			t.Error("an alert has not ended when its row was current")
		}
	})
}

// TestAnAlertOfARowThatIsGoneEndsOnce, and says why.
func TestAnAlertOfARowThatIsGoneEndsOnce(t *testing.T) {
	got := new(got)
	set := func(o *Options) {
		withAlert(t, "upnl<0")(o)
		o.Alerts[0].Run, o.Programs = true, got
	}
	onStore(t, set, func(s *shown) {
		s.publish(s.snapshot(profit("btc", -5), profit("eth", -5), profit("sol", 5)))
		s.pass(2 * time.Second)
		s.publish(s.snapshot(profit("eth", 5), profit("sol", 5)))
		s.pass(20 * time.Second)
		want := []string{"begin 2", "end 1 gone: loss ended: btc (none), gone", "end 1: loss ended: eth (none), size +1r, uPnL +5r"}
		if !slices.Equal(got.events, want) {
			t.Errorf("the program gets %q, want %q", got.events, want)
		}
	})
}

// got is what the programs of alerts get, and what is kept of them.
type got struct {
	events []string
	kept   map[string]alerts.InAlert
	runBy  string
}

func (g *got) RunBy() string { return g.runBy }

func (g *got) Earlier() []alerts.InAlert { return slices.Collect(maps.Values(g.kept)) }

func (g *got) Deliver(events []view.AlertEvent, of alerts.InAlert) {
	if g.kept == nil {
		g.kept = make(map[string]alerts.InAlert)
	}
	g.kept[of.Rule] = of
	for i := range events {
		e := &events[i]
		switch {
		case e.Begins:
			if e.IsAgain {
				g.events = append(g.events, fmt.Sprint("again ", e.Count))
			} else {
				g.events = append(g.events, fmt.Sprint("begin ", e.Count))
			}
		case e.Why != "":
			g.events = append(g.events, fmt.Sprintf("end %d %s: %s", e.Count, e.Why, e.Text))
		default:
			g.events = append(g.events, fmt.Sprintf("end %d: %s", e.Count, e.Text))
		}
	}
}

func (g *got) Outcome(ctx context.Context) (alerts.Outcome, bool) {
	<-ctx.Done()
	return alerts.Outcome{}, false
}

// TestAPartialSnapshotIsUsedAndSaid: alerts do not wait for its last page, which may not come.
func TestAPartialSnapshotIsUsedAndSaid(t *testing.T) {
	onStore(t, withAlert(t, "upnl<0"), func(s *shown) {
		delta := s.update(profit("btc", -500))
		delta.Links[0].Committed, delta.Links[0].Partial = false, true
		s.publish(delta)
		s.pass(2 * time.Second)
		if got, want := s.reported(), "loss: btc (none), size +1r, uPnL -500r, partial"; got != want {
			t.Errorf("it is reported as %q, want %q", got, want)
		}
	})
}

// TestAlertsDoNotWaitForWhatFails: another stream, or the margin levels.
func TestAlertsDoNotWaitForWhatFails(t *testing.T) {
	onStore(t, ofParties(withAlert(t, "upnl<0|m%<-30"), "p", "q"), func(s *shown) {
		delta := snapshot(s.Subscriptions()[0], holding("p", "btc", -5))
		delta.Links = append(delta.Links, model.Link{Subscription: s.Subscriptions()[1]})
		s.publish(delta)
		s.pass(2 * time.Second)
		if got := s.reported(); got != "" {
			t.Errorf("while positions may come, %q is reported", got)
		}
		delta.Links[1].Problem = &model.Problem{Words: "connection refused"}
		s.publish(book.Delta{Links: delta.Links})
		s.pass(2 * time.Second)
		if got := s.reported(); got != "" {
			t.Errorf("while margin levels may come, %q is reported", got)
		}
		s.source.margins <- book.MarginsRead{Err: errors.New("boom")}
		s.pass(2 * time.Second)
		if got, want := s.reported(), "loss: btc p, size +1r, uPnL -5r"; got != want {
			t.Errorf("%q is reported, want %q", got, want)
		}
	})
}

// TestAlertsOfRowsThatAreNotSentAgainWait: after an outage the last page of the snapshot does not come. Nothing begins
// or ends because of a row that was not sent since, until an audit has compared it.
func TestAlertsOfRowsThatAreNotSentAgainWait(t *testing.T) {
	onStore(t, withAlert(t, "upnl<0"), func(s *shown) {
		s.publish(s.snapshot(profit("btc", 5), profit("eth", 5)))
		s.pass(2 * time.Second)
		btc, eth := profit("btc", -5), profit("eth", -6)
		behind := s.update(btc, eth)
		behind.Links = []model.Link{s.behind(time.Hour)}
		s.publish(behind)
		s.pass(2 * time.Second)
		partial := s.update(btc)
		partial.Updates[0].BeginsPartial = true
		partial.Links[0].Partial = true
		s.publish(partial)
		s.pass(5 * time.Second)
		if got, want := s.reported(), "loss: btc (none), size +1r, uPnL -5r, partial"; got != want {
			t.Errorf("it is reported as %q, want %q", got, want)
		}
		if stale := s.Stale(); !stale.Any() || stale.All() || stale.HasRow(btc.Key) || !stale.HasRow(eth.Key) {
			t.Error("not only the row that was not sent again may be out of date")
		}
		s.publish(book.Delta{Links: []model.Link{s.link()}, Audits: []book.AuditPage{{
			Subscription: s.everything(), First: true, Last: true, Positions: []model.Position{btc, eth},
		}}})
		s.pass(5 * time.Second)
		if got, want := s.reported(), "loss: eth (none), size +1r, uPnL -6r"; got != want {
			t.Errorf("it is reported as %q, want %q", got, want)
		}
		if s.Stale().Any() {
			t.Error("a row may be out of date after the audit")
		}
	})
}

// TestARowThatIsCurrentBeforeOthers of its stream: its alert does not wait for them.
func TestARowThatIsCurrentBeforeOthers(t *testing.T) {
	onStore(t, withAlert(t, "upnl<0"), func(s *shown) {
		s.publish(s.snapshot(profit("btc", 5), profit("eth", 5)))
		s.pass(2 * time.Second)
		for _, unrealised := range []int64{5, -5} { // eth is not sent again
			partial := s.update(profit("btc", unrealised))
			partial.Links = []model.Link{s.behind(time.Hour)}
			partial.Links[0].Partial, partial.Updates[0].BeginsPartial = true, unrealised == 5
			s.publish(partial)
			s.pass(2 * time.Second)
		}
		link := s.link()
		link.Partial = true
		s.publish(book.Delta{Links: []model.Link{link}})
		s.pass(3 * time.Second)
		if got, want := s.reported(), "loss: btc (none), size +1r, uPnL -5r, partial"; got != want {
			t.Errorf("it is reported as %q, want %q", got, want)
		}
	})
}

// TestAnAlertAboutTheFeedCountsRowsThatAreNotSentAgain.
func TestAnAlertAboutTheFeedCountsRowsThatAreNotSentAgain(t *testing.T) {
	blind := func(o *Options) {
		o.Alerts = []alerts.Rule{{AlertRule: view.AlertRule{Name: "blind"}, StaleFor: 30 * time.Second}}
	}
	onStore(t, blind, func(s *shown) {
		btc, eth := profit("btc", 5), profit("eth", 5)
		s.publish(s.snapshot(btc, eth))
		for i, c := range []struct {
			sent      []model.Position
			outOfDate bool
		}{{[]model.Position{btc}, true}, {[]model.Position{eth}, false}} {
			partial := s.update(c.sent...)
			partial.Updates[0].BeginsPartial = i == 0
			partial.Links[0].Partial = true
			s.publish(partial)
			s.pass(40 * time.Second)
			if got := s.data.happening.troubles.Present.Active(0, model.Key{}) != nil; got != c.outOfDate {
				t.Errorf("after %s was sent, the alert is active: %v", c.sent[0].Market, got)
			}
		}
		if got, want := s.reported(), "blind: rows out of date for 30s"; got != want {
			t.Errorf("it is reported as %q, want %q", got, want)
		}
	})
}

// TestAlertsOfMissingRowsEndNotWhileTheNodeIsBehind: an older node does not have them yet.
func TestAlertsOfMissingRowsEndNotWhileTheNodeIsBehind(t *testing.T) {
	onStore(t, withAlert(t, "upnl<0"), func(s *shown) {
		s.publish(s.snapshot(profit("btc", -5), profit("eth", 5)))
		s.pass(2 * time.Second)
		s.Alerts().SeeNewest()
		older := s.snapshot(profit("eth", 5))
		older.Links = []model.Link{s.behind(time.Hour)}
		s.publish(older)
		s.pass(3 * time.Second)
		btc := model.Key{Market: model.MakeID("btc")}
		if !s.Alerts().IsActive(btc) {
			t.Error("the alert of a row that an older node does not have has ended")
		}
		s.publish(s.snapshot(profit("eth", 5)))
		s.pass(3 * time.Second)
		if s.Alerts().IsActive(btc) {
			t.Error("the alert of a row that a current node does not have goes on")
		}
	})
}

// TestOnlyCommandsWriteToTheLog: a disk that is slow must not delay a key.
func TestOnlyCommandsWriteToTheLog(t *testing.T) {
	var text strings.Builder
	withLog := func(o *Options) {
		withAlert(t, "upnl<-10")(o)
		o.Log = slog.New(slog.NewTextHandler(&text, nil))
	}
	onStore(t, withLog, func(s *shown) {
		s.publish(s.snapshot(profit("btc", -100))) // in a market without decimals
		for warned, command := range map[string]func() tea.Cmd{
			"cannot compare numbers": func() tea.Cmd { return s.Tick(nil, NoSurveys) },
			"no such program": func() tea.Cmd {
				return s.Handle(alertOutcomeMsg{alerts.Outcome{Rule: "loss", Err: errors.New("no such program")}})
			},
		} {
			do := command()
			if strings.Contains(text.String(), warned) {
				t.Errorf("%q is in the log before a command has run", warned)
			}
			s.do(do)
			if !strings.Contains(text.String(), warned) {
				t.Errorf("%q is not in the log: %s", warned, &text)
			}
		}
	})
}

// TestAClockThatIsSetBeginsAndEndsNoAlert: at first all rows are a day older than they were, or younger, until the feed
// has compared the clocks.
func TestAClockThatIsSetBeginsAndEndsNoAlert(t *testing.T) {
	for set, age := range map[time.Duration]time.Duration{24 * time.Hour: 0, -time.Hour: time.Minute} {
		var ahead time.Duration
		withClock := func(o *Options) {
			withAlert(t, "age>30s")(o)
			o.Now = func() time.Time { return modeltest.Set(time.Now(), ahead) }
		}
		onStore(t, withClock, func(s *shown) {
			publish := func(offset time.Duration) {
				link := s.link()
				link.MessageAt, link.ClockOffset = s.Now(), offset
				s.publish(book.Delta{Links: []model.Link{link}})
			}
			logged := func() string {
				text := ""
				for _, e := range s.Alerts().Log() {
					text += fmt.Sprintf("%s %t; ", e.Market, e.Alert.Begins)
				}
				return text
			}
			old := profit("btc", 5)
			old.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().Add(-age).UnixNano()))
			s.publish(s.snapshot(old))
			s.pass(3 * time.Second)
			before := logged()
			ahead = set
			publish(0) // a message came before the next tick
			s.pass(time.Second)
			publish(-set)
			s.pass(7 * time.Second)
			if logged() != before {
				t.Errorf("set by %s: %s", set, logged())
			}
			for range 30 {
				publish(-set)
				s.pass(time.Second)
			}
			if want := "btc true; "; logged() != want {
				t.Errorf("set by %s, after half a minute: %s", set, logged())
			}
		})
	}
}

// TestAlertsOfTheFeed begin if rows are out of date for their time without a break. A rule that is off, or was, says
// nothing.
func TestAlertsOfTheFeed(t *testing.T) {
	rules := []alerts.Rule{
		{AlertRule: view.AlertRule{Name: "blind"}, StaleFor: 30 * time.Second}, {AlertRule: view.AlertRule{Name: "deaf"}, StaleFor: time.Minute},
	}
	onStore(t, func(o *Options) { o.Alerts = slices.Clone(rules) }, func(s *shown) {
		s.publish(s.snapshot(profit("btc", 5)))
		pass := func(d time.Duration, isStale bool) {
			for ; d > 0; d -= time.Second {
				link := s.link()
				if isStale {
					link.StaleSince = time.Now()
				}
				s.publish(book.Delta{Links: []model.Link{link}})
				s.pass(time.Second)
			}
		}
		want := func(why, words, log string) {
			t.Helper()
			var logged []string
			for _, e := range s.Alerts().Log() {
				logged = append(logged, fmt.Sprint(e.Alert.Rule, " ", e.Alert.Begins))
			}
			if got, _ := s.Alerts().Words(); got != words || strings.Join(logged, ", ") != log {
				t.Errorf("%s, the first line has %q and the log is %q; want %q and %q", why, got, logged, words, log)
			}
		}
		pass(20*time.Second, true)
		pass(20*time.Second, false)
		pass(20*time.Second, true)
		want("after twice 20 seconds", "", "")
		pass(50*time.Second, true)
		want("after 70 seconds", "ALERT deaf, blind, 2 new", "blind true, deaf true")
		if s.Alerts().State(0).Now != 1 {
			t.Error("the rule is not on for the feed")
		}
		off := slices.Clone(rules)
		off[0].IsOff = true
		SetRules(s.Store, off)
		pass(2*time.Second, true)
		want("with a rule off", "ALERT deaf, 1 new", "blind true, deaf true, blind false")
		if s.Alerts().State(0).Now != 0 || StatsOf(s.Store).Rules != 1 {
			t.Error("a rule that is off is on for the feed")
		}
		pass(2*time.Second, false)
		SetRules(s.Store, slices.Clone(rules))
		pass(2*time.Second, false)
		want("on again", "ALERT deaf, 1 new", "blind true, deaf true, blind false, deaf false")
		SetRules(s.Store, nil)
		want("without rules", "", "blind true, deaf true, blind false, deaf false")
	})
}

// TestARuleIsWarnedOfOnce: that it compares what has no decimals, and that it matches too many positions.
func TestARuleIsWarnedOfOnce(t *testing.T) {
	onStore(t, withAlert(t, "upnl<-10|<0r"), func(s *shown) {
		var rows []model.Position
		for i := range view.MaxAlerts + 1 {
			rows = append(rows, profit(fmt.Sprint("m", i), -20))
		}
		s.publish(s.snapshot(rows...))
		s.pass(5 * time.Second)
		want := "loss: 1,000 positions; Alert loss cannot compare numbers of markets without decimals.; " +
			"Alert loss matches more than 1,000 positions: no more are watched."
		if got := s.reported(); got != want {
			t.Errorf("the notices are %q, want %q", got, want)
		}
		for _, unrealised := range []int64{1, -1, 1, -1} {
			for i := range rows {
				rows[i].SetNumber(model.UnrealisedPnl, model.AmountOf(unrealised))
			}
			s.publish(s.update(rows...))
			s.pass(2 * time.Second)
		}
		if n := len(s.Alerts().Began()); n != 3*view.MaxAlerts {
			t.Errorf("alerts have begun %d times", n)
		}
	})
}

// TestAlertsAreMatchedAfterASuspension of the program, while it matched them: an hour does not count as its work.
func TestAlertsAreMatchedAfterASuspension(t *testing.T) {
	onStore(t, withAlert(t, "age>10s"), func(s *shown) {
		s.publish(s.snapshot(profit("btc", 5)))
		s.pass(2 * time.Second)
		matched := checkAlerts(s.Store)()
		time.Sleep(time.Hour)
		s.do(func() tea.Msg { return matched })
		for range 150 {
			s.publish(book.Delta{Links: []model.Link{s.link()}})
			s.pass(time.Second)
		}
		if words, _ := s.Alerts().Words(); words != "ALERT loss 1, 1 new" {
			t.Errorf("the alerts are %q", words)
		}
	})
}

// TestAFailureOfACommandIsSaidOnce, and again if the command has succeeded meanwhile.
func TestAFailureOfACommandIsSaidOnce(t *testing.T) {
	onStore(t, withAlert(t, "upnl<0"), func(s *shown) {
		failure := errors.New("no such program")
		for _, err := range []error{failure, failure, nil, failure} {
			s.do(s.Handle(alertOutcomeMsg{alerts.Outcome{Rule: "loss", Err: err}}))
		}
		if n := len(s.Notices()); n != 2 {
			t.Errorf("%d notices, want 2", n)
		}
	})
}

// TestAnAlertAboutTheFeedOutlastsAChangeOfScope: while the streams of the other scope are not there yet, its rows are
// missing, and no row is current again.
func TestAnAlertAboutTheFeedOutlastsAChangeOfScope(t *testing.T) {
	rule := alerts.Rule{AlertRule: view.AlertRule{Name: "blind"}, StaleFor: 30 * time.Second}
	onStore(t, func(o *Options) { o.Alerts = []alerts.Rule{rule} }, func(s *shown) {
		stale := func() book.Delta {
			link := s.link()
			link.StaleSince = time.Now()
			return book.Delta{Links: []model.Link{link}}
		}
		s.publish(stale())
		s.pass(40 * time.Second)
		settings := s.Settings()
		settings.Scope.Parties = []model.ID{model.MakeID("p")}
		s.do(s.Set(settings))
		s.pass(2 * time.Second) // another view takes so long
		s.publish(stale())
		s.pass(40 * time.Second)
		s.publish(s.snapshot())
		s.pass(2 * time.Second)
		var logged []string
		for _, e := range s.Alerts().Log() {
			logged = append(logged, fmt.Sprint(e.Alert.Begins, " ", e.Alert.About))
		}
		if want := []string{"true rows out of date for 30s", "false rows are current again"}; !slices.Equal(logged, want) {
			t.Errorf("the log is %q, want %q", logged, want)
		}
	})
}

// TestAClockThatIsWrongFromTheStart begins no alert: before a response has come, the time of the service is not known.
func TestAClockThatIsWrongFromTheStart(t *testing.T) {
	const offset = -time.Hour // of the service
	onStore(t, withAlert(t, "age>30m"), func(s *shown) {
		row := func() model.Position {
			p := profit("btc", 5)
			p.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().Add(offset).UnixNano()))
			return p
		}
		for range 2 {
			s.pass(3 * time.Second)
			first := s.snapshot(row())
			first.Links[0].ClockOffset = offset
			s.publish(first)
			s.pass(3 * time.Second)
			settings := s.Settings()
			settings.Scope.Markets = []model.ID{model.MakeID("btc")}
			s.do(s.Set(settings))
		}
		for _, e := range s.Alerts().Log() {
			t.Errorf("an alert: %v at %s", e.Alert.Begins, e.SeenAt())
		}
	})
}
