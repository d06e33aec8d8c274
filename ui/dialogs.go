package ui

import (
	"image"
	"slices"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/picker"
)

// What covers the panes to choose from: the picker, the columns, the views, and the names.

// listRoom returns how many rows of a list that covers the panes the screen has room for.
func (m *Model) listRoom() int {
	l := m.layout()
	return max(l.middle-draw.ListFrame, 2)
}

// boxCells is how many cells at the left of a row in a list are its mark and its box.
const boxCells = len(" [x]")

// clickChoice puts the cursor of what covers the panes on the row that was clicked. A click on its box also marks it,
// or shows or hides the column.
func (m *Model) clickChoice(at image.Point) tea.Cmd {
	l := m.layout()
	switch {
	case m.picker != nil:
		return m.clickOffer(at)
	case m.naming != nil:
		m.naming.Click(at.Y, l.middle)
	case m.chooser != nil:
		return m.clickColumn(at)
	default:
		m.viewList.ClickLine(m.listedViews(), at.Y, m.width, l.middle)
	}
	return nil
}

func (m *Model) clickOffer(at image.Point) tea.Cmd {
	if m.picker.Click(at.Y) && at.X < boxCells {
		return m.pickMark()
	}
	return nil
}

func (m *Model) clickColumn(at image.Point) tea.Cmd {
	if m.chooser.Click(at.Y) && at.X < boxCells {
		return m.showOrHideColumn()
	}
	return nil
}

func (m *Model) chooseColumns() tea.Cmd {
	m.closePages()
	m.chooser = columns.NewChooser(m.positions.columns)
	return nil
}

func (m *Model) moveColumnToLeft() tea.Cmd   { m.chooser.Shift(-1); return nil }
func (m *Model) moveColumnToRight() tea.Cmd  { m.chooser.Shift(+1); return nil }
func (m *Model) widerColumn() tea.Cmd        { m.chooser.ChangeWidth(+1); return nil }
func (m *Model) narrowerColumn() tea.Cmd     { m.chooser.ChangeWidth(-1); return nil }
func (m *Model) pinColumn() tea.Cmd          { m.chooser.Pin(); return nil }
func (m *Model) resetColumns() tea.Cmd       { m.chooser.Reset(); return nil }
func (m *Model) cancelColumnChoice() tea.Cmd { m.chooser = nil; return nil }

func (m *Model) showOrHideColumn() tea.Cmd {
	if problem := m.chooser.ShowOrHide(); problem != "" {
		m.notify(problem)
	}
	return nil
}

func (m *Model) applyColumns() tea.Cmd {
	m.positions.columns = m.chooser.Settings()
	m.positions.widths.Forget()
	m.chooser = nil
	return nil
}

// pickable is what a picker chooses: parties or markets.
type pickable struct {
	name       string
	configured func(*model.Instruments) []model.ID
	seen       func(parties, markets []model.ID) []model.ID
	in         func(*model.Scope) *[]model.ID
	label      func(*format.Formatter, model.ID) string
	find       func(in *model.Instruments, text string) model.ID // what a typed text means
}

var (
	pickableParties = pickable{
		"parties", (*model.Instruments).Parties, func(parties, _ []model.ID) []model.ID { return parties },
		func(s *model.Scope) *[]model.ID { return &s.Parties }, (*format.Formatter).Party, (*model.Instruments).FindParty,
	}
	pickableMarkets = pickable{
		"markets", (*model.Instruments).Markets, func(_, markets []model.ID) []model.ID { return markets },
		func(s *model.Scope) *[]model.ID { return &s.Markets }, (*format.Formatter).Market, (*model.Instruments).FindMarket,
	}
)

func (m *Model) pickParties() tea.Cmd { return m.pick(&pickableParties) }
func (m *Model) pickMarkets() tea.Cmd { return m.pick(&pickableMarkets) }

// pick opens a picker. It offers what the configuration names, what is in the scope and what was seen in positions.
func (m *Model) pick(what *pickable) tea.Cmd {
	in, scope := m.store.Instruments(), m.store.Settings().Scope
	chosen := *what.in(&scope)
	m.picking = what
	m.picker = picker.New(what.name, chosen, func(text string) model.ID { return what.find(in, text) })
	offered := slices.Concat(what.configured(in), chosen, what.seen(m.store.Seen()))
	m.picker.Offer(offered, func(id model.ID) string { return what.label(m.store.Format(), id) })
	return nil
}

// pickMark marks the row under the cursor, or unmarks it.
func (m *Model) pickMark() tea.Cmd {
	m.picker.Mark()
	return nil
}

// pickApply watches what was chosen.
func (m *Model) pickApply() tea.Cmd {
	p := m.picker
	m.picker = nil
	scope := m.store.Settings().Scope
	*m.picking.in(&scope) = p.Applies()
	return m.watch(scope)
}

func (m *Model) pickCancel() tea.Cmd {
	m.picker = nil
	return nil
}
