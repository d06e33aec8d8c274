package ui

import (
	"fmt"
	"strings"

	"blotter/model"
)

// drawSums draws the line of totals: per asset, with what they leave out, and how many rows of how many are shown.
func (m *Model) drawSums(width int) string {
	view := m.data.view
	rows := m.rowWords()
	l := newLine(width).space(1)
	unknown, more := 0, 0
	for _, total := range view.Totals() {
		if total.Asset.IsZero() {
			unknown = total.Rows
			continue
		}
		text := m.totalWords(total)
		// The first sum is worth more than the words about the rows.
		short := grouped(view.Len()) + " of " + grouped(view.Rows())
		if needs := cells(text) + 3; l.width == 1 && needs > l.left()-cells(rows) && needs <= l.left()-cells(short) {
			rows = short
		}
		if cells(text)+3 > l.left()-cells(rows) {
			more++
			continue
		}
		if l.width > 1 {
			l.put(m.styles.dim, "│ ")
		}
		l.put(plain, text).space(2)
	}
	var without []string
	if l.width == 1 { // nothing is summed up, so nothing is left out
		more, unknown = 0, 0
	}
	if more > 0 {
		without = append(without, counted(more, "more asset"))
	}
	if unknown > 0 {
		without = append(without, counted(unknown, "row")+" of unknown assets")
	}
	if len(without) > 0 {
		text := "without " + strings.Join(without, ", ")
		if cells(text)+2 > l.left()-cells(rows) {
			text = fmt.Sprintf("+%d more", more+min(unknown, 1))
		}
		l.put(m.styles.dim, text).space(2)
	}
	if width >= estimatesFrom {
		l.to(width - cells(rows) - 1)
	} else if l.width > 1 {
		l.space(1)
	}
	return l.put(plain, rows).String()
}

// totalWords are the profits of one asset.
func (m *Model) totalWords(total *model.Total) string {
	decimals := m.data.instruments.Asset(total.Asset).Decimals
	text := fmt.Sprintf("%s  uPnL %s  rPnL %s", m.format.asset(total.Asset),
		amount(total.Unrealised.Amount(), decimals, true), amount(total.Realised.Amount(), decimals, true))
	if left := total.Unrealised.LeftOut() + total.Realised.LeftOut(); left > 0 {
		text += fmt.Sprintf(" (%d left out)", left)
	}
	if sum, ok := m.margins.maintenance(total.Asset); ok && m.width >= estimatesFrom {
		text += "  maintenance " + amount(sum, decimals, false)
	}
	return text
}

// maintenance is the sum of the maintenance margins in an asset, where the page has the whole list.
func (p *margins) maintenance(asset model.ID) (model.Amount, bool) {
	if p.page == nil || p.page.HasNext || p.request.Turn != model.FirstPage {
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

// rowWords say how many rows are shown and why the others are not.
func (m *Model) rowWords() string {
	view := m.data.view
	if m.data.slow(m.now()) {
		return "putting the rows in order"
	}
	if view.Rows() == 0 {
		return ""
	}
	text := counted(view.Len(), "row")
	if w := &m.positions.window; view.Len() > w.height {
		text = fmt.Sprintf("rows %s–%s of %s", grouped(w.top+1), grouped(min(w.top+w.height, view.Len())), grouped(view.Len()))
	} else if view.Len() != view.Rows() {
		text = fmt.Sprintf("%s of %s", text, grouped(view.Rows()))
	}
	if view.ClosedHidden() > 0 {
		text += fmt.Sprintf(", %s closed hidden", grouped(view.ClosedHidden()))
	}
	if filter := strings.TrimSpace(view.Filter.Text); filter != "" {
		text += fmt.Sprintf(", filter %q", cut(model.Neutralise(filter), 24))
	} else if m.width >= estimatesFrom {
		text += ", filter none"
	}
	return text
}
