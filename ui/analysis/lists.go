package analysis

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"blotter/ui/draw"
	"blotter/ui/format"
)

// surveyLines are the lists of moves and exposures, beside each other if there is room.
func (p *content) surveyLines(width, height int) []string {
	markets := func(width, rows int) []string {
		return p.exposureLines("market", p.format.Market, p.survey.Markets, width, rows)
	}
	parties := func(width, rows int) []string {
		return p.exposureLines("party", p.format.Party, p.survey.Parties, width, rows)
	}
	switch {
	case width < twoColumnsFrom:
		rows := max((height-3)/3, leastListRows)
		return slices.Concat(p.moveLines(width, rows), markets(width, rows), parties(width, rows))
	case width < threeColumnsFrom:
		gap := 0
		if height > minGapHeight {
			gap = 1
		}
		rows := max((height-gap-2)/2, leastListRows)
		left := (width - columnGap) / 2
		right := slices.Concat(markets(width-left-columnGap, rows), make([]string, gap), parties(width-left-columnGap, rows))
		return beside(left, p.moveLines(left, max(height-1, 2*leastListRows+1)), right)
	}
	rows := max(height-1, leastListRows)
	third := (width - 2*columnGap) / 3
	return beside(third, p.moveLines(third, rows), markets(third, rows), parties(width-2*(third+columnGap), rows))
}

const columnGap = 3

// beside puts lists beside each other. All but the last one have the width.
func beside(width int, lists ...[]string) []string {
	var blocks []string
	for _, list := range lists[:len(lists)-1] {
		blocks = append(blocks, lipgloss.NewStyle().Width(width+columnGap).Render(strings.Join(list, "\n")))
	}
	blocks = append(blocks, strings.Join(lists[len(lists)-1], "\n"))
	return strings.Split(lipgloss.JoinHorizontal(lipgloss.Top, blocks...), "\n")
}

// moveLines list the largest moves, on the given number of lines below their title.
func (p *content) moveLines(width, rows int) []string {
	title := " largest moves of PnL"
	title = cmp.Or(draw.FirstThatFits(width, title+" since "+p.format.ShortClockOn(p.since, p.now)), title)
	lines := []string{draw.Text(width, p.styles.Dim, title)}
	moves, moved := p.survey.Moves, p.survey.Moved
	if len(moves) == 0 {
		return append(lines, draw.Text(width, draw.Plain, " Nothing has moved."))
	}
	var bars []draw.Bar
	for _, move := range moves[:min(len(moves), rowsWithMore(rows, moved))] {
		value := p.amount(move.Change)
		if move.IsNew {
			value = "new " + value
		}
		bars = append(bars, draw.Bar{Name: p.format.Position(move.Key), Value: value, Style: p.styles.Profit(move.Change.Sign())})
	}
	return p.withMore(append(lines, draw.Bars(width, bars)...), moved-len(bars), width)
}

// rowsWithMore returns how many of the given number of elements are listed on some lines: if there are more, the last
// line has the number of the others.
func rowsWithMore(rows, elements int) int {
	if elements > rows {
		return rows - 1
	}
	return rows
}

// withMore adds how many elements are not listed.
func (p *content) withMore(lines []string, more, width int) []string {
	if more <= 0 {
		return lines
	}
	return slices.Concat(lines, []string{draw.Text(width, p.styles.Dim, " and "+format.Grouped(more)+" more")})
}
