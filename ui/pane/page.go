package pane

import (
	"fmt"
	"image"
	"slices"

	"blotter/model"
	"blotter/ui/draw"
)

// PageText makes the title and all lines of a page of a size, its title included.
type PageText func(c *Context, s Size) (title string, lines []string)

// Page is a Pane of text that is read. Its text is made after each message. A long one, of hundreds of lines, is not
// made after a message that brings only data, unless a stream is in another state: it is at most a second old. The
// viewport of Bubbles is not used: it takes milliseconds for a screen of text at 160x48, this takes two microseconds.
type Page struct {
	Text
	text     PageText
	isLong   bool
	isBeside bool // other panes are beside it

	title   string
	lines   []string // none before it is made
	pinned  int      // how many of the first lines do not scroll
	notes   []string // at the right of the title: the first that has room
	search  search
	streams []streamState
}

// NewPage returns a page that covers the panes.
func NewPage(text PageText) *Page { return &Page{text: text} }

// NewLongPage returns a long page that covers the panes.
func NewLongPage(text PageText) *Page { return &Page{text: text, isLong: true} }

// NewSidePage returns a page beside other panes.
func NewSidePage(text PageText) *Page { return &Page{text: text, isBeside: true} }

// streamState is what a long page shows of a stream at once.
type streamState struct {
	phase    model.Phase
	auditing bool
	audits   int
}

// Sync makes the text, if a message may have changed it.
func (p *Page) Sync(c *Context, s Size) {
	if s.Height == 0 {
		return
	}
	before := p.streams
	p.streams = nil
	for _, link := range c.Store.Flow().AllLinks() {
		p.streams = append(p.streams, streamState{link.Phase, link.Auditing, link.Audits})
	}
	if !p.isLong || c.Cause != ByData || p.lines == nil || !slices.Equal(before, p.streams) {
		p.title, p.lines = p.text(c, s)
	}
	p.Fit(len(p.lines)-p.pinned, s.Height-1-p.pinned)
}

// Pin keeps the given number of lines at the beginning of the text on the screen while the others scroll.
func (p *Page) Pin(lines int) { p.pinned = lines }

// Note sets words at the right of the title, of which the first that has room is drawn.
func (p *Page) Note(words ...string) { p.notes = words }

// Show scrolls no further than to have the lines of the text from one to another on the screen.
func (p *Page) Show(from, to int) {
	if from >= p.pinned {
		p.top = min(max(p.top, to-p.pinned-p.height+1), from-p.pinned)
	}
}

// IsShown reports whether a line of the text is on the screen.
func (p *Page) IsShown(line int) bool {
	line -= p.pinned
	return line < 0 || line >= p.top && line < p.top+p.height
}

// Draw draws the title, and the lines on the screen.
func (p *Page) Draw(c *Context, s Size) []string {
	style, right := c.Styles.Brand, "esc back"
	room := s.Height - 1 - p.pinned
	scrolled := p.lines[min(p.pinned, len(p.lines)):]
	switch {
	case p.isBeside && !c.HasFocus:
		style, right = c.Styles.Dim, ""
	case p.isBeside:
		right = ""
	case len(scrolled) > room:
		right = fmt.Sprintf("lines %d–%d of %d · esc back", p.Top()+1, min(p.Top()+room, len(scrolled)), len(scrolled))
	}
	var notes []string
	for _, words := range p.notes {
		notes = append(notes, words+" · "+right)
	}
	if right != "" {
		notes = append(notes, right)
	}
	lines := append(slices.Clone(p.lines[:len(p.lines)-len(scrolled)]), scrolled[p.top:min(p.top+max(room, 0), len(scrolled))]...)
	return draw.Fit(append([]string{draw.Rule(s.Width, style, c.Styles.Dim, p.title, notes...)},
		p.marked(lines, c.Styles.Reverse)...), s.Height)
}

// Click does nothing.
func (p *Page) Click(*Context, Size, image.Point) []Effect { return nil }

// TextPage is a pane that is a page of text.
type TextPage interface {
	Pane
	AsPage() *Page
}

// AsPage returns the page itself, also if another pane embeds it.
func (p *Page) AsPage() *Page { return p }

// List returns the text.
func (p *Page) List() List { return &p.Text }
