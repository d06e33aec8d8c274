// Package alertpage is the page of alerts: the rules with their state, below them the incidents, which are what has
// happened to positions in trouble, and then what is about to begin and a log of beginnings and ends, the newest first,
// with one cursor for all. It reads package store, and does not decide when a rule begins or ends.
package alertpage

import (
	"cmp"
	"image"
	"slices"

	"blotter/model"
	"blotter/model/event"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// Page is the page of the alerts of a store.
type Page struct {
	pane.Rows[line]
	store    *store.Store    // of the service, also while its past is shown
	removing pane.Twice[int] // the rule
	showsAll bool            // all incidents, not only the newest
}

// line is the key of a row: a rule, an incident, what is about to begin, or what is logged with a number.
type line struct {
	rule     int     // 0 if it is none
	incident uint64  // its number; 0 if it is none
	pending  pending // zero if it is none
	number   uint64  // 0 if it is one of the others
}

// pending is a position for which a rule is about to begin.
type pending struct {
	rule string
	key  model.Key
}

// New returns the page of the alerts of a service.
func New(of *store.Store) *Page {
	p := &Page{store: of}
	p.Rows = pane.NewSteadyRows(func() pane.Source[line] { return p.lines() })
	return p
}

// lines are the rules, then the incidents, then what is about to begin, and then what is logged, the newest first.
type lines struct {
	rules     int
	incidents []*event.Story // the oldest first
	pending   []store.PendingAlert
	log       []store.LoggedAlert
}

// newestIncidents is how many incidents are shown unless all are.
const newestIncidents = 4

// maxPending is how many positions are shown for which a rule is about to begin. Beside each rule is how many there
// are.
const maxPending = 5

func (p *Page) lines() lines {
	of, incidents := p.store.Alerts(), store.Stories(p.store)
	if !p.showsAll {
		incidents = incidents[max(len(incidents)-newestIncidents, 0):]
	}
	return lines{len(of.Rules()), incidents, of.Pending(maxPending, p.store.Now()), of.Log()}
}

// begun is the place of the first line behind the incidents.
func (l lines) begun() int { return l.rules + len(l.incidents) }

// logged is the place of the newest line of the log.
func (l lines) logged() int { return l.begun() + len(l.pending) }

func (l lines) Len() int { return l.logged() + len(l.log) }

func (l lines) Key(place int) line {
	switch {
	case place < l.rules:
		return line{rule: place + 1}
	case place < l.begun():
		return line{incident: l.incident(place).Number}
	case place < l.logged():
		p := &l.pending[place-l.begun()]
		return line{pending: pending{p.Name, p.Position.Key}}
	}
	return line{number: l.at(place).Number}
}

func (l lines) at(place int) *store.LoggedAlert { return &l.log[len(l.log)-1-(place-l.logged())] }

func (l lines) incident(place int) *event.Story { return l.incidents[l.begun()-1-place] }

// positionKey returns the position of a place behind the rules.
func (l lines) positionKey(place int) model.Key {
	if place < l.begun() {
		return l.incident(place).Key
	}
	if place < l.logged() {
		return l.pending[place-l.begun()].Position.Key
	}
	return l.at(place).Key
}

func (l lines) Find(key line) (place int, ok bool) {
	switch {
	case key.rule > 0:
		return key.rule - 1, key.rule <= l.rules
	case key.incident > 0:
		i := slices.IndexFunc(l.incidents, func(each *event.Story) bool { return each.Number == key.incident })
		return l.begun() - 1 - max(i, 0), i >= 0
	case key.number == 0:
		i := slices.IndexFunc(l.pending, func(p store.PendingAlert) bool { return key.pending == pending{p.Name, p.Position.Key} })
		return l.begun() + max(i, 0), i >= 0
	}
	i, ok := slices.BinarySearchFunc(l.log, key.number, func(e store.LoggedAlert, number uint64) int {
		return cmp.Compare(e.Number, number)
	})
	return l.logged() + len(l.log) - 1 - i, ok
}

// anyHeight is more than any screen has.
const anyHeight = 1000

// Open puts the cursor on the newest alert that was not seen, else on the newest line of the log.
func (p *Page) Open() {
	p.Fit(anyHeight) // the window begins with the rules, if the cursor leaves room for them
	p.MoveTo(p.lines().logged())
	p.seeNewest()
}

// seeNewest puts the cursor on the newest alert that was not seen, and reports whether there is one.
func (p *Page) seeNewest() bool {
	number, ok := p.store.Alerts().SeeNewest()
	if ok {
		place, _ := p.lines().Find(line{number: number})
		p.MoveTo(place)
	}
	return ok
}

// incident returns the incident under the cursor; nil if there is none.
func (p *Page) incident() *event.Story {
	l := p.lines()
	if key, ok := p.Cursor(); !ok || key.incident == 0 || p.Place() < l.rules || p.Place() >= l.begun() {
		return nil
	}
	return l.incident(p.Place())
}

// selected returns what is logged under the cursor; nil if that is something else, or nothing.
func (p *Page) selected() *store.LoggedAlert {
	l := p.lines()
	if key, ok := p.Cursor(); !ok || key.number == 0 || p.Place() >= l.Len() || p.Place() < l.logged() {
		return nil
	}
	return l.at(p.Place())
}

// Actions are the keys of the page besides those that move in it.
func Actions() []keys.Action[*Page] {
	return []keys.Action[*Page]{
		{Name: "next_alert", Keys: []string{"!"}, Help: "newest that was not seen", Hint: "next", Priority: 1, Do: next, WhyNot: whyNoNext},
		{Name: "position_of_alert", Keys: []string{"enter"}, Help: "position, or edit the rule",
			Hint: "open", Priority: 2, Do: open, WhyNot: whyNotOpen},
		{Name: "new_alert", Keys: []string{"n"}, Help: "new rule, of the filter", Hint: "new", Priority: 3, Do: newRule},
		{Name: "switch_alert", Keys: []string{"t"}, Help: "rule on or off", Hint: "on/off", Priority: 4,
			Do: switchRule, WhyNot: whyNoRule, HintIf: isAtRule},
		{Name: "quiet_alert", Keys: []string{"s"}, Help: "quiet for 15 minutes, or not", Hint: "quiet", Priority: 9,
			Do: (*Page).quiet, WhyNot: (*Page).whyNotQuiet},
		{Name: "narrow_alert", Keys: []string{"o"}, Help: "rule: only the scope that is shown", Hint: "scope",
			Priority: 10, Do: narrow, WhyNot: whyNotNarrow, HintIf: isAtRule},
		{Name: "delete_alert", Keys: []string{"d"}, Help: "twice: remove this rule", Hint: "remove",
			Priority: 7, Do: (*Page).remove, WhyNot: whyNotOwn, HintIf: isAtRule},
		{Name: "rewind", Keys: []string{"w"}, Help: "rewind to its time", Hint: "rewind", Priority: 6, Do: rewind, WhyNot: whyNoTime,
			HintIf: func(p *Page, c *pane.Context) bool { return !isAtRule(p, c) }},
		{Name: "all_incidents", Keys: []string{"a"}, Help: "all incidents, or the newest", Hint: "all",
			Priority: 8, Do: (*Page).showAll, WhyNot: (*Page).whyNoMore},
	}
}

func next(p *Page, _ *pane.Context) []pane.Effect {
	if p.seeNewest() {
		return nil
	}
	return pane.Saying("All alerts were seen.")
}

func whyNoNext(p *Page, _ *pane.Context) string {
	return keys.ReasonIf(p.lines().rules == 0, "no alerts are set")
}

// open shows the position of the line under the cursor, or the rule there to be changed.
func open(p *Page, c *pane.Context) []pane.Effect {
	if rule, ok := p.rule(); ok {
		return []pane.Effect{pane.Open{Dialog: pane.RuleDialog{Place: rule}}}
	}
	key, missing := p.lines().positionKey(p.Place()), "The service no longer has this position."
	if scope := c.Store.Settings().Scope; !scope.Covers(key) {
		missing = c.Keys.Fill("This position is not in the scope that is shown: {choose_parties} and {choose_markets} change it.")
	}
	return []pane.Effect{pane.GoTo{Key: key, Missing: missing}}
}

// showAll shows all incidents, or only the newest again.
func (p *Page) showAll(*pane.Context) []pane.Effect {
	p.showsAll = !p.showsAll
	return nil
}

func (p *Page) whyNoMore(*pane.Context) string {
	return keys.ReasonIf(len(store.Stories(p.store)) <= newestIncidents, "there are no other incidents")
}

// rewind shows the time of the line under the cursor: that at which an incident began.
func rewind(p *Page, _ *pane.Context) []pane.Effect {
	if of := p.incident(); of != nil {
		return []pane.Effect{pane.Rewind{To: of.Steps[0].SeenAt, Position: &of.Key}}
	}
	return []pane.Effect{pane.Rewind{To: p.selected().SeenAt()}}
}

// whyNoLine returns why there is no line of the log under the cursor; empty if there is one.
func whyNoLine(p *Page, _ *pane.Context) string {
	return keys.ReasonIf(p.selected() == nil, "no line is selected")
}

// whyNoTime returns why there is no time under the cursor; empty if there is one.
func whyNoTime(p *Page, c *pane.Context) string {
	if p.incident() != nil {
		return ""
	}
	return whyNoLine(p, c)
}

// ofGroup is why there is no position.
const ofGroup = "it is about a group, not about a position"

// whyNotOpen returns why nothing can be opened under the cursor; empty if something can.
func whyNotOpen(p *Page, c *pane.Context) string {
	if _, ok := p.rule(); ok {
		return whyNotOwn(p, c)
	}
	if p.incident() != nil {
		return ""
	}
	l := p.lines()
	if key, _ := p.Cursor(); key.pending != (pending{}) && p.Place() < l.logged() {
		return keys.ReasonIf(l.pending[p.Place()-l.begun()].IsGroup, ofGroup)
	}
	line := p.selected()
	return cmp.Or(whyNoLine(p, c), keys.ReasonIf(line != nil && line.Alert.Group != nil, ofGroup),
		keys.ReasonIf(line != nil && !line.HasPosition(), "it is about the feed, not about a position"))
}

// List returns the rules and the log.
func (p *Page) List() pane.List { return &p.Rows }

// Sync keeps the cursor on its line.
func (p *Page) Sync(_ *pane.Context, s pane.Size) { p.Fit(p.room(p.lines(), s)) }

// Click moves the cursor to the line that was clicked.
func (p *Page) Click(_ *pane.Context, s pane.Size, at image.Point) []pane.Effect {
	l, row := p.lines(), at.Y-1
	parts := []struct{ head, end int }{{0, l.rules}, {incidentsHead, l.begun()}, {logHead, l.Len()}}
	if len(l.incidents) == 0 {
		parts[1].head = 0
	}
	place := p.Top()
	for _, part := range parts {
		row -= part.head
		rows := max(part.end-place, 0)
		if row < rows {
			if row >= 0 && row < p.room(l, s) {
				p.Rows.Click(place + row - p.Top())
			}
			return nil
		}
		row, place = row-rows, place+rows
	}
	return nil
}
