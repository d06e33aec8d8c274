package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/filter"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/table"
)

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

// oldTotals is from which age on the page says how old the totals of the matrix are. Its cells are always current; the
// totals are read every few seconds, less often if there are very many positions.
const oldTotals = 5 * time.Second

// matrixParties is how many parties the matrix has at most: those of the largest exposure.
const matrixParties = 100

// matrix is what the trader chose in the matrix: the number in its cells, and the cell under the cursor.
type matrix struct {
	number  matrixNumber
	cursor  model.Key // the party and the market of the cell; those of a total are zero
	isMoved bool      // the trader has moved the cursor; else it is on the first cell, whatever that is
	first   int       // the first market on the screen
	byOwn   bool      // its rows are own groups, not parties

	parties, markets []model.ID // of the rows and columns, the totals last; own groups in place of parties
	asset            model.ID   // of the rows and columns
	table            table.Table
}

// of makes the rows and columns those of a survey. Those that are there keep their order, so that cells do not move
// while they are read.
func (m *matrix) of(s *analysis.Asset, rows []analysis.Exposure) {
	if m.asset != s.Asset {
		m.asset, m.parties, m.markets = s.Asset, nil, nil
	}
	m.parties, m.markets = inOrder(m.parties, rows[:min(len(rows), matrixParties)]), inOrder(m.markets, s.Markets)
	if !m.isMoved {
		m.cursor = model.Key{Party: m.parties[0], Market: m.markets[0]}
	}
}

// inOrder returns the identifiers of exposures in the order that they have in another list, new ones after them, and
// the zero of the totals last.
func inOrder(before []model.ID, exposures []analysis.Exposure) []model.ID {
	places := make(map[model.ID]int)
	for place, id := range before {
		places[id] = place
	}
	place := func(id model.ID) int {
		if place, ok := places[id]; ok {
			return place
		}
		return len(before)
	}
	ids := make([]model.ID, 0, len(exposures)+1)
	for i := range exposures {
		ids = append(ids, exposures[i].ID)
	}
	slices.SortStableFunc(ids, func(a, b model.ID) int { return cmp.Compare(place(a), place(b)) })
	return append(ids, model.ID{})
}

// exposureOf returns the exposure of an identifier; nil if there is none.
func exposureOf(exposures []analysis.Exposure, id model.ID) *analysis.Exposure {
	if i := slices.IndexFunc(exposures, func(e analysis.Exposure) bool { return e.ID == id }); i >= 0 {
		return &exposures[i]
	}
	return nil
}

// place returns the row and the column under the cursor: those of the totals if a party or a market is not there.
func (m *matrix) place() (row, column int) {
	row, column = slices.Index(m.parties, m.cursor.Party), slices.Index(m.markets, m.cursor.Market)
	if row < 0 {
		row = len(m.parties) - 1
	}
	if column < 0 {
		column = len(m.markets) - 1
	}
	return row, column
}

// moveTo moves the cursor to a row and a column, or to the nearest ones.
func (m *matrix) moveTo(row, column int) {
	if len(m.parties) == 0 {
		return
	}
	row, column = max(min(row, len(m.parties)-1), 0), max(min(column, len(m.markets)-1), 0)
	m.cursor, m.isMoved = model.Key{Party: m.parties[row], Market: m.markets[column]}, true
}

// columnAt returns the column that a cell of a line belongs to, and false if it is that of the names.
func (m *matrix) columnAt(cell int) (column int, ok bool) {
	column, ok = m.table.ColumnAt(cell)
	switch {
	case !ok || column == 0:
		return 0, false
	case column == len(m.table.Columns)-1:
		return len(m.markets) - 1, true
	}
	return m.first + column - 1, true
}

// cell returns the party and the market of the cell under the cursor, as place does; those of a total are zero.
func (m *matrix) cell() (of model.Key) {
	if row, column := m.place(); row >= 0 {
		of = model.Key{Party: m.parties[row], Market: m.markets[column]}
	}
	return of
}

