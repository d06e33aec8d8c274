package store

import (
	"maps"
	"slices"

	"blotter/model"
	"blotter/model/book"
)

// maxHeldRows is how many rows Holdings reads at most, and maxSeen how many parties, or markets, are remembered.
const (
	maxHeldRows = 20_000
	maxSeen     = 1_000
)

// seen are the identifiers in positions, also in those of earlier scopes.
type seen struct{ parties, markets map[model.ID]bool }

// collect adds the identifiers in the positions of the book.
func (s *seen) collect(b *book.Book) {
	if s.parties == nil {
		s.parties, s.markets = make(map[model.ID]bool), make(map[model.ID]bool)
	}
	for t := range b.AllTables {
		addSeen(s.parties, t.Rows().Parties().Values())
		addSeen(s.markets, t.Rows().Markets().Values())
	}
}

// addSeen adds identifiers, as far as there is room for them.
func addSeen(to map[model.ID]bool, ids []model.ID) {
	for _, id := range ids {
		if len(to) == maxSeen {
			return
		}
		to[id] = true
	}
}

// distinct returns all identifiers except the zero one, each once.
func distinct(ids ...[]model.ID) []model.ID {
	known := map[model.ID]bool{{}: true}
	return slices.DeleteFunc(slices.Concat(ids...), func(id model.ID) bool {
		isKnown := known[id]
		known[id] = true
		return isKnown
	})
}

// sortedIDs returns identifiers in the order of their text.
func sortedIDs(ids map[model.ID]bool) []model.ID {
	return slices.SortedFunc(maps.Keys(ids), model.ID.Compare)
}
