package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// lastingRule is a rule for losses over 10 that must last 5 seconds, and is reported again each minute.
func lastingRule(t *testing.T) AlertRule {
	rule := ruleOf(t, "loss", "upnl<-10", "upnl>-5")
	rule.For, rule.Again = 5*time.Second, time.Minute
	return rule
}

// after is the evaluation after a time without changes, with the times of its changes: "5s loss+x -11".
func (w *watched) after(d time.Duration, want string) {
	w.Helper()
	w.now = w.now.Add(d)
	var words []string
	evaluation := w.alerts.Evaluate(w.view, decidesUnless(w.stale), w.now)
	w.hasRoom = evaluation.HasRoom
	for _, c := range evaluation.Changes {
		sign := "-"
		switch {
		case c.IsAgain:
			sign = " again "
		case c.Begins:
			sign = "+"
		}
		at := c.At.Sub(time.Unix(1_800_000_000, 0))
		words = append(words, fmt.Sprint(at, " ", w.alerts.rules[c.Rule].Name, sign, c.Position.Party))
	}
	slices.Sort(words)
	if got := strings.Join(words, ", "); got != want {
		w.Errorf("after %s it is %q, want %q", w.now.Sub(time.Unix(1_800_000_000, 0)), got, want)
	}
	w.alerts.SetNow(w.now)
}

// TestAnAlertBeginsWhenItHasLasted, also if nothing more comes, and ends as one of any rule.
func TestAnAlertBeginsWhenItHasLasted(t *testing.T) {
	w := watch(t, lastingRule(t))
	w.after(0, "")
	w.update("x", -11)
	w.after(2*time.Second, "")
	w.update("x", -12)
	w.after(2900*time.Millisecond, "")
	w.after(time.Second, "5s loss+x")
	w.after(time.Second, "")
	w.update("x", -7)
	w.after(time.Second, "")
	w.update("x", 0)
	w.after(0, "7.9s loss-x")
	w.update("x", -11)
	w.after(4*time.Second, "")
	w.after(time.Second, "12.9s loss+x")
}

// TestWrongSecondsBeginNoAlert: after each of five trades, the PnL is wrong for a second, and also twice in a row.
func TestWrongSecondsBeginNoAlert(t *testing.T) {
	w := watch(t, lastingRule(t))
	w.after(0, "")
	for range 5 {
		w.update("x", -500)
		w.after(time.Second, "")
		w.update("x", 3)
		w.after(4*time.Second, "")
	}
	w.update("x", -500)
	w.after(4*time.Second, "")
	w.update("x", 3) // right again, and wrong at once
	w.update("x", -600)
	w.after(4*time.Second, "")
	w.update("x", 3)
	w.after(time.Hour, "")
	if n := w.alerts.Pending(0); n != 0 {
		t.Errorf("%d positions are pending", n)
	}
}

// TestAnAlertThatWasDueBeforeAChange begins, although the position no longer matches after it.
func TestAnAlertThatWasDueBeforeAChange(t *testing.T) {
	w := watch(t, lastingRule(t))
	w.after(0, "")
	w.update("x", -11)
	w.now = w.now.Add(6 * time.Second)
	begun := w.alerts.Advance(w.view, decidesUnless(false), w.now)
	w.update("x", 0)
	if len(begun) != 1 || !begun[0].At.Equal(time.Unix(1_800_000_005, 0)) {
		t.Errorf("it has begun: %v", begun)
	}
	w.after(0, "6s loss-x")
}

// TestAnAlertIsReportedAgain each minute while it lasts, and not sooner. Another one of the rule
// has times of its own.
func TestAnAlertIsReportedAgain(t *testing.T) {
	w := watch(t, lastingRule(t))
	w.after(0, "")
	w.update("x", -11)
	w.after(5*time.Second, "5s loss+x")
	w.update("y", -11)
	w.after(5*time.Second, "10s loss+y")
	w.after(54*time.Second, "")
	w.update("x", -7) // between filter and clear it lasts
	w.after(time.Second, "1m5s loss again x")
	w.after(4*time.Second, "")
	w.after(3*time.Second, "1m10s loss again y")
	w.update("y", 0)
	w.after(50*time.Second, "2m2s loss-y")
	w.after(2900*time.Millisecond, "")
	w.after(time.Second, "2m5s loss again x")
	w.after(5*time.Minute, "7m5s loss again x") // once, however late
	w.after(0, "")
}

