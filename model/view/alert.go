package view

import (
	"cmp"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/filter"
)

// AlertRule is an alert that a trader has set. It begins for a position that matches Filter, for the time in For. It
// ends if the position no longer matches Filter, and is closed, or matches Clear, or there is no Clear.
//
// A rule about a group does so for the sums of the group in an asset: its positions together are its only subject, with
// the zero Key. Filter and Clear are those of filter.ParseSums.
type AlertRule struct {
	Name   string
	Group  string // its name; empty if the rule is about positions
	Asset  string // of the sums of the group: its symbol or its identifier
	Filter *filter.Query
	Clear  *filter.Query // nil if there is none
	IsOff  bool          // it begins for no position
	OfFeed bool          // it is about the feed: what evaluates it is elsewhere
	OfDesk bool          // the desk evaluates it for all its traders: see DeskAlerts
	For    time.Duration // how long a position must match Filter, without a break, before it begins; 0: it begins at once
	Again  time.Duration // how long it lasts until it is reported once more, and then again; 0: it is reported once
}

// MaxAlerts is for how many positions a rule can be in alert, with those for which it is about to begin.
const MaxAlerts = 1000

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

// isEvaluated reports whether a rule is on, and evaluated here.
func (r *AlertRule) isEvaluated() bool { return !r.IsOff && !r.OfDesk }

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

// isOfGroup reports whether a rule is about a group.
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

// drop drops alerts that have not ended, and those that were about to begin.
func (a *Alerts) drop(isDropped func(rule int, key model.Key) bool) {
	for alert := range a.present.Alerts() {
		if isDropped(alert.Rule, alert.Key) {
			a.present.Drop(alert.Rule, alert.Key)
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

// inOrder returns the alerts of positions and groups that are evaluated here, in the order in which they began.
func (a *Alerts) inOrder() (active []*event.Alert) {
	for alert := range a.present.Alerts() {
		if of := &a.rules[alert.Rule]; alert.Begun && !of.OfFeed && !of.OfDesk {
			active = append(active, alert)
		}
	}
	slices.SortFunc(active, compareBegun)
	return active
}

func compareBegun(x, y *event.Alert) int {
	return cmp.Or(x.Since.Compare(y.Since), cmp.Compare(x.Rule, y.Rule), x.Key.Compare(y.Key))
}

// Evaluation is the result of Evaluate.
type Evaluation struct {
	Changes []AlertChange
	// Skipped is true if a rule would begin or end for a row that may not decide that. All rows must be matched when
	// the row may: see Alerts.Match.
	Skipped bool
	// HasRoom is true if a rule that was full has room again. All rows must be matched: the rule may begin for one that
	// was left out.
	HasRoom bool
}

// Decides is what a row may decide, or the rows of a group together.
type Decides uint8

// What a row may decide, the least last.
const (
	DecidesAll     Decides = iota
	DecidesBegins          // its stream is a little behind: alerts begin, but none ends
	DecidesNothing         // it may be out of date
)

// DecidesOf returns what the position of a rule may decide, or the group that the rule is about.
type DecidesOf func(rule int, key model.Key) Decides

// Evaluate evaluates the rules for the rows that were recorded since the last call, and for the groups that have
// changed: it returns which of them begin and end, also because enough time has passed, as far as the rows may decide
// that. What depends on the margin ratio of a row changes nothing while the row waits for a margin record of its size,
// and what depends on that of a group, while one of its rows does.
func (a *Alerts) Evaluate(v *View, decides DecidesOf, now time.Time) (e Evaluation) {
	v.alerts.noteSums()
	e.Changes = a.Advance(v, decides, now)
	for _, n := range a.noted {
		switch alert := a.present.Active(n.rule, n.key); {
		case !v.alerts.wouldChange(n.rule, n.key):
			if alert != nil && alert.IsUnconfirmed && decides(n.rule, n.key) != DecidesNothing {
				_, isKnown := v.alerts.matchesNow(n.rule, n.key)
				alert.IsUnconfirmed = !isKnown || !alert.NotSentSince.IsZero()
			}
		case !mayChange(decides(n.rule, n.key), alert):
			e.Skipped = true
		case v.alerts.mustWait(n.rule, n.key): // the record that it waits for makes this be evaluated again
		case alert != nil:
			a.present.Drop(n.rule, n.key)
			change := v.alerts.change(n, false, now)
			if alert.IsUnconfirmed {
				change.Why = EndsWhileAway
			}
			e.Changes = append(e.Changes, change)
		case a.begin(n, now):
			e.Changes = append(e.Changes, v.alerts.change(n, true, now))
		}
	}
	a.noted = a.noted[:0]
	for rule, isFull := range a.full {
		if isFull && !a.isFull(rule) {
			a.full[rule], e.HasRoom = false, true
		}
	}
	return e
}

// mayChange reports whether an alert may end, or if it is nil, may begin.
func mayChange(by Decides, alert *event.Alert) bool {
	return by == DecidesAll || by == DecidesBegins && alert == nil
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
