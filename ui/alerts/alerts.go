// Package alerts reports alerts: it collects which begin and end, decides when that is reported, and puts it in words
// for the screen and the desktop. Package view of model decides which positions match an alert. Package alerts runs no
// commands, and writes to no terminal.
package alerts

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// Rule is a rule for alerts, of the configuration or of the screen, with what it does besides its marks on the screen.
type Rule struct {
	view.AlertRule
	// FilterText and ClearText are the texts of Filter and Clear; ClearText is empty if there is none.
	FilterText, ClearText string

	StaleFor time.Duration // how long rows must be out of date for it to begin; 0: it is about positions

	Bell   bool         // ring the bell of the terminal
	Notify Notification // make the terminal notify the desktop
	Run    bool         // run its command
	IsOwn  bool         // it was made on the screen
	// HasScope is true if the trader knows which rows it watches: it was made since rules watch those of the start, or
	// was asked about.
	HasScope bool

	QuietUntil time.Time // until then nothing rings, notifies or pages that it has begun; zero: it is not quiet
}

// QuietFor is for how long a rule is made quiet.
const QuietFor = 15 * time.Minute

// IsQuiet reports whether a rule is quiet at a time.
func (a *Rule) IsQuiet(now time.Time) bool { return now.Before(a.QuietUntil) }

// Delivered returns the events of a report that its program gets: of a rule that is quiet, only ends.
func (r *Report) Delivered(now time.Time) []view.AlertEvent {
	if !r.Rule.IsQuiet(now) {
		return r.Events
	}
	begins := func(e view.AlertEvent) bool { return e.Begins }
	return slices.DeleteFunc(slices.Clone(r.Events), begins)
}

// MaxRules is how many rules there can be: each change of a position is compared with all of them.
const MaxRules = 20

// ForPositions returns the rules as package view applies them to positions.
func ForPositions(rules []Rule) []view.AlertRule {
	var applied []view.AlertRule
	for _, rule := range rules {
		rule.OfFeed = rule.StaleFor > 0
		applied = append(applied, rule.AlertRule)
	}
	return applied
}

// Condition returns when a rule begins: its filter, with the group whose sums it compares, or for how long rows must be
// out of date.
func (a *Rule) Condition() string {
	switch {
	case a.StaleFor > 0:
		return "on stale for " + format.Age(a.StaleFor)
	case a.Group != "":
		return a.Group + " " + a.Asset + ": " + a.FilterText
	}
	return a.FilterText
}

// Notification is the kind of escape sequence that makes a terminal notify the desktop.
type Notification string

// The notifications; the zero value is none. Terminals support at most one.
const (
	OSC9   Notification = "osc9"
	OSC777 Notification = "osc777"
)

// sequence returns the escape sequence with a text, which has no control characters.
func (n Notification) sequence(text string) string {
	switch n {
	case OSC9:
		return ansi.Notify("blotter: " + text) // OSC 9 with a number at its beginning is something else
	case OSC777:
		return ansi.URxvtExt("notify", "blotter", strings.ReplaceAll(text, ";", ","))
	}
	return ""
}

// maxNotification is how many cells the text of a notification has at most.
const maxNotification = 200

// Sequence returns the escape sequence that rings the bell of the terminal and notifies the desktop with words; empty
// if the alert does neither.
func (a *Rule) Sequence(words string) string {
	sequence := a.Notify.sequence(draw.Cut(format.OneLine(words), maxNotification))
	if a.Bell {
		sequence += "\a"
	}
	return sequence
}

// Reports collects the beginnings and ends of alerts, and those that are reported again.
//
// Each alert is reported at most once a second: what begins and ends in between is one report. At the start, and after
// a change of scope, reports wait until all positions and margin levels are there, but at most startFor. So the
// positions that match from the start are one report, with their number.
type Reports struct {
	rules    []Rule
	pending  []pendingEvents // by alert
	starting bool
	since    time.Time // of the first change since NewReports or Restart; zero if there was none
}

// pendingEvents are the events of an alert that are not reported yet.
type pendingEvents struct {
	events     []view.AlertEvent // each of another kind than the one before
	reportedAt time.Time
}

