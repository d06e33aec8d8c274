package view

import (
	"cmp"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/filter"
)

// AlertChange is the beginning or the end of an alert of a rule for a position, or that it still lasts.
type AlertChange struct {
	Rule     int
	Begins   bool
	IsAgain  bool // it has begun before, and lasts: see AlertRule.Again. Begins is true
	At       time.Time
	Position model.Position // as it is now; only the key if the book no longer has it
	Ratio    model.MarginRatio
	HasRatio bool
	Why      EndReason
	Feed     string     // what the rule has found about the feed; empty if it is about positions
	Group    *GroupSums // if the rule is about a group; nil if not
	// Behind is how far the stream was behind, less than what makes the position out of date; 0 if it was not. Partial
	// is true if the last page of its snapshot had not come. Both are set by the caller of Evaluate.
	Behind  time.Duration
	LateBy  time.Duration // how late the updates of the stream came: see model.Link
	Partial bool
}

// EndReason is why an alert ends, if it does not because its position, its group or the feed no longer matches.
type EndReason string

// The reasons. Programs get them as names of fields.
const (
	EndsGone      EndReason = "gone"        // the service has the position no longer
	EndsWhileAway EndReason = "whileAway"   // it ended while it was not watched, such as between two runs
	EndsByChange  EndReason = "ruleChanged" // its rule was changed, switched off or removed
)

// EndReasons returns all reasons.
func EndReasons() []EndReason { return []EndReason{EndsGone, EndsWhileAway, EndsByChange} }

// Alerts are the rules, and the positions for which they are active.
//
// A view with alerts records the rows for which a rule may begin or end: see View.WatchAlerts. Evaluate then
// evaluates the rules for these few rows. Values that a row had only between two calls of Evaluate have no effect.
type Alerts struct {
	rules   []AlertRule
	present *event.Present // what is in alert, and what is about to begin
	full    []bool         // by rule: a position was left out, because of MaxAlerts
	noted   []notedAlert
	awaits  bool // margin records: see AwaitMargins
	lasting
}

// notedAlert is a rule that may begin or end for a position.
type notedAlert struct {
	rule int
	key  model.Key
}

// NewAlerts returns rules that are active for no position yet.
func NewAlerts(rules []AlertRule) *Alerts {
	return &Alerts{rules: rules, present: new(event.Present), full: make([]bool, len(rules))}
}

// Present returns what is in alert, and what is about to begin. It is changed only together with the rows of the view.
func (a *Alerts) Present() *event.Present { return a.present }

// With returns the alerts of other rules, which take the place of a. Of a rule that stays as it is, and on, the alerts
// stay.
func (a *Alerts) With(rules []AlertRule) *Alerts {
	changed := &Alerts{
		rules: rules, present: a.present, full: make([]bool, len(rules)), awaits: a.awaits, lasting: a.lasting,
	}
	changed.present.Renumber(func(old int) (rule int, stays bool) {
		if old >= len(a.rules) {
			return 0, false
		}
		rule = slices.Index(rules, a.rules[old])
		return rule, rule >= 0 && !rules[rule].IsOff
	})
	a.present = new(event.Present) // a view that is still watched by a changes nothing
	return changed
}

// AreOn reports whether any rule is on that is evaluated here.
func (a *Alerts) AreOn() bool {
	return slices.ContainsFunc(a.rules, func(r AlertRule) bool { return r.isEvaluated() })
}

// UsesTime reports whether positions can begin to match a rule as time passes.
func (a *Alerts) UsesTime() bool { return a.has((*filter.Query).UsesTime) }

// UsesMargins reports whether a rule depends on margin records.
func (a *Alerts) UsesMargins() bool { return a.has((*filter.Query).UsesMargins) }

func (a *Alerts) has(test func(*filter.Query) bool) bool {
	return slices.ContainsFunc(a.rules, func(r AlertRule) bool { return r.isEvaluated() && (test(r.Filter) || test(r.Clear)) })
}

// AwaitMargins sets whether margin records may still come that were never read. What depends on one of them waits.
func (a *Alerts) AwaitMargins(awaits bool) {
	if a.awaits && !awaits {
		a.noteActive()
	}
	a.awaits = awaits
}

