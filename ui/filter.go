package ui

import (
	"cmp"
	"slices"
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
	m.closePages()
	m.filter = filterPrompt{open: true, line: newTextInput(m.data.filter.Text)}
	return nil
}

// applyFilter narrows the table after each key. Words that cannot be understood narrow nothing.
func (m *Model) applyFilter() tea.Cmd { return m.setFilter(understood(m.filter.line.String())) }

// setFilter narrows the table to the rows that match a text, as a step; an empty text matches all rows.
func (m *Model) setFilter(text string) tea.Cmd {
	m.steps.setStep(filterStep, strings.TrimSpace(text) != "")
	if text == m.data.filter.Text {
		return nil
	}
	m.data.filter.Text = text
	return m.data.prepare(m.now())
}

// setUnderstood sets the filter of the first view to what can be understood of a text, and says what cannot.
func (m *Model) setUnderstood(text string) {
	m.steps.setStep(filterStep, strings.TrimSpace(m.data.filter.Text) != "")
	if wrong := unknownField(text); wrong != "" {
		m.notify("Filter: " + wrong)
	}
}

// keepFilter closes the prompt, but not while it says what it does not understand.
func (m *Model) keepFilter() tea.Cmd {
	if unknownField(m.filter.line.String()) == "" {
		m.filter.open = false
		m.setFocus(positionsPane)
	}
	return nil
}

// dropFilter closes the prompt and clears the filter.
func (m *Model) dropFilter() tea.Cmd {
	m.filter = filterPrompt{}
	return m.setFilter("")
}

// drawFilter draws the line in which the filter is typed, with what it finds, what is wrong with it, or a notice.
func (m *Model) drawFilter(width int) string {
	found, style := m.filterResult()
	l := draw.NewLine(width).Put(m.styles.accent, " / ").Put(draw.Plain, draw.Cut(m.filter.line.String(), width-filterColumn-2))
	if hint := " words, or " + model.FilterFields; m.filter.line.String() == "" && draw.Width(hint) < l.Left() {
		l.Put(m.styles.dim, hint)
	}
	if words := cmp.Or(m.notice.text, unknownField(m.filter.line.String())); words != "" {
		return l.Space(3).Put(m.styles.warning, words).String()
	}
	if l.Left() > draw.Width(found)+1 {
		l.To(width-draw.Width(found)).Put(style, found)
	}
	return l.String()
}

// filterResult says what the typed filter finds.
func (m *Model) filterResult() (words string, style draw.Style) {
	view := m.data.view
	if view.Len() == 0 && view.Rows() > 0 {
		return "No position matches; esc clears the filter ", m.styles.dim
	}
	return model.Counted(view.Len(), "row") + " of " + grouped(view.Rows()) + "  esc clears ", m.styles.dim
}

// understood returns a filter without the words that cannot be understood.
func understood(text string) string {
	unknown := func(word string) bool { return unknownField(word) != "" }
	words := strings.Fields(text)
	if !slices.ContainsFunc(words, unknown) {
		return text
	}
	return strings.Join(slices.DeleteFunc(words, unknown), " ")
}

// unknownField says which field of a filter there is not, and which there are; empty where the filter is understood.
func unknownField(text string) string {
	field := model.Filter{Text: text}.UnknownField()
	if field == "" {
		return ""
	}
	return `unknown field "` + shown(field) + `"; fields: ` + strings.ReplaceAll(model.FilterFields, ":", "")
}
