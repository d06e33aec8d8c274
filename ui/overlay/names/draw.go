package names

import (
	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
)

const (
	titleCells  = 18 // the cells before the text of a field
	otherLines  = 3  // the lines beside the fields: title, numbers, words at the end
	previewFrom = 6  // the height from which the numbers are shown
	ruleNote    = "names and decimals; the service sends none"
)

// Draw draws a title, the fields, the numbers of the row as they would be shown, and what is wrong or what enter does.
func (d *Dialog) Draw(c *pane.Context, size pane.Size) []string {
	s, width, height := c.Styles, size.Width, size.Height
	lines := []string{draw.Rule(width, s.Brand, s.Dim, draw.CutMiddle(d.subject.Title, max(width-8, 8)), ruleNote)}
	lines = append(lines, d.DrawFields(c, size)...)
	if height >= previewFrom {
		lines = draw.Fit(lines, height-2)
		lines = append(lines, d.drawPreview(c, width))
	}
	words := c.Keys.Key("save_names") + " saves"
	if names := d.settings.Names; names != nil {
		words += " in " + draw.CutMiddle(format.OneLine(names.Path()), max(width-len(words)-6, 8))
	}
	return append(draw.Fit(lines, height-1), d.DrawLast(c, width, words))
}

// rowsOf returns how many fields a dialog of a height has room for.
func rowsOf(height int) int {
	if height >= previewFrom {
		return height - otherLines
	}
	return max(height-otherLines+1, 1)
}

// drawPreview draws the numbers of the row as they would be shown with what is in the fields.
func (d *Dialog) drawPreview(c *pane.Context, width int) string {
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
func (d *Dialog) preview(c *pane.Context) []draw.Fact {
	asset := d.asset()
	amount := func(a model.Amount, asset model.ID, plus bool) string {
		decimals := d.instruments.Asset(asset).Decimals
		if asset == d.subject.Asset {
			decimals = d.decimals("asset", "decimals")
		}
		return format.Rounded(a, decimals, d.settings.DisplayDecimals(asset), plus).Marked(format.RawMark)
	}
	if d.subject.Record != nil {
		var facts []draw.Fact
		r := d.subject.Record()
		if r == nil {
			return nil
		}
		for _, level := range r.Levels() {
			facts = append(facts, draw.Fact{Name: level.Name, Value: amount(level.Amount, d.subject.Asset, false)})
		}
		return facts
	}
	p, ok := c.Store.View().Book().Find(d.subject.Key)
	if d.subject.IsGroup || !ok {
		return nil
	}
	size := format.PriceOrSize(p.Number(model.OpenVolume), d.decimals("market", "size_decimals"), true)
	entry := format.PriceOrSize(p.Number(model.AverageEntryPrice), d.decimals("market", "price_decimals"), false)
	return []draw.Fact{
		{Name: "SIZE", Value: size.Marked(format.RawMark)}, {Name: "ENTRY", Value: entry.Marked(format.RawMark)},
		{Name: columns.Title(view.UnrealisedColumn), Value: amount(p.Number(model.UnrealisedPnl), asset, true)},
		{Name: columns.Title(view.RealisedColumn), Value: amount(p.Number(model.RealisedPnl), asset, true)},
	}
}