func (a *Alerts) isOfGroup(rule int) bool { return a.rules[rule].Group != "" }

// InAlert returns how many positions and how many groups have an alert.
func (a *Alerts) InAlert() (positions, groups int) {
	keys, names := make(map[model.Key]bool), make(map[string]bool)
	for alert := range a.present.Alerts() {
		switch {
		case !alert.Begun:
		case a.isOfGroup(alert.Rule):
			names[a.rules[alert.Rule].Group] = true
		case alert.Key.IsComplete():
			keys[alert.Key] = true
		}
	}
	return len(keys), len(names)
}

// Active returns for how many positions a rule is active, and whether there are more than MaxAlerts.
func (a *Alerts) Active(rule int) (positions int, isFull bool) {
	active, _ := a.present.Counts(rule)
	return active, a.full[rule]
}

// evaluated yields the alerts of positions and groups whose rules are evaluated here, also those about to begin.
func (a *Alerts) evaluated(yield func(*event.Alert) bool) {
	for alert := range a.present.Alerts() {
		if rule := &a.rules[alert.Rule]; rule.isEvaluated() && !rule.OfFeed && !yield(alert) {
			return
		}
	}
}

// note records that a rule may begin or end for a position.
func (a *Alerts) note(rule int, key model.Key) { a.noted = append(a.noted, notedAlert{rule, key}) }

// noteActive records all rows for which a rule is active.
func (a *Alerts) noteActive() {
	for _, alert := range a.inOrder() {
		a.note(alert.Rule, alert.Key)
	}
}

// inOrder returns those of the evaluated alerts that have begun, in the order in which they began.
func (a *Alerts) inOrder() (active []*event.Alert) {
	for alert := range a.evaluated {
		if alert.Begun {
			active = append(active, alert)
		}
	}
	slices.SortFunc(active, compareBegun)
	return active
}

func compareBegun(x, y *event.Alert) int {
	return cmp.Or(x.Since.Compare(y.Since), cmp.Compare(x.Rule, y.Rule), x.Key.Compare(y.Key))
}

// begin makes a rule active for a position, and reports whether there was room for it.
func (a *Alerts) begin(n notedAlert, now time.Time) bool {
	if a.isFull(n.rule) {
		a.full[n.rule] = true
		return false
	}
	a.noteTold(now, a.rules[n.rule].Again)
	a.present.Put(event.Alert{Rule: n.rule, Key: n.key, Begun: true, Since: now, Told: now})
	return true
}

// isFull reports whether a rule is active for MaxAlerts positions, with those for which it is about to begin.
func (a *Alerts) isFull(rule int) bool {
	active, pending := a.present.Counts(rule)
	return active+pending >= MaxAlerts
}

// MaxEventPositions is how many positions an AlertEvent has at most.
const MaxEventPositions = 100

// AlertEvent is the beginning or the end of an alert, for one position or for several at about the same time.
type AlertEvent struct {
	Rule        AlertRule
	Begins      bool
	IsAgain     bool // it lasts, and has begun before
	Why         EndReason
	At          time.Time
	Service     string             // its name on the screen
	Count       int                // for how many positions; 0 if it is about the feed or a group
	Feed        string             // what was found about the feed
	Group       *GroupSums         // of a rule about a group
	Changes     []AlertChange      // the first of them, at most MaxEventPositions; the last one of a group
	Instruments *model.Instruments // their names
	Text        string             // the event in one line
}

// lasting is what the time decides of alerts: for how long positions have matched the rules that ask for a time, and
// when alerts that last are reported again.
type lasting struct {
	changesAt time.Time // of the changes of rows that come now
	countedTo time.Time // the time of the last evaluation
	againAt   time.Time // the earliest time to report an alert again; zero if there is none
}

// SetNow sets the time of the changes of rows that follow.
func (l *lasting) SetNow(now time.Time) { l.changesAt = now }

// noteTold notes that an alert of a rule that is reported again after some time was reported.
func (a *Alerts) noteTold(at time.Time, again time.Duration) {
	if next := at.Add(again); again > 0 && (a.againAt.IsZero() || next.Before(a.againAt)) {
		a.againAt = next
	}
}
