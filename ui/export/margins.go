package export

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"blotter/model"
	"blotter/ui/columns"
)

// marginKeys returns the columns of margin records for programs: the fields of the interface, in its order.
func marginKeys() []string {
	fields := marginColumns()
	slices.SortFunc(fields, func(a, b column[model.MarginLevels]) int { return strings.Compare(a.field, b.field) })
	return keysOf(fields)
}

// marginColumns are all columns of margin records.
func marginColumns() []column[model.MarginLevels] {
	type levels = model.MarginLevels
	level := func(key, field, heading string, keep int, of func(*levels) model.Amount) column[levels] {
		return amountColumn(key, field, heading, keep, false, amounts[levels]{
			func(m *levels, _ *Options) (model.Amount, bool) { return of(m), true },
			func(m *levels, in *model.Instruments) int { return in.Asset(m.Asset).Decimals },
		})
	}
	all := []column[levels]{
		partyColumn(func(m *levels) model.ID { return m.Party }),
		marketColumn(func(m *levels) model.ID { return m.Market }),
		idColumn("asset", "asset", "ASSET", func(m *levels) model.ID { return m.Asset }, assetLabel),
		level("maintenance", "maintenanceMargin", "MAINTENANCE", 9, func(m *levels) model.Amount { return m.Maintenance }),
		level("search", "searchLevel", "SEARCH", 6, func(m *levels) model.Amount { return m.Search }),
		level("initial", "initialMargin", "INITIAL", 5, func(m *levels) model.Amount { return m.Initial }),
		level("release", "collateralReleaseLevel", "RELEASE", 4, func(m *levels) model.Amount { return m.Release }),
		timeColumn("recorded", "timestamp", "RECORDED", func(m *levels) model.Amount { return m.Timestamp }),
	}
	for t := range model.MarginTextCount {
		all = append(all, marginTextColumn(t))
	}
	return all
}

// marginTextColumn is the column of a text of a margin record.
func marginTextColumn(t model.MarginText) column[model.MarginLevels] {
	type levels = model.MarginLevels
	title := cmp.Or(columns.MarginTextTitle(t), strings.ToUpper(t.Key()))
	c := textColumn(t.Key(), t.Name(), title, 1, func(m *levels, _ *Options) string { return m.MarginTexts[t] })
	c.shown = func(m *levels, _ *Options) string { return columns.MarginText(m, t, nil) }
	if t.IsAmount() {
		c = amountColumn(t.Key(), t.Name(), title, 1, false, amounts[levels]{
			func(m *levels, _ *Options) (model.Amount, bool) {
				return model.ParseAmount(m.MarginTexts[t]), m.MarginTexts[t] != ""
			},
			func(m *levels, in *model.Instruments) int { return in.Asset(m.Asset).Decimals },
		})
	}
	c.isOptional = true
	return c
}

// MarginKeys returns the keys of all columns of margin records.
func MarginKeys() []string { return keysOf(marginColumns()) }

// marginTableKeys returns the columns of a table: without those of a text that is the usual one in all rows.
func marginTableKeys(rows []model.MarginLevels) []string {
	isUsual := func(t model.MarginText) bool {
		return !slices.ContainsFunc(rows, func(m model.MarginLevels) bool { return !m.IsUsual(t) })
	}
	keys := MarginKeys()
	for t := range model.MarginTextCount {
		if isUsual(t) {
			keys = slices.DeleteFunc(keys, func(key string) bool { return key == t.Key() })
		}
	}
	return keys
}

// WriteMargins writes margin records in the order given. Options.Columns must be MarginKeys.
func WriteMargins(w io.Writer, format Format, rows []model.MarginLevels, options Options) (Result, error) {
	shown := columnsOf(marginColumns(), format, &options, marginTableKeys(rows), marginKeys())
	at := func(i int, _ *model.MarginLevels) *model.MarginLevels { return &rows[i] }
	r := records[model.MarginLevels]{columns: shown, count: len(rows), at: at, options: &options}
	return r.write(w, format)
}
