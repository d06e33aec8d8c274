package view

import (
	"slices"
	"time"

	"blotter/model"
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
	For    time.Duration // how long a position must match Filter, without a break, before it begins; 0: it begins at once
	Again  time.Duration // how long it lasts until it is reported once more, and then again; 0: it is reported once
}

// MaxAlerts is how many alerts of one rule are kept: those that are active, and those that have ended and were not
// seen.
const MaxAlerts = 1000

// Alert is one position, or group, for which a rule is active, or was.
type Alert struct {
	Rule  int       // from 0
	Key   model.Key // zero if the rule is about a group
	Ended time.Time // zero while the rule is active
	Seen  bool
	told  time.Time // when it began, or was reported again last
}

// AlertChange is the beginning or the end of an alert of a rule for a position, or that it still lasts.
type AlertChange struct {
	Rule     int
	Begins   bool
	IsAgain  bool // it has begun before, and lasts: see AlertRule.Again. Begins is true
	At       time.Time
	Position model.Position // as it is now; only the key if the book no longer has it
	Ratio    model.MarginRatio
	HasRatio bool
	Feed     string     // what the rule has found about the feed; empty if it is about positions
	Group    *GroupSums // if the rule is about a group; nil if not
	// Behind is how far the stream was behind, less than what makes the position out of date; 0 if it was not. Partial
	// is true if the last page of its snapshot had not come. Both are set by the caller of Evaluate.
	Behind  time.Duration
	LateBy  time.Duration // how late the updates of the stream came: see model.Link
	Partial bool
}

// Alerts are the rules, and the positions for which they are active.
//
// A view with alerts records the rows for which a rule may begin or end: see View.WatchAlerts. Evaluate then
// evaluates the rules for these few rows. Values that a row had only between two calls of Evaluate have no effect.
type Alerts struct {
	rules  []AlertRule
	active []map[model.Key]*Alert // by rule
	kept   []*Alert               // those that are active or were not seen, in the order in which they began
	full   []bool                 // by rule: a position was left out, because of MaxAlerts
	noted  []notedAlert
	scope  model.Scope // of the sums of groups
	lasting
}

// notedAlert is a rule that may begin or end for a position.
type notedAlert struct {
	rule int
	key  model.Key
}

// NewAlerts returns rules that are active for no position yet.
func NewAlerts(rules []AlertRule) *Alerts {
	a := &Alerts{rules: rules, full: make([]bool, len(rules)), lasting: newLasting(len(rules))}
	for range rules {
		a.active = append(a.active, make(map[model.Key]*Alert))
	}
	return a
}

// With returns the alerts of other rules. Of a rule that stays as it is, and on, the alerts stay.
func (a *Alerts) With(rules []AlertRule) *Alerts {
	changed := NewAlerts(rules)
	placeOf := func(old int) (rule int, stays bool) {
		rule = slices.Index(rules, a.rules[old])
		return rule, rule >= 0 && !rules[rule].IsOff
	}
	changed.scope = a.scope
	changed.lasting.takeFrom(&a.lasting, placeOf)
	for _, alert := range a.kept {
		rule, stays := placeOf(alert.Rule)
		if !stays {
			continue
		}
		alert := *alert
		alert.Rule = rule
		changed.kept = append(changed.kept, &alert)
		if alert.Ended.IsZero() {
			changed.active[rule][alert.Key] = &alert
		}
	}
	return changed
}

// UsesTime reports whether positions can begin to match a rule as time passes.
func (a *Alerts) UsesTime() bool { return a.has((*filter.Query).UsesTime) }

// UsesMargins reports whether a rule depends on margin records.
func (a *Alerts) UsesMargins() bool { return a.has((*filter.Query).UsesMargins) }

func (a *Alerts) has(test func(*filter.Query) bool) bool {
	return slices.ContainsFunc(a.rules, func(r AlertRule) bool { return !r.IsOff && (test(r.Filter) || test(r.Clear)) })
}

// usesMargins reports whether a rule depends on margin records.
func (a *Alerts) usesMargins(rule int) bool {
	r := &a.rules[rule]
	return r.Filter.UsesMargins() || r.Clear.UsesMargins()
}

// isOfGroup reports whether a rule is about a group.
func (a *Alerts) isOfGroup(rule int) bool { return a.rules[rule].Group != "" }

// IsActive reports whether any rule is active for a position.
func (a *Alerts) IsActive(key model.Key) bool {
	return slices.ContainsFunc(a.active, func(rows map[model.Key]*Alert) bool { return rows[key] != nil })
}

// InAlert returns how many positions and how many groups have an alert.
func (a *Alerts) InAlert() (positions, groups int) {
	keys, names := make(map[model.Key]bool), make(map[string]bool)
	for rule, rows := range a.active {
		for key := range rows {
			if a.isOfGroup(rule) {
				names[a.rules[rule].Group] = true
			} else {
				keys[key] = true
			}
		}
	}
	return len(keys), len(names)
}

// Active returns for how many positions a rule is active, and whether there are more than MaxAlerts.
func (a *Alerts) Active(rule int) (positions int, isFull bool) {
	return len(a.active[rule]), a.full[rule]
}

// Unseen returns the alerts that were not seen, in the order in which they began. Some of them may have ended.
func (a *Alerts) Unseen() []Alert {
	var unseen []Alert
	for _, alert := range a.kept {
		if !alert.Seen {
			unseen = append(unseen, *alert)
		}
	}
	return unseen
}

