package dialog

import (
	"fmt"
	"slices"
	"strings"

	"blotter/model/match"
	"blotter/ui/draw"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/theme"
)

// Entry is a line of the list.
type Entry struct {
	Key     string // the key that does it too; empty if none does
	Name    string
	Words   string        // what it does
	Also    string        // other words that people use for it; not shown
	WhyNot  string        // why it cannot be done now; empty if it can
	Theme   string        // the theme that is shown while the cursor is here; empty for none
	Effects []pane.Effect // what enter does
}

// Palette lists by name everything that can be done: actions, views, profiles, themes, topics of help, columns, parties
// and markets. A typed text narrows the list, and enter does what is under the cursor.
type Palette struct {
	pane.Choices
	pane.TextLine
	entries []Entry
	listed  []int  // the places of those that match the text, the best match first
	before  string // what was typed before the last change
}

// NewPalette returns a list of entries.
func NewPalette(entries ...[]Entry) *Palette {
	p := &Palette{TextLine: pane.NewTextLine(" : ", ""), entries: slices.Concat(entries...)}
	p.narrow()
	p.Choices = pane.NewNarrowed(func() []int { return p.listed }, 0)
	return p
}

// PaletteActions are the keys of the palette besides those that move in it.
func PaletteActions() []keys.Action[*Palette] {
	return []keys.Action[*Palette]{
		{Name: "apply", Keys: []string{"enter"}, Help: "do it", Hint: "do", Priority: 1, Do: (*Palette).apply, WhyNot: (*Palette).whyNot},
	}
}

// Subject returns nothing: there is one palette.
func (p *Palette) Subject() string { return "" }

// narrow lists the entries that match the typed text.
func (p *Palette) narrow() {
	p.listed = nil
	how := make([]int, len(p.entries))
	for place := range p.entries {
		if how[place] = p.entries[place].match(p.before); how[place] > 0 {
			p.listed = append(p.listed, place)
		}
	}
	slices.SortStableFunc(p.listed, func(a, b int) int { return how[b] - how[a] })
}

// match returns how well the entry matches a text, 0 if it does not: first come its key and its name, then what it
// does, and then a name that only has the letters of the text. What can be done now comes before what cannot.
func (e *Entry) match(text string) int {
	const byName, byWords, now = 10, 5, 100
	quality := int(match.Of(e.Name, text))
	switch words := match.Of(e.Name+" "+e.Words+" "+e.Also, text); {
	case text == "": // all stay in their order
		return 1
	case e.Key == text:
		quality = byName + int(match.Same)
	case quality > int(match.Letters):
		quality += byName
	case match.HasWord(strings.ToLower(e.Also), strings.ToLower(text)):
		quality = byWords + int(match.Same)
	case words > match.Letters:
		quality = byWords + int(words)
	default: // comes after all others
		return quality
	}
	if e.WhyNot == "" {
		quality += now
	}
	return quality
}

// here returns the entry under the cursor, nil if nothing matches.
func (p *Palette) here() *Entry {
	if p.Rows.Place() >= len(p.listed) {
		return nil
	}
	return &p.entries[p.listed[p.Rows.Place()]]
}

func (p *Palette) apply(*pane.Context) []pane.Effect { return pane.Closing(p.here().Effects...) }

func (p *Palette) whyNot(*pane.Context) string {
	if here := p.here(); here != nil {
		return here.WhyNot
	}
	return "nothing has this name"
}

// Theme returns the theme under the cursor; empty if there is none.
func (p *Palette) Theme() string {
	if here := p.here(); here != nil {
		return here.Theme
	}
	return ""
}

// Changed narrows the list, if the text is another one.
func (p *Palette) Changed(*pane.Context) []pane.Effect {
	if text := strings.TrimSpace(p.Typed()); text != p.before {
		p.before = text
		p.narrow()
		p.Narrow(text, len(p.listed) > 0 && strings.EqualFold(p.entries[p.listed[0]].Name, text))
	}
	return nil
}

// Draw draws the typed text, the entries under it, and what the one under the cursor does.
func (p *Palette) Draw(c *pane.Context, size pane.Size) []string {
	s, width := c.Styles, size.Width
	first := p.Start(c, width)
	if p.Typed() == "" {
		first.PutWhole(s.Dim, " type what to do: a name, a key, a word", " a name, a key, a word")
	}
	second := draw.Rule(width, s.Dim, s.Dim, fmt.Sprintf("%d of %d", len(p.listed), len(p.entries)))
	row := func(place int) string { return p.entries[p.listed[place]].draw(s, place == p.Rows.Place(), width) }
	last, style := "nothing has this name", s.Dim
	if here := p.here(); here != nil {
		last, style = here.Words, s.Strong
		if here.WhyNot != "" {
			last, style = "not now: "+here.WhyNot, s.Warning
		}
	}
	return p.DrawRows(size.Height, first.String(), second, row, draw.Text(width, style, " "+draw.CutWords(last, width-2)))
}

// The columns of an entry. On a narrow screen the line below has the words.
const (
	nameFrom  = 9
	wordsFrom = nameFrom + 26
	wordsOn   = 60 // the width of a screen from which there are words
)

// draw draws the entry. One that cannot be done now is dim, with the reason.
func (e *Entry) draw(s *theme.Styles, hasCursor bool, width int) string {
	keyStyle, style, wordStyle, mark := s.Strong, draw.Plain, s.Dim, " "
	words := e.Words
	if e.WhyNot != "" {
		keyStyle, style, words = s.Dim, s.Dim, "not now: "+e.WhyNot
	}
	if hasCursor {
		keyStyle, style, wordStyle, mark = s.Cursor, s.Cursor, s.Cursor, "▌"
	}
	l := draw.NewLine(width).Put(style, mark).Put(keyStyle, draw.Cut(e.Key, nameFrom-2))
	l.StyledSpace(style, nameFrom-l.Width())
	if width < wordsOn {
		l.Put(style, e.Name)
	} else {
		l.Put(style, draw.CutMiddle(e.Name, wordsFrom-nameFrom-2))
		l.StyledSpace(style, wordsFrom-l.Width()).Put(wordStyle, draw.CutWords(words, l.Left()))
	}
	if hasCursor {
		l.StyledSpace(style, l.Left())
	}
	return l.String()
}
