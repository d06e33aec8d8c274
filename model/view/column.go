package view

import (
	"fmt"
	"strings"

	"blotter/model"
	"blotter/model/filter"
	"blotter/model/view/sorting"
)

// Column is a column of the positions table. Its key and its order are an entry of the table columns below; what the
// screen shows in it is an entry of the table in package columns of ui.
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
	AssetColumn // of the amounts
	UnrealisedColumn
	UnrealisedChangeColumn
	MarginRatioColumn
	BarColumn    // the margin ratio as a bar
	ToHalfColumn // the distance to -50%
	ToAllColumn  // the distance to -100%
	MarginAgeColumn
	MaintenanceColumn // of the margin record
	PartOfEntryColumn
	LeverageColumn
	RealisedColumn
	RealisedChangeColumn
	DayColumn     // the PnL since the day began
	numberColumns // the first of those of other numbers: see NumberColumn
)

// The columns after those of other numbers.
const (
	StatusColumn = numberColumns + Column(model.FieldCount) + iota
	AgeColumn
	TroubleColumn // an order alone: it has no column in the table. It stays the last one
)

// column is the key and the order of a column.
type column struct {
	key      string           // its name in the configuration
	ordering sorting.Ordering // how rows compare in it; nil if rows cannot be sorted by it
}

// NumberColumn returns the column of a number of which model.Field.HasColumn is true.
func NumberColumn(f model.Field) Column { return numberColumns + Column(f) }

// columns describes every column. The places of numbers without a column of their own are empty.
var columns = withNumbers([...]column{
	MarketColumn:           {"market", sorting.ByMarket{}},
	PartyColumn:            {"party", sorting.ByParty{}},
	SizeColumn:             numberColumn(model.OpenVolume),
	SizeChangeColumn:       changeColumn(model.OpenVolume),
	EntryColumn:            numberColumn(model.AverageEntryPrice),
	MarkColumn:             {"mark", nil}, // an estimate: the service does not send a mark
	NotionalColumn:         {"notional", nil},
	AssetColumn:            {"asset", sorting.ByAsset{}},
	UnrealisedColumn:       numberColumn(model.UnrealisedPnl),
	UnrealisedChangeColumn: changeColumn(model.UnrealisedPnl),
	MarginRatioColumn:      {"m%", sorting.ByRatio{}},
	BarColumn:              {"bar", nil},
	ToHalfColumn:           distanceColumn(model.HalfLost),
	ToAllColumn:            distanceColumn(model.AllLost),
	MarginAgeColumn:        {"margin_age", nil},
	MaintenanceColumn:      {model.MaintenanceMargin.Key(), sorting.ByNumber{Field: model.UnrealisedPnl, Of: sorting.OfMaintenance}},
	PartOfEntryColumn:      figureColumn(model.PartOfEntry),
	LeverageColumn:         figureColumn(model.Leverage),
	RealisedColumn:         numberColumn(model.RealisedPnl),
	RealisedChangeColumn:   changeColumn(model.RealisedPnl),
	DayColumn:              {"day", sorting.ByNumber{Field: model.UnrealisedPnl, Of: sorting.SinceDay}},
	StatusColumn:           {"status", sorting.ByStatus{}},
	AgeColumn:              {"age", sorting.ByNumber{Field: model.UpdatedAt}},
	TroubleColumn:          {"trouble", sorting.ByRatio{ByTrouble: true}},
})

func withNumbers(all [TroubleColumn + 1]column) [TroubleColumn + 1]column {
	for f := range model.FieldCount {
		if f.HasColumn() {
			all[NumberColumn(f)] = numberColumn(f)
		}
	}
	return all
}

func numberColumn(field model.Field) column {
	return column{field.Key(), sorting.ByNumber{Field: field}}
}

// changeEnding is at the end of the key of a change since the baseline.
const changeEnding = "_change"

// changeColumn has the change of a number since the baseline.
func changeColumn(field model.Field) column {
	return column{field.Key() + changeEnding, sorting.ByNumber{Field: field, Of: sorting.SinceBaseline}}
}

func figureColumn(of model.Figure) column { return column{of.Key(), sorting.ByFigure{Of: of}} }

func distanceColumn(to model.RatioLimit) column { return column{to.Key(), sorting.ByDistance{To: to}} }

// Order is the order of rows: by a column, then by party and market. Parties and markets are compared by their labels.
// A column that rows cannot be sorted by (Column.IsSortable) orders them by market.
type Order struct {
	Column     Column
	Descending bool
}

// sorter returns how rows are sorted in the order. In the order by age the youngest is first.
func (o Order) sorter() sorting.Sorter {
	s := sorting.Sorter{Ordering: columns[o.Column].ordering, IsReversed: o.Descending != (o.Column == AgeColumn)}
	switch {
	case s.Ordering == nil:
		s.Ordering = sorting.ByMarket{}
	case o.Column == TroubleColumn && o.Descending:
		s.Ordering = sorting.DescendingTrouble
	}
	return s
}

// Columns returns every column, from left to right.
func Columns() []Column {
	var all []Column
	for c := range TroubleColumn {
		if c.Key() != "" {
			all = append(all, c)
		}
	}
	return all
}

// Key returns the name of the column in the configuration.
func (c Column) Key() string { return columns[c].key }

// KeyOf returns the key of the column with a name: its key, or its name in filters, such as upnl. It returns other
// names as they are.
func KeyOf(name string) string {
	for f := range model.FieldCount {
		if inFilters := f.FilterName(); inFilters != "" && inFilters == strings.TrimSuffix(name, changeEnding) {
			return f.Key() + strings.TrimPrefix(name, inFilters)
		}
	}
	switch {
	case filter.IsRatio(name):
		return MarginRatioColumn.Key()
	case filter.IsAge(name):
		return AgeColumn.Key()
	}
	return name
}

// IsSortable reports whether rows can be sorted by the column.
func (c Column) IsSortable() bool { return columns[c].ordering != nil }

// NeedsBaseline reports whether the column has changes since the baseline, which only the screen has.
func (c Column) NeedsBaseline() bool {
	return Order{Column: c}.sorter().UsesBaseline()
}

// HasAmounts reports whether the column has amounts of an asset, which compare only if the asset is known.
func (c Column) HasAmounts() bool {
	return Order{Column: c}.sorter().HasAmounts()
}

// UsesMargins reports whether what the column shows, or its order, depends on margin ratios.
func (c Column) UsesMargins() bool { return Order{Column: c}.sorter().UsesMargins() }

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

// ParseSortColumn returns the column or order with the name: see KeyOf. The error lists SortKeys.
func ParseSortColumn(name string) (Column, error) {
	key := KeyOf(name)
	for i := range columns {
		if c := Column(i); c.IsSortable() && c.Key() == key {
			return c, nil
		}
	}
	return 0, fmt.Errorf("must be one of %s", strings.Join(SortKeys(), ", "))
}
