package session

import (
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/survey"
	"blotter/ui/draw"
	"blotter/ui/table"
	"blotter/ui/wording"
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
	{Title: "uPNL", Number: true, Min: 8, Keep: 4},
}

// exposureBar is how many cells the longest bar of the exposure has.
const exposureBar = 12

// exposurePage is the exposure by market or by party, with the total.
func (p *Page) exposurePage(s *survey.Asset, width int) []string {
	list := s.Markets
	if p.ByParty {
		list = s.Parties
	}
	if len(list) == 0 {
		return []string{"", draw.Centred(width, draw.Plain, p.noExposure(s))}
	}
	var rows []table.Row
	for i := range list {
		rows = append(rows, table.Row{Mark: " ", Cells: p.exposureCells(&list[i], list[0].Gross, s.Asset)})
	}
	rows = append(rows, table.Row{Mark: " ", Cells: p.exposureCells(&s.Total, model.Amount{}, s.Asset)})
	t := table.Table{Columns: slices.Clone(exposureColumns), Chosen: -1, Styles: p.Styles.Table()}
	if t.Columns[0].Title = "MARKET"; p.ByParty {
		t.Columns[0].Title = "PARTY"
	}
	return append(t.Draw(rows, width), p.leftOutLines(s, width)...)
}

// exposureCells are the cells of an exposure, or, without an identifier, of the total.
func (p *Page) exposureCells(e *survey.Exposure, largest model.Amount, asset model.ID) []table.Cell {
	amount := func(a model.Amount) table.Cell { return p.Format.Amount(a, asset, true).Cell() }
	size := func(a model.Amount, plus bool) table.Cell {
		if p.ByParty || e.ID.IsZero() {
			return table.Cell{}
		}
		return p.Format.NumberIn(a, model.OpenVolume, e.ID, plus).Cell()
	}
	bar := table.Cell{Style: p.Styles.Quiet}
	if !largest.IsZero() {
		bar.Text = strings.Repeat("▇", max(model.Share(e.Gross, largest, exposureBar), 1))
	}
	return []table.Cell{
		{Text: p.exposureName(e.ID)}, size(e.NetSize, true), size(e.GrossSize, false), amount(e.Long), amount(e.Short), bar,
		amount(e.Net).Styled(p.Styles.Profit(e.Net.Sign())), amount(e.Profit).Styled(p.Styles.Profit(e.Profit.Sign())),
	}
}

func (p *Page) exposureName(id model.ID) string {
	switch {
	case id.IsZero():
		return "total"
	case p.ByParty:
		return p.Format.Party(id)
	}
	return p.Format.Market(id)
}

// noExposure returns why there is no exposure.
func (p *Page) noExposure(s *survey.Asset) string {
	if s.LeftOut > 0 {
		return "Not estimated: decimals are not known."
	}
	return "No open position."
}

// leftOutLines say what is not in the sums.
func (p *Page) leftOutLines(s *survey.Asset, width int) []string {
	if s.LeftOut == 0 {
		return nil
	}
	return []string{draw.Text(width, p.Styles.Dim, " without "+wording.Counted(s.LeftOut, "position")+" of unknown decimals")}
}

// matrixNumber is the number in the cells of the matrix.
type matrixNumber int

const (
	matrixProfit matrixNumber = iota
	matrixSize
	matrixNotional
	matrixNumbers
)

func (n matrixNumber) String() string {
	return [...]string{"uPnL", "size", "≈ notional"}[n]
}

// matrixParties is how many parties the matrix has at most: those of the largest exposure.
const matrixParties = 100

// matrix are parties by markets, each with a number of its position, and the totals at the edges.
func (p *Page) matrix(s *survey.Asset, width int) []string {
	if len(s.Parties) == 0 {
		return []string{"", draw.Centred(width, draw.Plain, p.noExposure(s))}
	}
	parties := s.Parties[:min(len(s.Parties), matrixParties)]
	columns := []table.Column{{Title: "PARTY", Name: true, Min: 6, Max: 14, Keep: table.Always}}
	for i := range s.Markets[:min(len(s.Markets), width/8)] { // more never fit
		columns = append(columns, table.Column{Title: p.Format.Market(s.Markets[i].ID), Number: true, Min: 5, Keep: len(s.Markets) - i})
	}
	columns = append(columns, table.Column{Title: "TOTAL", Number: true, Min: 5, Keep: table.Always})
	var rows []table.Row
	for i := range parties {
		cells := []table.Cell{{Text: p.Format.Party(parties[i].ID)}}
		for j := range len(columns) - 2 {
			cells = append(cells, p.matrixCell(model.Key{Party: parties[i].ID, Market: s.Markets[j].ID}, s.Asset))
		}
		rows = append(rows, table.Row{Mark: " ", Cells: append(cells, p.matrixTotal(&parties[i], s.Asset))})
	}
	total := []table.Cell{{Text: "total"}}
	for j := range len(columns) - 2 {
		total = append(total, p.matrixTotal(&s.Markets[j], s.Asset))
	}
	rows = append(rows, table.Row{Mark: " ", Cells: append(total, p.matrixTotal(&s.Total, s.Asset))})
	t := table.Table{Columns: columns, Chosen: -1, Styles: p.Styles.Table()}
	lines := t.Draw(rows, width)
	more := func(n int, what string) {
		if n > 0 {
			lines = append(lines, draw.Text(width, p.Styles.Dim, " "+wording.Counted(n, what)+" more, only in the totals"))
		}
	}
	more(len(s.Markets)-(t.Drawn()-2), "market")
	more(len(s.Parties)-len(parties), "party")
	return append(lines, p.leftOutLines(s, width)...)
}

// matrixCell is the number of a position.
func (p *Page) matrixCell(key model.Key, asset model.ID) table.Cell {
	of, is := p.Find(key)
	if !is || !of.IsOpen() {
		return table.Cell{Text: "·", Style: p.Styles.Dim, Words: true}
	}
	switch p.Number {
	case matrixSize:
		return p.Format.Number(&of, model.OpenVolume).Cell().Styled(p.Styles.Profit(of.Number(model.OpenVolume).Sign()))
	case matrixNotional:
		_, notional, ok := model.Estimate(&of, p.Format.Instruments())
		if !ok {
			return table.Cell{Text: "?", Words: true}
		}
		return p.Format.Amount(notional, asset, true).Cell().Styled(p.Styles.Profit(notional.Sign()))
	}
	profit := of.Number(model.UnrealisedPnl)
	return p.Format.Amount(profit, asset, true).Cell().Styled(p.Styles.Profit(profit.Sign()))
}

// matrixTotal is the total of a party or a market. Sizes of several markets have none.
func (p *Page) matrixTotal(e *survey.Exposure, asset model.ID) table.Cell {
	amount := e.Profit
	switch p.Number {
	case matrixSize:
		return table.Cell{}
	case matrixNotional:
		amount = e.Net
	}
	return p.Format.Amount(amount, asset, true).Cell().Styled(p.Styles.Profit(amount.Sign()))
}
