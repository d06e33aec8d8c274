package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
)

// filterPrompt is the line in which a filter is typed.
type filterPrompt struct {
	open bool
	line textInput
}

// filterColumn is where the typed text begins on the filter's line.
const filterColumn = 3

func (m *Model) startFilter() tea.Cmd {
	m.page = noPage
	m.filter = filterPrompt{open: true, line: newTextInput(m.data.filter.Text)}
	return nil
}

// applyFilter narrows the table after each key.
func (m *Model) applyFilter() tea.Cmd {
	if text := m.filter.line.String(); text != m.data.filter.Text {
		m.data.filter.Text = text
		return m.data.prepare(m.now())
	}
	return nil
}

func (m *Model) keepFilter() tea.Cmd {
	m.filter.open = false
	m.focus = positionsPane
	return nil
}

// dropFilter closes the prompt and clears the filter.
func (m *Model) dropFilter() tea.Cmd {
	m.filter = filterPrompt{}
	return m.applyFilter()
}

// drawFilter draws the line in which the filter is typed, with what it finds or what is wrong with it.
func (m *Model) drawFilter(width int) string {
	found, style := m.filterResult()
	room := width - filterColumn - 2
	l := draw.NewLine(width).Put(m.styles.accent, " / ").Put(draw.Plain, draw.Cut(m.filter.line.String(), room))
	if hint := " words, or " + model.FilterFields; m.filter.line.String() == "" && draw.Width(hint) < l.Left() {
		l.Put(m.styles.dim, hint)
	}
	if l.Left() > draw.Width(found)+1 {
		l.To(width-draw.Width(found)).Put(style, found)
	}
	return l.String()
}

// filterResult says what the typed filter finds.
func (m *Model) filterResult() (words string, style draw.Style) {
	view := m.data.view
	if field := unknownField(m.filter.line.String()); field != "" {
		return field + " ", m.styles.warning
	}
	if view.Len() == 0 && view.Rows() > 0 {
		return "No position matches; esc clears ", m.styles.dim
	}
	return model.Counted(view.Len(), "row") + " of " + grouped(view.Rows()) + "  esc clears ", m.styles.dim
}

// unknownField says which field of a filter there is not, and which there are; empty where the filter is understood.
func unknownField(text string) string {
	field := model.Filter{Text: text}.UnknownField()
	if field == "" {
		return ""
	}
	return `unknown field "` + shown(field) + `"; fields: ` + strings.ReplaceAll(model.FilterFields, ":", "")
}
