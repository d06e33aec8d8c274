package analysis

import (
	"blotter/model"
	"blotter/model/analysis"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/store"
	"blotter/ui/table"
)

// whatIfColumns are the columns of what positions are worth at the prices that the trader typed.
var whatIfColumns = []table.Column{
	{Title: "NAME", Name: true, Min: 9, Max: 40, Keep: table.Always},
	{Title: "uPnL", Number: true, Min: 8, Keep: table.Always},
	{Title: "≈ WOULD BE", Number: true, Min: 8, Keep: table.Always},
	{Title: "≈ CHANGE", Number: true, Min: 8, Keep: 1},
	{Title: columns.RatioName, Number: true, Min: 7, Keep: 3},
	{Title: "≈ WOULD BE", Number: true, Min: 10, Keep: 2},
}

// whatIfTable has what is and what would be at other prices: for all positions, how many are at a limit of the margin
// ratio or beyond it, for each party, and for the positions that change most.
type whatIfTable struct{ of *content }

func (t whatIfTable) lines(width int) []string {
	p, before := t.of, t.of.before
	rows := []table.Row{t.exposure("total", &before.Total, &p.survey.Total)}
	const unchanged = analysis.ShiftCount / 2 // the middle of the grid
	for limit := range model.RatioLimitCount {
		was, would := before.Grid.Beyond[limit][unchanged], p.survey.Grid.Beyond[limit][unchanged]
		cells := []draw.Cell{{Text: limit.String() + orLess, Short: limit.String(), Style: p.styles.Quiet}}
		for _, n := range []int{was, would} {
			cells = append(cells, draw.Cell{Text: format.Grouped(n), Words: true, Style: p.styles.Quiet})
		}
		if would > was {
			cells[2].Style = p.styles.Warning
		}
		rows = append(rows, whatIfLine(cells...))
	}
	for i := range p.survey.Parties {
		would := &p.survey.Parties[i]
		rows = append(rows, t.exposure(p.format.Party(would.ID), exposureOf(before.Parties, would.ID), would))
	}
	for i := range p.survey.Moves {
		rows = append(rows, t.position(&p.survey.Moves[i]))
	}
	drawn := table.Table{Columns: whatIfColumns, Chosen: -1, Styles: p.styles.Table()}
	lines := drawn.Draw(rows, width)
	if more := p.survey.Moved - len(p.survey.Moves); more > 0 {
		lines = append(lines, draw.Text(width, p.styles.Dim, " and "+format.Counted(more, "more position")))
	}
	return lines
}

// whatIfLine is a row of the table. Cells that are left out are empty.
func whatIfLine(cells ...draw.Cell) table.Row {
	return table.Row{Mark: " ", Cells: append(cells, make([]draw.Cell, len(whatIfColumns)-len(cells))...)}
}

// exposure is the unrealised PnL of all positions or of those of a party.
func (t whatIfTable) exposure(name string, was, would *analysis.Exposure) table.Row {
	write := func(a model.Amount) draw.Cell {
		return t.of.format.ProfitSum(a, would.Gross, t.of.survey.Open(), model.ID{}, t.of.of.ID)
	}
	if was == nil {
		return whatIfLine(draw.Cell{Text: name}, unknownCell, t.styled(write(would.Profit), would.Profit))
	}
	return whatIfLine(t.cells(name, was.Profit, would.Profit, write)...)
}

// cells are the cells of what is and what would be. What would be is written with its bound.
func (t whatIfTable) cells(name string, was, would model.Amount, write func(model.Amount) draw.Cell) []draw.Cell {
	cells := []draw.Cell{{Text: name}, t.of.amountCell(was), t.styled(write(would), would), unknownCell}
	switch change, ok := model.Difference(would, was, t.of.decimals()); {
	case ok && change.Sign() == 0: // the prices are as they were, so nothing is rounded
		cells[3] = t.of.amountCell(change)
	case ok:
		cells[3] = t.styled(write(change), change)
	}
	return cells
}

// styled returns a cell in the style of the sign of its amount; ? if the amount is not known.
func (t whatIfTable) styled(cell draw.Cell, a model.Amount) draw.Cell {
	if cell.Text == "" {
		return unknownCell
	}
	return cell.Styled(t.of.styles.Profit(a.Sign()))
}

// ratioCell is the margin ratio of a position, if it is of this moment.
func (t whatIfTable) ratioCell(ratio model.MarginRatio, ok bool) draw.Cell {
	if !ok || ratio.HasEnded() && !ratio.IsEstimate {
		return draw.Cell{}
	}
	return draw.Cell{Text: columns.RatioText(ratio), Style: t.of.styles.Ratio(ratio)}
}

// position is a position that changes.
func (t whatIfTable) position(move *analysis.Move) table.Row {
	p := t.of
	name, v := p.format.Position(move.Key), p.store.View()
	would, isThere := v.Book().Find(move.Key)
	before, ok := v.Baseline().Row(move.Key)
	write := func(a model.Amount) draw.Cell { return p.format.NumberOf(a, &would, model.UnrealisedPnl, true) }
	if !isThere || !ok {
		return whatIfLine(draw.Cell{Text: name}, unknownCell, unknownCell, t.styled(write(move.Change), move.Change))
	}
	was := would
	was.SetNumber(model.UnrealisedPnl, before.Number(model.UnrealisedPnl))
	cells := t.cells(name, was.Number(model.UnrealisedPnl), would.Number(model.UnrealisedPnl), write)
	cells = append(cells, t.ratioCell(v.Margins().Ratio(&was)), t.ratioCell(store.ShownRatio(p.store, &would)))
	return whatIfLine(cells...)
}
