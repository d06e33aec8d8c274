package positions

import (
	"fmt"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
)

// edge is what the line below the rows says: what is not seen of the table. The zero value is nothing, and no line is
// drawn.
type edge struct {
	worse    int  // how many lines above the window are worse than the first one in it
	selected int  // the number of the selected line, from 1, if it is not in the window
	isAbove  bool // it is above the window
}

// edgeOf returns what is not seen of the table now.
func edgeOf(p *Pane) edge {
	e := edge{worse: p.store.View().WorseAbove(p.Rows.Top())}
	if _, ok := p.Rows.Cursor(); ok && !p.Rows.IsSeen() {
		e.selected, e.isAbove = p.Rows.Place()+1, p.Rows.Place() < p.Rows.Top()
	}
	return e
}

// fit adapts the rows to the room that the edge leaves them, and the edge to the rows that are seen then.
func (p *Pane) fit(s pane.Size) {
	for range 2 { // again if there is an edge now and was none before, or the reverse
		had := p.edge != edge{}
		p.room = max(s.Height-1, 0) / linesPerRow(s.Width)
		if had && p.room > 1 {
			p.room = (s.Height - 2) / linesPerRow(s.Width)
		}
		p.Rows.Fit(p.room)
		if p.edge = edgeOf(p); had == (p.edge != edge{}) {
			return
		}
	}
}

func (e edge) draw(p *Pane, c *pane.Context, width int) string {
	worse, selected := e.worseWords(), e.selectedWords(p, c)
	l := draw.NewLine(width).Space(1)
	room := width - 2
	if len(selected) > 0 && len(worse) > 0 {
		room -= draw.Width(selected[len(selected)-1]) + 2
	}
	l.Put(worstStyle(c), draw.FirstThatFits(room, worse...))
	if l.Width() > 1 {
		l.Space(2)
	}
	words := draw.FirstThatFits(l.Left()-1, selected...)
	return l.To(width-draw.Width(words)-1).Put(c.Styles.Strong, words).String()
}

// worseWords says how many lines above are worse. Shorter words come after longer ones; there are none if none is.
func (e edge) worseWords() []string {
	if e.worse == 0 {
		return nil
	}
	count := "▲ " + format.Grouped(e.worse) + " worse"
	return []string{count + " above, not seen", count + " above", count}
}

// selectedWords says which line is selected. Shorter words come after longer ones; there are none if it is seen.
func (e edge) selectedWords(p *Pane, c *pane.Context) []string {
	if e.selected == 0 {
		return nil
	}
	arrow, key := "▼ ", c.Keys.Key("selected_row")
	if e.isAbove {
		arrow = "▲ "
	}
	number, name := fmt.Sprintf("row %s", format.Grouped(e.selected)), ""
	if g, ok := p.selectedGroup(); ok {
		name = ", " + p.cells.heading(c, g).Name()
	} else if selected := p.Selected(); selected != nil {
		f := p.store.Format()
		name = ", " + f.Market(selected.Market) + " " + f.Party(selected.Party)
	}
	return []string{
		arrow + "selected: " + number + name + "  " + key + " goes there", arrow + "selected: " + number + name + "  " + key,
		arrow + "selected: " + number + "  " + key, arrow + number + "  " + key,
	}
}

// worstStyle returns the style of words about the worst line of the table.
func worstStyle(c *pane.Context) draw.Style {
	v := c.Store.View()
	for line := range min(v.Lines(), 2) { // the first one may be the heading of a group
		if worst, ok := v.At(line); ok {
			if worst.Status() == model.StatusDistressed || c.Store.Alerts().IsActive(worst.Key) {
				return c.Styles.Alarm
			}
			break
		}
	}
	return c.Styles.Warning
}
