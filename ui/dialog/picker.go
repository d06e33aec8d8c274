package dialog

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/match"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// Picker lets the trader choose the parties or the markets to watch by their names: a list that a typed text narrows,
// the best match first. A text that could be an identifier of its own comes before longer names.
type Picker struct {
	pane.Choices
	pane.TextLine
	of     store.Watchable
	offers []offer
	labels int                  // the width of the widest label
	before string               // what was typed before the last change
	chosen []model.ID           // what is marked, in the order of marking
	marked bool                 // a row was marked or unmarked: enter applies what is marked
	asked  pane.Twice[model.ID] // about one that is unknown
	// notes returns a few words about a party or a market as it was in the last second; nil before the first Sync.
	notes func(model.ID) string
}

// holdings returns a function that returns a few words about the positions of a party or a market: how many are open,
// and their unrealised PnL. They are empty if there are no positions.
func holdings(s *store.Store) func(model.ID) string {
	of := s.Holdings()
	return func(id model.ID) string {
		h := of[id]
		if h == nil {
			return ""
		}
		words := fmt.Sprintf("%d open", h.Open)
		if decimals := s.Format().Decimals(h.Asset); !h.Asset.IsZero() && h.Unrealised.LeftOut(decimals) == 0 {
			words += "  uPnL " + s.Format().RoundedAmount(h.Unrealised.Amount(decimals), h.Asset, true)
		}
		if s.Stale().Any() {
			words += " ?"
		}
		return words
	}
}

// offer is one line of a picker.
type offer struct {
	id      model.ID
	label   string     // neutralised
	place   int        // among all offers
	all     bool       // no restriction
	members []model.ID // of an own group, which has no identifier
	typed   bool       // the typed text, which is the name of no other offer
}

func (o *offer) isSingle() bool { return !o.all && len(o.members) == 0 }

// ids returns what the offer watches; none means all.
func (o *offer) ids() []model.ID {
	if o.isSingle() {
		return []model.ID{o.id}
	}
	return o.members
}

// NewPicker returns a picker of parties or markets, in which the cursor begins at the first that is watched.
func NewPicker(of store.Watchable) *Picker {
	all := offer{all: true, label: "all " + of.Plural}
	p := &Picker{TextLine: pane.NewTextLine(" "+of.Plural+": ", ""), of: of, offers: []offer{all}, chosen: slices.Clone(of.Watched)}
	for _, g := range of.Groups {
		p.addOffer(offer{members: g.Members, label: model.Neutralise(g.Name)})
	}
	first := 0
	for _, id := range of.All {
		if len(p.chosen) > 0 && id == p.chosen[0] {
			first = len(p.offers)
		}
		p.addOffer(offer{id: id, label: of.Label(id)})
	}
	p.Choices = pane.NewNarrowed(p.listed, first)
	return p
}

func (p *Picker) addOffer(o offer) {
	o.place = len(p.offers)
	p.offers = append(p.offers, o)
	p.labels = min(max(p.labels, draw.Width(o.label)), maxLabelWidth)
}

// PickerActions are the keys of a picker besides those that move in it.
func PickerActions() []keys.Action[*Picker] {
	return []keys.Action[*Picker]{
		{Name: "mark", Keys: []string{"tab"}, Help: "mark or unmark", Hint: "mark", Priority: 1,
			Do: (*Picker).mark, WhyNot: (*Picker).whyNoMark},
		{Name: "apply", Keys: []string{"enter"}, Help: "watch these; none: all", Hint: "apply", Priority: 2, Do: (*Picker).apply},
	}
}

// listed returns the places, among all offers, of those that match the typed text.
func (p *Picker) listed() []int {
	var places []int
	for _, o := range p.matching() {
		places = append(places, o.place)
	}
	return places
}

// matching returns the offers that match the typed text, the best match first.
//
// The typed text itself is offered too, unless there is an offer with exactly this name or identifier. It is the last
// one: most texts are the beginning of a name. It is the first one if it could be an identifier of its own, if
// nothing else matches, and if the best match has another number in it: a trader who types acct-1 must not watch
// acct-10.
func (p *Picker) matching() []offer {
	text := strings.TrimSpace(p.Typed())
	if text == "" {
		return p.offers
	}
	typed := offer{id: p.of.Find(text), label: text, place: len(p.offers), typed: true}
	var matches []offer
	how := make(map[int]match.Quality) // by place
	for _, o := range p.offers {
		if m := o.match(text, &typed); m > match.None {
			matches = append(matches, o)
			how[o.place] = m
		}
	}
	slices.SortStableFunc(matches, func(a, b offer) int { return cmp.Compare(how[b.place], how[a.place]) })
	switch {
	case len(matches) == 0 || how[matches[0].place] < match.AnotherCase && (typed.id.IsWellFormed() || matches[0].cutsNumber(text)):
		return slices.Insert(matches, 0, typed)
	case how[matches[0].place] == match.Same:
		return matches
	}
	return append(matches, typed)
}

