package view

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/model/modeltest"
)

// ruleOf parses a rule about positions.
func ruleOf(t *testing.T, name, text, clear string) AlertRule {
	t.Helper()
	return parsed(t, AlertRule{Name: name}, filter.Parse, text, clear)
}

// parsed returns a rule with a filter, and with clear unless that is empty.
func parsed(t *testing.T, rule AlertRule, parse filter.Parser, text, clear string) AlertRule {
	t.Helper()
	var err, err2 error
	rule.Filter, err = parse(text)
	if clear != "" {
		rule.Clear, err2 = parse(clear)
	}
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return rule
}

// watched is a view of one subscription whose rows are watched by rules.
type watched struct {
	*testing.T
	alerts *Alerts
	view   *View
	stale  bool
	now    time.Time

	hasRoom bool // a rule that was full had room again at the last evaluation
}

func watch(t *testing.T, rules ...AlertRule) *watched {
	w := &watched{T: t, alerts: NewAlerts(rules), now: time.Unix(1_800_000_000, 0).UTC()}
	w.show(book.New(0))
	return w
}

// show makes a new view of b, as for a snapshot.
//
// The view has the group desk of the parties x and y. Its filter is not that of a rule.
func (w *watched) show(b *book.Book) {
	desk := model.Group{Name: "Desk", Scope: model.Scope{Parties: []model.ID{model.MakeID("x"), model.MakeID("y")}}}
	in := model.NewInstruments(nil, []model.Market{{ID: model.MakeID("m"), Asset: model.MakeID("a")}, {ID: model.MakeID("other"), Asset: model.MakeID("b")}},
		[]model.Asset{{ID: model.MakeID("a")}, {ID: model.MakeID("b")}}).WithGroups([]model.Group{desk})
	w.view = New(b, model.Scope{}, Filter{Text: "nothing matches this"}, Order{}, in)
	w.matchAll()
}

// matchAll matches all rows with the rules.
func (w *watched) matchAll() { w.view.TakeAlerts(w.alerts.Match(w.view, w.now)) }

func (w *watched) update(party string, profit int64) { w.merge(party, profit, 1) }

// close closes a position. Its profit is then between the limits of filter and clear.
func (w *watched) close(party string) { w.merge(party, -7, 0) }

func (w *watched) merge(party string, profit, size int64) {
	p := model.Position{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID("m")}}
	p.SetNumber(model.OpenVolume, model.AmountOf(size))
	p.SetNumber(model.UnrealisedPnl, model.AmountOf(profit))
	p.SetNumber(model.UpdatedAt, model.AmountOf(w.now.UnixNano()))
	merge(w.view, updateOf(model.Subscription{}, p))
}

