package view

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/modeltest"
)

// follower is a screen that follows a desk.
type follower struct {
	*watched
	waiting []AlertChange // that it has not got yet
}

// followed returns a desk with a rule, and a screen that follows it.
func followed(t *testing.T, rule AlertRule) (desk *watched, f *follower) {
	desk = watch(t, rule)
	rule.OfDesk = true
	return desk, &follower{watched: watch(t, rule)}
}

// deskAlerts returns what the desk is in alert for.
func (w *watched) deskAlerts(changes ...AlertChange) *DeskAlerts {
	of := &DeskAlerts{Rule: "loss", Changes: changes}
	for _, b := range w.alerts.Begun(0, model.Scope{}) {
		of.Active = append(of.Active, b.Alert)
	}
	return of
}

// changed is the evaluation of a desk a second later.
func (w *watched) changed() []AlertChange {
	w.now = w.now.Add(time.Second)
	return w.alerts.Evaluate(w.view, decidesUnless(false), w.now).Changes
}

func inAlert(a *Alerts) string {
	var all []string
	for _, b := range a.Begun(0, model.Scope{}) {
		all = append(all, fmt.Sprint(b.Key.Party, " ", b.Since.Unix(), " ", b.Told.Unix(), " ", b.IsUnconfirmed))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// TestAScreenHasTheAlertsOfItsDesk: after each time that it hears of the desk it has the same alerts, also if changes
// are missing. Those that it hears of are told once and as they were; by its own rows nothing begins.
func TestAScreenHasTheAlertsOfItsDesk(t *testing.T) {
	for seed := range uint64(modeltest.Times(20)) {
		random := rand.New(rand.NewPCG(seed, 3))
		rule := ruleOf(t, "loss", "upnl<-10", "upnl>-5")
		rule.Again = 20 * time.Second
		desk, screen := followed(t, rule)
		told := 0
		for range modeltest.Times(300) {
			party := string(rune('a' + random.IntN(6)))
			profit := random.Int64N(24) - 20
			desk.update(party, profit)
			if random.IntN(4) > 0 { // its rows may be others
				screen.update(party, profit)
			}
			changes := desk.changed()
			told += len(changes)
			screen.waiting = append(screen.waiting, changes...)
			screen.now = desk.now
			if got := screen.changed(); len(got) > 0 {
				t.Fatalf("seed %d: it has evaluated %+v", seed, got)
			}
			if random.IntN(3) > 0 {
				continue
			}
			waiting, isWhole := screen.waiting, random.IntN(3) > 0
			if screen.waiting = nil; !isWhole {
				waiting = waiting[random.IntN(len(waiting)+1):]
			}
			before := screen.alerts.Begun(0, model.Scope{})
			got := screen.alerts.Follow(screen.view, 0, desk.deskAlerts(waiting...), desk.now)
			if isWhole && fmt.Sprint(got) != fmt.Sprint(waiting) {
				t.Fatalf("seed %d: it is told\n%v, and the desk\n%v", seed, got, waiting)
			}
			if got, want := inAlert(screen.alerts), inAlert(desk.alerts); got != want {
				t.Fatalf("seed %d: it is in alert for %s, and the desk for %s", seed, got, want)
			}
			if again := screen.alerts.Follow(screen.view, 0, desk.deskAlerts(), desk.now); len(again) > 0 {
				t.Fatalf("seed %d: it is told twice: %v", seed, again)
			}
			checkTold(t, before, got)
		}
		if told == 0 {
			t.Error("nothing has begun")
		}
	}
}

// checkTold checks that what is told begins what was not in alert, and ends what was.
func checkTold(t *testing.T, before []Begun, told []AlertChange) {
	t.Helper()
	is := make(map[model.Key]bool)
	for _, b := range before {
		is[b.Key] = true
	}
	for _, change := range told {
		key := change.Position.Key
		if !change.Begins && !is[key] || change.IsAgain && !is[key] {
			t.Errorf("%s was not in alert: %+v", key.Party, change)
		}
		is[key] = change.Begins
	}
}

// TestAScreenThatComesAgain tells only what is other than when it left: one that has begun again is another one.
func TestAScreenThatComesAgain(t *testing.T) {
	desk, screen := followed(t, ruleOf(t, "loss", "upnl<-10", ""))
	for _, party := range []string{"a", "b", "c"} {
		desk.update(party, -11)
	}
	desk.changed()
	screen.alerts.Resume(desk.alerts.Begun(0, model.Scope{}), desk.now)
	desk.update("b", 0)
	desk.update("c", 0)
	desk.changed()
	desk.update("c", -12)
	desk.update("d", -13)
	desk.changed()
	var got []string
	for _, change := range screen.alerts.Follow(screen.view, 0, desk.deskAlerts(), desk.now) {
		got = append(got, fmt.Sprint(change.Position.Party, " ", change.Begins, " ", change.Why))
	}
	slices.Sort(got)
	if want := "b false whileAway, c true , d true "; strings.Join(got, ", ") != want {
		t.Errorf("it tells %q, want %q", got, want)
	}
	if screen.alerts.HasUnconfirmed() {
		t.Error("what the desk has said is not confirmed")
	}
}

// TestARuleOfTheDeskIsNotEvaluated here, and needs neither rows nor margin levels.
func TestARuleOfTheDeskIsNotEvaluated(t *testing.T) {
	rule := ruleOf(t, "loss", "upnl<-10 m%<0 age>5s", "")
	rule.OfDesk = true
	group := ruleOfGroup(t, "desk", "upnl<-10", "")
	group.OfDesk = true
	w := watch(t, rule, group)
	w.update("x", -50)
	w.expect("")
	if w.alerts.AreOn() || w.alerts.UsesTime() || w.alerts.UsesMargins() {
		t.Error("it is evaluated here")
	}
	if sums, ok := SumsOf(w.view, 1); !ok || sums.Rows != 1 {
		t.Errorf("the sums that it shows are %+v", sums)
	}
	w.alerts.Follow(w.view, 1, &DeskAlerts{Active: []event.Alert{{Since: w.now, Told: w.now}}}, w.now)
	w.matchAll()
	w.alerts.Unwatch()
	if _, groups := w.alerts.InAlert(); groups != 1 || w.alerts.HasUnconfirmed() {
		t.Errorf("%d groups are in alert", groups)
	}
}
