package ui

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/input"
	"blotter/ui/theme"
)

// pickable is what a picker chooses: parties or markets.
type pickable struct {
	name       string
	configured func(*model.Instruments) []model.ID
	seen       func(*seen) map[model.ID]bool
	in         func(*model.Scope) *[]model.ID
	label      func(*format.Formatter, model.ID) string
	find       func(in *model.Instruments, text string) model.ID // what a typed text means
}

var (
	pickableParties = pickable{
		"parties", (*model.Instruments).Parties, func(s *seen) map[model.ID]bool { return s.parties },
		func(s *model.Scope) *[]model.ID { return &s.Parties }, (*format.Formatter).Party, (*model.Instruments).FindParty,
	}
	pickableMarkets = pickable{
		"markets", (*model.Instruments).Markets, func(s *seen) map[model.ID]bool { return s.markets },
		func(s *model.Scope) *[]model.ID { return &s.Markets }, (*format.Formatter).Market, (*model.Instruments).FindMarket,
	}
)

// picker chooses the parties or the markets of the scope.
type picker struct {
	*pickable
	instruments *model.Instruments
	offers      []offer
	labels      int // the width of the widest label
	line        input.Line
	chosen      []model.ID // what is marked, in the order of marking
	place       int        // of the cursor in what matches
	top         int        // the first row on the screen, where the cursor allows it
	moved       bool       // the cursor was moved or a text typed: enter applies the row under it
	marked      bool       // a row was marked or unmarked: enter applies what is marked
}

// offer is one line of a picker.
type offer struct {
	id    model.ID
	label string // neutralised
	all   bool   // no restriction
	typed bool   // the typed text, which is the name of no other offer
}

func (m *Model) pickParties() tea.Cmd { return m.pick(&pickableParties) }
func (m *Model) pickMarkets() tea.Cmd { return m.pick(&pickableMarkets) }

// pick opens a picker. It offers what the configuration names, what is in the scope and what was seen in positions.
func (m *Model) pick(what *pickable) tea.Cmd {
	in, scope := m.data.instruments, m.data.scope
	m.data.seen.collect(m.data.book)
	chosen := *what.in(&scope)
	m.picker = newPicker(what, in, chosen)
	m.picker.offer(slices.Concat(what.configured(in), chosen, sortedIDs(what.seen(&m.data.seen))), m.format)
	return nil
}

// maxLabelWidth is how far to the right identifiers are aligned below each other.
const maxLabelWidth = 24

func newPicker(what *pickable, in *model.Instruments, chosen []model.ID) *picker {
	all := offer{all: true, label: "all " + what.name}
	return &picker{pickable: what, instruments: in, offers: []offer{all}, chosen: slices.Clone(chosen)}
}

// offer adds identifiers, each once. The cursor begins at the first that is chosen.
func (p *picker) offer(ids []model.ID, format *format.Formatter) {
	offered := make(map[model.ID]bool)
	for _, id := range ids {
		if offered[id] || id.IsZero() {
			continue
		}
		offered[id] = true
		if len(p.chosen) > 0 && id == p.chosen[0] {
			p.place = len(p.offers)
		}
		label := p.label(format, id)
		p.offers = append(p.offers, offer{id: id, label: label})
		p.labels = min(max(p.labels, draw.Width(label)), maxLabelWidth)
	}
}