// Changed narrows the list, if the text is another one.
func (p *Picker) Changed(*pane.Context) []pane.Effect {
	if text := strings.TrimSpace(p.Typed()); text != p.before {
		p.before = text
		best := p.matching()[0]
		p.Narrow(text, best.match(text, &offer{id: p.of.Find(text)}) >= match.AnotherCase)
	}
	return nil
}

// Sync sets how many rows there is room for, and reads the notes once a second.
func (p *Picker) Sync(c *pane.Context, s pane.Size) {
	if p.notes == nil || c.Cause == pane.ByTick {
		p.notes = holdings(c.Store)
	}
	p.Choices.Sync(c, s)
}

// Click puts the cursor on the row that was clicked. A click on its box also marks it.
func (p *Picker) Click(c *pane.Context, _ pane.Size, at image.Point) []pane.Effect {
	if p.ClickBox(at) {
		return p.mark(c)
	}
	return nil
}

// mark marks the row under the cursor, or unmarks it.
func (p *Picker) mark(*pane.Context) []pane.Effect {
	o := p.matching()[p.Rows.Place()]
	p.marked = true
	p.Text().Select()
	isMarked := p.isMarked(&o)
	p.chosen = slices.DeleteFunc(p.chosen, func(id model.ID) bool { return o.all || slices.Contains(o.ids(), id) })
	if !isMarked {
		p.chosen = append(p.chosen, o.ids()...)
	}
	return nil
}

// isMarked reports whether an offer is marked: an own group if all its members are, and all if nothing else is.
func (p *Picker) isMarked(o *offer) bool {
	if o.all {
		return len(p.chosen) == 0
	}
	return !slices.ContainsFunc(o.ids(), func(id model.ID) bool { return !slices.Contains(p.chosen, id) })
}

// maxPasted is how many lines of a pasted column are taken.
const maxPasted = 1000

// Paste marks what each line of a pasted column names, besides what is marked.
func (p *Picker) Paste(_ *pane.Context, lines []string) []pane.Effect {
	if len(lines) > maxPasted {
		return pane.Saying(fmt.Sprintf("Nothing is marked: %s lines were pasted, and %s are the most.",
			format.Grouped(len(lines)), format.Grouped(maxPasted)))
	}
	ids := make(map[string]model.ID)
	isChosen := make(map[model.ID]bool)
	for _, o := range p.offers {
		if o.isSingle() {
			ids[o.label] = o.id
		}
	}
	for _, id := range p.chosen {
		isChosen[id] = true
	}
	p.marked = true
	for _, line := range lines {
		id, isLabel := ids[line]
		if !isLabel {
			id = p.of.Find(line)
		}
		if !isChosen[id] {
			isChosen[id] = true
			p.chosen = append(p.chosen, id)
		}
	}
	words := format.Counted(len(p.chosen), "mark")
	if unknown := len(p.unknown(p.chosen)); unknown > 0 {
		words += fmt.Sprintf(", %s not known here", format.Grouped(unknown))
	}
	return pane.Saying(words + ".")
}

// unknown returns those of the identifiers that are not offered.
func (p *Picker) unknown(ids []model.ID) []model.ID {
	isOffered := make(map[model.ID]bool)
	for _, o := range p.offers {
		for _, id := range o.ids() {
			isOffered[id] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id model.ID) bool { return isOffered[id] })
}

func (p *Picker) whyNoMark(*pane.Context) string {
	return keys.ReasonIf(p.matching()[p.Rows.Place()].all && len(p.chosen) == 0, "none is marked: all "+p.of.Plural)
}

// apply watches what was chosen. Before it watches an identifier or a name that nothing has, it asks.
func (p *Picker) apply(c *pane.Context) []pane.Effect {
	ids := p.applies()
	if unknown := p.unknown(ids); len(unknown) > 0 && !p.asked.Press(c, unknown[0]) {
		words := draw.CutMiddle(model.Neutralise(unknown[0].String()), maxLabelWidth)
		switch more := len(unknown) - 1; more {
		case 0:
			words += ", which is"
		case 1:
			words += " and another one, which are"
		default:
			words += " and " + format.Grouped(more) + " others, which are"
		}
		return pane.Saying(c.Keys.Fill("{apply} again watches ") + words + " not known here.")
	}
	return pane.Closing(pane.Watch(p.of.Scope(ids)))
}

// offered returns the offer of an identifier, nil if it is not offered.
func (p *Picker) offered(id model.ID) *offer {
	if at := slices.IndexFunc(p.offers, func(o offer) bool { return o.id == id && o.isSingle() }); at >= 0 {
		return &p.offers[at]
	}
	return nil
}

// applies is what enter applies: what is marked or, if nothing was marked or unmarked, the row under the cursor, if
// that was moved or a text is typed. Nothing means all.
func (p *Picker) applies() []model.ID {
	if p.marked || p.Typed() == "" && !p.Rows.IsMoved() {
		return p.chosen
	}
	return p.matching()[p.Rows.Place()].ids()
}
