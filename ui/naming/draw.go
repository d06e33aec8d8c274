package naming

import (
	"image"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/theme"
)

// Content is what the dialog shows besides its fields.
type Content struct {
	SaveKey         string                   // the key that saves
	Path            string                   // the file of the names; empty if they are for this run only
	Position        *model.Position          // whose numbers are shown as they would be, or nil if there is none
	Record          *model.MarginLevels      // in place of a position
	DisplayDecimals func(asset model.ID) int // of amounts
}

const (
	titleCells  = 18 // the cells before the text of a field
	otherLines  = 3  // the lines beside the fields: title, numbers, words at the end
	previewFrom = 6  // the height from which the numbers are shown
	ruleNote    = "names and decimals; the service sends none"
)

// Draw draws a title, the fields, the numbers of the row as they would be shown, and what is wrong or what enter does.
func (d *Dialog) Draw(c *Content, s *theme.Styles, width, height int) []string {
	lines := []string{draw.Rule(width, s.Brand, s.Dim, draw.CutMiddle(d.row.Title, max(width-8, 8)), ruleNote, "")}
	room := rowsOf(height)
	for place := d.top(room); place < min(len(d.fields), d.top(room)+room); place++ {
		lines = append(lines, drawEntry(&d.fields[place], place == d.place, s, width))
	}
	if height >= previewFrom {
		lines = draw.Fit(lines, height-2)
		lines = append(lines, d.drawPreview(c, s, width))
	}
	words, style := c.SaveKey+" saves", s.Strong
	if c.Path != "" {
		words += " in " + draw.CutMiddle(format.OneLine(c.Path), max(width-len(words)-6, 8))
	}
	if d.problem != "" {
		words, style = d.problem, s.Warning
	}
	return append(draw.Fit(lines, height-1), draw.Text(width, style, " "+words))
}

// rowsOf returns how many fields a dialog of a height has room for.
func rowsOf(height int) int {
	if height >= previewFrom {
		return height - otherLines
	}
	return max(height-otherLines+1, 1)
}

// top returns the first field on the screen.
func (d *Dialog) top(room int) int { return max(0, d.place-room+1) }

func drawEntry(f *entry, here bool, s *theme.Styles, width int) string {
	l := draw.NewLine(width)
	style := draw.Plain
	switch {
	case here:
		style = s.Strong
		l.Put(s.Accent, "▌")
	default:
		l.Space(1)
	}
	if f.setAt != "" {
		style = s.Dim
	}
	l.Put(style, f.title).To(min(titleCells, width/2))
	text := f.line.String()
	if over := draw.Width(text) - l.Left() + 2; over > 0 { // its end, where one types
		text = "…" + ansi.TruncateLeft(text, over, "")
	}
	l.Put(style, text)
	switch {
	case f.setAt != "":
		l.Space(2).Put(s.Dim, "set in "+format.OneLine(f.setAt))
	case text == "" && f.hint != "":
		l.Put(s.Dim, f.hint)
	case text == "" && !f.isDecimals() && f.Key != "asset":
		l.Put(s.Dim, format.Text(f.ID.String()))
	}
	return l.String()
}

// drawPreview draws the numbers of the row as they would be shown with what is in the fields.
func (d *Dialog) drawPreview(c *Content, s *theme.Styles, width int) string {
	facts := d.preview(c)
	if len(facts) == 0 {
		return ""
	}
	l := draw.NewLine(width).Put(s.Dim, " shown as")
	for _, f := range facts {
		if l.Left() < draw.Width(f.Name)+draw.Width(f.Value)+2 {
			break
		}
		l.Space(1).Put(s.Dim, f.Name).Space(1).PutNumber(draw.Plain, f.Value).Space(2)
	}
	return l.String()
}

// preview returns the numbers of the row as they would be shown.
func (d *Dialog) preview(c *Content) []draw.Fact {
	asset := d.asset()
	amount := func(a model.Amount, asset model.ID, plus bool) string {
		decimals := d.instruments.Asset(asset).Decimals
		if asset == d.row.Asset {
			decimals = d.decimals("asset", "decimals")
		}
		return format.Rounded(a, decimals, c.DisplayDecimals(asset), plus).Marked(format.RawMark)
	}
	if r := c.Record; r != nil {
		var facts []draw.Fact
		for _, level := range r.Levels() {
			facts = append(facts, draw.Fact{Name: level.Name, Value: amount(level.Amount, d.row.Asset, false)})
		}
		return facts
	}
	p := c.Position
	if p == nil {
		return nil
	}
	size := format.PriceOrSize(p.Number(model.OpenVolume), d.decimals("market", "size_decimals"), true)
	entry := format.PriceOrSize(p.Number(model.AverageEntryPrice), d.decimals("market", "price_decimals"), false)
	return []draw.Fact{
		{Name: "SIZE", Value: size.Marked(format.RawMark)}, {Name: "ENTRY", Value: entry.Marked(format.RawMark)},
		{Name: view.UnrealisedColumn.Title(), Value: amount(p.Number(model.UnrealisedPnl), asset, true)},
		{Name: view.RealisedColumn.Title(), Value: amount(p.Number(model.RealisedPnl), asset, true)},
	}
}

// Cursor returns the cell of the cursor in a dialog of a size.
func (d *Dialog) Cursor(width, height int) image.Point {
	column := min(titleCells, width/2) + d.fields[d.place].line.Column()
	return image.Pt(min(column, width-1), 1+d.place-d.top(rowsOf(height)))
}

// Click puts the cursor on the field of a line below the title, if the field can be changed.
func (d *Dialog) Click(line, height int) {
	room := rowsOf(height)
	if place := d.top(room) + line; line < room && place < len(d.fields) && d.fields[place].setAt == "" {
		d.place = place
	}
}
