package view

import (
	"fmt"
	"maps"
	"reflect"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/model/modeltest"
)

// ruleOfGroup parses a rule about a group in the asset a.
func ruleOfGroup(t *testing.T, group, text, clear string) AlertRule {
	t.Helper()
	return parsed(t, AlertRule{Name: "sum", Group: group, Asset: "a"}, filter.ParseSums, text, clear)
}

// watchGroup is a view that is watched by one rule about a group.
func watchGroup(t *testing.T, group, text, clear string) *watched {
	return watch(t, ruleOfGroup(t, group, text, clear))
}

// expectSums checks what begins or ends, with the unrealised PnL of the group then.
func (w *watched) expectSums(want string) {
	w.Helper()
	w.now = w.now.Add(time.Second)
	got := ""
	for _, c := range w.alerts.Evaluate(w.view, decidesUnless(w.stale), w.now).Changes {
		profit, _ := c.Group.Sum(model.UnrealisedPnl)
		got += fmt.Sprint(map[bool]string{true: "+", false: "-"}[c.Begins], c.Group.Group, " ", profit, " of ", c.Group.Rows, ";")
	}
	if got != want {
		w.Errorf("it is %q, want %q", got, want)
	}
}

// TestAGroupBeginsWithItsSum: no row of it matches by itself, and rows of other parties, of other assets and closed
// ones count as they should.
func TestAGroupBeginsWithItsSum(t *testing.T) {
	w := watchGroup(t, "desk", "upnl<-10", "upnl>-5")
	w.update("x", -6)
	w.update("z", -60)
	w.expectSums("")
	other := model.Position{Key: model.Key{Party: model.MakeID("x"), Market: model.MakeID("other")}}
	other.SetNumber(model.OpenVolume, model.AmountOf(1))
	other.SetNumber(model.UnrealisedPnl, model.AmountOf(-500))
	merge(w.view, updateOf(model.Subscription{}, other))
	w.expectSums("")
	w.update("y", -5)
	w.expectSums("+Desk -11 of 2;")
	w.update("y", -4)
	w.expectSums("") // between filter and clear
	w.update("x", -7)
	w.expectSums("")
	w.update("x", -0)
	w.expectSums("-Desk -4 of 2;")
	w.update("x", -9)
	w.expectSums("+Desk -13 of 2;")
	w.close("x")
	w.expectSums("")
	w.merge("y", -1, 0)
	w.expectSums("-Desk -8 of 2;") // no row is open: it ends without clear
}

// TestAGroupOfRowsThatMayBeOutOfDateChangesNothing until all rows are matched again.
func TestAGroupOfRowsThatMayBeOutOfDateChangesNothing(t *testing.T) {
	w := watchGroup(t, "desk", "upnl<-10", "")
	w.stale = true
	w.update("x", -11)
	w.expectSums("")
	w.stale = false
	w.expectSums("")
	w.matchAll()
	w.expectSums("+Desk -11 of 1;")
}

// TestAGroupMustLast: the sum matches for a time without a break.
func TestAGroupMustLast(t *testing.T) {
	w := watchGroup(t, "desk", "upnl<-10", "")
	w.alerts = NewAlerts([]AlertRule{w.alerts.rules[0]})
	w.alerts.rules[0].For = 3 * time.Second
	w.matchAll()
	update := func(party string, profit int64) {
		w.alerts.SetNow(w.now)
		w.update(party, profit)
	}
	update("x", -11)
	w.expectSums("")
	if w.alerts.Pending(0) != 1 {
		t.Error("it is not about to begin")
	}
	update("x", 0)
	w.expectSums("")
	update("y", -11)
	w.expectSums("")
	w.expectSums("")
	w.expectSums("+Desk -11 of 2;")
	if positions, groups := w.alerts.InAlert(); positions != 0 || groups != 1 {
		t.Errorf("%d positions and %d groups are in alert", positions, groups)
	}
}

// TestARatioOfAGroupNeedsEachPair: it begins and ends only if each row has a ratio of one moment, not by an estimate.
func TestARatioOfAGroupNeedsEachPair(t *testing.T) {
	w := watchGroup(t, "desk", "m%<-30|upnl<-900", "")
	row := func(party string, at, size, profit int64) model.Position {
		p := model.Position{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID("m")}}
		p.SetNumber(model.OpenVolume, model.AmountOf(size))
		p.SetNumber(model.UnrealisedPnl, model.AmountOf(profit))
		p.SetNumber(model.UpdatedAt, second(at))
		return p
	}
	record := func(party string, at, maintenance int64) {
		w.view.MergeMargins(&model.Page{ReadAt: time.Unix(1000, 0), Rows: []model.MarginLevels{{
			MarginKey: model.MarginKey{Key: row(party, 0, 0, 0).Key, Asset: model.MakeID("a")}, Maintenance: model.AmountOf(maintenance), Timestamp: second(at)}}})
	}
	w.show(book.New(0).Replaced(book.Snapshot{AsIs: true, Rows: rowsOf(row("x", 0, 10, -400), row("y", 0, 10, 0)), NotAfter: notAfter}))
	record("x", 0, 500)
	w.expectSums("") // y has no ratio
	record("y", 0, 500)
	w.expectSums("+Desk -400 of 2;")
	merge(w.view, updateOf(model.Subscription{}, row("y", 5, 40, 500))) // +100 of an estimated 2500: not what it was begun for
	w.expectSums("")
	merge(w.view, updateOf(model.Subscription{}, row("y", 5, 40, -600))) // the other condition is met, whatever the ratio is
	w.expectSums("")
	record("y", 5, 2000)
	w.expectSums("")
	merge(w.view, updateOf(model.Subscription{}, row("y", 6, 40, 500)))
	w.expectSums("-Desk 100 of 2;")
	merge(w.view, updateOf(model.Subscription{}, row("y", 7, 10, -600)))
	w.expectSums("+Desk -1000 of 2;") // by its profit: its ratio is only an estimate
}

