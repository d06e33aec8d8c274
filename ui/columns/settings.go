package columns

import (
	"fmt"
	"slices"
	"strings"

	"blotter/model/view"
	"blotter/ui/table"
)

// Setting is how the trader has set a column of the positions table.
type Setting struct {
	Column view.Column
	Hidden bool // it is not shown, unless the rows are sorted by it
	Pinned bool // it is shown on every screen that has room for it, and left out last
	Width  int  // in cells; for numbers the least width; 0: as wide as its texts
}

// Settings are the settings of every column, in the order of the columns on the screen.
type Settings []Setting

// Default returns the settings if the trader has chosen nothing.
func Default() Settings {
	var all Settings
	for _, c := range view.Columns() {
		all = append(all, Setting{Column: c, Hidden: layouts[c].atFirst == hiddenAtFirst})
	}
	return all
}

// IsAlwaysShown reports whether the column is shown on every screen: rows would look the same without it.
func (s *Setting) IsAlwaysShown() bool { return isIdentity(s.Column) }

// isIdentity reports whether a column identifies the position of a row. Such a column is always shown.
func isIdentity(c view.Column) bool { return c == view.MarketColumn || c == view.PartyColumn }

// maxWidth is how wide a column can be set.
const maxWidth = 60

// ChangeWidth makes the column wider or narrower by a cell. If it gets narrower than the column can be, it is as wide
// as its texts need again.
func (s *Setting) ChangeWidth(cells int) {
	least := layouts[s.Column].min
	switch {
	case s.Width == 0 && cells > 0:
		s.Width = least
	case s.Width > 0:
		s.Width = min(s.Width+cells, maxWidth)
	}
	if s.Width < least {
		s.Width = 0
	}
}

// Shown returns the columns that a table of a width may show of a view. What its rows are grouped by is in the
// headings, and has no column.
func (s Settings) Shown(width int, v *view.View) []view.Column {
	var columns []view.Column
	for i, setting := range s {
		c := setting.Column
		tooNarrow := width < layouts[c].from && !setting.Pinned && !sortsBy(v.Order, c)
		isFirstLine := width >= TwoLinesBelow || c == v.Order.Column || slices.Contains(firstLineColumns, c)
		if s[i].isWanted(v) && !tooNarrow && isFirstLine {
			columns = append(columns, c)
		}
	}
	return columns
}

// isWanted reports whether a table of a view shows the column if there is room for it.
func (s *Setting) isWanted(v *view.View) bool {
	inHeading, isGrouped := grouped[v.Groups.By]
	hasNothing := s.Column.NeedsBaseline() && !v.ShowsChanges() && !s.Pinned
	return (!hasNothing && !s.Hidden || sortsBy(v.Order, s.Column)) && !(isGrouped && s.Column == inHeading)
}

// From returns the columns of a table of a view whose columns are scrolled: those that identify a row, and the others
// but for the given number of the first.
func (s Settings) From(scrolled int, v *view.View) []view.Column {
	var columns []view.Column
	for i, setting := range s {
		switch {
		case !s[i].isWanted(v):
		case isIdentity(setting.Column):
			columns = append(columns, setting.Column)
		case scrolled > 0:
			scrolled--
		default:
			columns = append(columns, setting.Column)
		}
	}
	return columns
}

// KeepFirst makes a table leave out the rightmost columns first, and those that identify a row never.
func KeepFirst(columns []table.Column) {
	for i := range columns {
		if !columns[i].Name {
			columns[i].Keep = len(columns) - i
		}
	}
}

// sortsBy reports whether an order is that of a column: the order by trouble is that of the margin ratio.
func sortsBy(order view.Order, c view.Column) bool {
	return c == order.Column || c == view.MarginRatioColumn && order.Column == view.TroubleColumn
}

// pinnedKeep is the Keep of a pinned column: it is left out after all that are not pinned.
const pinnedKeep = 1000

// apply changes how a column is laid out.
func (s *Setting) apply(column *table.Column) {
	if s.Pinned && column.Keep != table.Always {
		column.Keep += pinnedKeep
		column.HideEmpty = false
	}
	if s.Width > 0 {
		column.Min = max(s.Width, layouts[s.Column].min)
		column.Max = column.Min
	}
}

// State is how the trader has set a column, as it is remembered.
type State struct {
	Column string `json:"column"` // its key: see view.Column
	Hidden bool   `json:"hidden,omitempty"`
	Pinned bool   `json:"pinned,omitempty"`
	Width  int    `json:"width,omitempty"`
}

// State returns the settings to remember; none if they are the default.
func (s Settings) State() []State {
	if slices.Equal(s, Default()) {
		return nil
	}
	var states []State
	for _, setting := range s {
		states = append(states, State{setting.Column.Key(), setting.Hidden, setting.Pinned, setting.Width})
	}
	return states
}

// SettingsOf returns the settings of what was remembered. Unknown columns are ignored, and new ones are in their
// default places.
func SettingsOf(states []State) Settings {
	all, missing := Settings{}, Default()
	for _, state := range states {
		at := slices.IndexFunc(missing, func(s Setting) bool { return s.Column.Key() == state.Column })
		if at < 0 {
			continue
		}
		setting := missing[at]
		missing = slices.Delete(missing, at, at+1)
		setting.Hidden, setting.Pinned = state.Hidden && !isIdentity(setting.Column), state.Pinned
		if least := layouts[setting.Column].min; state.Width >= least {
			setting.Width = min(state.Width, maxWidth)
		}
		all = append(all, setting)
	}
	for _, setting := range missing {
		at := slices.Index(view.Columns(), setting.Column)
		all = slices.Insert(all, min(at, len(all)), setting)
	}
	return all
}

// Only returns the states if these columns are shown, from left to right and as far as there is room, and the others
// are not. Those of party and market are always shown: if they are not given they are the leftmost.
func Only(columns []view.Column) []State {
	var identity, shown, hidden []State
	for _, c := range columns {
		shown = append(shown, State{Column: c.Key(), Pinned: true})
	}
	for _, c := range view.Columns() {
		switch {
		case slices.Contains(columns, c):
		case isIdentity(c):
			identity = append(identity, State{Column: c.Key()})
		default:
			hidden = append(hidden, State{Column: c.Key(), Hidden: true})
		}
	}
	return slices.Concat(identity, shown, hidden)
}

// Notes are the settings of a column in a few words.
func (s *Setting) Notes() string {
	var notes []string
	if s.Pinned {
		notes = append(notes, "pinned")
	}
	if s.Width > 0 {
		notes = append(notes, fmt.Sprintf("width %d", s.Width))
	}
	return strings.Join(notes, ", ")
}

// Words returns when the column is shown, and how wide it is.
func (s *Setting) Words() string {
	layout := layouts[s.Column]
	words := layout.title + " is "
	switch {
	case isIdentity(s.Column):
		words += "always shown"
	case s.Hidden:
		return words + "not shown, unless the rows are sorted by it"
	case s.Pinned:
		words += "left out last on a narrow screen"
	case s.Column.NeedsBaseline():
		words += "shown while there is a baseline"
	case layout.from > 0:
		words += fmt.Sprintf("shown from a width of %d cells on", layout.from)
	default:
		words += "shown if there is room for it"
	}
	switch {
	case s.Width > 0 && layout.number:
		return words + fmt.Sprintf(", at least %d cells wide", s.Width)
	case s.Width > 0:
		return words + fmt.Sprintf(", %d cells wide", s.Width)
	}
	return words + ", as wide as its texts"
}
