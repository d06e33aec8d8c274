package positions

import (
	"blotter/ui/draw"
	"blotter/ui/pane"
	"blotter/ui/wording"
)

// drawEmpty draws why the table is empty.
func (p *Pane) drawEmpty(c *pane.Context, s pane.Size) []string {
	words := draw.Wrap(p.emptyWords(c, s.Width-2), max(s.Width-4, 1))
	lines := draw.Fit(nil, min(max((s.Height-len(words))/4, 1), max(s.Height-len(words), 0)))
	for _, line := range words {
		lines = append(lines, draw.Centred(s.Width, draw.Plain, line))
	}
	return lines
}

func (p *Pane) emptyWords(c *pane.Context, width int) string {
	v := p.store.View()
	if p.store.IsSorting() {
		return "Sorting..."
	}
	if p.store.IsCleared() {
		return ""
	}
	if v.Rows() == 0 {
		if words := p.loading(c, width); words != "" {
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
	case v.Filtered() > 0 && closed > 0:
		return "No open position matches; " + clearKeys + " clears the filter, " + c.Keys.Key("show_closed") + " shows " +
			wording.Counted(closed, "closed position") + " that it matches."
	case v.Filtered() > 0:
		return "No position matches; " + clearKeys + " clears the filter."
	case closed == 1:
		return c.Keys.Fill("1 closed position hidden. Press {show_closed} to show it.")
	}
	return wording.Counted(closed, "closed position") + c.Keys.Fill(" hidden. Press {show_closed} to show them.")
}
