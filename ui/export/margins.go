package export

import (
	"io"

	"blotter/model"
)

// marginKeys are the columns of margin records for programs: the fields of the interface, in its order.
var marginKeys = []string{"asset", "release", "initial", "maintenance", "market", "party", "search", "recorded"}

// marginTableKeys are the columns of a table of margin records.
var marginTableKeys = []string{"party", "market", "asset", "maintenance", "search", "initial", "release", "recorded"}

// marginColumns are all columns of margin records.
func marginColumns() []column[model.MarginLevels] {
	type levels = model.MarginLevels
	level := func(key, field, heading string, keep int, of func(*levels) model.Amount) column[levels] {
		return amountColumn(key, field, heading, keep, false, amounts[levels]{
			func(m *levels, _ *Options) (model.Amount, bool) { return of(m), true },
			func(m *levels, in *model.Instruments) int { return in.Asset(m.Asset).Decimals },
		})
	}
	return []column[levels]{
		partyColumn(func(m *levels) model.ID { return m.Party }),
		marketColumn(func(m *levels) model.ID { return m.Market }),
		idColumn("asset", "asset", "ASSET", func(m *levels) model.ID { return m.Asset }, assetLabel),
		level("maintenance", "maintenanceMargin", "MAINTENANCE", 9, func(m *levels) model.Amount { return m.Maintenance }),
		level("search", "searchLevel", "SEARCH", 6, func(m *levels) model.Amount { return m.Search }),
		level("initial", "initialMargin", "INITIAL", 5, func(m *levels) model.Amount { return m.Initial }),
		level("release", "collateralReleaseLevel", "RELEASE", 4, func(m *levels) model.Amount { return m.Release }),
		timeColumn("recorded", "timestamp", "RECORDED", func(m *levels) model.Amount { return m.Timestamp }),
	}
}

// MarginKeys returns the keys of all columns of margin records.
func MarginKeys() []string { return keysOf(marginColumns()) }

// WriteMargins writes margin records in the order given. Options.Columns must be MarginKeys.
func WriteMargins(w io.Writer, format Format, rows []model.MarginLevels, options Options) (Result, error) {
	columns := columnsOf(marginColumns(), format, &options, marginTableKeys, marginKeys)
	at := func(i int, _ *model.MarginLevels) *model.MarginLevels { return &rows[i] }
	r := records[model.MarginLevels]{columns: columns, count: len(rows), at: at, options: &options}
	return r.write(w, format)
}
