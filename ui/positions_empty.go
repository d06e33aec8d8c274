package ui

import (
	"fmt"

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
	view := m.data.view
	if m.data.slow(m.now()) {
		return "Sorting..."
	}
	if m.data.cleared {
		return ""
	}
	if words := m.loadingWords(); words != "" {
		return words
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

// clearFilterKeys are the keys that clear the filter: esc alone where that is the latest step.
func (m *Model) clearFilterKeys() string {
	if latest, ok := m.steps.latest(); m.filter.open || ok && latest.kind == filterStep && m.appliedFilter() == "" {
		return "esc"
	}
	return m.keys.Fill("{filter} and esc")
}

// wholeReason is what is wrong, on a line of its own, where the second line of the screen has no room for all of it.
func (m *Model) wholeReason() string {
	if reason := m.reason(); m.fitReason(reason, m.width-2) != reason {
		return "\n\n" + reason
	}
	return ""
}

// loadingWords returns what the subscriptions without rows are doing; empty where all have rows.
func (m *Model) loadingWords() string {
	if m.data.view.Rows() > 0 {
		return ""
	}
	links := m.incoming.links
	if len(links) == 0 {
		return "Connecting"
	}
	rows, pages, syncing, waiting := 0, 0, 0, 0
	address := ""
	for i := range links {
		link := &links[i]
		switch {
		case link.Committed:
		case link.Phase == model.Syncing:
			rows, pages, syncing = rows+link.StagedRows, pages+link.StagedPages, syncing+1
		default:
			waiting++
			address = link.Address
		}
	}
	switch {
	case syncing > 0:
		if len(links) == 1 {
			return stagedWords(&links[0])
		}
		return fmt.Sprintf("Loading snapshots: %s, %s, %d of %d subscriptions to go",
			model.Counted(rows, "position"), model.Counted(pages, "page"), syncing+waiting, len(links))
	case waiting > 0 && m.reason() != "":
		return "No positions were received yet." + m.wholeReason()
	case waiting > 0 && address != "":
		return "Connecting to " + model.Neutralise(address)
	case waiting > 0:
		return "Connecting"
	}
	return ""
}