// SeeNewest returns the newest alert that was not seen, and false if there is none. Then all alerts of its rule are
// seen.
func (a *Alerts) SeeNewest() (Alert, bool) {
	for _, newest := range slices.Backward(a.kept) {
		if newest.Seen {
			continue
		}
		for _, alert := range a.kept {
			alert.Seen = alert.Seen || alert.Rule == newest.Rule
		}
		a.dropSeen()
		return *newest, true
	}
	return Alert{}, false
}

// dropSeen drops the alerts that have ended and were seen.
func (a *Alerts) dropSeen() {
	a.kept = slices.DeleteFunc(a.kept, func(alert *Alert) bool { return alert.Seen && !alert.Ended.IsZero() })
}

// Narrow drops the alerts of positions that are not in scope, and those of groups if the scope is another one. These
// alerts have not ended: their positions are not watched any longer, and the sums of the groups are others.
func (a *Alerts) Narrow(scope model.Scope) {
	sameSums := scope.Equal(a.scope)
	a.scope = scope
	a.drop(func(rule int, key model.Key) bool {
		if a.isOfGroup(rule) {
			return !sameSums
		}
		return !scope.Covers(key)
	})
}

// drop drops alerts that have not ended, and those that were about to begin.
func (a *Alerts) drop(isDropped func(rule int, key model.Key) bool) {
	a.kept = slices.DeleteFunc(a.kept, func(alert *Alert) bool {
		if !isDropped(alert.Rule, alert.Key) {
			return false
		}
		delete(a.active[alert.Rule], alert.Key)
		return true
	})
	a.lasting.drop(isDropped)
}

// note records that a rule may begin or end for a position.
func (a *Alerts) note(rule int, key model.Key) { a.noted = append(a.noted, notedAlert{rule, key}) }

// noteActive records all rows for which a rule is active.
func (a *Alerts) noteActive() {
	for _, alert := range a.kept {
		if alert.Ended.IsZero() {
			a.note(alert.Rule, alert.Key)
		}
	}
}

// Evaluation is the result of Evaluate.
type Evaluation struct {
	Changes []AlertChange
	// Skipped is true if a rule would begin or end for a row that may be out of date. All rows must be matched when the
	// row is current: see Alerts.Match.
	Skipped bool
	// HasRoom is true if a rule that was full has room again. All rows must be matched: the rule may begin for one that
	// was left out.
	HasRoom bool
}

// OutOfDate reports whether the position of a rule, or a row of the group that the rule is about, may be out of date.
type OutOfDate func(rule int, key model.Key) bool

// Evaluate evaluates the rules for the rows that were recorded since the last call, and for the groups that have
// changed: it returns which of them begin and end, also because enough time has passed. Rows that may be out of date
// change nothing. What depends on the margin ratio of a row changes nothing either while the row waits for a margin
// record of its size, and what depends on that of a group, while one of its rows does.
func (a *Alerts) Evaluate(v *View, isOutOfDate OutOfDate, now time.Time) (e Evaluation) {
	v.alerts.noteSums()
	e.Changes = a.Advance(v, isOutOfDate, now)
	for _, n := range a.noted {
		switch alert := a.active[n.rule][n.key]; {
		case !v.alerts.wouldChange(n.rule, n.key):
		case isOutOfDate(n.rule, n.key):
			e.Skipped = true
		case v.alerts.mustWait(n.rule, n.key): // the record that it waits for makes this be evaluated again
		case alert != nil:
			alert.Ended = now
			delete(a.active[n.rule], n.key)
			e.Changes = append(e.Changes, v.alerts.change(n, false, now))
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
	if len(e.Changes) > 0 {
		a.dropSeen()
	}
	return e
}

// begin makes a rule active for a position, and reports whether there was room for it.
func (a *Alerts) begin(n notedAlert, now time.Time) bool {
	if a.isFull(n.rule) {
		a.full[n.rule] = true
		return false
	}
	alert := &Alert{Rule: n.rule, Key: n.key, told: now}
	a.noteTold(alert.told, a.rules[n.rule].Again)
	a.active[n.rule][n.key] = alert
	a.kept = append(a.kept, alert)
	a.limitEnded(n.rule)
	return true
}

// isFull reports whether a rule is active for MaxAlerts positions, with those for which it is about to begin.
func (a *Alerts) isFull(rule int) bool { return len(a.active[rule])+len(a.pending[rule]) >= MaxAlerts }

// limitEnded drops the oldest ended alert of a rule, if more than MaxAlerts are kept.
func (a *Alerts) limitEnded(rule int) {
	isEnded := func(alert *Alert) bool { return alert.Rule == rule && !alert.Ended.IsZero() }
	n := 0
	for _, alert := range a.kept {
		if isEnded(alert) {
			n++
		}
	}
	if len(a.active[rule])+n > MaxAlerts && n > 0 {
		at := slices.IndexFunc(a.kept, isEnded)
		a.kept = slices.Delete(a.kept, at, at+1)
	}
}

// MaxEventPositions is how many positions an AlertEvent has at most.
const MaxEventPositions = 100

// AlertEvent is the beginning or the end of an alert, for one position or for several at about the same time.
type AlertEvent struct {
	Rule        AlertRule
	Begins      bool
	IsAgain     bool // it lasts, and has begun before
	At          time.Time
	Service     string             // its name on the screen
	Count       int                // for how many positions; 0 if it is about the feed or a group
	Feed        string             // what was found about the feed
	Group       *GroupSums         // of a rule about a group
	Changes     []AlertChange      // the first of them, at most MaxEventPositions; the last one of a group
	Instruments *model.Instruments // their names
	Text        string             // the event in one line
}
