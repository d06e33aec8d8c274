package ui

import (
	"slices"

	"blotter/model/view"
	"blotter/ui/table"
)

// columnSetting is how the trader has set a column of the positions table.
type columnSetting struct {
	column view.Column
	hidden bool // it is not shown, unless the rows are sorted by it
	pinned bool // it is shown on every screen that has room for it, and left out last
	width  int  // cells, as the column's texts have them, or at least so many for numbers; 0: as its texts need
}

// columnSettings are the settings of every column, in the order of the columns on the screen.
type columnSettings []columnSetting

// defaultColumns are the columns as they are where the trader has chosen nothing.
func defaultColumns() columnSettings {
	var all columnSettings
	for _, c := range view.Columns() {
		all = append(all, columnSetting{column: c})
	}
	return all
}

// isIdentity reports whether a column identifies the position of a row. Such a column is always shown.
func isIdentity(c view.Column) bool { return c == view.MarketColumn || c == view.PartyColumn }

// maxColumnWidth is how wide a column can be set.
const maxColumnWidth = 60

// changeWidth makes the column wider or narrower by a cell. Where it gets narrower than the column can be, it is as
// wide as its texts need again.
func (s *columnSetting) changeWidth(cells int) {
	least := columnViews[s.column].min
	switch {
	case s.width == 0 && cells > 0:
		s.width = least
	case s.width > 0:
		s.width = min(s.width+cells, maxColumnWidth)
	}
	if s.width < least {
		s.width = 0
	}
}

// shown returns the columns that a table of a width may show where rows are in an order.
func (s columnSettings) shown(width int, order view.Order) []view.Column {
	var columns []view.Column
	for _, setting := range s {
		c := setting.column
		tooNarrow := width < columnViews[c].from && !setting.pinned
		unwanted := (tooNarrow || setting.hidden) && !sortsBy(order, c)
		if !unwanted && (linesPerRow(width) == 1 || !isOnSecondLine(c, order)) {
			columns = append(columns, c)
		}
	}
	return columns
}

// sortsBy reports whether an order is that of a column: the order by trouble is that of the margin ratio.
func sortsBy(order view.Order, c view.Column) bool {
	return c == order.Column || c == view.MarginRatioColumn && order.Column == view.TroubleColumn
}

// of returns the setting of a column.
func (s columnSettings) of(c view.Column) columnSetting {
	at := slices.IndexFunc(s, func(setting columnSetting) bool { return setting.column == c })
	return s[at]
}

// pinnedKeep is the Keep of a pinned column: it is left out after all that are not pinned.
const pinnedKeep = 1000

// apply changes how a column is laid out.
func (s *columnSetting) apply(column *table.Column) {
	if s.pinned && column.Keep != table.Always {
		column.Keep += pinnedKeep
		column.HideEmpty = false
	}
	if s.width > 0 {
		column.Min = max(s.width, columnViews[s.column].min)
		column.Max = column.Min
	}
}

// ColumnState is how the trader has set a column, as it is remembered.
type ColumnState struct {
	Column string `json:"column"` // its key: see view.Column
	Hidden bool   `json:"hidden,omitempty"`
	Pinned bool   `json:"pinned,omitempty"`
	Width  int    `json:"width,omitempty"`
}

// state returns the settings to remember; none where they are the default.
func (s columnSettings) state() []ColumnState {
	if slices.Equal(s, defaultColumns()) {
		return nil
	}
	var states []ColumnState
	for _, setting := range s {
		states = append(states, ColumnState{setting.column.Key(), setting.hidden, setting.pinned, setting.width})
	}
	return states
}

// rememberedColumns returns the settings of what was remembered. Columns that there are not are passed over, and new
// ones are in their default places.
func rememberedColumns(states []ColumnState) columnSettings {
	all, missing := columnSettings{}, defaultColumns()
	for _, state := range states {
		at := slices.IndexFunc(missing, func(s columnSetting) bool { return s.column.Key() == state.Column })
		if at < 0 {
			continue
		}
		setting := missing[at]
		missing = slices.Delete(missing, at, at+1)
		setting.hidden, setting.pinned = state.Hidden && !isIdentity(setting.column), state.Pinned
		if least := columnViews[setting.column].min; state.Width >= least {
			setting.width = min(state.Width, maxColumnWidth)
		}
		all = append(all, setting)
	}
	for _, setting := range missing {
		all = slices.Insert(all, min(int(setting.column), len(all)), setting)
	}
	return all
}

// ShownColumns returns the states where these columns are shown, from left to right and as far as there is room, and
// the others are not. Those of party and market are always shown: where they are not given they are the leftmost.
func ShownColumns(columns []view.Column) []ColumnState {
	var identity, shown, hidden []ColumnState
	for _, c := range columns {
		shown = append(shown, ColumnState{Column: c.Key(), Pinned: true})
	}
	for _, c := range view.Columns() {
		switch {
		case slices.Contains(columns, c):
		case isIdentity(c):
			identity = append(identity, ColumnState{Column: c.Key()})
		default:
			hidden = append(hidden, ColumnState{Column: c.Key(), Hidden: true})
		}
	}
	return slices.Concat(identity, shown, hidden)
}