// matching returns the offers that match the typed text, the best match first.
//
// The typed text itself is offered too, unless there is an offer with exactly this name or identifier. It is the last
// one: most texts are the beginning of a name. It is the first one where it could be an identifier of its own, where
// nothing else matches, and where the best match has another number in it: a trader who types acct-1 must not watch
// acct-10.
func (p *picker) matching() []offer {
	text := strings.TrimSpace(p.line.String())
	if text == "" {
		return p.offers
	}
	typed := offer{id: p.find(p.instruments, text), label: text, typed: true}
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

func (p *picker) press(key tea.KeyPressMsg) {
	before := p.line.String()
	p.line.Press(key)
	p.changed(before)
}

func (p *picker) paste(text string) {
	before := p.line.String()
	p.line.Insert(text)
	p.changed(before)
}

func (p *picker) changed(before string) {
	if text := p.line.String(); text != before {
		p.place, p.moved = 0, text != ""
	}
}

func (m *Model) pickUp() tea.Cmd         { return m.picker.move(-1) }
func (m *Model) pickDown() tea.Cmd       { return m.picker.move(+1) }
func (m *Model) pickHalfUp() tea.Cmd     { return m.picker.move(-m.listRoom() / 2) }
func (m *Model) pickHalfDown() tea.Cmd   { return m.picker.move(+m.listRoom() / 2) }
func (m *Model) pickScreenUp() tea.Cmd   { return m.picker.move(-m.listRoom()) }
func (m *Model) pickScreenDown() tea.Cmd { return m.picker.move(+m.listRoom()) }
func (m *Model) pickFirst() tea.Cmd      { return m.picker.move(-len(m.picker.offers)) }
func (m *Model) pickLast() tea.Cmd       { return m.picker.move(+len(m.picker.offers) + 1) }

// listLines is how many lines a picker, and the choice of columns, has beside its list.
const listLines = 3

// listRoom returns how many lines of such a list the screen has room for.
func (m *Model) listRoom() int {
	l := m.layout()
	return max(l.middle-listLines, 2)
}

// listTop returns the first row of such a list that is on the screen: the one that was, unless the cursor left the
// screen.
func listTop(top, place, room int) int { return max(min(top, place), place-room+1, 0) }

func (p *picker) move(step int) tea.Cmd {
	p.place = max(min(p.place+step, len(p.matching())-1), 0)
	p.moved = true
	return nil
}

// pickMark marks the row under the cursor, or unmarks it.
func (m *Model) pickMark() tea.Cmd {
	p := m.picker
	o := p.matching()[p.place]
	p.marked = true
	switch at := slices.Index(p.chosen, o.id); {
	case o.all:
		p.chosen = nil
	case at >= 0:
		p.chosen = slices.Delete(p.chosen, at, at+1)
	default:
		p.chosen = append(p.chosen, o.id)
	}
	return nil
}

// applies is what enter applies: what is marked or, where nothing was marked or unmarked, the row under the cursor.
// Nothing means all.
func (p *picker) applies() []model.ID {
	if p.marked || !p.moved {
		return p.chosen
	}
	if o := p.matching()[p.place]; !o.all {
		return []model.ID{o.id}
	}
	return nil
}

// pickApply watches what was chosen.
func (m *Model) pickApply() tea.Cmd {
	p := m.picker
	m.picker = nil
	scope := m.data.scope
	*p.in(&scope) = p.applies()
	return m.watch(scope)
}

func (m *Model) pickCancel() tea.Cmd {
	m.picker = nil
	return nil
}

// pickerPrompt is before the typed text.
const pickerPrompt = " %s: "

func (p *picker) cursorColumn() int {
	return draw.Width(fmt.Sprintf(pickerPrompt, p.name)) + p.line.Column()
}

// draw draws the typed text, the offers under it, and what enter applies.
func (p *picker) draw(s *theme.Styles, width, height int) []string {
	matches := p.matching()
	first := draw.NewLine(width).Put(s.Accent, fmt.Sprintf(pickerPrompt, p.name)).Put(draw.Plain, p.line.String())
	if p.line.String() == "" {
		first.Put(s.Dim, " type to narrow, or any name or identifier")
	}
	lines := []string{first.String(), draw.Rule(width, s.Dim, s.Dim, p.title(), "")}
	room := max(height-listLines, 1)
	top := listTop(p.top, p.place, room)
	for place := top; place < len(matches) && place < top+room; place++ {
		lines = append(lines, p.drawOffer(s, &matches[place], place == p.place, width))
	}
	return append(draw.Fit(lines, height-1), draw.Text(width, s.Strong, " enter watches "+p.appliesWords()))
}

// appliesWords returns what enter applies.
func (p *picker) appliesWords() string {
	ids := p.applies()
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
func (p *picker) title() string {
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

func (p *picker) drawOffer(s *theme.Styles, o *offer, here bool, width int) string {
	style, mark, box := draw.Plain, " ", "[ ] "
	if here {
		style, mark = s.Cursor, "▌"
	}
	if slices.Contains(p.chosen, o.id) && !o.all || o.all && len(p.chosen) == 0 {
		box = "[x] "
	}
	text := mark + box + o.label
	switch id := model.Neutralise(o.id.String()); {
	case o.typed:
		text += "   not in the configuration; sent as typed"
	case id != o.label && !o.all:
		text += strings.Repeat(" ", max(p.labels-draw.Width(o.label), 0)) + "  " + id
	}
	l := draw.NewLine(width).Put(style, text)
	if here {
		l.Put(style, strings.Repeat(" ", l.Left()))
	}
	return l.String()
}

// maxSeenRows and maxSeen limit the search for identifiers.
const (
	maxSeenRows = 20_000
	maxSeen     = 1_000
)

// seen are the identifiers in positions, also in those of earlier scopes.
type seen struct{ parties, markets map[model.ID]bool }

// collect adds the identifiers in the positions of the book.
func (s *seen) collect(book *model.Book) {
	if s.parties == nil {
		s.parties, s.markets = make(map[model.ID]bool), make(map[model.ID]bool)
	}
	rows := 0
	for p := range book.All {
		if len(s.parties) < maxSeen {
			s.parties[p.Party] = true
		}
		if len(s.markets) < maxSeen {
			s.markets[p.Market] = true
		}
		if rows++; rows == maxSeenRows {
			return
		}
	}
}

// sortedIDs returns identifiers in the order of their text.
func sortedIDs(ids map[model.ID]bool) []model.ID {
	return slices.SortedFunc(maps.Keys(ids), model.ID.Compare)
}
