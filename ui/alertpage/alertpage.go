// Package alertpage is the page of alerts: the rules with their state, and below them what is about to begin and a log
// of beginnings and ends, the newest first, with one cursor for all. It reads the alerts of package store, and does not
// decide when a rule begins or ends.
package alertpage

import (
	"cmp"
	"image"
	"slices"

	"blotter/model"
	"blotter/ui/format"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// Page is the page of the alerts of a store.
type Page struct {
	pane.Rows[line]
	store    *store.Store    // of the service, also while its past is shown
	removing pane.Twice[int] // the rule
}

// line is the key of a row: a rule, what is about to begin, or what is logged with a number.
type line struct {
	rule    int     // 0 if it is none
	pending pending // zero if it is none
	number  uint64  // 0 if it is one of the others
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

// lines are the rules, then what is about to begin, and then what is logged, the newest first.
type lines struct {
	rules   int
	pending []store.PendingAlert
	log     []store.LoggedAlert
}

// maxPending is how many positions are shown for which a rule is about to begin. Beside each rule is how many there
// are.
const maxPending = 5

func (p *Page) lines() lines {
	alerts := p.store.Alerts()
	return lines{len(alerts.Rules()), alerts.Pending(maxPending, p.store.Book(), p.store.Now()), alerts.Log()}
}

// logged is the place of the newest line of the log.
func (l lines) logged() int { return l.rules + len(l.pending) }

func (l lines) Len() int { return l.logged() + len(l.log) }

func (l lines) Key(place int) line {
	switch {
	case place < l.rules:
		return line{rule: place + 1}
	case place < l.logged():
		p := &l.pending[place-l.rules]
		return line{pending: pending{p.Name, p.Position.Key}}
	}
	return line{number: l.at(place).Number}
}

// at returns what is logged at a place.
func (l lines) at(place int) *store.LoggedAlert { return &l.log[len(l.log)-1-(place-l.logged())] }

// position returns the position of a place behind the rules.
func (l lines) position(place int) *model.Position {
	if place < l.logged() {
		return &l.pending[place-l.rules].Position
	}
	return &l.at(place).Position
}

func (l lines) Find(key line) (place int, ok bool) {
	switch {
	case key.rule > 0:
		return key.rule - 1, key.rule <= l.rules
	case key.number == 0:
		i := slices.IndexFunc(l.pending, func(p store.PendingAlert) bool { return key.pending == pending{p.Name, p.Position.Key} })
		return l.rules + max(i, 0), i >= 0
	case len(l.log) == 0 || key.number < l.log[0].Number:
		return l.Len(), false
	}
	newest := l.log[len(l.log)-1].Number
	return l.logged() + int(newest-key.number), true
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
		{Name: "position_of_alert", Keys: []string{"enter"}, Help: "position, or edit the rule", Hint: "open", Priority: 2, Do: open, WhyNot: whyNotOpen},
		{Name: "new_alert", Keys: []string{"n"}, Help: "new rule, of the filter", Hint: "new", Priority: 3, Do: newRule},
		{Name: "switch_alert", Keys: []string{"t"}, Help: "rule on or off", Hint: "on/off", Priority: 4, Do: switchRule, WhyNot: whyNoRule},
		{Name: "delete_alert", Keys: []string{"d"}, Help: "twice: remove this rule", Hint: "remove", Priority: 7, Do: (*Page).remove, WhyNot: whyNotOwn},
		{Name: "rewind", Keys: []string{"w"}, Help: "rewind to its time", Hint: "rewind", Priority: 6, Do: rewind, WhyNot: whyNoLine},
		{Name: "back", Keys: keys.Esc, Help: "one step back", Hint: "back", Priority: 5, Effect: pane.Back{}, WhyNot: pane.WhyNoStep[*Page]},
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

// rule returns the place of the rule under the cursor, and false if a line of the log is there.
func (p *Page) rule() (place int, ok bool) {
	return p.Place(), p.Place() < p.lines().rules
}

// open shows the position of the line under the cursor, or the rule there to be changed.
func open(p *Page, _ *pane.Context) []pane.Effect {
	if rule, ok := p.rule(); ok {
		return []pane.Effect{pane.Open{Dialog: pane.RuleDialog{Place: rule}}}
	}
	const missing = "The service no longer has this position, or it is not in the scope."
	return []pane.Effect{pane.GoTo{Key: p.lines().position(p.Place()).Key, Missing: missing}}
}

// newRule opens the dialog for a rule of the filter that is on.
func newRule(p *Page, _ *pane.Context) []pane.Effect {
	return []pane.Effect{pane.Open{Dialog: pane.RuleDialog{Place: p.lines().rules}}}
}

// switchRule turns the rule under the cursor off, or on again.
func switchRule(p *Page, _ *pane.Context) []pane.Effect {
	rule, _ := p.rule()
	all := slices.Clone(p.store.Alerts().Rules())
	all[rule].IsOff = !all[rule].IsOff
	return []pane.Effect{pane.SetAlerts(all)}
}

// remove removes the rule under the cursor when the key is pressed twice.
func (p *Page) remove(c *pane.Context) []pane.Effect {
	rule, _ := p.rule()
	all := slices.Clone(p.store.Alerts().Rules())
	if !p.removing.Press(c, rule) {
		return pane.Saying(c.Keys.Fill("{delete_alert} again removes the rule ") + format.OneLine(all[rule].Name) + ".")
	}
	return []pane.Effect{pane.SetAlerts(slices.Delete(all, rule, rule+1))}
}

// rewind shows the time of the line under the cursor.
func rewind(p *Page, _ *pane.Context) []pane.Effect {
	return []pane.Effect{pane.Rewind{To: p.selected().At}}
}

// whyNoLine returns why there is no line of the log under the cursor; empty if there is one.
func whyNoLine(p *Page, _ *pane.Context) string {
	return keys.ReasonIf(p.selected() == nil, "no line is selected")
}

// whyNotOpen returns why nothing can be opened under the cursor; empty if something can.
func whyNotOpen(p *Page, c *pane.Context) string {
	if _, ok := p.rule(); ok {
		return whyNotOwn(p, c)
	}
	if key, _ := p.Cursor(); key.pending != (pending{}) {
		return ""
	}
	line := p.selected()
	return cmp.Or(whyNoLine(p, c), keys.ReasonIf(line != nil && line.Feed != "", "it is about the feed, not about a position"))
}

// whyNoRule returns why there is no rule under the cursor; empty if there is one.
func whyNoRule(p *Page, _ *pane.Context) string {
	_, ok := p.rule()
	return keys.ReasonIf(!ok, "no rule is selected")
}

// whyNotOwn returns why the rule under the cursor cannot be changed here; empty if it can.
func whyNotOwn(p *Page, c *pane.Context) string {
	if why := whyNoRule(p, c); why != "" {
		return why
	}
	rule, _ := p.rule()
	return keys.ReasonIf(!p.store.Alerts().Rules()[rule].IsOwn, "the rule is in the configuration")
}

// List returns the rules and the log.
func (p *Page) List() pane.List { return &p.Rows }

// Sync keeps the cursor on its line.
func (p *Page) Sync(_ *pane.Context, s pane.Size) { p.Fit(room(s.Height)) }

// Click moves the cursor to the line that was clicked.
func (p *Page) Click(_ *pane.Context, s pane.Size, at image.Point) []pane.Effect {
	rules := max(p.lines().rules-p.Top(), 0) // on the screen
	row := at.Y - 1
	if row >= rules {
		if row -= logHead; row < rules {
			return nil
		}
	}
	if row >= 0 && row < room(s.Height) {
		p.Rows.Click(row)
	}
	return nil
}