// filter returns the filter of the positions in the cell under the cursor; empty for the total of all.
func (m *matrix) filter(in *model.Instruments) string {
	var terms []string
	of := m.cell()
	if id := of.Party; !id.IsZero() && m.byOwn {
		terms = append(terms, filter.Exactly("group", id.String()))
	} else if !id.IsZero() {
		terms = append(terms, filter.OfParties(in, id))
	}
	if id := of.Market; !id.IsZero() {
		terms = append(terms, filter.OfMarkets(in, id))
	}
	return strings.Join(terms, " ")
}

// matrixLines are a table of parties and markets with a number of each position, and the totals at its edges. It begins
// with a market such that the cursor is on the screen.
func (p *content) matrixLines(width int) []string {
	m, s := &p.chosen.matrix, p.survey
	rows := p.matrixRows()
	m.of(s, rows)
	_, column := m.place()
	if isTotal := column == len(s.Markets); !isTotal {
		m.first = min(m.first, column)
	}
	m.first = min(m.first, len(s.Markets)-1)
	lines := p.drawMatrix(width)
	for column < len(s.Markets) && column >= m.first+m.drawn() && m.first < column {
		m.first = max(column-m.drawn()+1, m.first+1)
		lines = p.drawMatrix(width)
	}
	if m.drawn() < len(s.Markets) {
		words := fmt.Sprintf(" markets %d–%d of %d", m.first+1, m.first+m.drawn(), len(s.Markets))
		lines = append(lines, draw.Text(width, p.styles.Dim, words))
	}
	if age := model.Elapsed(p.now, p.read); age >= oldTotals {
		words := " the totals are of " + format.Ago(age) + ", the cells of now"
		if m.byOwn {
			words = " as it was " + format.Ago(age)
		}
		lines = append(lines, draw.Text(width, p.styles.Dim, words))
	}
	if m.byOwn {
		if len(rows) < len(s.OwnGroups) {
			lines = append(lines, draw.Text(width, p.styles.Dim, " what is in no group is only in the totals"))
		}
		return append(lines, p.sharedLines(width)...)
	}
	if more := len(s.Parties) - matrixParties; more > 0 {
		lines = append(lines, draw.Text(width, p.styles.Dim, " "+format.Counted(more, "party")+" more, only in the totals"))
	}
	return lines
}

// drawn returns how many markets there was room for.
func (m *matrix) drawn() int { return m.table.Drawn() - 2 }

// drawMatrix draws the matrix from its first market on, with the markets that there is room for.
func (p *content) drawMatrix(width int) []string {
	m, s := &p.chosen.matrix, p.survey
	markets := m.markets[m.first : len(m.markets)-1]
	markets = markets[:min(len(markets), width/8+1)] // more never fit
	title, exposures := "PARTY", p.matrixRows()
	if m.byOwn {
		title = "GROUP"
	}
	columns := []table.Column{{Title: title, Name: true, Min: 9, Max: 14, Keep: table.Always}}
	total := []draw.Cell{{Text: "total"}}
	for i, market := range markets {
		columns = append(columns, table.Column{Title: p.format.Market(market), Number: true, Min: 5, Keep: len(markets) - i})
		of := exposureOf(s.Markets, market)
		cell := p.matrixTotal(of)
		if m.number == matrixSize {
			cell = p.sizeCell(of.NetSize, market)
		}
		total = append(total, cell)
	}
	columns = append(columns, table.Column{Title: "TOTAL", Number: true, Min: 5, Keep: table.Always})
	parties := m.parties[:len(m.parties)-1]
	all := heated(p, func() (all [][]draw.Cell) {
		for _, party := range parties {
			cells := []draw.Cell{{Text: p.rowName(party)}}
			for _, market := range markets {
				cells = append(cells, p.matrixCell(model.Key{Party: party, Market: market}))
			}
			all = append(all, cells)
		}
		return all
	})
	var rows []table.Row
	for i, party := range parties {
		rows = append(rows, table.Row{Mark: " ", Cells: append(all[i], p.matrixTotal(exposureOf(exposures, party)))})
	}
	rows = append(rows, table.Row{Mark: " ", Cells: append(total, p.matrixTotal(&s.Total))})
	row, column := m.place()
	m.table = table.Table{Columns: columns, Chosen: len(columns) - 1, Styles: p.styles.Table()}
	if column < len(s.Markets) {
		m.table.Chosen = column - m.first + 1
	}
	rows[row].Mark = "▌"
	if m.table.Chosen < len(columns) {
		rows[row].Cells[m.table.Chosen].Style += p.styles.Reverse
	}
	return m.table.Draw(rows, width)
}

