// Package rule is the dialog in which the trader makes a rule for alerts, or changes one that was made on the screen.
// It keeps nothing: the shell gets the new rules.
package rule

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"blotter/ui/alerts"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/input"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// Dialog covers the panes while a rule is typed.
type Dialog struct {
	rules   []alerts.Alert
	rule    int // the place of the rule that is changed; len(rules) if it is new
	fields  [fieldCount]input.Line
	place   int    // of the cursor in the fields
	problem string // why the rule cannot be used
}

// The fields of a rule.
const (
	nameField = iota
	filterField
	clearField
	bellField
	notifyField
	fieldCount
)

// fields are the titles of the fields, and what is shown while one is empty.
var fields = [fieldCount]struct{ title, hint string }{
	nameField:   {"name", "of the rule, on the screen"},
	filterField: {"filter", "it begins for positions that match this"},
	clearField:  {"clear", "if set, it ends only for positions that match this or are closed"},
	bellField:   {"bell", "no; yes rings the bell of the terminal"},
	notifyField: {"notify", "none; osc9 or osc777 notifies the desktop"},
}

const titleCells = 9 // the cells before the text of a field

// New returns a dialog for a new rule with a filter.
func New(rules []alerts.Alert, filter string) *Dialog {
	return newDialog(rules, len(rules), [fieldCount]string{filterField: filter})
}

func newDialog(rules []alerts.Alert, rule int, texts [fieldCount]string) *Dialog {
	d := &Dialog{rules: rules, rule: rule}
	for i, text := range texts {
		d.fields[i] = input.New(text)
	}
	return d
}

// Edit returns a dialog for the rule at a place.
func Edit(rules []alerts.Alert, rule int) *Dialog {
	a, bell := &rules[rule], ""
	if a.Bell {
		bell = "yes"
	}
	return newDialog(rules, rule, [fieldCount]string{a.Name, a.FilterText, a.ClearText, bell, string(a.Notify)})
}

// Actions are the keys of the dialog.
func Actions() []keys.Action[*Dialog] {
	move := func(step int) func(*Dialog, *pane.Context) []pane.Effect {
		return func(d *Dialog, _ *pane.Context) []pane.Effect {
			d.place = (d.place + step + fieldCount) % fieldCount
			return nil
		}
	}
	return []keys.Action[*Dialog]{
		{Name: "next_field", Keys: []string{"tab", "down"}, Help: "next field", Hint: "next field", Priority: 2, Do: move(+1)},
		{Name: "previous_field", Keys: []string{"shift+tab", "up"}, Help: "previous field", Do: move(-1)},
		{Name: "save_alert", Keys: []string{"enter"}, Help: "save the rule", Hint: "save", Priority: 1, Do: (*Dialog).save},
		{Name: "cancel", Keys: keys.Esc, Help: "cancel", Hint: "cancel", Priority: 3, Do: (*Dialog).cancel},
	}
}

func (d *Dialog) cancel(*pane.Context) []pane.Effect { return pane.Closing() }

// save gives the shell the rules with this one.
func (d *Dialog) save(*pane.Context) []pane.Effect {
	a, problem := d.alert()
	if d.problem = problem; problem != "" {
		return nil
	}
	all := slices.Clone(d.rules)
	if d.rule == len(all) {
		all = append(all, a)
	} else {
		a.IsOff = all[d.rule].IsOff
		all[d.rule] = a
	}
	return pane.Closing(pane.SetAlerts{All: all}, pane.Say{Text: "Alert " + a.Name + " is set."})
}

// alert returns the rule that is typed, or what is wrong with it.
func (d *Dialog) alert() (a alerts.Alert, problem string) {
	text := func(field int) string { return strings.TrimSpace(d.fields[field].String()) }
	own := alerts.Own{
		Name: text(nameField), Filter: text(filterField), Clear: text(clearField), Bell: text(bellField) == "yes",
		Notify: alerts.Notification(text(notifyField)),
	}
	if own.Notify == "none" {
		own.Notify = ""
	}
	a, err := own.Alert()
	switch bell, taken := text(bellField), alerts.Named(d.rules, own.Name); {
	case err != nil:
		return a, format.Error(err)
	case bell != "" && bell != "yes" && bell != "no":
		return a, "Bell must be yes or no."
	case taken >= 0 && taken != d.rule:
		return a, "Another rule has this name."
	case d.rule >= alerts.MaxRules:
		return a, fmt.Sprintf("There can be at most %d rules.", alerts.MaxRules)
	}
	return a, ""
}

// Text returns the text of the field under the cursor.
func (d *Dialog) Text() *input.Line { return &d.fields[d.place] }

// Changed takes the words about what is wrong away.
func (d *Dialog) Changed(*pane.Context) []pane.Effect {
	d.problem = ""
	return nil
}

// List returns nil: the fields have keys of their own.
func (d *Dialog) List() pane.List { return nil }

// Fit does nothing: the dialog keeps the field of the cursor on the screen.
func (d *Dialog) Fit(*pane.Context, pane.Size) {}

// top returns the first field on a screen of a height.
func (d *Dialog) top(height int) int { return max(0, d.place-max(height-2, 1)+1) }

// Draw draws a title, the fields, and what is wrong or what enter does.
func (d *Dialog) Draw(c *pane.Context, size pane.Size) []string {
	title := "new alert"
	if d.rule < len(d.rules) {
		title = "alert " + d.rules[d.rule].Name
	}
	lines := []string{draw.Rule(size.Width, c.Styles.Brand, c.Styles.Dim, draw.Cut(title, size.Width/2), "for positions")}
	for place := d.top(size.Height); place < fieldCount && len(lines) < size.Height-1; place++ {
		l, style := draw.NewLine(size.Width), draw.Plain
		if place == d.place {
			l.Put(c.Styles.Accent, "▌")
			style = c.Styles.Strong
		} else {
			l.Space(1)
		}
		l.Put(style, fields[place].title).To(titleCells)
		if text, _ := d.fields[place].Seen(l.Left()); text != "" {
			l.Put(style, text)
		} else {
			l.Put(c.Styles.Dim, fields[place].hint)
		}
		lines = append(lines, l.String())
	}
	words, style := c.Keys.Key("save_alert")+" saves", c.Styles.Strong
	if d.problem != "" {
		words, style = d.problem, c.Styles.Warning
	}
	return append(draw.Fit(lines, size.Height-1), draw.Text(size.Width, style, " "+words))
}

// Cursor returns the cell of the cursor in the field.
func (d *Dialog) Cursor(s pane.Size) image.Point {
	_, column := d.fields[d.place].Seen(s.Width - titleCells)
	return image.Pt(titleCells+column, 1+d.place-d.top(s.Height))
}

// Click puts the cursor on the field that was clicked.
func (d *Dialog) Click(_ *pane.Context, s pane.Size, at image.Point) []pane.Effect {
	if place := d.top(s.Height) + at.Y - 1; at.Y >= 1 && at.Y < s.Height-1 && place < fieldCount {
		d.place = place
	}
	return nil
}
