// Package picker lets the trader choose identifiers of one kind by their names: a list that a typed text narrows, the
// best match first. A text that could be an identifier of its own comes before longer names. The package does not
// depend on the scope, and handles only the keys that type; it uses the values of package model, the line of package
// input and the styles of package theme.
package picker

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/input"
	"blotter/ui/pane"
	"blotter/ui/theme"
)

// Picker chooses identifiers of one kind.
type Picker struct {
	pane.Rows[int]
	name   string                     // of the kind, in the plural
	find   func(text string) model.ID // what a typed text means
	offers []offer
	labels int // the width of the widest label
	line   input.Line
	chosen []model.ID // what is marked, in the order of marking
	typed  bool       // a text is typed: enter applies the row under the cursor, as it does if the cursor was moved
	marked bool       // a row was marked or unmarked: enter applies what is marked
}

// offer is one line of a picker.
type offer struct {
	id    model.ID
	label string // neutralised
	all   bool   // no restriction
	typed bool   // the typed text, which is the name of no other offer
}

// New returns a picker of all identifiers of a kind, of which some are chosen. The function find returns what a typed
// text means.
func New(name string, chosen []model.ID, find func(text string) model.ID) *Picker {
	all := offer{all: true, label: "all " + name}
	p := &Picker{name: name, find: find, offers: []offer{all}, chosen: slices.Clone(chosen)}
	p.begin(0)
	return p
}

// begin puts the cursor at a place, which the trader has not chosen yet.
func (p *Picker) begin(place int) {
	p.Rows = pane.NewChoices(func() int { return len(p.matching()) }, place)
}

// maxLabelWidth is how far to the right identifiers are aligned below each other.
const maxLabelWidth = 24

// Offer adds identifiers with their labels, each once. The cursor begins at the first that is chosen.
func (p *Picker) Offer(ids []model.ID, labelOf func(model.ID) string) {
	offered := make(map[model.ID]bool)
	for _, id := range ids {
		if offered[id] || id.IsZero() {
			continue
		}
		offered[id] = true
		if len(p.chosen) > 0 && id == p.chosen[0] {
			p.begin(len(p.offers))
		}
		label := labelOf(id)
		p.offers = append(p.offers, offer{id: id, label: label})
		p.labels = min(max(p.labels, draw.Width(label)), maxLabelWidth)
	}
}

// matching returns the offers that match the typed text, the best match first.
//
// The typed text itself is offered too, unless there is an offer with exactly this name or identifier. It is the last
// one: most texts are the beginning of a name. It is the first one if it could be an identifier of its own, if
// nothing else matches, and if the best match has another number in it: a trader who types acct-1 must not watch
// acct-10.
func (p *Picker) matching() []offer {
	text := strings.TrimSpace(p.line.String())
	if text == "" {
		return p.offers
	}
	typed := offer{id: p.find(text), label: text, typed: true}
	var matches []offer
	how := make(map[model.ID]match)
	for _, o := range p.offers {
		if m := o.match(text, &typed); m > noMatch {
			matches = append(matches, o)
			how[o.id] = m
		}
	}
	slices.SortStableFunc(matches, func(a, b offer) int { return cmp.Compare(how[b.id], how[a.id]) })
	switch {
	case len(matches) == 0 || how[matches[0].id] < anotherCase && (typed.id.IsWellFormed() || matches[0].cutsNumber(text)):
		return slices.Insert(matches, 0, typed)
	case how[matches[0].id] == sameName:
		return matches
	}
	return append(matches, typed)
}

// Press handles a key that types.
func (p *Picker) Press(key tea.KeyPressMsg) {
	before := p.line.String()
	p.line.Press(key)
	p.changed(before)
}

// Paste types a text.
func (p *Picker) Paste(text string) {
	before := p.line.String()
	p.line.Insert(text)
	p.changed(before)
}

func (p *Picker) changed(before string) {
	if text := p.line.String(); text != before {
		p.begin(0)
		p.typed = text != ""
	}
}

// Mark marks the row under the cursor, or unmarks it.
func (p *Picker) Mark() {
	o := p.matching()[p.Place()]
	p.marked = true
	switch at := slices.Index(p.chosen, o.id); {
	case o.all:
		p.chosen = nil
	case at >= 0:
		p.chosen = slices.Delete(p.chosen, at, at+1)
	default:
		p.chosen = append(p.chosen, o.id)
	}
}

// Applies is what enter applies: what is marked or, if nothing was marked or unmarked, the row under the cursor.
// Nothing means all.
func (p *Picker) Applies() []model.ID {
	if p.marked || !p.typed && !p.IsMoved() {
		return p.chosen
	}
	if o := p.matching()[p.Place()]; !o.all {
		return []model.ID{o.id}
	}
	return nil
}

// pickerPrompt is before the typed text.
const pickerPrompt = " %s: "

// CursorColumn returns the cell of the cursor in the first line.
func (p *Picker) CursorColumn() int {
	return draw.Width(fmt.Sprintf(pickerPrompt, p.name)) + p.line.Column()
}

// Draw draws the typed text, the offers under it, and what enter applies.
func (p *Picker) Draw(s *theme.Styles, width, height int) []string {
	matches := p.matching()
	first := draw.NewLine(width).Put(s.Accent, fmt.Sprintf(pickerPrompt, p.name)).Put(draw.Plain, p.line.String())
	if p.line.String() == "" {
		first.Put(s.Dim, " type to narrow, or any name or identifier")
	}
	lines := []string{first.String(), draw.Rule(width, s.Dim, s.Dim, p.title(), "")}
	for place := p.Top(); place < min(len(matches), p.Top()+p.Height()); place++ {
		lines = append(lines, p.drawOffer(s, &matches[place], place == p.Place(), width))
	}
	return append(draw.Fit(lines, height-1), draw.Text(width, s.Strong, " enter watches "+p.appliesWords()))
}

// appliesWords returns what enter applies.
func (p *Picker) appliesWords() string {
	ids := p.Applies()
	if len(ids) == 0 {
		return "all " + p.name
	}
	var names []string
	for _, id := range ids {
		name := model.Neutralise(id.String())
		if at := slices.IndexFunc(p.offers, func(o offer) bool { return o.id == id && !o.all }); at >= 0 {
			name = p.offers[at].label
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// title returns how many of the offers match.
func (p *Picker) title() string {
	all, found := len(p.offers)-1, 0
	for _, o := range p.matching() {
		if !o.all && !o.typed {
			found++
		}
	}
	if found == all {
		return fmt.Sprintf("%d %s", all, p.name)
	}
	return fmt.Sprintf("%d of %d %s", found, all, p.name)
}

func (p *Picker) drawOffer(s *theme.Styles, o *offer, here bool, width int) string {
	box := "[ ] "
	if slices.Contains(p.chosen, o.id) && !o.all || o.all && len(p.chosen) == 0 {
		box = "[x] "
	}
	text := box + o.label
	switch id := model.Neutralise(o.id.String()); {
	case o.typed:
		text += "   not in the configuration; sent as typed"
	case id != o.label && !o.all:
		text += strings.Repeat(" ", max(p.labels-draw.Width(o.label), 0)) + "  " + id
	}
	return draw.ListRow(width, here, s.Cursor, text)
}
