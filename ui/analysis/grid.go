package analysis

import (
	"strconv"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/table"
)

// gridTable has the unrealised PnL of each party if all mark prices change, and how many positions are at a limit of
// the margin ratio then, or beyond it. A narrow screen leaves out the small changes first.
func (p *content) gridTable(width int) []string {
	t := table.Table{Columns: []table.Column{{Title: "PARTY", Name: true, Min: 9, Max: 24, Keep: table.Always}},
		Chosen: -1, Styles: p.styles.Table()}
	for _, percent := range analysis.Shifts() {
		column := table.Column{Title: "NOW", Number: true, Min: 7, Keep: table.Always}
		if percent != 0 {
			column.Title, column.Keep = "≈ "+gridHeading(percent), int(max(percent, -percent))*2
			if percent > 0 {
				column.Keep-- // losses of long positions are left out after gains
			}
		}
		t.Columns = append(t.Columns, column)
	}
	var rows []table.Row
	for _, cells := range heated(p, func() (all [][]draw.Cell) {
		for i := range p.survey.Parties {
			all = append(all, p.gridCells(p.format.Party(p.survey.Parties[i].ID), &p.survey.Parties[i]))
		}
		return all
	}) {
		rows = append(rows, table.Row{Mark: " ", Cells: cells})
	}
	rows = append(rows, table.Row{Mark: " ", Cells: p.gridCells("total", &p.survey.Total)})
	for limit := range model.RatioLimitCount {
		cells := []draw.Cell{{Text: limit.String() + orLess, Short: limit.String(), Style: p.styles.Quiet}}
		for _, beyond := range p.survey.Grid.Beyond[limit] {
			cell := draw.Cell{Text: format.Grouped(beyond), Words: true, Style: p.styles.Quiet}
			if beyond > 0 {
				cell.Style = p.styles.Warning
			}
			cells = append(cells, cell)
		}
		rows = append(rows, table.Row{Mark: " ", Cells: cells})
	}
	return t.Draw(rows, width)
}

// orLess follows the limit of a row that counts positions.
const orLess = " or less"

// gridHeading is a change in percent with its sign.
func gridHeading(percent int64) string {
	text := strconv.FormatInt(percent, 10) + "%"
	if percent > 0 {
		return "+" + text
	}
	return text
}

// gridCells are the cells of an exposure. Without an estimate of its notional, only what is now is known.
func (p *content) gridCells(name string, e *analysis.Exposure) []draw.Cell {
	cells := []draw.Cell{{Text: name}}
	for _, percent := range analysis.Shifts() {
		switch {
		case percent == 0:
			cells = append(cells, p.amountCell(e.Profit))
		case e.IsEstimated:
			cells = append(cells, p.estimateCell(e.At(percent, p.format.Instruments().Asset(p.of.ID).Decimals)))
		default:
			cells = append(cells, unknownCell)
		}
	}
	return cells
}

// gridNotes say what is not in the grid, and what it is not.
func (p *content) gridNotes(width int) []string {
	lines := []string{draw.Text(width, p.styles.Dim, " "+model.HalfLost.String()+orLess+": how many positions would have that "+columns.RatioName+"; maintenance as it is")}
	lines = append(lines, p.leftOutLines(width, true)...)
	if without := p.survey.Open() - p.survey.Grid.Rated; without > 0 {
		words := " " + format.Counted(without, "position") + " without " + columns.RatioName + " not counted"
		lines = append(lines, draw.Text(width, p.styles.Dim, words))
	}
	return append(lines, draw.Text(width, p.styles.Dim, " balances are not known: it is not shown what would be liquidated"))
}
