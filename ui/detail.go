package ui

import (
	"blotter/model"
	"blotter/ui/detail"
	"blotter/ui/draw"
	"blotter/ui/layout"
	"blotter/ui/status"
	"blotter/ui/table"
)

// line returns the selected line.
func (m *Model) line() detail.Line {
	if g, ok := m.positions.SelectedGroup(); ok {
		stale := m.positions.IsStaleGroup(g, m.store.Stale())
		return detail.Line{Group: &detail.Group{Heading: *m.positions.Heading(m.context(), g), IsStale: stale}}
	}
	return detail.Line{Position: m.positions.Selected()}
}

// pageDetail is the text of the page about the selected line.
func (m *Model) pageDetail(width int) []string {
	on := m.line()
	lines := m.detail.Lines(m.context(), on, width, nil)
	if on.Position == nil {
		return lines
	}
	lines = append(lines, "", draw.Rule(width, m.styles.Dim, m.styles.Dim, "source", ""))
	if streams, link := m.streamOf(on.Position); link != nil {
		lines = append(lines, streams.Line(link, width))
	}
	return lines
}

// streamOf returns the streams, and the state of the one that a position comes from; nil if that is not known.
func (m *Model) streamOf(p *model.Position) (*status.Streams, *model.Link) {
	streams := m.streams()
	source, _ := m.store.View().Book().Source(p.Key)
	return streams, streams.Link(source)
}

// drawSide draws what belongs to the selected position at the right of the tables.
func (m *Model) drawSide(width, height int) []string {
	style := m.styles.Dim
	if m.layout.Focus == layout.Detail {
		style = m.styles.Brand
	}
	lines := []string{draw.Rule(width, style, m.styles.Dim, m.detail.Title(m.context(), m.line()))}
	text := m.sideLines(width)
	if m.layout.Focus == layout.Detail {
		text = m.scroll.Visible(text, height-1)
	}
	return draw.Fit(append(lines, text...), height)
}

// sideLines are what the row of the selected position does not show: its other facts, its margin levels, and the state
// of its stream.
func (m *Model) sideLines(width int) []string {
	on := m.line()
	if on.Position == nil {
		return m.detail.Lines(m.context(), on, width, nil)
	}
	lines := append(m.detail.Lines(m.context(), on, width, m.shownInRow(on.Position)), "")
	lines = append(lines, m.events.DrawLatest(m.context(), m.keys.Fill("{events} all of them"), width)...)
	lines = append(lines, "", draw.Rule(width, m.styles.Dim, m.styles.Dim, "connection", m.keys.Fill("{connection} all streams")))
	if streams, link := m.streamOf(on.Position); link != nil {
		lines = append(lines, streams.Lines(link, width)...)
	}
	return lines
}

// shownInRow has the texts that the row of a position shows with every digit, beside the side pane.
func (m *Model) shownInRow(p *model.Position) map[string]bool {
	l := m.parts()
	shown := make(map[string]bool)
	if l.Left == 0 {
		return shown
	}
	for _, cell := range m.positions.Cells(m.context(), p, m.positions.Columns().Shown(l.Left, m.store.View()), m.store.ServiceNow()) {
		if !cell.Rounded && !cell.Raw && draw.Width(cell.Text) <= table.MaxNumber(l.Left) {
			shown[cell.Text] = true
		}
	}
	return shown
}
