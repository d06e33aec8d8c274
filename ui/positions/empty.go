package positions

import (
	"blotter/model/filter"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// emptyTable is what is drawn in place of the rows if there are none.
type emptyTable struct {
	store *store.Store
	// loading returns how far the first snapshots are, in the given number of cells; empty if they are there.
	loading func(c *pane.Context, width int) string
}

// draw draws why the table is empty.
func (e *emptyTable) draw(c *pane.Context, s pane.Size) []string {
	words := draw.Wrap(e.words(c, s.Width-2), max(s.Width-4, 1))
	lines := draw.Fit(nil, min(max((s.Height-len(words))/4, 1), max(s.Height-len(words), 0)))
	for _, line := range words {
		lines = append(lines, draw.Centred(s.Width, draw.Plain, line))
	}
	return lines
}

// words returns why the table is empty.
func (e *emptyTable) words(c *pane.Context, width int) string {
	v := e.store.View()
	if e.store.IsSorting() {
		return "Sorting..."
	}
	if e.store.IsCleared() {
		return ""
	}
	if v.Rows() == 0 {
		if words := e.loading(c, width); words != "" {
			return words
		}
	}
	clearKeys := "esc"
	if !c.IsTyping && !c.EscClearsFilter {
		clearKeys = c.Keys.Fill("{filter} and esc")
	}
	closed := v.ClosedHidden()
	switch {
	case v.Rows() == 0:
		return "No positions."
	case v.Filtered() > 0 && v.Open() > 0 && v.Margins().Covered() == 0 && usesMargins(v.Filter.Text):
		return "No position matches: no margin levels are known, and so no uPnL/MM; " + clearKeys + " clears the filter."
	case v.Filtered() > 0 && closed > 0:
		return "No open position matches; " + clearKeys + " clears the filter, " + c.Keys.Key("show_closed") + " shows " +
			format.Counted(closed, "closed position") + " that it matches."
	case v.Filtered() > 0:
		return "No position matches; " + clearKeys + " clears the filter."
	case closed == 1:
		return c.Keys.Fill("1 closed position hidden. Press {show_closed} to show it.")
	}
	return format.Counted(closed, "closed position") + c.Keys.Fill(" hidden. Press {show_closed} to show them.")
}

func usesMargins(text string) bool {
	query, _ := filter.Parse(text)
	return query.UsesMargins()
}
