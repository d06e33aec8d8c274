package ui

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// drawFooter draws the totals, the row counts and the keys.
func (m *Model) drawFooter(width int) []string {
	lines := []string{m.drawTotals(width)}
	if m.hasRowCounts() {
		lines = append(lines, m.drawRowCounts(width))
	}
	return append(lines, m.drawKeys(width))
}

// totalsStrip is the line of totals, one for each asset. Where there is no room for all of them, it shows the next ones
// after turnTotalsAfter.
type totalsStrip struct {
	first    int // the place of the first asset on the line
	turnedAt time.Time
}

const (
	turnTotalsAfter = 5 * time.Second
	totalsGap       = 4 // cells between two assets
)

// turn shows the next assets when it is time for them.
func (t *totalsStrip) turn(m *Model) {
	now := m.now()
	if t.turnedAt.IsZero() {
		t.turnedAt = now
	}
	if now.Sub(t.turnedAt) >= turnTotalsAfter {
		t.turnedAt = now
		_, _, next := m.totalsOnLine(m.width)
		t.first = next
	}
}

// drawTotals draws the line of totals. Totals are of all positions in scope, whatever the filter hides. Where the row
// counts have no line of their own, they are at the right.
func (m *Model) drawTotals(width int) string {
	texts, right, _ := m.totalsOnLine(width)
	l := draw.NewLine(width).Space(1)
	for i, text := range texts {
		if i > 0 {
			l.Space(totalsGap)
		}
		l.PutNumber(draw.Plain, text)
	}
	l.To(width-draw.Width(right)-1).Put(m.styles.Dim, right)
	if m.totalsStyle() == m.styles.Stale {
		return m.styles.Dimmed([]string{l.String()}, width)[0]
	}
	return l.String()
}

// totalsStyle returns the style of totals: they are no fresher than the rows.
func (m *Model) totalsStyle() draw.Style {
	if stale := m.stale(); stale.Any() {
		return m.styles.Stale
	}
	return draw.Plain
}

// totalsOnLine returns the texts on the line of totals, what is at its right, and the place of the asset that the
// next line begins with.
func (m *Model) totalsOnLine(width int) (texts []string, right string, next int) {
	totals := m.data.view.Totals()
	slices.SortStableFunc(totals, func(a, b *view.Total) int { // positions without a total are last
		return cmp.Compare(unknownAsset(a), unknownAsset(b))
	})
	first := m.totals.first
	if first >= len(totals) {
		first = 0
	}
	counts := []string{""}
	if !m.hasRowCounts() {
		counts = append(m.rowCounts(), "")
	}
	if len(totals) == 0 {
		return nil, counts[0], 0
	}
	right = m.fitCounts(totals[0], counts, width-totalsGap)
	if texts = m.fitTotals(totals, width-draw.Width(right)-2); len(texts) == len(totals) {
		return texts, right, 0
	}
	place := func(last int) string {
		if last == first+1 {
			return fmt.Sprintf("asset %d of %d", last, len(totals))
		}
		return fmt.Sprintf("%d–%d of %d", first+1, last, len(totals))
	}
	widest := len("asset  of ") + 2*draw.Width(format.Grouped(len(totals)))
	right = m.fitCounts(totals[first], counts, width-widest-2-totalsGap)
	texts = m.fitTotals(totals[first:], width-widest-2-draw.Width(right)-2)
	last := first + len(texts)
	if right != "" {
		right = "  " + right
	}
	return texts, place(last) + right, last % len(totals)
}

// fitCounts returns the longest words about the rows beside which there is room for a total.
func (m *Model) fitCounts(total *view.Total, counts []string, room int) string {
	words := m.totalTexts(total, true)
	needed := draw.Width(words[max(len(words)-2, 0)])
	for _, words := range counts {
		if needed+draw.Width(words) <= room {
			return words
		}
	}
	return ""
}

func unknownAsset(total *view.Total) int {
	if total.Asset.IsZero() {
		return 1
	}
	return 0
}

// fitTotals returns the texts of the first totals that there is room for: of one at least.
func (m *Model) fitTotals(totals []*view.Total, room int) []string {
	var texts []string
	for i, total := range totals {
		words := m.totalTexts(total, i == 0)
		fits := slices.IndexFunc(words, func(text string) bool { return draw.Width(text) <= room })
		switch {
		case fits < 0 && i == 0:
			return words[len(words)-1:]
		case fits < 0:
			return texts
		}
		texts = append(texts, words[fits])
		room -= draw.Width(words[fits]) + totalsGap
	}
	return texts
}

// totalTexts are the total of one asset. The first on the line also says which positions it includes, and has shorter
// texts where there is no room for all of it.
func (m *Model) totalTexts(total *view.Total, isFirst bool) []string {
	if total.Asset.IsZero() {
		return []string{model.Counted(total.Rows, "position") + " of unknown assets, without a total", model.Counted(total.Rows, "position") + " without a total"}
	}
	unrealised := m.format.Asset(total.Asset) + "  uPnL " + m.format.RoundedAmount(total.Unrealised.Amount(), total.Asset, true)
	both := unrealised + "  rPnL " + m.format.RoundedAmount(total.Realised.Amount(), total.Asset, true)
	if left := total.Unrealised.LeftOut() + total.Realised.LeftOut(); left > 0 {
		both += fmt.Sprintf(" (%d left out)", left)
	}
	maintenance := ""
	if sum, ok := m.margins.Maintenance(total.Asset, m.now()); ok && m.width >= columns.EstimatesFrom {
		maintenance = "  maintenance " + m.format.RoundedAmount(sum, total.Asset, false)
	}
	if !isFirst {
		return []string{both + maintenance}
	}
	of, included := m.totalsInclude()
	return []string{of + both + maintenance + included, of + both, of + unrealised}
}

// totalsInclude returns a note where the totals include positions which are not shown: those that the filter hides, and
// closed ones.
func (m *Model) totalsInclude() (filtered, closed string) {
	view := m.data.view
	if view.Filtered() > 0 {
		filtered = "all " + format.Grouped(view.Rows()) + ": "
	}
	if n := view.Rows() - view.Open(); n > 0 && !m.data.filter.ShowClosed {
		closed = fmt.Sprintf(" (%s closed included)", format.Grouped(n))
	}
	return filtered, closed
}

// drawRowCounts draws how many rows are shown and why others are not.
func (m *Model) drawRowCounts(width int) string {
	return draw.Text(width, m.styles.Dim, " "+m.rowCounts()[0])
}

// rowCounts returns how many rows are shown and why others are not. Shorter words come after longer ones.
func (m *Model) rowCounts() []string {
	v := m.data.view
	if m.data.slow(m.now()) {
		return []string{"sorting..."}
	}
	if v.Rows() == 0 {
		return []string{""}
	}
	short := format.Grouped(v.Len()) + " of " + format.Grouped(v.Rows())
	if v.Groups.By != view.Ungrouped {
		return []string{m.groupCounts(), short}
	}
	text := model.Counted(v.Len(), "position")
	if w := &m.positions.window; v.Len() > w.Height() {
		text = fmt.Sprintf("rows %s–%s of %s", format.Grouped(w.Top()+1), format.Grouped(min(w.Top()+w.Height(), v.Len())), format.Grouped(v.Len()))
	} else if v.Len() != v.Rows() {
		text = format.Grouped(v.Len()) + " of " + model.Counted(v.Rows(), "position")
	}
	if v.ClosedHidden() > 0 {
		text += fmt.Sprintf(", %s closed hidden", format.Grouped(v.ClosedHidden()))
	}
	return []string{text, short}
}
