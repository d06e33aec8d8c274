package export

import (
	"io"
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
)

// marginKeys returns the columns of margin records for programs: the fields of the interface, in its order.
func marginKeys() []string {
	fields := marginColumns()
	slices.SortFunc(fields, func(a, b column[model.MarginLevels]) int { return strings.Compare(a.field, b.field) })
	return keysOf(fields)
}

func marginColumns() []column[model.MarginLevels] {
	type levels = model.MarginLevels
	number := func(n model.MarginNumber) column[levels] {
		heading, keep := columns.MarginNumberHeading(n)
		if n.IsTime() {
			return timeColumn(n.Key(), n.Name(), heading, func(m *levels) model.Amount { return m.Number(n) })
		}
		return amountColumn(n.Key(), n.Name(), heading, keep, false, amounts[levels]{
			func(m *levels, _ *Options) (model.Amount, bool) { return m.Number(n), true },
			func(m *levels, in *model.Instruments) int { return in.Asset(m.Asset).Decimals },
		})
	}
	all := []column[levels]{
		partyColumn(func(m *levels) model.ID { return m.Party }),
		marketColumn(func(m *levels) model.ID { return m.Market }),
		idColumn("asset", "asset", columns.Title(view.AssetColumn), func(m *levels) model.ID { return m.Asset }, assetLabel),
	}
	for n := range model.MarginNumberCount {
		all = append(all, number(n))
	}
	for t := range model.MarginTextCount {
		all = append(all, marginTextColumn(t))
	}
	return all
}

func marginTextColumn(t model.MarginText) column[model.MarginLevels] {
	type levels = model.MarginLevels
	title := columns.MarginTextTitle(t)
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

// WriteMargins writes margin records in the order given. Options.Columns are MarginKeys, or none.
func WriteMargins(w io.Writer, format Format, rows []model.MarginLevels, options Options) (Result, error) {
	shown := columnsOf(marginColumns(), format, &options, marginTableKeys(rows), marginKeys())
	at := func(i int, _ *model.MarginLevels) *model.MarginLevels { return &rows[i] }
	r := records[model.MarginLevels]{columns: shown, count: len(rows), at: at, options: &options}
	return r.write(w, format)
}