// evaluate returns what begins and ends, such as "loss+x -5, loss-y 0".
func (w *watched) evaluate() string {
	w.now = w.now.Add(time.Second)
	evaluation := w.alerts.Evaluate(w.view, decidesUnless(w.stale), w.now)
	w.hasRoom = evaluation.HasRoom
	var words []string
	for _, c := range evaluation.Changes {
		sign := map[bool]string{true: "+", false: "-"}[c.Begins]
		ratio := ""
		if c.HasRatio {
			ratio = c.Ratio.String()
		}
		words = append(words, fmt.Sprintf("%s%s%s %s%s", w.alerts.rules[c.Rule].Name, sign, c.Position.Party, c.Position.Number(model.UnrealisedPnl), ratio))
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

func (w *watched) expect(want string) {
	w.Helper()
	if got := w.evaluate(); got != want {
		w.Errorf("it is %q, want %q", got, want)
	}
}

func TestAnAlertBeginsAndEndsOnce(t *testing.T) {
	w := watch(t, ruleOf(t, "loss", "upnl<-10", ""))
	w.update("x", -5)
	w.expect("")
	w.update("x", -11)
	w.expect("loss+x -11")
	w.update("x", -12)
	w.expect("")
	w.update("x", -10)
	w.expect("loss-x -10")
}

// TestAnAlertEndsByItsClear: if neither filter nor clear matches, it neither ends nor begins, unless the position is
// closed.
func TestAnAlertEndsByItsClear(t *testing.T) {
	w := watch(t, ruleOf(t, "loss", "upnl<-10", "upnl>-5"))
	w.update("x", -7)
	w.expect("")
	w.update("x", -11)
	w.expect("loss+x -11")
	for _, between := range []int64{-7, -12, -5} {
		w.update("x", between)
		w.expect("")
	}
	w.update("x", -4)
	w.expect("loss-x -4")
	w.update("x", -11)
	w.expect("loss+x -11")
	w.close("x")
	w.expect("loss-x -7")
}

// TestValuesBetweenTwoEvaluationsAreIgnored: a row that matched only between two calls of Evaluate begins no alert.
func TestValuesBetweenTwoEvaluationsAreIgnored(t *testing.T) {
	w := watch(t, ruleOf(t, "loss", "upnl<-10", ""))
	w.update("x", -11)
	w.update("x", 0)
	w.expect("")
	w.update("x", -11)
	w.update("x", -12)
	w.expect("loss+x -12")
	w.update("x", 0)
	w.update("x", -13)
	w.expect("")
}

// TestStaleRowsChangeNoAlerts until all rows are matched.
func TestStaleRowsChangeNoAlerts(t *testing.T) {
	w := watch(t, ruleOf(t, "loss", "upnl<-10", ""))
	w.update("x", -11)
	w.expect("loss+x -11")
	w.stale = true
	w.update("x", 0)
	w.update("y", -20)
	w.expect("")
	if !w.alerts.present.IsInAlert(model.Key{Party: model.MakeID("x"), Market: model.MakeID("m")}) {
		t.Error("the alert of a stale row has ended")
	}
	w.stale = false
	w.expect("")
	w.matchAll()
	w.expect("loss+y -20, loss-x 0")
}

// TestASnapshotIsComparedWithTheStateBefore: the alert of a row that matched before does not begin again, and that of a
// missing row ends.
func TestASnapshotIsComparedWithTheStateBefore(t *testing.T) {
	w := watch(t, ruleOf(t, "loss", "upnl<-10", ""))
	for i, party := range []string{"stays", "goes", "wins"} {
		w.update(party, int64(-20-i))
	}
	w.expect("loss+goes -21, loss+stays -20, loss+wins -22")
	rows := book.NewRows()
	for party, profit := range map[string]int64{"stays": -30, "wins": 30, "comes": -40} {
		p := model.Position{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID("m")}}
		p.SetNumber(model.UnrealisedPnl, model.AmountOf(profit))
		rows.Put(&p)
	}
	w.show(w.view.Book().Replaced(book.Snapshot{AsIs: true, Rows: rows}))
	w.expect("loss+comes -40, loss-goes 0, loss-wins 30")
}

// TestMarginRecordsBeginAndEndAlerts: an alert on the margin ratio changes with the margin records.
func TestMarginRecordsBeginAndEndAlerts(t *testing.T) {
	w := watch(t, ruleOf(t, "margin", "m%<-30", "m%>-20"))
	w.update("x", -30)
	w.expect("")
	read := func(maintenance int64) {
		record := model.MarginLevels{MarginKey: model.MarginKey{Key: model.Key{Party: model.MakeID("x"), Market: model.MakeID("m")}, Asset: model.MakeID("a")}, Maintenance: model.AmountOf(maintenance)}
		w.view.MergeMargins(&model.Page{ReadAt: time.Unix(0, math.MaxInt64/2), Rows: []model.MarginLevels{record}})
	}
	read(50)
	w.expect("margin+x -30-60.0%")
	read(120)
	w.expect("")
	read(200)
	w.expect("margin-x -30-15.0%")
}

// TestAgesBeginAlerts: as time passes, when WatchAlerts is called again.
func TestAgesBeginAlerts(t *testing.T) {
	w := watch(t, ruleOf(t, "old", "age>5m", ""))
	w.update("x", 0)
	w.now = w.now.Add(4 * time.Minute)
	w.show(w.view.Book())
	w.expect("")
	w.now = w.now.Add(time.Minute)
	w.show(w.view.Book())
	w.expect("old+x 0")
	w.update("x", 1)
	w.expect("old-x 1")
	if !w.alerts.UsesTime() || w.alerts.UsesMargins() {
		t.Error("the rules use margins or no times")
	}
}

// TestAlertsAreBounded: each rule has a limited number of alerts.
func TestAlertsAreBounded(t *testing.T) {
	w := watch(t, ruleOf(t, "loss", "upnl<-10", ""))
	for i := range MaxAlerts + 5 {
		w.update(fmt.Sprint("p", i), -11)
	}
	w.evaluate()
	if n, isFull := w.alerts.Active(0); n != MaxAlerts || !isFull {
		t.Errorf("%d positions, full %v", n, isFull)
	}
	for i := range MaxAlerts {
		w.update(fmt.Sprint("p", i), 0)
	}
	w.evaluate()
	for i := range MaxAlerts {
		w.update(fmt.Sprint("q", i), -11)
	}
	w.evaluate()
	if n, _ := w.alerts.Active(0); n != MaxAlerts {
		t.Errorf("%d positions", n)
	}
}

// TestARuleThatWasFullHasRoom: the positions that were left out are found when another alert of the rule ends, also if
// they do not change.
func TestARuleThatWasFullHasRoom(t *testing.T) {
	for _, leftOut := range []int{0, 2} { // at first
		w := watch(t, ruleOf(t, "loss", "upnl<-10", ""))
		for i := range MaxAlerts + leftOut {
			w.update(fmt.Sprint("p", i), -11)
		}
		w.evaluate()
		if w.hasRoom {
			t.Error("a full rule has room")
		}
		w.update("p0", 0)
		w.update("late", -12) // while the rule is full
		w.expect("loss-p0 0")
		if _, isFull := w.alerts.Active(0); isFull || !w.hasRoom {
			t.Errorf("the rule is full: %v, has room: %v", isFull, w.hasRoom)
		}
		w.matchAll()
		if got := w.evaluate(); !strings.HasPrefix(got, "loss+") {
			t.Errorf("it is %q", got)
		}
		if n, isFull := w.alerts.Active(0); n != MaxAlerts || isFull != (leftOut > 0) {
			t.Errorf("%d positions, full %v", n, isFull)
		}
	}
}

// TestARowIsMatchedBeforeItIsRemoved: a change and the removal of its row can come together, and the number of the row
// is free after that.
func TestARowIsMatchedBeforeItIsRemoved(t *testing.T) {
	w := watch(t, ruleOf(t, "loss", "upnl<-10", ""), ruleOf(t, "gain", "upnl>10", ""))
	w.update("x", 11)
	w.update("y", 11)
	w.expect("gain+x 11, gain+y 11")
	b := w.view.Book()
	changed, _ := b.Find(model.Key{Party: model.MakeID("x"), Market: model.MakeID("m")})
	changed.SetNumber(model.UnrealisedPnl, model.ParseAmount("unknown"))
	compare(w.view, &book.AuditPage{Corrected: true, Positions: []model.Position{changed}, Removed: []model.Key{changed.Key}})
	if _, found := b.Row(changed.Key); found != 0 {
		t.Fatal("the row was not removed")
	}
	rows := book.NewRows()
	for p := range b.All {
		rows.Put(&p)
	}
	w.show(b.Replaced(book.Snapshot{AsIs: true, Rows: rows}))
	w.expect("gain-x 0")
}

// TestUncomparedAlerts: a rule is named if it compares amounts of a market without decimals.
func TestUncomparedAlerts(t *testing.T) {
	w := watch(t, ruleOf(t, "loss", "upnl<-10", ""), ruleOf(t, "short", "side:short", ""))
	w.view = New(w.view.Book(), model.Scope{}, Filter{}, Order{}, model.NewInstruments(nil, nil, nil))
	w.view.WatchAlerts(w.alerts, w.now)
	w.update("x", -11)
	if got := w.alerts.Uncompared(w.view); !slices.Equal(got, []string{"loss"}) {
		t.Errorf("the uncompared rules are %q", got)
	}
	w.expect("")
}

// plainAlerts has for each rule the positions for which it is active. It matches all positions after each step.
type plainAlerts struct {
	texts  [][2]string // filter and clear
	active []map[model.Key]bool
}

// step returns what begins and ends, such as "0+key". Stale rows change nothing.
func (p *plainAlerts) step(d *scenario, isStale func(model.Key) bool) map[string]bool {
	changes := make(map[string]bool)
	all := d.plain.All()
	for rule, text := range p.texts {
		matches := func(text string, row model.Position) bool {
			return text == "" || plainMatch(Filter{Text: text}, d.Instruments, d.levels, &row)
		}
		for key, row := range all {
			begins := !p.active[rule][key] && matches(text[0], row)
			ends := p.active[rule][key] && !matches(text[0], row) && (matches(text[1], row) || !row.IsOpen())
			withoutRatio := strings.ReplaceAll(text[0], "|m%<5", "")
			dependsOnRatio := ends && strings.Contains(text[0]+text[1], "m%") ||
				begins && (strings.Contains(withoutRatio, "m%") || !matches(withoutRatio, row))
			if d.ratioHasEnded(&row) && dependsOnRatio {
				continue
			}
			if d.scope.Covers(key) && !isStale(key) && (begins || ends) {
				changes[fmt.Sprint(rule, begins, key)] = true
				p.active[rule][key] = begins
			}
		}
		for key, active := range p.active[rule] {
			_, is := all[key]
			switch {
			case !active:
			case !d.scope.Covers(key): // its row is not known
			case !is && !isStale(key) && d.view.Book().HasAllOf(key):
				p.active[rule][key] = false
				changes[fmt.Sprint(rule, false, key)] = true
			}
		}
	}
	return changes
}

// ratioHasEnded reports whether the ratio of a position is one of an earlier size.
func (d *scenario) ratioHasEnded(p *model.Position) bool {
	levels, ok := d.levels.find(d.Instruments, p.Key)
	return ok && d.levels.waits(levels.MarginKey) && d.levels.ratio(d.Instruments, p) != nil
}

// TestAlertsAgreeWithMatchingAllRows makes random changes of a view.
func TestAlertsAgreeWithMatchingAllRows(t *testing.T) {
	texts := [][2]string{{"size>0", "size<-1"}, {"m%<5", ""}, {"status:distressed|upnl<-100r", "side:flat"}, {"desk !c2", "m%>0"}, {"upnl>0r|m%<5", ""}}
	for seed := range uint64(3) {
		d := newScenario(seed, 6, 5)
		plain := &plainAlerts{texts: texts}
		var rules []AlertRule
		for i, text := range texts {
			rules = append(rules, ruleOf(t, fmt.Sprint(i), text[0], text[1]))
			plain.active = append(plain.active, make(map[model.Key]bool))
		}
		alerts := NewAlerts(rules)
		d.view.WatchAlerts(alerts, time.Time{})
		steps, total := modeltest.Times(1200), 0
		for range steps {
			before, stale := d.view, model.MakeID("")
			d.step()
			if d.view != before {
				d.view.TakeAlerts(alerts.Match(d.view, time.Time{}))
			}
			if d.IntN(3) == 0 {
				stale = d.Parties[1+d.IntN(len(d.Parties)-1)]
			}
			isStale := func(key model.Key) bool { return !stale.IsZero() && key.Party == stale }
			want := plain.step(d, isStale)
			evaluation := alerts.Evaluate(d.view, func(_ int, key model.Key) Decides {
				return decidesUnless(isStale(key))(0, key)
			}, time.Time{})
			for _, c := range evaluation.Changes {
				if change := fmt.Sprint(c.Rule, c.Begins, c.Position.Key); !want[change] {
					t.Fatalf("seed %d: unexpected change %s", seed, change)
				} else {
					delete(want, change)
				}
			}
			if len(want) > 0 {
				t.Fatalf("seed %d: the changes %v are missing", seed, want)
			}
			if evaluation.Skipped {
				d.view.TakeAlerts(alerts.Match(d.view, time.Time{}))
			}
			total += len(evaluation.Changes)
			if d.IntN(50) == 0 { // another run
				next := NewAlerts(rules)
				for rule := range rules {
					next.Resume(alerts.Begun(rule, d.scope), time.Time{})
				}
				alerts = next
				d.view.TakeAlerts(alerts.Match(d.view, time.Time{}))
			}
		}
		if total < steps/8 {
			t.Errorf("seed %d: only %d changes", seed, total)
		}
	}
}

// TestAlertsOfARuleThatStays go on under other rules, and those of a rule that is gone or off do not.
func TestAlertsOfARuleThatStays(t *testing.T) {
	loss, gain := ruleOf(t, "loss", "upnl<-10", ""), ruleOf(t, "gain", "upnl>10", "")
	w := watch(t, loss, gain)
	w.update("x", -20)
	w.update("y", 20)
	w.expect("gain+y 20, loss+x -20")
	off := loss
	off.IsOff = true
	w.alerts = w.alerts.With([]AlertRule{ruleOf(t, "other", "upnl<-90", ""), off, gain})
	w.matchAll()
	w.expect("")
	w.update("x", -5)
	w.update("y", 5)
	w.expect("gain-y 5")
}

// decidesUnless returns that all rows may decide everything, or if they are stale, nothing.
func decidesUnless(stale bool) DecidesOf {
	return func(int, model.Key) Decides {
		if stale {
			return DecidesNothing
		}
		return DecidesAll
	}
}
