package ui

import (
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/format"
	"blotter/ui/table"
	"blotter/ui/theme"
)

// columnView is how a column of the positions table is shown. What it is called and how rows are sorted by it is in
// package model.
type columnView struct {
	min, max int // cells, as in table.Column
	number   bool
	name     bool
	keep     int  // where there is no room, the column with the lowest is left out first
	from     int  // the width of screen from which it is shown
	hides    bool // it is shown only where a row has a text in it
	cell     func(r *shownPosition) table.Cell
}

// estimatesFrom is the width of screen from which the columns of estimates are shown.
const estimatesFrom = 120

// realisedFrom is the width of screen from which the realised PnL is shown.
const realisedFrom = 90

// marginAgeFrom is the width of screen from which the age of each margin record is shown.
const marginAgeFrom = 140

// columnViews has every column of the positions table.
var columnViews = map[view.Column]columnView{
	view.MarketColumn:           {min: 9, max: 24, keep: table.Always, name: true, cell: marketCell},
	view.PartyColumn:            {min: 9, max: 24, keep: table.Always, name: true, cell: partyCell},
	view.SizeColumn:             {min: 7, number: true, keep: 10, cell: numberCell(model.OpenVolume)},
	view.SizeChangeColumn:       {min: 7, number: true, keep: 5, hides: true, cell: sizeChangeCell},
	view.EntryColumn:            {min: 8, number: true, keep: 7, cell: quietCell(model.AverageEntryPrice)},
	view.MarkColumn:             {min: 8, number: true, keep: 2, from: estimatesFrom, hides: true, cell: markCell},
	view.NotionalColumn:         {min: 10, number: true, keep: 1, from: estimatesFrom, hides: true, cell: notionalCell},
	view.UnrealisedColumn:       {min: 8, number: true, keep: 12, cell: profitCell(model.UnrealisedPnl)},
	view.UnrealisedChangeColumn: {min: 8, number: true, keep: 8, hides: true, cell: unrealisedChangeCell},
	view.MarginRatioColumn:      {min: 6, number: true, keep: 11, hides: true, cell: marginRatioCell},
	view.MarginAgeColumn:        {min: 6, number: true, keep: 0, from: marginAgeFrom, hides: true, cell: marginAgeCell},
	view.RealisedColumn:         {min: 8, number: true, keep: 4, from: realisedFrom, cell: quietCell(model.RealisedPnl)},
	view.RealisedChangeColumn:   {min: 8, number: true, keep: 3, from: realisedFrom, hides: true, cell: realisedChangeCell},
	view.StatusColumn:           {min: 10, max: 16, keep: 9, cell: statusCell},
	view.AgeColumn:              {min: 4, number: true, keep: 6, cell: ageCell},
}

// shownPosition is a position on the screen, and what its cells need.
type shownPosition struct {
	*model.Position
	format         *format.Formatter
	styles         *theme.Styles
	now            time.Time
	mark, notional format.Number // estimates; empty where they are not shown or cannot be made
	margin         shownMargin
	baseline       book.BaselineRow // what it was; only where hasBaseline is true
	hasBaseline    bool
}

// shownMargin is the margin ratio of a position on the screen.
type shownMargin struct {
	ratio    model.MarginRatio
	hasRatio bool
	recorded string // the age of the record
	isOld    bool   // the record is too old for a ratio that is true now
	isNone   bool   // the service has no margin levels for the position
}

func marketCell(r *shownPosition) table.Cell { return table.Cell{Text: r.format.Market(r.Market)} }

func partyCell(r *shownPosition) table.Cell { return table.Cell{Text: r.format.Party(r.Party)} }

func numberCell(field model.Field) func(*shownPosition) table.Cell {
	return func(r *shownPosition) table.Cell { return r.format.Number(r.Position, field).Cell() }
}

// quietCell is a number that does not lead.
func quietCell(field model.Field) func(*shownPosition) table.Cell {
	return func(r *shownPosition) table.Cell {
		return r.format.Number(r.Position, field).Cell().Styled(r.styles.Quiet)
	}
}

