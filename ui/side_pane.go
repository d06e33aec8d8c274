package ui

import (
	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/table"
)

// drawSide draws what belongs to the selected position at the right of the tables.
func (m *Model) drawSide(width, height int) []string {
	style := m.styles.Dim
	if m.focus == detailPane {
		style = m.styles.Brand
	}
	lines := []string{draw.Rule(width, style, m.styles.Dim, m.detailTitle())}
	return draw.Fit(append(lines, m.scroll.visible(m.sideLines(width), height-1, m.focus == detailPane)...), height)
}

// sideLines are what the row of the selected position does not show: its other facts, its margin levels, and the state of
// its stream.
func (m *Model) sideLines(width int) []string {
	if g, ok := m.selectedGroup(); ok {
		return m.groupLines(g, width)
	}
	p := m.selected()
	if p == nil {
		return []string{"", draw.Centred(width, draw.Plain, "No position is selected.")}
	}
	lines := append(m.positionLines(p, m.shownInRow(p), width), "")
	lines = append(lines, m.eventDrawer().Latest(m.events, m.keys.Fill("{events} all of them"), width)...)
	lines = append(lines, "", draw.Rule(width, m.styles.Dim, m.styles.Dim, "connection", "i all streams"))
	streams := m.streams()
	source, _ := m.data.view.Book().Source(p.Key)
	if link := streams.Link(source); link != nil {
		lines = append(lines, streams.Lines(link, width)...)
	}
	return lines
}

// shownInRow has the texts that the row of a position shows with every digit, beside the side pane.
func (m *Model) shownInRow(p *model.Position) map[string]bool {
	l := m.layout()
	shown := make(map[string]bool)
	if l.left == 0 {
		return shown
	}
	for _, cell := range m.positionCells(p, m.positionColumns(l.left), m.serviceNow()) {
		if !cell.Rounded && !cell.Raw && draw.Width(cell.Text) <= table.MaxNumber(l.left) {
			shown[cell.Text] = true
		}
	}
	return shown
}
