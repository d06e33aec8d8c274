package ui

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/format"
	"blotter/ui/picker"
)

// pickable is what a picker chooses: parties or markets.
type pickable struct {
	name       string
	configured func(*model.Instruments) []model.ID
	seen       func(*seen) map[model.ID]bool
	in         func(*model.Scope) *[]model.ID
	label      func(*format.Formatter, model.ID) string
	find       func(in *model.Instruments, text string) model.ID // what a typed text means
}

var (
	pickableParties = pickable{
		"parties", (*model.Instruments).Parties, func(s *seen) map[model.ID]bool { return s.parties },
		func(s *model.Scope) *[]model.ID { return &s.Parties }, (*format.Formatter).Party, (*model.Instruments).FindParty,
	}
	pickableMarkets = pickable{
		"markets", (*model.Instruments).Markets, func(s *seen) map[model.ID]bool { return s.markets },
		func(s *model.Scope) *[]model.ID { return &s.Markets }, (*format.Formatter).Market, (*model.Instruments).FindMarket,
	}
)

func (m *Model) pickParties() tea.Cmd { return m.pick(&pickableParties) }
func (m *Model) pickMarkets() tea.Cmd { return m.pick(&pickableMarkets) }

// pick opens a picker. It offers what the configuration names, what is in the scope and what was seen in positions.
func (m *Model) pick(what *pickable) tea.Cmd {
	in, scope := m.data.instruments, m.data.scope
	m.data.seen.collect(m.data.book)
	chosen := *what.in(&scope)
	m.picking = what
	m.picker = picker.New(what.name, chosen, func(text string) model.ID { return what.find(in, text) })
	offered := slices.Concat(what.configured(in), chosen, sortedIDs(what.seen(&m.data.seen)))
	m.picker.Offer(offered, func(id model.ID) string { return what.label(m.format, id) })
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
	scope := m.data.scope
	*m.picking.in(&scope) = p.Applies()
	return m.watch(scope)
}

func (m *Model) pickCancel() tea.Cmd {
	m.picker = nil
	return nil
}

// maxSeenRows and maxSeen limit the search for identifiers.
const (
	maxSeenRows = 20_000
	maxSeen     = 1_000
)

// seen are the identifiers in positions, also in those of earlier scopes.
type seen struct{ parties, markets map[model.ID]bool }

// collect adds the identifiers in the positions of the book.
func (s *seen) collect(b *book.Book) {
	if s.parties == nil {
		s.parties, s.markets = make(map[model.ID]bool), make(map[model.ID]bool)
	}
	rows := 0
	for p := range b.All {
		if len(s.parties) < maxSeen {
			s.parties[p.Party] = true
		}
		if len(s.markets) < maxSeen {
			s.markets[p.Market] = true
		}
		if rows++; rows == maxSeenRows {
			return
		}
	}
}

// sortedIDs returns identifiers in the order of their text.
func sortedIDs(ids map[model.ID]bool) []model.ID {
	return slices.SortedFunc(maps.Keys(ids), model.ID.Compare)
}
