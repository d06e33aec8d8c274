package analysis

import (
	"cmp"
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/table"
)

// exposureColumns are the columns of the exposure: sizes are of markets only.
var exposureColumns = []table.Column{
	{Title: "NAME", Name: true, Min: 9, Max: 24, Keep: table.Always},
	{Title: "NET SIZE", Number: true, Min: 8, Keep: 3, HideEmpty: true},
	{Title: "GROSS SIZE", Number: true, Min: 8, Keep: 2, HideEmpty: true},
	{Title: "≈ LONG", Number: true, Min: 8, Keep: 5},
	{Title: "≈ SHORT", Number: true, Min: 8, Keep: 6},
	{Title: "≈ GROSS", Min: exposureBar, Max: exposureBar, Keep: 1},
	{Title: "≈ NET", Number: true, Min: 8, Keep: table.Always},
	{Title: "uPnL", Number: true, Min: 8, Keep: 4},
}

// exposureBy is what the exposure is of.
type exposureBy int

const (
	byMarket exposureBy = iota
	byParty
	byOwn // own groups
	exposuresBy
)

func (b exposureBy) String() string { return [...]string{"market", "party", "own group"}[b] }

// next returns what comes step places after it. Own groups are left out if there are none.
func (b exposureBy) next(step int, hasOwn bool) exposureBy {
	if b = (b + exposureBy(step) + exposuresBy) % exposuresBy; b == byOwn && !hasOwn {
		return b.next(step, false)
	}
	return b
}

// exposureBy returns what the exposure is of: of markets, if there are no own groups any more.
func (p *content) exposureBy() exposureBy {
	if p.chosen.by == byOwn && len(p.store.Instruments().Groups()) == 0 {
		return byMarket
	}
	return p.chosen.by
}

// exposureBar is how many cells the longest bar of the exposure has.
const exposureBar = 12

// exposureTable is the exposure by market, by party or by own group, with the total.
func (p *content) exposureTable(width int) []string {
	list, title, name := p.survey.Markets, "MARKET", p.format.Market
	switch p.exposureBy() {
	case byParty:
		list, title, name = p.survey.Parties, "PARTY", p.format.Party
	case byOwn:
		list, title, name = p.survey.OwnGroups, "GROUP", groupName
	}
	var rows []table.Row
	for i := range list {
		bar := ""
		if list[i].IsEstimated {
			bar = strings.Repeat("▇", max(model.Share(list[i].Gross.Amount, list[0].Gross.Amount, exposureBar, p.format.Decimals(p.of.ID)), 1))
		}
		rows = append(rows, table.Row{Mark: " ", Cells: p.exposureCells(name(list[i].ID), &list[i], bar)})
	}
	rows = append(rows, table.Row{Mark: " ", Cells: p.exposureCells("total", &p.survey.Total, "")})
	t := table.Table{Columns: slices.Clone(exposureColumns), Chosen: -1, Styles: p.styles.Table()}
	t.Columns[0].Title = title
	return t.Draw(rows, width)
}

// exposureCells are the cells of an exposure, one for each of exposureColumns.
func (p *content) exposureCells(name string, e *analysis.Exposure, bar string) []draw.Cell {
	var netSize, grossSize draw.Cell
	if p.exposureBy() == byMarket && !e.ID.IsZero() {
		netSize = p.format.NumberIn(e.NetSize, model.OpenVolume, e.ID, true)
		grossSize = p.format.NumberIn(e.GrossSize, model.OpenVolume, e.ID, false)
	}
	plain := func(of model.Estimate) draw.Cell { return p.notionalCell(e, of).Styled(draw.Plain) }
	return []draw.Cell{
		{Text: name}, netSize, grossSize, plain(e.Long), plain(e.Short), {Text: bar, Style: p.styles.Quiet},
		p.notionalCell(e, e.Net), p.profitCell(e),
	}
}

// notionalCell is a notional of an exposure; ? if it is not known.
func (p *content) notionalCell(e *analysis.Exposure, of model.Estimate) draw.Cell {
	if !e.IsEstimated {
		return unknownCell
	}
	return p.estimateCell(p.format.Shift().NotionalOf(of, p.survey.Open(), marketOf(p, e), p.decimals()))
}

// profitCell is the unrealised PnL of an exposure; ? if it is not known.
func (p *content) profitCell(e *analysis.Exposure) draw.Cell {
	cell := p.format.ProfitSum(e.Profit, e.Gross, p.survey.Open(), marketOf(p, e), p.of.ID)
	if cell.Text == "" {
		return unknownCell
	}
	return cell.Styled(p.heat.style(e.Profit, p.styles))
}

// marketOf returns the market of an exposure; zero if it is not that of one market.
func marketOf(p *content, e *analysis.Exposure) model.ID {
	if p.chosen.Tab == Exposure && p.exposureBy() == byMarket {
		return e.ID
	}
	return model.ID{}
}

// unknownCell is in the place of a notional that is not known.
var unknownCell = draw.Cell{Text: "?", Words: true}

// exposureLines list the largest exposures, on the given number of lines below their title.
func (p *content) exposureLines(by string, name func(model.ID) string, exposures []analysis.Exposure, width, rows int) []string {
	title := " by " + by + ", ≈ notional"
	lines := []string{draw.Text(width, p.styles.Dim, cmp.Or(draw.FirstThatFits(width, title+": ▇ gross, net"), title))}
	exposures = slices.DeleteFunc(slices.Clone(exposures), func(e analysis.Exposure) bool { return !e.IsEstimated })
	if len(exposures) == 0 {
		return append(lines, draw.Text(width, draw.Plain, " "+p.noExposure()))
	}
	var bars []draw.Bar
	for _, e := range exposures[:min(len(exposures), rowsWithMore(rows, len(exposures)))] {
		length := model.Share(e.Gross.Amount, exposures[0].Gross.Amount, draw.BarLength, p.format.Decimals(p.of.ID))
		net := p.estimateCell(e.Net)
		bars = append(bars, draw.Bar{Name: name(e.ID), Value: net.Marked(format.RawMark), Length: length, Style: p.styles.Quiet})
	}
	lines = append(lines, draw.Bars(width, bars)...)
	if len(bars) == len(exposures) && len(lines) <= rows {
		lines = append(lines, p.leftOutLines(width, true)...)
	}
	return p.withMore(lines, len(exposures)-len(bars), width)
}

func (p *content) noExposure() string {
	switch {
	case p.survey.LeftOut == 0:
		return "No open position."
	case p.survey.Unreadable > 0:
		return "Not estimated: decimals or numbers are not known."
	}
	return "Not estimated: decimals are not known."
}

// leftOutLines say what is not in the sums: of notional, or of sizes and uPnL.
func (p *content) leftOutLines(width int, ofNotional bool) []string {
	leftOut, unreadable := p.survey.LeftOut, p.survey.Unreadable
	words := " ≈ notional without " + format.Counted(leftOut, "position") + " of unknown decimals"
	switch {
	case ofNotional && unreadable > 0:
		words += " or numbers"
	case !ofNotional:
		leftOut, words = unreadable, " without "+format.Counted(unreadable, "position")+" of unknown numbers"
	}
	if leftOut == 0 {
		return nil
	}
	return []string{draw.Text(width, p.styles.Dim, words)}
}
