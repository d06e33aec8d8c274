package ui

import (
	"blotter/model"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/totals"
)

// drawFooter draws the totals, the row counts and the keys.
func (m *Model) drawFooter(width int) []string {
	lines := []string{m.totals.Draw(m.totalsLine(), width)}
	if hasRowCounts(m.width, m.height) {
		lines = append(lines, m.drawRowCounts(width))
	}
	return append(lines, m.drawKeys(width))
}

// totalsLine returns what the line of totals is drawn from. Totals are of all positions in scope, whatever the filter
// hides. If the row counts have no line of their own, they are on this one.
func (m *Model) totalsLine() *totals.Line {
	v := m.store.View()
	line := &totals.Line{
		Totals: v.Totals(), Maintenance: m.maintenance, IsStale: m.store.Stale().Any(), Format: m.store.Format(), Styles: &m.styles,
	}
	if v.Filtered() > 0 {
		line.Of = v.Rows()
	}
	if !m.store.Settings().ShowClosed {
		line.Closed = v.Rows() - v.Open()
	}
	if !hasRowCounts(m.width, m.height) {
		line.Counts = m.positions.Counts()
	}
	return line
}

// maintenance returns the sum of the maintenance margins in an asset, and false if it is not known or the screen is
// narrow.
func (m *Model) maintenance(asset model.ID) (model.Amount, bool) {
	if m.width < columns.EstimatesFrom {
		return model.Amount{}, false
	}
	return m.margins.Pages().Maintenance(asset, m.store.Now())
}

// drawRowCounts draws how many rows are shown and why others are not.
func (m *Model) drawRowCounts(width int) string {
	return draw.Text(width, m.styles.Dim, " "+m.positions.Counts()[0])
}
