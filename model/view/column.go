package view

import (
	"fmt"
	"strings"

	"blotter/model"
)

// Column is a column of the positions table. Its key, its title and its order are in one place, the table columns
// below: the screen, the order of rows and the configuration all use it.
type Column uint8

// The columns of the positions table, from left to right.
const (
	MarketColumn Column = iota
	PartyColumn
	SizeColumn
	SizeChangeColumn
	EntryColumn
	MarkColumn
	NotionalColumn
	UnrealisedColumn
	UnrealisedChangeColumn
	MarginRatioColumn
	MarginAgeColumn
	RealisedColumn
	RealisedChangeColumn
	StatusColumn
	AgeColumn
	TroubleColumn // an order alone: it has no column in the table. It stays the last one
)

// columns describes every column.
var columns = [...]struct {
	key      string   // its name in the configuration
	title    string   // its heading; empty for an order without a column in the table
	ordering ordering // how rows compare in it; nil if rows cannot be sorted by it
}{
	MarketColumn:           {"market", "MARKET", marketOrdering{}},
	PartyColumn:            {"party", "PARTY", partyOrdering{}},
	SizeColumn:             {"size", "SIZE", numberOrdering{model.OpenVolume}},
	SizeChangeColumn:       {"size_change", "ΔSIZE", changeOrdering{model.OpenVolume}},
	EntryColumn:            {"entry", "ENTRY", numberOrdering{model.AverageEntryPrice}},
	MarkColumn:             {"mark", "≈ MARK", nil}, // an estimate: the service does not send a mark
	NotionalColumn:         {"notional", "≈ NOTIONAL", nil},
	UnrealisedColumn:       {"unrealised", "uPNL", numberOrdering{model.UnrealisedPnl}},
	UnrealisedChangeColumn: {"unrealised_change", "ΔuPNL", changeOrdering{model.UnrealisedPnl}},
	MarginRatioColumn:      {"m%", "M%", ratioOrdering{}},
	MarginAgeColumn:        {"margin_age", "M% AGE", nil},
	RealisedColumn:         {"realised", "rPNL", numberOrdering{model.RealisedPnl}},
	RealisedChangeColumn:   {"realised_change", "ΔrPNL", changeOrdering{model.RealisedPnl}},
	StatusColumn:           {"status", "STATUS", statusOrdering{}},
	AgeColumn:              {"age", "AGE", ageOrdering{}},
	TroubleColumn:          {"trouble", "", ratioOrdering{byTrouble: true}},
}

// Columns returns every column, from left to right.
func Columns() []Column {
	var all []Column
	for c := range columns {
		if columns[c].title != "" {
			all = append(all, Column(c))
		}
	}
	return all
}

// Key returns the name of the column in the configuration.
func (c Column) Key() string { return columns[c].key }

// Title returns the heading of the column.
func (c Column) Title() string { return columns[c].title }

// IsSortable reports whether rows can be sorted by the column.
func (c Column) IsSortable() bool { return columns[c].ordering != nil }

// NeedsBaseline reports whether the column has changes since the baseline, which only the screen has.
func (c Column) NeedsBaseline() bool {
	_, isChange := columns[c].ordering.(changeOrdering)
	return isChange
}

// SortKeys returns the keys of all columns and orders that rows can be sorted by.
func SortKeys() []string {
	var keys []string
	for i := range columns {
		if c := Column(i); c.IsSortable() {
			keys = append(keys, c.Key())
		}
	}
	return keys
}

// ParseSortColumn returns the column or order with the key. The error lists SortKeys.
func ParseSortColumn(key string) (Column, error) {
	for i := range columns {
		if c := Column(i); c.IsSortable() && c.Key() == key {
			return c, nil
		}
	}
	return 0, fmt.Errorf("must be one of %s", strings.Join(SortKeys(), ", "))
}
