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

// headings returns how many lines of headings the exposure or the matrix has; 0 if there is neither.
func (p *Page) headings() int {
	if p.Section == SessionSection || len(p.Assets) == 0 {
		return 0
	}
	if s, _ := p.surveyOf(p.Assets[p.Place].ID); s == nil || len(s.Parties) == 0 {
		return 0
	}
	return 1
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