// TestTheTimeOfOldRowsDoesNotCount: while a row may be out of date, no time passes for it, and nothing is reported
// again.
func TestTheTimeOfOldRowsDoesNotCount(t *testing.T) {
	w := watch(t, lastingRule(t))
	w.after(0, "")
	w.update("x", -11)
	w.after(2*time.Second, "")
	w.stale = true
	for range 10 {
		w.after(time.Second, "")
	}
	if first := w.alerts.FirstPending(5); len(first) != 1 || w.now.Sub(first[0].Since) != 2*time.Second {
		t.Errorf("pending is %v", first)
	}
	w.stale = false
	w.after(2*time.Second, "")
	w.after(time.Second, "15s loss+x")
	w.stale = true
	w.after(30*time.Second, "")
	w.after(45*time.Second, "")
	w.stale = false
	w.after(time.Second, "1m31s loss again x")
	w.after(59*time.Second, "")
	w.after(time.Second, "2m31s loss again x")
}

// TestAPausedTimeDoesNotCount: the rows are frozen.
func TestAPausedTimeDoesNotCount(t *testing.T) {
	w := watch(t, lastingRule(t))
	w.after(0, "")
	w.update("x", -11)
	w.after(2*time.Second, "")
	w.now = w.now.Add(time.Hour)
	w.alerts.Pause(w.now)
	w.after(2*time.Second, "")
	w.after(time.Second, "1h0m5s loss+x")
}

// TestASnapshotIsNoBreak of a match that it shows too. A position that does not match in it, or is gone, starts over.
func TestASnapshotIsNoBreak(t *testing.T) {
	w := watch(t, lastingRule(t))
	w.after(0, "")
	for _, party := range []string{"stays", "wins", "goes"} {
		w.update(party, -20)
	}
	w.after(3*time.Second, "")
	rows := book.NewRows()
	for party, profit := range map[string]int64{"stays": -30, "wins": 30, "comes": -40} {
		p := model.Position{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID("m")}}
		p.SetNumber(model.UnrealisedPnl, model.AmountOf(profit))
		rows.Put(&p)
	}
	w.show(w.view.Book().Replaced(book.Snapshot{AsIs: true, Rows: rows}))
	w.update("wins", -20)
	w.after(time.Second, "")
	w.after(time.Second, "5s loss+stays")
	w.after(2*time.Second, "")
	w.after(time.Second, "8s loss+comes, 8s loss+wins")
}

// TestARowThatIsRemovedIsABreak: an audit finds that a position is gone, and then it is there again.
func TestARowThatIsRemovedIsABreak(t *testing.T) {
	w := watch(t, lastingRule(t))
	w.show(w.view.Book().Replaced(book.Snapshot{AsIs: true, Rows: book.NewRows()}))
	w.after(0, "")
	w.update("x", -11)
	w.update("y", -11)
	w.after(3*time.Second, "")
	stays, _ := w.view.Book().Find(model.Key{Party: model.MakeID("y"), Market: model.MakeID("m")})
	page := book.AuditPage{First: true, Last: true, IsBelieved: true, Positions: []model.Position{stays}}
	compare(w.view, &page)
	w.update("x", -11)
	w.after(2*time.Second, "5s loss+y")
	w.after(3*time.Second, "8s loss+x")
}

// TestRestart: for rows of another time, the times begin again, and nothing is reported because of the way to it.
func TestRestart(t *testing.T) {
	for _, jump := range []time.Duration{-time.Hour, time.Hour} {
		w := watch(t, lastingRule(t))
		w.after(0, "")
		w.update("x", -11)
		w.after(5*time.Second, "5s loss+x")
		w.update("y", -11)
		w.after(2*time.Second, "")
		w.now = w.now.Add(jump)
		w.alerts.Restart(w.now)
		w.matchAll()
		at := jump + 7*time.Second
		w.after(4*time.Second, "")
		w.after(time.Second, fmt.Sprint(at+5*time.Second, " loss+y"))
		w.after(54*time.Second, "")
		w.after(time.Second, fmt.Sprint(at+time.Minute, " loss again x"))
	}
}

// TestOtherRulesKeepTheTimes of a rule that stays, and not those of one that is off.
func TestOtherRulesKeepTheTimes(t *testing.T) {
	loss, gain := lastingRule(t), ruleOf(t, "gain", "upnl>10", "")
	gain.For = 5 * time.Second
	w := watch(t, loss, gain)
	w.after(0, "")
	w.update("x", -11)
	w.update("y", 11)
	w.after(2*time.Second, "")
	off := gain
	off.IsOff = true
	w.alerts = w.alerts.With([]AlertRule{off, loss})
	w.matchAll()
	w.after(3*time.Second, "5s loss+x")
	w.alerts = w.alerts.With([]AlertRule{gain, loss})
	w.matchAll()
	w.after(4*time.Second, "")
	w.after(time.Second, "10s gain+y")
	w.after(55*time.Second, "1m5s loss again x")
}