// The limits of reports.
const (
	reportEvery      = time.Second
	startFor         = 10 * time.Second
	maxPendingEvents = 8 // events of an alert; one more for each kind that is not among them
)

// NewReports returns the reports of alerts, at the start.
func NewReports(rules []Rule) *Reports {
	return &Reports{rules: rules, pending: make([]pendingEvents, len(rules)), starting: true}
}

// With returns the reports of other alerts, with what is pending of those that stay.
func (r *Reports) With(rules []Rule) *Reports {
	changed := NewReports(rules)
	changed.starting, changed.since = r.starting, r.since
	for i := range rules {
		was := slices.IndexFunc(r.rules, func(old Rule) bool { return old.AlertRule == rules[i].AlertRule })
		if was >= 0 && !rules[i].IsOff {
			changed.pending[i] = r.pending[was]
		}
	}
	return changed
}

// Restart holds reports back again as at the start, after a change of scope.
func (r *Reports) Restart() { r.starting, r.since = true, time.Time{} }

// Add adds a change to the pending events of its alert. If it is a new event, that is like the given one, with its
// time, service and instruments.
func (r *Reports) Add(change *view.AlertChange, event view.AlertEvent, now time.Time) {
	if r.since.IsZero() {
		r.since = now
	}
	pending := &r.pending[change.Rule]
	added := pending.eventFor(change)
	if added == nil {
		event.Rule, event.Begins, event.IsAgain, event.Why = r.rules[change.Rule].AlertRule, change.Begins, change.IsAgain, change.Why
		pending.events = append(pending.events, event)
		added = &pending.events[len(pending.events)-1]
	}
	if added.Feed = change.Feed; added.Feed != "" {
		return
	}
	if added.Group = change.Group; added.Group != nil {
		added.Changes = []view.AlertChange{*change}
		return
	}
	if added.Count++; len(added.Changes) < view.MaxEventPositions {
		added.Changes = append(added.Changes, *change)
	}
}

// eventFor returns the event that a change is added to: the last one if it is of the same kind, or if there are many,
// the last one of this kind. It returns nil if the change needs a new event.
func (p *pendingEvents) eventFor(change *view.AlertChange) *view.AlertEvent {
	for i := range slices.Backward(p.events) {
		if e := &p.events[i]; e.Begins == change.Begins && e.IsAgain == change.IsAgain && e.Why == change.Why {
			p.dropLater(i, change)
			return e
		}
		if len(p.events) < maxPendingEvents {
			break
		}
	}
	return nil
}

// dropLater drops what the events after a place have of the position, the group or the feed of a change. The change is
// newer.
func (p *pendingEvents) dropLater(place int, change *view.AlertChange) {
	later := p.events[place+1:]
	for i := range later {
		e, all := &later[i], len(later[i].Changes)
		e.Changes = slices.DeleteFunc(e.Changes, func(c view.AlertChange) bool { return c.Position.Key == change.Position.Key })
		e.Count -= all - len(e.Changes)
	}
	later = slices.DeleteFunc(later, func(e view.AlertEvent) bool { return len(e.Changes) == 0 })
	p.events = p.events[:place+1+len(later)]
}

// Report is what is reported of an alert.
type Report struct {
	Rule   *Rule
	Events []view.AlertEvent
	Words  string // about its beginning, or that it is reported again; empty if it has only ended
}

// Due returns the reports that are due. The start ends when positions and margin levels are loaded, or after startFor.
func (r *Reports) Due(isLoading func() bool, now time.Time, f *format.Formatter) []Report {
	if r.starting = r.starting && isLoading() && (r.since.IsZero() || now.Sub(r.since) < startFor); r.starting {
		return nil
	}
	var due []Report
	for i := range r.pending {
		pending := &r.pending[i]
		if len(pending.events) == 0 || now.Sub(pending.reportedAt) < reportEvery {
			continue
		}
		events := pending.events
		for e := range events {
			events[e].Text = eventWords(&events[e], f)
		}
		*pending = pendingEvents{reportedAt: now}
		due = append(due, Report{&r.rules[i], events, begunWords(events, f)})
	}
	return due
}
