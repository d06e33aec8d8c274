package dialog

import (
	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
)

const (
	namesTitleCells = 18 // the cells before the text of a field
	namesOtherLines = 3  // the lines beside the fields: title, numbers, words at the end
	previewFrom     = 6  // the height from which the numbers are shown
	namesNote       = "names and decimals; the service sends none"
)

// Draw draws a title, the fields, the numbers of the row as they would be shown, and what is wrong or what enter does.
func (d *NamesForm) Draw(c *pane.Context, size pane.Size) []string {
	s, width, height := c.Styles, size.Width, size.Height
	note := namesNote
	if len(d.then) > 0 {
		note = "then " + format.Counted(len(d.then), "row") + " more"
	}
	lines := []string{draw.Rule(width, s.Brand, s.Dim, draw.CutMiddle(d.subject.Title, max(width-8, 8)), note)}
	lines = append(lines, d.DrawFields(c, size)...)
	if height >= previewFrom {
		lines = draw.Fit(lines, height-2)
		lines = append(lines, d.drawPreview(c, width))
	}
	words := c.Keys.Key("save_names") + " saves"
	if names := d.settings.Names; names != nil {
		words += " in " + draw.CutMiddle(format.OneLine(names.Path()), max(width-len(words)-6, 8))
	}
	return d.DrawLast(c, size, lines, words)
}

// fieldRowsOf returns how many fields a dialog of a height has room for.
func fieldRowsOf(height int) int {
	if height >= previewFrom {
		return height - namesOtherLines
	}
	return max(height-namesOtherLines+1, 1)
}

// drawPreview draws the numbers of the row as they would be shown with what is in the fields.
func (d *NamesForm) drawPreview(c *pane.Context, width int) string {
	facts := d.preview(c)
	if len(facts) == 0 {
		return ""
	}
	s := c.Styles
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
func (d *NamesForm) preview(c *pane.Context) []draw.Fact {
	if d.subject.Record != nil {
		if record := d.subject.Record(); record != nil {
			return levelFacts(record, d.shown)
		}
		return nil
	}
	p, ok := c.Store.View().Book().Find(d.subject.Key)
	if d.subject.IsGroup || !ok {
		return nil
	}
	fact := func(title string, of model.Field) draw.Fact {
		return draw.Fact{Name: title, Value: d.shown.Number(&p, of).Marked(format.RawMark)}
	}
	return []draw.Fact{
		fact("SIZE", model.OpenVolume), fact("ENTRY", model.AverageEntryPrice),
		fact(columns.Title(view.UnrealisedColumn), model.UnrealisedPnl), fact(columns.Title(view.RealisedColumn), model.RealisedPnl),
	}
}

func levelFacts(of *model.MarginLevels, f *format.Formatter) []draw.Fact {
	var facts []draw.Fact
	for _, level := range of.Levels() {
		if !level.IsNone {
			facts = append(facts, draw.Fact{Name: level.Name, Value: f.RoundedAmount(level.Amount, of.Asset, false)})
		}
	}
	return facts
}