// TestSumsOfAGroup: each sum of which the rules know.
func TestSumsOfAGroup(t *testing.T) {
	for text, want := range map[string]bool{
		"rpnl>6": true, "rpnl>7": false, "notional=31": true, "notional>31": false, "maintenance>=500": true, "maintenance<500": false, "m%=-0.6": true,
		"!notional>31 rpnl=7": true, "notional>99|rpnl=7": true,
	} {
		w := watchGroup(t, "desk", text, "")
		p := model.Position{Key: model.Key{Party: model.MakeID("x"), Market: model.MakeID("m")}}
		for field, n := range map[model.Field]int64{model.OpenVolume: 2, model.AverageEntryPrice: 17, model.UnrealisedPnl: -3, model.RealisedPnl: 7} {
			p.SetNumber(field, model.AmountOf(n))
		}
		p.SetNumber(model.UpdatedAt, second(0))
		w.show(book.New(0).Replaced(book.Snapshot{AsIs: true, Rows: rowsOf(p), NotAfter: notAfter}))
		w.view.MergeMargins(&model.Page{ReadAt: time.Unix(1000, 0), Rows: []model.MarginLevels{{
			MarginKey: model.MarginKey{Key: p.Key, Asset: model.MakeID("a")}, Maintenance: model.AmountOf(500), Timestamp: second(0)}}})
		if begins := len(w.alerts.Evaluate(w.view, decidesUnless(false), w.now).Changes) > 0; begins != want {
			t.Errorf("%s: it begins: %v", text, begins)
		}
	}
}

// TestEachSumIsComparedByItself: a number that cannot be added makes only its own sum unknown.
func TestEachSumIsComparedByItself(t *testing.T) {
	begins := func(text string, numbers map[model.Field]string) bool {
		w := watchGroup(t, "desk", text, "")
		p := model.Position{Key: model.Key{Party: model.MakeID("x"), Market: model.MakeID("m")}}
		for field, number := range numbers {
			p.SetNumber(field, model.ParseAmount(number))
		}
		w.show(book.New(0).Replaced(book.Snapshot{AsIs: true, Rows: rowsOf(p), NotAfter: notAfter}))
		return len(w.alerts.Evaluate(w.view, decidesUnless(false), w.now).Changes) > 0
	}
	numbers := map[model.Field]string{model.OpenVolume: "1"}
	for i, number := range model.Summed() {
		numbers[number] = fmt.Sprint(10 + i)
	}
	for i, number := range model.Summed() {
		text := fmt.Sprint(number.FilterName(), "=", 10+i)
		if !begins(text, numbers) || begins(fmt.Sprint(number.FilterName(), "=", 9+i), numbers) {
			t.Errorf("%s does not compare the sum of %s", text, number.Name())
		}
		for _, other := range model.Summed() {
			odd := maps.Clone(numbers)
			odd[other] = "odd"
			if begins(text, odd) != (other != number) {
				t.Errorf("%s, while the sum of %s is not known: it begins: %t", text, other.Name(), other == number)
			}
		}
	}
}

// TestAGroupThatIsNotThere watches nothing, and its alert is dropped when it goes.
func TestAGroupThatIsNotThere(t *testing.T) {
	w := watchGroup(t, "nobody", "upnl<-10", "")
	w.update("x", -11)
	w.expectSums("")
	if _, ok := SumsOf(w.view, 0); ok {
		t.Error("it has sums")
	}
	w = watchGroup(t, "desk", "upnl<-10", "")
	w.update("x", -11)
	w.expectSums("+Desk -11 of 1;")
	w.view = New(w.view.Book(), model.Scope{}, Filter{}, Order{}, w.view.Instruments().WithGroups(nil))
	w.matchAll()
	w.expectSums("")
	if n, _ := w.alerts.Active(0); n != 0 {
		t.Error("it is still active")
	}
}

// TestSumsAgreeWithAddingAllRows makes random changes of a view.
func TestSumsAgreeWithAddingAllRows(t *testing.T) {
	compared := 0
	for seed := range uint64(3) {
		d := newScenario(seed, 6, 5)
		var rules []AlertRule
		for _, group := range []string{"Majors", "Team", "Rows", "Team majors"} {
			for _, asset := range []string{"USDT", "EUR"} {
				rule := ruleOfGroup(t, group, "upnl<0", "")
				rule.Asset = asset
				rules = append(rules, rule)
			}
		}
		alerts := NewAlerts(rules)
		d.view.TakeAlerts(alerts.Match(d.view, time.Time{}))
		for range modeltest.Times(1200) {
			before := d.view
			d.step()
			if d.view != before {
				d.view.TakeAlerts(alerts.Match(d.view, time.Time{}))
			}
			fresh := newGroupSums(rules, d.view.encoder, &d.view.index)
			for rule := range rules {
				got, want := d.view.alerts.sums.ofRule(rule).sums(d.view.Instruments()), fresh.ofRule(rule).sums(d.view.Instruments())
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("seed %d, %s %s: the sums are %+v, want %+v", seed, rules[rule].Group, rules[rule].Asset, got, want)
				}
				if want.HasRatio {
					compared++
				}
			}
		}
	}
	if compared < 50 {
		t.Errorf("only %d ratios", compared)
	}
}
