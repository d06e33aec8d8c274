package ui

import (
	"fmt"
	"strings"
	"time"

	"blotter/model"
	"blotter/ui/draw"
)

// drawTotals draws the line of totals, per asset, and how many rows are shown. Totals are of all positions in scope,
// whatever the filter hides.
func (m *Model) drawTotals(width int) string {
	line := m.drawAllTotals(width)
	if fresh := m.freshness(); fresh.allStale || len(fresh.stale) > 0 {
		return m.styles.dimmed([]string{line}, width)[0]
	}
	return line
}

// drawAllTotals draws the totals of as many assets as there is room for.
func (m *Model) drawAllTotals(width int) string {
	rows := m.rowWords()
	l := draw.NewLine(width).Space(1)
	// place reports whether a text fits before the words about the rows, and shortens these where it may.
	place := func(text string, shortened bool) bool {
		for i, words := range rows {
			if draw.Width(text)+3 <= l.Left()-draw.Width(words) {
				rows = rows[i:]
				return true
			}
			if !shortened {
				break
			}
		}
		return false
	}
	unknown, more := 0, 0
	for _, total := range m.data.view.Totals() {
		text := m.totalWords(total)
		first := l.Width() == 1
		if first {
			text = m.totalsLabel() + text
		}
		switch {
		case total.Asset.IsZero():
			unknown = total.Rows
			continue
		case !place(text, first): // the first total is worth more than the words about the rows
			more++
			continue
		case !first:
			l.Put(m.styles.dim, "│ ")
		}
		l.Put(draw.Plain, text).Space(2)
	}
	if l.Width() > 1 && more+unknown > 0 { // without a total, nothing is left out of it
		text := leftOutWords(more, unknown)
		if !place(text, false) {
			text = fmt.Sprintf("+%d more", more+min(unknown, 1))
			if !place(text, true) {
				rows = []string{""}
			}
		}
		l.Put(m.styles.dim, text).Space(2)
	}
	for len(rows) > 1 && draw.Width(rows[0]) > l.Left() {
		rows = rows[1:]
	}
	if width >= estimatesFrom {
		l.To(width - draw.Width(rows[0]) - 1)
	} else if l.Width() > 1 {
		l.Space(1)
	}
	return l.Put(draw.Plain, rows[0]).String()
}

// totalsLabel says that the totals are of more rows than those that are shown.
func (m *Model) totalsLabel() string {
	if view := m.data.view; view.Len() < view.Rows() {
		return "all " + grouped(view.Rows()) + ": "
	}
	return ""
}

// leftOutWords say what is left out: assets for which there was no room, and rows whose asset is not known.
func leftOutWords(more, unknown int) string {
	var words []string
	if more > 0 {
		words = append(words, model.Counted(more, "more asset"))
	}
	if unknown > 0 {
		words = append(words, model.Counted(unknown, "row")+" of unknown assets")
	}
	return "without " + strings.Join(words, ", ")
}

// totalWords are the totals of one asset.
func (m *Model) totalWords(total *model.Total) string {
	decimals := m.data.instruments.Asset(total.Asset).Decimals
	text := fmt.Sprintf("%s  uPnL %s  rPnL %s", m.format.asset(total.Asset),
		amount(total.Unrealised.Amount(), decimals, true), amount(total.Realised.Amount(), decimals, true))
	if left := total.Unrealised.LeftOut() + total.Realised.LeftOut(); left > 0 {
		text += fmt.Sprintf(" (%d left out)", left)
	}
	if sum, ok := m.margins.maintenance(total.Asset, m.now()); ok && m.width >= estimatesFrom {
		text += "  maintenance " + amount(sum, decimals, false)
	}
	return text
}

// maintenance returns the sum of the maintenance margins in an asset, and false where the page is old or does not have
// all records.
func (p *margins) maintenance(asset model.ID, now time.Time) (model.Amount, bool) {
	if p.page == nil || p.page.HasNext || p.page.CutOffNext || p.request.Turn != model.FirstPage || now.Sub(p.page.ReadAt) > maxPageAge {
		return model.Amount{}, false
	}
	var sum model.Sum
	for i := range p.page.Rows {
		if p.page.Rows[i].Asset == asset {
			sum.Add(p.page.Rows[i].Maintenance)
		}
	}
	return sum.Amount(), sum.LeftOut() == 0
}

// rowWords say how many rows are shown and why others are not. Shorter words come after longer ones.
func (m *Model) rowWords() []string {
	view := m.data.view
	if m.data.slow(m.now()) {
		return []string{"sorting..."}
	}
	if view.Rows() == 0 {
		return []string{""}
	}
	text := model.Counted(view.Len(), "row")
	if w := &m.positions.window; view.Len() > w.Height() {
		text = fmt.Sprintf("rows %s–%s of %s", grouped(w.Top()+1), grouped(min(w.Top()+w.Height(), view.Len())), grouped(view.Len()))
	} else if view.Len() != view.Rows() {
		text = fmt.Sprintf("%s of %s", text, grouped(view.Rows()))
	}
	if view.ClosedHidden() > 0 {
		text += fmt.Sprintf(", %s closed hidden", grouped(view.ClosedHidden()))
	}
	short := grouped(view.Len()) + " of " + grouped(view.Rows())
	return []string{text, short}
}