// TestPendingIsBounded, together with the alerts of the rule, and those that are left out begin when there is room.
func TestPendingIsBounded(t *testing.T) {
	w := watch(t, lastingRule(t))
	w.after(0, "")
	for i := range MaxAlerts + 5 {
		w.update(fmt.Sprint("p", i), -11)
	}
	w.update("p0", 0)
	if first := w.alerts.FirstPending(3); len(first) != 3 || w.alerts.Pending(0) != MaxAlerts-1 {
		t.Errorf("%d positions are pending, and the first are %v", w.alerts.Pending(0), first)
	}
	w.after(0, "")
	if !w.hasRoom {
		t.Error("the rule has no room")
	}
	w.matchAll()
	w.now = w.now.Add(5 * time.Second)
	w.alerts.Evaluate(w.view, decidesUnless(false), w.now)
	if n, isFull := w.alerts.Active(0); n != MaxAlerts || !isFull {
		t.Errorf("%d alerts, full: %v", n, isFull)
	}
}

// TestFirstPending: those that wait the least come first, whatever their rule is.
func TestFirstPending(t *testing.T) {
	slow, fast := ruleOf(t, "slow", "upnl<-10", ""), ruleOf(t, "fast", "upnl<-20", "")
	slow.For, fast.For = 10*time.Second, 5*time.Second
	w := watch(t, slow, fast)
	w.after(0, "")
	for _, party := range []string{"b", "a"} {
		w.update(party, -11)
		w.after(time.Second, "")
	}
	w.update("c", -30)
	var got []string
	for _, p := range w.alerts.FirstPending(3) {
		got = append(got, fmt.Sprint(p.Rule, " ", p.Key.Party))
	}
	if want := []string{"1 c", "0 b", "0 a"}; !slices.Equal(got, want) {
		t.Errorf("the first are %q, want %q", got, want)
	}
}

// plainTimes is for each position since when it has matched.
type plainTimes map[model.Key]time.Time

// TestTimesAgreeWithMatchingAllRows makes random changes, and looks at all rows after each of them.
func TestTimesAgreeWithMatchingAllRows(t *testing.T) {
	rule := ruleOf(t, "0", "size>0", "size<-1")
	rule.For = 3 * time.Second
	total, steps := 0, modeltest.Times(1200)
	seeds := modeltest.Times(50)
	for seed := range uint64(seeds) {
		d := newScenario(seed, 6, 5)
		alerts, since, active := NewAlerts([]AlertRule{rule}), plainTimes{}, make(map[model.Key]bool)
		now := time.Unix(0, 0)
		alerts.SetNow(now)
		d.view.WatchAlerts(alerts, time.Time{})
		matches := func(text string, p model.Position) bool {
			return plainMatch(Filter{Text: text}, d.Instruments, d.levels, &p)
		}
		d.updated = func(p model.Position) { // a row can change several times in a step
			if !matches("size>0", p) {
				delete(since, p.Key)
			}
		}
		for range steps {
			before := d.view
			d.step()
			if d.view != before {
				d.view.TakeAlerts(alerts.Match(d.view, time.Time{}))
			}
			rows := d.plain.All()
			matches := func(text string, p model.Position) bool {
				return plainMatch(Filter{Text: text}, d.Instruments, d.levels, &p)
			}
			var want []string
			for key, p := range rows {
				switch in := d.scope.Covers(key); {
				case !in || !matches("size>0", p):
					delete(since, key)
				case since[key].IsZero():
					since[key] = now
				}
				ends := !matches("size>0", p) && (matches("size<-1", p) || !p.IsOpen())
				if active[key] && d.scope.Covers(key) && ends {
					want = append(want, fmt.Sprint("ends ", key))
					delete(active, key)
				}
			}
			for key := range since {
				if _, isThere := rows[key]; !isThere && (d.view.Book().HasAllOf(key) || !d.scope.Covers(key)) {
					delete(since, key)
				}
			}
			for key := range active {
				_, isThere := rows[key]
				if d.scope.Covers(key) && !isThere && d.view.Book().HasAllOf(key) {
					delete(active, key)
					want = append(want, fmt.Sprint("ends ", key))
				}
			}
			var got []string
			note := func(changes []AlertChange) {
				for _, c := range changes {
					got = append(got, fmt.Sprint(map[bool]string{true: "begins ", false: "ends "}[c.Begins], c.Position.Key))
				}
			}
			none := decidesUnless(false)
			note(alerts.Evaluate(d.view, none, now).Changes)
			now = now.Add(time.Duration(d.IntN(1000)) * time.Millisecond)
			for key, at := range since {
				if _, isThere := rows[key]; isThere && !active[key] && !at.Add(rule.For).After(now) {
					active[key] = true
					want = append(want, fmt.Sprint("begins ", key))
				}
			}
			note(alerts.Advance(d.view, none, now))
			alerts.SetNow(now)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: the changes are %q, want %q", seed, got, want)
			}
			total += len(got)
		}
	}
	if total < seeds*steps/20 {
		t.Errorf("only %d changes", total)
	}
}
