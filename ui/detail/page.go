package detail

import (
	"image"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/export"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// Page is a page about the selected line, with a cursor on its fields. Below the last field, the text scrolls.
type Page struct {
	*pane.Page
	detail *Pane
	title  string
	fields []field
	chosen int  // the place of the field under the cursor
	isSide bool // other panes are beside it
}

// field is a fact on lines of a page.
type field struct {
	name, value string
	from, to    int // the first and the last line
}

// text is what a page shows.
type text struct {
	lines  []string
	fields []field
}

func (t *text) addLines(lines ...string) { t.lines = append(t.lines, lines...) }

// append adds another text below.
func (t *text) append(other text) {
	for _, f := range other.fields {
		t.fields = append(t.fields, field{f.name, f.value, f.from + len(t.lines), f.to + len(t.lines)})
	}
	t.addLines(other.lines...)
}

// addFacts adds facts as fields, with their names in a style. A fact without a value is left out.
func (t *text) addFacts(width int, names draw.Style, facts ...draw.Fact) {
	for _, f := range facts {
		lines := draw.Facts(width, factCells, names, f)
		if len(lines) > 0 {
			t.fields = append(t.fields, field{f.Name, f.Value, len(t.lines), len(t.lines) + len(lines) - 1})
		}
		t.addLines(lines...)
	}
}

// NewPage returns a page about the selected line that covers the panes.
func (p *Pane) NewPage(below ...Below) *Page {
	page := &Page{detail: p}
	page.Page = pane.NewPage(page.of(p, nil, below))
	return page
}

// NewSidePage returns a page about the selected line beside other panes, without the texts that are shown elsewhere.
func (p *Pane) NewSidePage(elsewhere Elsewhere, below ...Below) *Page {
	page := &Page{detail: p, isSide: true}
	page.Page = pane.NewSidePage(page.of(p, elsewhere, below))
	return page
}

// of returns the function that makes the text of the page and finds its fields. The cursor stays on the field with the
// same name.
func (p *Page) of(of *Pane, elsewhere Elsewhere, below []Below) pane.PageText {
	return func(c *pane.Context, s pane.Size) (string, []string) {
		title, made := of.text(c, s, elsewhere, below)
		before := p.fields
		p.title, p.fields = title, made.fields
		if p.chosen < len(before) {
			p.chosen = p.placeOf(before[p.chosen].name)
		}
		return title, made.lines
	}
}

// placeOf returns the place of the field with a name, that under the cursor if it has the name; without such a field,
// the place nearest to the cursor.
func (p *Page) placeOf(name string) int {
	if p.chosen < len(p.fields) && p.fields[p.chosen].name == name {
		return p.chosen
	}
	if place := slices.IndexFunc(p.fields, func(f field) bool { return f.name == name }); place >= 0 {
		return place
	}
	return max(min(p.chosen, len(p.fields)-1), 0)
}

// Sync makes the text. If the field under the cursor was scrolled off the screen, the cursor moves to the nearest one
// that is there.
func (p *Page) Sync(c *pane.Context, s pane.Size) {
	p.Page.Sync(c, s)
	if p.isChosenShown() {
		return
	}
	nearest := -1
	for i := range p.fields {
		if p.IsShown(p.fields[i].from) && (nearest < 0 || i <= p.chosen) {
			nearest = i
		}
	}
	if nearest >= 0 {
		p.chosen = nearest
	}
}

func (p *Page) isChosenShown() bool {
	return p.chosen < len(p.fields) && p.IsShown(p.fields[p.chosen].from)
}

// Draw draws the lines on the screen, with a mark at the field under the cursor.
func (p *Page) Draw(c *pane.Context, s pane.Size) []string {
	lines := p.Page.Draw(c, s)
	if !p.isChosenShown() || p.isSide && !c.HasFocus {
		return lines
	}
	if at := 1 + p.fields[p.chosen].from - p.Top(); at < len(lines) {
		lines[at] = "▌" + ansi.TruncateLeft(lines[at], 1, "")
	}
	return lines
}

// List returns the fields.
func (p *Page) List() pane.List { return p }

// MoveBy moves the cursor by the given number of fields. After the last field it scrolls by lines; back up, it first
// scrolls to the field.
func (p *Page) MoveBy(fields int) {
	for ; fields > 0; fields-- {
		if p.chosen >= len(p.fields)-1 {
			p.ScrollBy(1)
		} else {
			p.moveTo(p.chosen + 1)
		}
	}
	for ; fields < 0; fields++ {
		if p.chosen == 0 || !p.isChosenShown() {
			p.ScrollBy(-1)
		} else {
			p.moveTo(p.chosen - 1)
		}
	}
}

// PageBy moves the cursor by a screen of fields.
func (p *Page) PageBy(screens int) { p.MoveBy(screens * p.Height()) }

// First moves the cursor to the first field.
func (p *Page) First() {
	p.chosen = 0
	p.Page.First()
}

// Last moves the cursor to the last field, and shows the last line.
func (p *Page) Last() {
	p.chosen = max(len(p.fields)-1, 0)
	p.Page.Last()
}

func (p *Page) moveTo(place int) {
	p.chosen = place
	p.Show(p.fields[place].from, p.fields[place].to)
}

// Click moves the cursor to the field that was clicked.
func (p *Page) Click(_ *pane.Context, _ pane.Size, at image.Point) []pane.Effect {
	line := at.Y - 1 + p.Top()
	for i, f := range p.fields {
		if f.from <= line && line <= f.to {
			p.chosen = i
		}
	}
	return nil
}

// Actions are the keys of the page besides those of all pages of text.
func Actions() []keys.Action[*Page] {
	return []keys.Action[*Page]{
		{Name: "copy_row", Keys: []string{"y"}, Help: "copy this field", Hint: "copy", Priority: 4,
			Do: (*Page).copyField, WhyNot: (*Page).whyNoField},
		{Name: "next_row", Keys: []string{"J"}, Help: "next row", Hint: "next row", Priority: 3, Effect: pane.Select(+1)},
		{Name: "read_past", Keys: []string{"o"}, Help: "why, from what is recorded", Hint: "older",
			Priority: 5, Do: (*Page).readPast, WhyNot: (*Page).whyNoPast, HintIf: hasPast},
		{Name: "previous_row", Keys: []string{"K"}, Help: "row before", Effect: pane.Select(-1)},
	}
}

// hasPast reports whether a position is selected of which something may be recorded.
func hasPast(p *Page, c *pane.Context) bool {
	return p.detail.selected(c).Position != nil && !c.Recording.IsWhatIf && store.OlderOf(c.Store).CanRead()
}

// readPast reads what is recorded of the position, or stops that.
func (p *Page) readPast(c *pane.Context) []pane.Effect {
	key := p.detail.selected(c).Position.Key
	older := store.OlderOf(c.Store)
	if older.IsReading(key) {
		older.Stop()
		return pane.Saying("Stopped.")
	}
	return []pane.Effect{pane.Change(func(s *store.Store) tea.Cmd { return store.OlderOf(s).Read(key) })}
}

// whyNoPast returns why what is recorded of the position is not read.
func (p *Page) whyNoPast(c *pane.Context) string {
	selected := p.detail.selected(c).Position
	switch {
	case selected == nil:
		return "no position is selected"
	case c.Recording.IsWhatIf:
		return "not in what if"
	case !store.OlderOf(c.Store).CanRead():
		return "no past: rewind is off"
	}
	if row := c.Store.Moves().TrendOf(selected.Key); row != nil &&
		model.Elapsed(c.Store.Now(), row.Recent.Reaches()) >= time.Hour && !row.Recent.Reaches().IsZero() {
		return "the last hour is known"
	}
	return ""
}

func (p *Page) copyField(*pane.Context) []pane.Effect {
	f := p.fields[p.chosen]
	return []pane.Effect{pane.Copy{What: f.name + " of " + p.title, Text: export.ClipboardField(f.value)}}
}

func (p *Page) whyNoField(*pane.Context) string {
	return keys.ReasonIf(p.chosen >= len(p.fields), "no field is here")
}