func profitCell(field model.Field) func(*shownPosition) table.Cell {
	return func(r *shownPosition) table.Cell {
		return r.format.Number(r.Position, field).Cell().Styled(r.styles.Profit(r.Number(field).Sign()))
	}
}

func markCell(r *shownPosition) table.Cell {
	return r.mark.Cell().Styled(r.styles.Quiet)
}

func notionalCell(r *shownPosition) table.Cell {
	return r.notional.Cell().Styled(r.styles.Quiet)
}

func marginRatioCell(r *shownPosition) table.Cell {
	switch {
	case r.margin.isNone:
		return table.Cell{Text: "none", Style: r.styles.Dim}
	case !r.margin.hasRatio:
		return table.Cell{}
	case r.margin.isOld:
		return table.Cell{Text: "old " + r.margin.ratio.String(), Style: r.styles.Dim}
	}
	return table.Cell{Text: r.margin.ratio.String(), Style: r.styles.Profit(r.margin.ratio.Sign())}
}

func marginAgeCell(r *shownPosition) table.Cell {
	return table.Cell{Text: r.margin.recorded, Style: r.styles.Quiet}
}

func statusCell(r *shownPosition) table.Cell {
	return table.Cell{Text: format.Status(r.Position), Style: r.styles.Status(r.Status())}
}

func ageCell(r *shownPosition) table.Cell {
	return table.Cell{Text: format.AgeOf(r.Number(model.UpdatedAt), r.now), Style: r.styles.Quiet}
}

// estimates formats the mark price and the notional of a position for a table; both are empty where nothing can be
// estimated.
func (m *Model) estimates(p *model.Position) (mark, notional format.Number) {
	in := m.data.instruments
	markPrice, value, ok := model.Estimate(p, in)
	if !ok {
		return format.Number{}, format.Number{}
	}
	mark = format.PriceOrSize(markPrice, in.Decimals(model.AverageEntryPrice, p.Market), false)
	return mark, m.format.Amount(value, in.Market(p.Market).Asset, true)
}

// exactEstimates formats the same with every digit.
func (m *Model) exactEstimates(p *model.Position) (mark, notional string) {
	in := m.data.instruments
	markPrice, value, ok := model.Estimate(p, in)
	if !ok {
		return "", ""
	}
	mark = format.Exact(markPrice, in.Decimals(model.AverageEntryPrice, p.Market), false)
	return mark, m.format.ExactAmount(value, in.Market(p.Market).Asset, true)
}

// marginOf returns the margin ratio of a position at a time by the service's clock.
func (m *Model) marginOf(p *model.Position, now time.Time) shownMargin {
	var shown shownMargin
	levels, _, ok := m.data.view.MarginLevels(p)
	if !ok {
		shown.isNone = p.IsOpen() && m.walk.IsComplete() && m.data.view.Covered() > 0
		return shown
	}
	shown.ratio, shown.hasRatio = m.data.view.MarginRatio(p)
	shown.recorded, shown.isOld = format.AgeOf(levels.Timestamp, now), isOld(&levels, now)
	return shown
}

// tableColumn returns how a column is laid out where rows are in an order. The column that sorts them is never left
// out. For the order by trouble that is the margin ratio.
func tableColumn(setting columnSetting, order view.Order) table.Column {
	c, view := setting.column, columnViews[setting.column]
	column := table.Column{
		Title: c.Title(), Number: view.number, Name: view.name, Min: view.min, Max: view.max, Keep: view.keep, HideEmpty: view.hides,
	}
	setting.apply(&column)
	if sortsBy(order, c) {
		column.Keep = table.Always
		column.Order = arrow(order)
	}
	return column
}

// arrow is after the title of the column that sorts the rows.
func arrow(order view.Order) string {
	if order.Descending {
		return "▼"
	}
	return "▲"
}

// leavingOrder lists the titles of the columns in the order in which narrow screens leave them out.
func leavingOrder() string {
	columns := slices.DeleteFunc(view.Columns(), func(c view.Column) bool { return columnViews[c].keep == table.Always })
	slices.SortFunc(columns, func(a, b view.Column) int { return columnViews[a].keep - columnViews[b].keep })
	var titles []string
	for _, c := range columns {
		titles = append(titles, c.Title())
	}
	return strings.Join(titles, ", ")
}
