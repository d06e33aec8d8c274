package positions

import (
	tea "charm.land/bubbletea/v2"

	"blotter/model/view"
	"blotter/ui/export"
	"blotter/ui/pane"
)

// copyRow copies the marked rows; without any the selected one, or the subtotals of the selected group.
func copyRow(p *Pane, c *pane.Context) []pane.Effect {
	if len(p.marked) > 0 {
		return copyMarked(p)
	}
	w := export.ClipboardWriter{View: p.store.View(), Format: p.store.Format()}
	if g, ok := p.selectedGroup(); ok {
		return []pane.Effect{pane.Copy{What: "subtotals of " + p.cells.heading(c, g).Name(), Text: w.Group(g)}}
	}
	selected := p.Selected()
	return []pane.Effect{pane.Copy{What: p.store.Format().Title(selected.Key), Text: w.Row(selected)}}
}

// copyRows copies all lines of the table, in its order: the headings of groups with their subtotals, and the rows, but
// not those of folded groups.
func copyRows(p *Pane, _ *pane.Context) []pane.Effect {
	name := "row"
	if p.store.View().Groups.By != view.Ungrouped {
		name = "line"
	}
	return copyLines(p, name, p.store.View().Lines(), "", (*export.ClipboardWriter).Table)
}

func copyMarked(p *Pane) []pane.Effect {
	shown, hidden := p.marked.rows(p)
	return copyLines(p, "marked row", len(shown), hidden, func(w *export.ClipboardWriter, yield func(string) bool) {
		for _, key := range shown {
			if position, ok := w.View.Book().Find(key); ok && !yield(w.Row(&position)) {
				return
			}
		}
	})
}

// copyLines copies lines of the table. There are all lines, name is what one of them is called, and hidden are words
// about others. A command makes the text: 10,000 lines take longer than a frame.
func copyLines(p *Pane, name string, all int, hidden string, lines func(*export.ClipboardWriter, func(string) bool)) []pane.Effect {
	w := &export.ClipboardWriter{View: p.store.View(), Format: p.store.Format().Clone()}
	var copied pane.Copy
	read := func() {
		each := func(yield func(string) bool) { lines(w, yield) }
		copied.What, copied.Text = export.ClipboardLines(export.ClipboardHeading, name, all, each)
		copied.What += hidden
	}
	return []pane.Effect{pane.Send(p.store.Copy(read, func() tea.Msg { return pane.Effects{copied} }))}
}
