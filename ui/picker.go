package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// picker chooses the parties or the markets of the scope.
type picker struct {
	things string // "parties" or "markets"
	offers []offer
	labels int                          // how wide their labels are
	find   func(text string) model.ID   // what a typed text means
	take   func(ids []model.ID) tea.Cmd // watches what was chosen
	line   typed
	chosen map[model.ID]bool
	order  []model.ID // the chosen ones, in the order of choosing
	place  int        // in what matches
	moved  bool       // the cursor was moved or a text typed: enter means the row under it
	marked bool       // space was used: enter means what is marked
}

// offer is one line of a picker.
type offer struct {
	id    model.ID
	label string // neutralised
	all   bool   // no restriction
	text  bool   // what was typed, as it stands
}

func (m *Model) pickParties() tea.Cmd {
	in := m.data.instruments
	m.data.seen.look(m.data.book)
	m.picker = newPicker("parties", in.Parties(), inOrder(m.data.seen.parties), m.data.scope.Parties, m.format.party)
	m.picker.find = in.FindParty
	m.picker.take = func(ids []model.ID) tea.Cmd {
		return m.watch(model.Scope{Parties: ids, Markets: m.data.scope.Markets})
	}
	return nil
}

func (m *Model) pickMarkets() tea.Cmd {
	in := m.data.instruments
	m.data.seen.look(m.data.book)
	m.picker = newPicker("markets", in.Markets(), inOrder(m.data.seen.markets), m.data.scope.Markets, m.format.market)
	m.picker.find = in.FindMarket
	m.picker.take = func(ids []model.ID) tea.Cmd {
		return m.watch(model.Scope{Parties: m.data.scope.Parties, Markets: ids})
	}
	return nil
}

// labelMost is how far to the right identifiers stand below each other.
const labelMost = 24

// newPicker offers everything, what the configuration names, what the scope has and what was seen.
func newPicker(things string, named, seen, scope []model.ID, label func(model.ID) string) *picker {
	p := &picker{things: things, chosen: make(map[model.ID]bool), order: slices.Clone(scope)}
	p.offers = append(p.offers, offer{all: true, label: "all " + things})
	offered := make(map[model.ID]bool)
	for _, id := range slices.Concat(named, scope, seen) {
		if !offered[id] && !id.IsZero() {
			offered[id] = true
			p.offers = append(p.offers, offer{id: id, label: label(id)})
			p.labels = min(max(p.labels, cells(label(id))), labelMost)
		}
	}
	for _, id := range scope {
		p.chosen[id] = true
	}
	return p
}

// matching are the offers that have the typed text in them; the one that is the text comes first, the text as
// it stands last.
func (p *picker) matching() []offer {
	text := p.line.String()
	if text == "" {
		return p.offers
	}
	var matches []offer
	word := strings.ToLower(text)
	for _, o := range p.offers {
		id := model.Neutralise(o.id.String())
		switch {
		case o.all:
		case o.label == text || id == text:
			matches = slices.Insert(matches, 0, o)
		case strings.Contains(strings.ToLower(o.label), word) || strings.Contains(strings.ToLower(id), word):
			matches = append(matches, o)
		}
	}
	id := p.find(text)
	if len(matches) == 0 || matches[0].id != id {
		matches = append(matches, offer{id: id, label: text, text: true})
	}
	return matches
}

func (p *picker) press(key tea.KeyPressMsg) {
	before := p.line.String()
	p.line.press(key)
	p.changed(before)
}

func (p *picker) paste(text string) {
	before := p.line.String()
	p.line.insert(text)
	p.changed(before)
}

func (p *picker) changed(before string) {
	if text := p.line.String(); text != before {
		p.place, p.moved = 0, text != ""
	}
}

func (m *Model) pickUp() tea.Cmd   { return m.picker.move(-1) }
func (m *Model) pickDown() tea.Cmd { return m.picker.move(+1) }

func (p *picker) move(step int) tea.Cmd {
	p.place = max(min(p.place+step, len(p.matching())-1), 0)
	p.moved = true
	return nil
}

// pickToggle marks the row under the cursor, or leaves it out again.
func (m *Model) pickToggle() tea.Cmd {
	p := m.picker
	o := p.matching()[p.place]
	p.marked = true
	switch {
	case o.all:
		clear(p.chosen)
		p.order = nil
	case p.chosen[o.id]:
		delete(p.chosen, o.id)
		p.order = slices.DeleteFunc(p.order, func(id model.ID) bool { return id == o.id })
	default:
		p.chosen[o.id] = true
		p.order = append(p.order, o.id)
	}
	return nil
}

// pickTake watches what is marked or, where nothing was, the row under the cursor.
func (m *Model) pickTake() tea.Cmd {
	p := m.picker
	m.picker = nil
	ids := p.order
	if !p.marked && p.moved {
		ids = nil
		if o := p.matching()[p.place]; !o.all && !o.id.IsZero() {
			ids = []model.ID{o.id}
		}
	}
	return p.take(ids)
}

func (m *Model) pickLeave() tea.Cmd {
	m.picker = nil
	return nil
}

// pickerPrompt stands before the typed text.
const pickerPrompt = " %s: "

func (p *picker) cursorColumn() int {
	return cells(fmt.Sprintf(pickerPrompt, p.things)) + p.line.column()
}

// draw draws the typed text and the offers under it.
func (p *picker) draw(s *styles, width, height int) []string {
	matches := p.matching()
	first := newLine(width).put(s.accent, fmt.Sprintf(pickerPrompt, p.things)).put(plain, p.line.String())
	if p.line.String() == "" {
		first.put(s.dim, " type to narrow, or any name or identifier")
	}
	lines := []string{first.String(), rule(width, s.dim, s, p.title(), "")}
	room := max(height-len(lines), 1)
	top := max(0, p.place-room+1)
	for place := top; place < len(matches) && place < top+room; place++ {
		lines = append(lines, p.drawOffer(s, &matches[place], place == p.place, width))
	}
	return lines
}

// title says how many of the offers match.
func (p *picker) title() string {
	all, found := len(p.offers)-1, 0
	for _, o := range p.matching() {
		if !o.all && !o.text {
			found++
		}
	}
	if found == all {
		return fmt.Sprintf("%d %s", all, p.things)
	}
	return fmt.Sprintf("%d of %d %s", found, all, p.things)
}

func (p *picker) drawOffer(s *styles, o *offer, here bool, width int) string {
	look, mark, box := plain, " ", "[ ] "
	if here {
		look, mark = s.cursor, "▌"
	}
	if p.chosen[o.id] || o.all && len(p.chosen) == 0 {
		box = "[x] "
	}
	text := mark + box + o.label
	switch id := model.Neutralise(o.id.String()); {
	case o.text:
		text += "   as typed"
	case id != o.label && !o.all:
		text += strings.Repeat(" ", max(p.labels-cells(o.label), 0)) + "  " + id
	}
	l := newLine(width).put(look, text)
	if here {
		l.put(look, strings.Repeat(" ", l.left()))
	}
	return l.String()
}
