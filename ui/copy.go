package ui

import (
	"iter"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/clipboard"
	"blotter/ui/format"
)

// The keys that copy lines to the terminal's clipboard.

// clipboard returns what writes lines for the terminal's clipboard.
func (m *Model) clipboard() *clipboard.Writer {
	return &clipboard.Writer{View: m.store.View(), Format: m.store.Format()}
}

// sentToClipboard is the beginning of the notice about a copy. The terminal does not report whether it took the copy.
const sentToClipboard = "Sent to the terminal's clipboard: "

// copyRow sends the selected row to the terminal's clipboard, or the subtotals of the selected group.
func (m *Model) copyRow() tea.Cmd {
	if g, ok := m.selectedGroup(); ok {
		m.notify(sentToClipboard + "subtotals of " + m.headingOf(g).Name() + ".")
		return tea.SetClipboard(m.clipboard().Group(g))
	}
	p := m.selected()
	m.notify(sentToClipboard + m.store.Format().Title(p.Key) + ".")
	return tea.SetClipboard(m.clipboard().Row(p))
}

// copyRows sends all lines of the table, in its order, to the terminal's clipboard: the headings of groups with their
// subtotals, and the rows, but not those of folded groups.
func (m *Model) copyRows() tea.Cmd {
	name := "row"
	if m.store.View().Groups.By != view.Ungrouped {
		name = "line"
	}
	return m.copyLines(name, m.store.View().Lines(), m.clipboard().Table)
}

// copyLines sends lines to the terminal's clipboard, as many as it may have to take. all is how many of name there are.
func (m *Model) copyLines(name string, all int, lines iter.Seq[string]) tea.Cmd {
	text, copied := clipboard.Join(lines)
	words := model.Counted(copied, name)
	if copied < all {
		words = "the first " + words + " of " + format.Grouped(all)
	}
	m.notify(sentToClipboard + words + ".")
	return tea.SetClipboard(text)
}