func (p *content) cellName(of model.Key) string {
	switch {
	case of == model.Key{}:
		return "total"
	case of.Party.IsZero():
		return "total of " + p.format.Market(of.Market)
	case of.Market.IsZero():
		return "total of " + p.rowName(of.Party)
	case p.chosen.matrix.byOwn:
		return p.format.Market(of.Market) + " " + p.rowName(of.Party)
	}
	return p.format.Position(of)
}

// cells is the list whose rows are the rows of the matrix.
type cells struct{ *Pane }

func (l cells) moveTo(row int) {
	_, column := l.matrix.place()
	l.matrix.moveTo(row, column)
	row, _ = l.matrix.place()
	l.Show(row+1, row+1)
}

func (l cells) MoveBy(rows int) {
	row, _ := l.matrix.place()
	l.moveTo(row + rows)
}

func (l cells) PageBy(screens int) { l.MoveBy(screens * l.Height()) }
func (l cells) First()             { l.moveTo(0) }
func (l cells) Last()              { l.moveTo(len(l.matrix.parties) - 1) }

// matrixCell is the number of a position, or of an own group.
func (p *content) matrixCell(key model.Key) draw.Cell {
	if p.chosen.matrix.byOwn {
		return p.ownCell(key.Party, key.Market)
	}
	of, is := p.store.Book().Find(key)
	if !is || !of.IsOpen() {
		return draw.Cell{Text: "·", Style: p.styles.Dim, Words: true}
	}
	switch p.chosen.matrix.number {
	case matrixSize:
		return p.sizeCell(of.Number(model.OpenVolume), key.Market)
	case matrixNotional:
		notional, ok := p.format.Shift().Notional(&of, p.format.Instruments())
		if !ok {
			return unknownCell
		}
		return p.estimateCell(notional)
	}
	profit := of.Number(model.UnrealisedPnl)
	cell := p.format.NumberOf(profit, &of, model.UnrealisedPnl, true)
	if cell.Text == "" {
		return unknownCell
	}
	return cell.Styled(p.heat.style(profit, p.styles))
}

// matrixTotal is the total of a party or a market. Sizes of several markets have no total.
func (p *content) matrixTotal(e *analysis.Exposure) draw.Cell {
	switch p.chosen.matrix.number {
	case matrixSize:
		return draw.Cell{Text: "–", Style: p.styles.Dim, Words: true}
	case matrixNotional:
		return p.notionalCell(e, e.Net)
	}
	return p.profitCell(e)
}

// sizeCell is a size in a market, in the style of its sign.
func (p *content) sizeCell(size model.Amount, market model.ID) draw.Cell {
	return p.format.NumberIn(size, model.OpenVolume, market, true).Styled(p.styles.Profit(size.Sign()))
}

// estimateCell is an estimate in the asset, in the style of its sign or its heat; ? if it is not known.
func (p *content) estimateCell(e model.Estimate) draw.Cell {
	cell := p.format.EstimatedAmount(e, p.of.ID, true)
	if cell.Text == "" {
		return unknownCell
	}
	return cell.Styled(p.heat.style(e.Amount, p.styles))
}

// amountCell is an amount of the asset, in the style of its sign or its heat.
func (p *content) amountCell(a model.Amount) draw.Cell {
	return p.format.Amount(a, p.of.ID, true).Styled(p.heat.style(a, p.styles))
}
