package ui

import (
	"blotter/model"
	"blotter/ui/draw"
)

// drawEmpty draws why the table is empty.
func (m *Model) drawEmpty(width, height int) []string {
	words := draw.Wrap(m.emptyWords(), max(width-4, 1))
	lines := draw.Fit(nil, min(max((height-len(words))/4, 1), max(height-len(words), 0)))
	for _, line := range words {
		lines = append(lines, draw.Centred(width, draw.Plain, line))
	}
	return lines
}

func (m *Model) emptyWords() string {
	view := m.store.View()
	if m.store.IsSorting() {
		return "Sorting..."
	}
	if m.store.IsCleared() {
		return ""
	}
	if view.Rows() == 0 {
		if words := m.streams().Loading(m.layout.Screen.Width - 2); words != "" {
			return words
		}
	}
	closed := view.ClosedHidden()
	switch {
	case view.Rows() == 0:
		return "No positions."
	case view.Filtered() > 0 && closed > 0:
		return "No open position matches; " + m.clearFilterKeys() + " clears the filter, " + m.keys.Key("show_closed") + " shows " +
			model.Counted(closed, "closed position") + " that it matches."
	case view.Filtered() > 0:
		return "No position matches; " + m.clearFilterKeys() + " clears the filter."
	case closed == 1:
		return m.keys.Fill("1 closed position hidden. Press {show_closed} to show it.")
	}
	return model.Counted(closed, "closed position") + m.keys.Fill(" hidden. Press {show_closed} to show them.")
}

// clearFilterKeys are the keys that clear the filter: esc alone if that is the latest step.
func (m *Model) clearFilterKeys() string {
	if _, isFilter := m.steps.latest().(filterStep); m.isFiltering() || isFilter && m.steps.appliedFilter() == "" {
		return "esc"
	}
	return m.keys.Fill("{filter} and esc")
}
