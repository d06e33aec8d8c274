package ui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// The dialog in which names are given: a title, the fields, the numbers of the row as they would be shown, and what is
// wrong or what enter does.

const (
	nameTitleCells  = 18 // the cells before the text of a field
	nameOtherLines  = 3  // the lines beside the fields: title, numbers, words at the end
	previewFrom     = 6  // the height from which the numbers are shown
	nameDialogTitle = "names and decimals; the service knows none"
)

// drawNaming draws the dialog.
func (m *Model) drawNaming(width, height int) []string {
	d := m.naming
	title := cmp.Or(d.group, m.format.Market(d.row.Market)+" · "+m.format.Party(d.row.Party))
	lines := []string{draw.Rule(width, m.styles.Brand, m.styles.Dim, draw.CutMiddle(title, max(width-8, 8)), nameDialogTitle, "")}
	room := nameRoom(height)
	for place := d.top(room); place < min(len(d.fields), d.top(room)+room); place++ {
		lines = append(lines, m.drawNameField(&d.fields[place], place == d.place, width))
	}
	if height >= previewFrom {
		lines = draw.Fit(lines, height-2)
		lines = append(lines, m.drawPreview(width))
	}
	words, style := m.keys.Fill("{save_names} saves"), m.styles.Strong
	if m.options.Names != nil {
		words += " in " + draw.CutMiddle(format.OneLine(m.options.Names.Path()), max(width-len(words)-6, 8))
	}
	if d.problem != "" {
		words, style = d.problem, m.styles.Warning
	}
	return append(draw.Fit(lines, height-1), draw.Text(width, style, " "+words))
}

// nameRoom returns how many fields a dialog of a height has room for.
func nameRoom(height int) int {
	if height >= previewFrom {
		return height - nameOtherLines
	}
	return max(height-nameOtherLines+1, 1)
}

// top returns the first field on the screen.
func (d *nameDialog) top(room int) int { return max(0, d.place-room+1) }

func (m *Model) drawNameField(f *nameField, here bool, width int) string {
	l := draw.NewLine(width)
	style := draw.Plain
	switch {
	case here:
		style = m.styles.Strong
		l.Put(m.styles.Accent, "▌")
	default:
		l.Space(1)
	}
	if f.setAt != "" {
		style = m.styles.Dim
	}
	l.Put(style, f.title).To(min(nameTitleCells, width/2))
	text := f.line.String()
	if over := draw.Width(text) - l.Left() + 2; over > 0 { // its end, where one types
		text = "…" + ansi.TruncateLeft(text, over, "")
	}
	l.Put(style, text)
	switch {
	case f.setAt != "":
		l.Space(2).Put(m.styles.Dim, "set in "+format.OneLine(f.setAt))
	case text == "" && f.hint != "":
		l.Put(m.styles.Dim, f.hint)
	case text == "" && !f.isDecimals() && f.Key != "asset":
		l.Put(m.styles.Dim, format.Text(f.ID.String()))
	}
	return l.String()
}

// drawPreview draws the numbers of the row as they would be shown with what is in the fields.
func (m *Model) drawPreview(width int) string {
	facts := m.naming.preview(m)
	if len(facts) == 0 {
		return ""
	}
	l := draw.NewLine(width).Put(m.styles.Dim, " shown as")
	for _, f := range facts {
		if l.Left() < draw.Width(f.Name)+draw.Width(f.Value)+2 {
			break
		}
		l.Space(1).Put(m.styles.Dim, f.Name).Space(1).PutNumber(draw.Plain, f.Value).Space(2)
	}
	return l.String()
}

// preview returns the numbers of the row as they would be shown.
func (d *nameDialog) preview(m *Model) []draw.Fact {
	asset := d.asset()
	amount := func(a model.Amount, asset model.ID, plus bool) string {
		decimals := d.instruments.Asset(asset).Decimals
		if asset == d.row.Asset {
			decimals = d.decimals("asset", "decimals")
		}
		return format.Rounded(a, decimals, m.options.DisplayDecimals(asset), plus).Marked(format.RawMark)
	}
	if d.isRecord {
		return m.previewOfRecord(d.row, amount)
	}
	p, ok := m.data.view.Book().Find(d.row.Key)
	if !ok || d.group != "" {
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

// previewOfRecord returns the levels of a margin record.
func (m *Model) previewOfRecord(key model.MarginKey, amount func(a model.Amount, asset model.ID, plus bool) string) []draw.Fact {
	record := m.margins.Record(key)
	if record == nil {
		return nil
	}
	var facts []draw.Fact
	for _, level := range record.Levels() {
		facts = append(facts, draw.Fact{Name: level.Name, Value: amount(level.Amount, key.Asset, false)})
	}
	return facts
}

// namingCursor returns the place of the terminal's own cursor.
func (m *Model) namingCursor() *tea.Cursor {
	d, l := m.naming, m.layout()
	row := headerHeight + 1 + d.place - d.top(nameRoom(l.middle))
	column := min(nameTitleCells, m.width/2) + d.fields[d.place].line.Column()
	cursor := tea.NewCursor(min(column, m.width-1), row)
	cursor.Shape = tea.CursorBar
	return cursor
}

// hintAtNames shows once how names are given, where nothing has one.
func (m *Model) hintAtNames() {
	if m.hintedAtNames || m.notice.text != "" || m.data.view.Rows() == 0 {
		return
	}
	m.hintedAtNames = true
	if in := m.data.instruments; len(in.Parties())+len(in.Markets()) == 0 {
		m.positions.rawReported = true // this says more
		m.notify(m.keys.Fill("Nothing has a name: {name} names a row; blotter config init lists all in a file."))
	}
}
