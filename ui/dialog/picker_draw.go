package dialog

import (
	"fmt"
	"strings"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/pane"
	"blotter/ui/theme"
)

// The widths of what an offer shows, in cells.
const (
	notesWidth    = 24 // of the notes together, so that identifiers are aligned below each other
	minIdentifier = 8  // of an identifier, at least
	maxLabelWidth = 24 // how far to the right identifiers are aligned below each other
)

// Draw draws the typed text, the offers under it, and what enter applies.
func (p *Picker) Draw(c *pane.Context, size pane.Size) []string {
	s, width, matches := c.Styles, size.Width, p.matching()
	first := p.Start(c, width)
	if p.Typed() == "" {
		first.PutWhole(s.Dim, " type to narrow, or any name or identifier", " type to narrow")
	}
	row := func(place int) string { return p.drawOffer(s, &matches[place], place == p.Rows.Place(), width) }
	last := draw.Text(width, s.Strong, " enter watches "+p.appliesWords())
	return p.DrawRows(size.Height, first.String(), draw.Rule(width, s.Dim, s.Dim, p.title()), row, last)
}

func (p *Picker) appliesWords() string {
	ids := p.applies()
	if len(ids) == 0 {
		return "all " + p.of.Plural
	}
	var names []string
	for _, id := range ids {
		name := model.Neutralise(id.String())
		if o := p.offered(id); o != nil {
			name = o.label
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

func (p *Picker) title() string {
	all, found := 0, 0
	for _, o := range p.offers {
		if o.isSingle() {
			all++
		}
	}
	for _, o := range p.matching() {
		if o.isSingle() && !o.typed {
			found++
		}
	}
	if found == all {
		return fmt.Sprintf("%d %s", all, p.of.Plural)
	}
	return fmt.Sprintf("%d of %d %s", found, all, p.of.Plural)
}

func (p *Picker) drawOffer(s *theme.Styles, o *offer, here bool, width int) string {
	box := "[ ] "
	if p.isMarked(o) {
		box = "[x] "
	}
	text := box + o.label
	if o.typed {
		words := "not in the configuration; sent as typed"
		if p.isWordOfName(o) {
			words = "as typed, not one of these names"
		}
		return draw.ListRow(width, here, s.Cursor, text+"   "+words)
	}
	text += strings.Repeat(" ", max(p.labels-draw.Width(o.label), 0)) + "  "
	if len(o.members) > 0 {
		words := fmt.Sprintf("group of %d %s", len(o.members), p.of.Plural)
		if len(o.members) == 1 {
			words = "group of 1 " + p.of.Name
		}
		return draw.ListRow(width, here, s.Cursor, text+words)
	}
	if p.notes != nil && !o.all {
		note := p.notes(o.id)
		if draw.Width(text)+draw.Width(note)+1 > width { // a number that is cut would be another one
			note = ""
		}
		text += note + strings.Repeat(" ", max(notesWidth-draw.Width(note), 0)) + "  "
	}
	if id := model.Neutralise(o.id.String()); id != o.label && !o.all && draw.Width(text)+minIdentifier < width {
		text += id
	}
	return draw.ListRow(width, here, s.Cursor, strings.TrimRight(text, " "))
}
