package ui

import (
	"blotter/model"
	"blotter/model/view"
	"blotter/ui/detail"
	"blotter/ui/draw"
	"blotter/ui/status"
	"blotter/ui/table"
)

// The detail of the selected line: a page, the pane at the right of the tables, or some lines below the positions.

// detailOf returns what is known of a position.
func (m *Model) detailOf(p *model.Position) *detail.Position {
	d := &detail.Position{
		Position: p, CheckedAt: m.checkedAt(p), Trends: m.store.TrendOf(p.Key), IsStale: m.isStale(p.Key),
		Now: m.store.Now(), ServiceNow: m.store.ServiceNow(), Format: m.store.Format(), Styles: &m.styles,
	}
	if levels, _, ok := m.store.View().MarginLevels(p); ok {
		d.Levels = &levels
	}
	_, d.Problem = m.levels.Of(p.Key)
	d.Ratio, d.HasRatio = m.store.View().MarginRatio(p)
	d.Baseline, d.HasBaseline = m.store.View().BaselineOf(p.Key)
	return d
}

// groupDetail returns what is known of a group.
func (m *Model) groupDetail(g *view.Group) *detail.Group {
	return &detail.Group{Heading: *m.positions.Heading(m.context(), g), IsStale: m.positions.IsStaleGroup(g, m.store.Stale())}
}

// drawSelected draws what belongs to the selected line, below the positions, on height lines.
func (m *Model) drawSelected(width, height int) []string {
	if g, ok := m.positions.SelectedGroup(); ok {
		return m.groupDetail(g).Summary(m.keys.Fill("; {detail} lists all"), width, height)
	}
	p := m.positions.Selected()
	if p == nil {
		return draw.Fit([]string{draw.Rule(width, m.styles.Dim, m.styles.Dim, "no row selected")}, height)
	}
	return m.detailOf(p).Summary(width, height)
}

// detailTitle returns the name of the selected line.
func (m *Model) detailTitle() string {
	if g, ok := m.positions.SelectedGroup(); ok {
		return m.positions.Heading(m.context(), g).Name()
	}
	p := m.positions.Selected()
	if p == nil {
		return "detail"
	}
	return m.detailOf(p).Title()
}

// pageDetail are everything about the selected line, for the page.
func (m *Model) pageDetail(width int) []string {
	if g, ok := m.positions.SelectedGroup(); ok {
		return m.groupDetail(g).Lines(width)
	}
	p := m.positions.Selected()
	if p == nil {
		return nothingSelected(width)
	}
	lines := append(m.detailOf(p).Lines(width, nil), "", draw.Rule(width, m.styles.Dim, m.styles.Dim, "source", ""))
	if streams, link := m.streamOf(p); link != nil {
		lines = append(lines, streams.Line(link, width))
	}
	return lines
}

func nothingSelected(width int) []string {
	return []string{"", draw.Centred(width, draw.Plain, "No position is selected.")}
}

// streamOf returns the streams, and the state of the one that a position comes from; nil where that is not known.
func (m *Model) streamOf(p *model.Position) (*status.Streams, *model.Link) {
	streams := m.streams()
	source, _ := m.store.View().Book().Source(p.Key)
	return streams, streams.Link(source)
}

// drawSide draws what belongs to the selected position at the right of the tables.
func (m *Model) drawSide(width, height int) []string {
	style := m.styles.Dim
	if m.focus == detailPane {
		style = m.styles.Brand
	}
	lines := []string{draw.Rule(width, style, m.styles.Dim, m.detailTitle())}
	text := m.sideLines(width)
	if m.focus == detailPane {
		text = m.scroll.Visible(text, height-1)
	}
	return draw.Fit(append(lines, text...), height)
}

// sideLines are what the row of the selected position does not show: its other facts, its margin levels, and the state
// of its stream.
func (m *Model) sideLines(width int) []string {
	if g, ok := m.positions.SelectedGroup(); ok {
		return m.groupDetail(g).Lines(width)
	}
	p := m.positions.Selected()
	if p == nil {
		return nothingSelected(width)
	}
	lines := append(m.detailOf(p).Lines(width, m.shownInRow(p)), "")
	lines = append(lines, m.events.DrawLatest(m.context(), m.keys.Fill("{events} all of them"), width)...)
	lines = append(lines, "", draw.Rule(width, m.styles.Dim, m.styles.Dim, "connection", m.keys.Fill("{connection} all streams")))
	if streams, link := m.streamOf(p); link != nil {
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
	for _, cell := range m.positions.Cells(m.context(), p, m.positions.Columns().Shown(l.left, m.store.View()), m.store.ServiceNow()) {
		if !cell.Rounded && !cell.Raw && draw.Width(cell.Text) <= table.MaxNumber(l.left) {
			shown[cell.Text] = true
		}
	}
	return shown
}
