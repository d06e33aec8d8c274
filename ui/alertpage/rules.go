package alertpage

import (
	"cmp"
	"slices"
	"time"

	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/format"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// rule returns the place of the rule under the cursor, and false if a line of the log is there.
func (p *Page) rule() (place int, ok bool) {
	return p.Place(), p.Place() < p.lines().rules
}

func isAtRule(p *Page, _ *pane.Context) bool { _, ok := p.rule(); return ok }

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

// ruleOfLine returns the place of the rule under the cursor, or of the rule of the line there; -1 if there is none.
func (p *Page) ruleOfLine() int {
	if rule, ok := p.rule(); ok {
		return rule
	}
	name, l := "", p.lines()
	if selected := p.selected(); selected != nil && selected.Alert != nil {
		name = selected.Alert.Rule
	} else if place := p.Place() - l.begun(); place >= 0 && place < len(l.pending) {
		name = l.pending[place].Name
	}
	return alerts.Index(p.store.Alerts().Rules(), name)
}

// quiet makes the rule of the line under the cursor quiet for some time, or ends that.
func (p *Page) quiet(*pane.Context) []pane.Effect {
	all, now := slices.Clone(p.store.Alerts().Rules()), p.store.ScreenNow()
	rule := &all[p.ruleOfLine()]
	name := "Alert " + format.OneLine(rule.Name)
	if rule.IsQuiet(now) {
		rule.QuietUntil = time.Time{}
		return []pane.Effect{pane.SetAlerts(all), pane.Say(name + " is heard again.")}
	}
	rule.QuietUntil = now.Add(alerts.QuietFor)
	until := p.store.Format().ShortClockOn(rule.QuietUntil, now)
	what := ": no bell, notification or program."
	if rule.OfDesk {
		what = " on this screen: no bell or notification."
	}
	return []pane.Effect{pane.SetAlerts(all), pane.Say(name + " is quiet until " + until + what)}
}

func (p *Page) whyNotQuiet(*pane.Context) string {
	return keys.ReasonIf(p.ruleOfLine() < 0, "no rule is selected")
}

// narrow makes the rule under the cursor watch only the scope that is shown.
func narrow(p *Page, c *pane.Context) []pane.Effect {
	place, _ := p.rule()
	all := slices.Clone(p.store.Alerts().Rules())
	changed, err := all[place].WithFilter(withScope(c, all[place].FilterText))
	if err != nil {
		return pane.Saying(format.Error(err))
	}
	changed.HasScope, all[place] = true, changed
	name := format.OneLine(changed.Name)
	return []pane.Effect{pane.SetAlerts(all), pane.Say("Alert " + name + " is " + format.OneLine(changed.FilterText) + " now.")}
}

// withScope returns a filter with the scope that is shown.
func withScope(c *pane.Context, text string) string {
	return c.Store.Alerts().NewFilter(view.Settings{Scope: c.Store.Settings().Scope, Filter: text})
}

// isOfScope returns which field of the scope that is shown a filter compares already: party or market; empty if none.
func isOfScope(c *pane.Context, q *filter.Query) filter.Field {
	scope, _ := filter.Parse(withScope(c, ""))
	for _, field := range []filter.Field{filter.PartyField, filter.MarketField} {
		if store.NamesAny(scope, field) && store.NamesAny(q, field) {
			return field
		}
	}
	return ""
}

func whyNotNarrow(p *Page, c *pane.Context) string {
	if why := whyNotOwn(p, c); why != "" {
		return why
	}
	rule, _ := p.rule()
	of := &p.store.Alerts().Rules()[rule]
	field := isOfScope(c, of.Filter)
	return cmp.Or(keys.ReasonIf(of.Group != "", "the sum of a group is of all its positions"),
		keys.ReasonIf(withScope(c, of.FilterText) == of.FilterText, "it watches the scope that is shown"),
		keys.ReasonIf(field != "", "its filter names a "+string(field)+" already"))
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
	return keys.ReasonIf(!p.store.Alerts().Rules()[rule].IsOwn, "it is in the configuration")
}
