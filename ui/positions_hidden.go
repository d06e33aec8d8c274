package ui

import (
	"fmt"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
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
	if view.Rows() == 0 {
		if words := m.streams().Loading(m.width - 2); words != "" {
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

// clearFilterKeys are the keys that clear the filter: esc alone where that is the latest step.
func (m *Model) clearFilterKeys() string {
	if latest, ok := m.steps.latest(); m.filter.open || ok && latest.kind == filterStep && m.appliedFilter() == "" {
		return "esc"
	}
	return m.keys.Fill("{filter} and esc")
}

// drawRowCounts draws how many rows are shown and why others are not.
func (m *Model) drawRowCounts(width int) string {
	return draw.Text(width, m.styles.Dim, " "+m.rowCounts()[0])
}

// rowCounts returns how many rows are shown and why others are not. Shorter words come after longer ones.
func (m *Model) rowCounts() []string {
	v := m.data.view
	if m.data.slow(m.now()) {
		return []string{"sorting..."}
	}
	if v.Rows() == 0 {
		return []string{""}
	}
	short := format.Grouped(v.Len()) + " of " + format.Grouped(v.Rows())
	if v.Groups.By != view.Ungrouped {
		return []string{m.groupCounts(), short}
	}
	text := model.Counted(v.Len(), "position")
	if w := &m.positions.window; v.Len() > w.Height() {
		text = fmt.Sprintf("rows %s–%s of %s", format.Grouped(w.Top()+1), format.Grouped(min(w.Top()+w.Height(), v.Len())), format.Grouped(v.Len()))
	} else if v.Len() != v.Rows() {
		text = format.Grouped(v.Len()) + " of " + model.Counted(v.Rows(), "position")
	}
	if v.ClosedHidden() > 0 {
		text += fmt.Sprintf(", %s closed hidden", format.Grouped(v.ClosedHidden()))
	}
	return []string{text, short}
}
