package dialog

import (
	"fmt"
	"slices"
	"strings"

	"blotter/model/filter"
	"blotter/ui/alerts"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/input"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// RuleForm covers the panes while a rule for alerts is made, or one that was made on the screen is changed. It keeps no
// rule: its effect has the new rules.
type RuleForm struct {
	pane.Form[struct{}]
	rules   []alerts.Rule
	rule    int    // the place of the rule that is changed; len(rules) if it is new
	subject string // the name of the rule, or the filter of a new one
}

// The fields of a rule.
const (
	nameField = iota
	filterField
	clearField
	forField
	againField
	bellField
	notifyField
	groupField
	assetField
	fieldCount
)

// ruleFields are the titles of the fields, and what is shown while one is empty.
var ruleFields = [fieldCount]struct{ title, hint string }{
	nameField:   {"name", "of the rule, on the screen"},
	filterField: {"filter", "it begins for these positions"},
	clearField:  {"clear", "if set, it ends only for these"},
	forField:    {"for", "at once; 5s if it must last"},
	againField:  {"again", "never; 15m repeats it"},
	bellField:   {"bell", "no; yes rings the bell"},
	notifyField: {"notify", "none; osc9 or osc777: desktop"},
	groupField:  {"group", "none; its sums, not positions"},
	assetField:  {"asset", "of a group: such as USDT"},
}

const ruleTitleCells = 9 // the cells before the text of a field

// NewRuleForm returns a dialog for the rule at a place, or, if the place is after all of them, for a new rule with a
// filter.
func NewRuleForm(rules []alerts.Rule, rule int, filter string) *RuleForm {
	texts := [fieldCount]string{filterField: filter, forField: alerts.UsualFor, againField: alerts.UsualAgain}
	subject := "new, of " + filter
	if rule < len(rules) {
		a := &rules[rule]
		subject = "rule " + a.Name
		texts = [fieldCount]string{nameField: a.Name, filterField: a.FilterText, clearField: a.ClearText, notifyField: string(a.Notify)}
		texts[groupField], texts[assetField] = a.Group, a.Asset
		texts[forField], texts[againField] = a.Texts()
		if a.Bell {
			texts[bellField] = "yes"
		}
	}
	room := func(height int) int { return max(height-2, 1) }
	d := &RuleForm{Form: pane.NewForm[struct{}](ruleTitleCells, room), rules: rules, rule: rule, subject: subject}
	for i, f := range ruleFields {
		d.Fields = append(d.Fields, pane.Field[struct{}]{Title: f.title, Hint: f.hint, Line: input.New(texts[i])})
	}
	return d
}

// Subject returns which rule it is.
func (d *RuleForm) Subject() string { return d.subject }

// RuleActions are the keys of the dialog besides those that move in it.
func RuleActions() []keys.Action[*RuleForm] {
	return []keys.Action[*RuleForm]{
		{Name: "save_alert", Keys: []string{"enter"}, Help: "save the rule", Hint: "save", Priority: 1, Do: (*RuleForm).save},
	}
}

// save sets the rules with this one.
func (d *RuleForm) save(c *pane.Context) []pane.Effect {
	a, problem := d.alert(c)
	if d.Problem = problem; problem != "" {
		return nil
	}
	all := slices.Clone(d.rules)
	if d.rule == len(all) {
		all = append(all, a)
	} else {
		a.IsOff, a.QuietUntil = all[d.rule].IsOff, all[d.rule].QuietUntil
		all[d.rule] = a
	}
	return pane.Closing(pane.SetAlerts(all), pane.Say("Alert "+a.Name+" is set."))
}

// alert returns the rule that is typed, or what is wrong with it.
func (d *RuleForm) alert(c *pane.Context) (a alerts.Rule, problem string) {
	text := func(field int) string { return strings.TrimSpace(d.Fields[field].Line.String()) }
	parse := c.Store.View().Names().Parse
	if text(groupField) != "" {
		parse = filter.ParseSums
	}
	own := alerts.Own{
		Name: text(nameField), Bell: text(bellField) == "yes", Group: text(groupField), Asset: text(assetField),
		Filter: filter.Quoted(parse, text(filterField)), Clear: filter.Quoted(parse, text(clearField)),
		For: text(forField), Again: text(againField), Notify: alerts.Notification(text(notifyField)), Scope: true,
	}
	if own.Notify == "none" {
		own.Notify = ""
	}
	a, err := own.Rule()
	why := a.WhyNoSums(c.Store.Instruments())
	switch bell, taken := text(bellField), alerts.Index(d.rules, own.Name); {
	case err != nil:
		return a, format.Error(err)
	case why != "":
		return a, strings.ToUpper(why[:1]) + why[1:] + "."
	case bell != "" && bell != "yes" && bell != "no":
		return a, "Bell must be yes or no."
	case taken >= 0 && taken != d.rule:
		return a, "Another rule has this name."
	case d.rule >= alerts.MaxRules:
		return a, fmt.Sprintf("There can be at most %d rules.", alerts.MaxRules)
	}
	return a, ""
}

// Draw draws a title, the fields, and what is wrong or what enter does.
func (d *RuleForm) Draw(c *pane.Context, size pane.Size) []string {
	title := "new alert"
	if d.rule < len(d.rules) {
		title = "alert " + d.rules[d.rule].Name
	}
	about := "for positions"
	if strings.TrimSpace(d.Fields[groupField].Line.String()) != "" {
		about = "for the sums of a group"
	}
	lines := []string{draw.Rule(size.Width, c.Styles.Brand, c.Styles.Dim, draw.Cut(title, size.Width/2), about)}
	lines = append(lines, d.DrawFields(c, size)...)
	return d.DrawLast(c, size, lines, c.Keys.Key("save_alert")+" saves")
}
