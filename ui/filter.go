package ui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/filter"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/input"
)

// filterPrompt is the line in which a filter is typed.
type filterPrompt struct {
	open bool
	line input.Line
}

// filterColumn is where the typed text begins on the filter's line.
const filterColumn = 3

// startFilterHere opens the prompt for the filter of the events on their page, else that of the positions.
func (m *Model) startFilterHere() tea.Cmd {
	if m.page == eventsPage {
		return m.startEventFilter()
	}
	return m.startFilter()
}

func (m *Model) startFilter() tea.Cmd {
	m.closePages()
	m.filter = filterPrompt{open: true, line: input.New(m.store.Settings().Filter)}
	return nil
}

// applyFilter narrows the table after each key. Words that cannot be understood narrow nothing.
func (m *Model) applyFilter() tea.Cmd {
	text := filter.Understood(m.parseTyped(), m.filter.line.String())
	if m.page == eventsPage {
		m.setEventFilter(text)
		return nil
	}
	return m.setFilter(text)
}

// parseTyped returns the parser of what is typed: the events have fields of their own.
func (m *Model) parseTyped() filter.Parser {
	if m.page == eventsPage {
		return filter.ParseEvents
	}
	return filter.Parse
}

// setFilter narrows the table to the rows that match a text, as a step; an empty text matches all rows.
func (m *Model) setFilter(text string) tea.Cmd {
	m.steps.set(filterStep{}, strings.TrimSpace(text) != strings.TrimSpace(m.steps.appliedFilter()))
	settings := m.store.Settings()
	settings.Filter = text
	return m.store.Set(settings)
}

// setUnderstood sets the filter of the first view to what can be parsed of a text, and reports what cannot.
func (m *Model) setUnderstood(text string) {
	m.steps.set(filterStep{}, strings.TrimSpace(m.store.Settings().Filter) != strings.TrimSpace(m.steps.appliedFilter()))
	if wrong := wrongWords(text); wrong != "" {
		m.notify("Filter: " + wrong)
	}
}

// keepFilter closes the prompt, but not while it shows what is wrong with the filter.
func (m *Model) keepFilter() tea.Cmd {
	if wrong := filter.Wrong(m.parseTyped(), m.filter.line.String()); wrong != nil {
		if wrong.Unfinished { // the line does not show that while it is typed
			m.notify(wrong.Words)
		}
		return nil
	}
	m.filter.open = false
	if m.page != eventsPage {
		m.setFocus(positionsPane)
	}
	return nil
}

// dropFilter closes the prompt and clears the filter.
func (m *Model) dropFilter() tea.Cmd {
	m.filter = filterPrompt{}
	if m.page == eventsPage {
		m.setEventFilter("")
		return nil
	}
	return m.setFilter("")
}

// filterHint is the text while nothing is typed.
const filterHint = ` words, or party:x size>0 m%<-20; {complete} completes`

// drawFilter draws the line in which the filter is typed, with what it finds, what is wrong with it, or a notice.
func (m *Model) drawFilter(width int) string {
	found, style := m.filterResult()
	text := m.filter.line.String()
	l := draw.NewLine(width).Put(m.styles.Accent, " / ")
	wrong := filter.Wrong(m.parseTyped(), text)
	if wrong != nil && wrong.Unfinished {
		wrong = nil
	}
	if shown := draw.Cut(text, width-filterColumn-2); wrong != nil && shown == text {
		l.Put(draw.Plain, text[:wrong.Start]).Put(m.styles.Warning, text[wrong.Start:wrong.End]).Put(draw.Plain, text[wrong.End:])
	} else {
		l.Put(draw.Plain, shown)
	}
	if format.Fenced(text) != text {
		l.Put(m.styles.Dim, draw.Fence)
	}
	if hint := m.keys.Fill(filterHint); text == "" && draw.Width(hint) < l.Left() {
		l.Put(m.styles.Dim, hint)
	}
	words := m.notice.text
	switch {
	case words != "":
	case wrong != nil:
		words = wrong.Words
	default:
		words = filter.Hint(text)
	}
	if words != "" {
		return l.Space(3).Put(m.styles.Warning, words).String()
	}
	if l.Left() > draw.Width(found)+1 {
		l.To(width-draw.Width(found)).Put(style, found)
	}
	return l.String()
}

// filterResult shows what the typed filter finds.
func (m *Model) filterResult() (words string, style draw.Style) {
	if m.page == eventsPage {
		return m.events.Listed() + "  esc clears ", m.styles.Dim
	}
	view := m.store.View()
	if view.Len() == 0 && view.Rows() > 0 && view.Uncompared() == 0 {
		return "No position matches; esc clears the filter ", m.styles.Dim
	}
	if n := view.Uncompared(); n > 0 {
		return model.Counted(n, "market") + " without decimals left out; 5r compares raw ", m.styles.Dim
	}
	return model.Counted(view.Len(), "row") + " of " + format.Grouped(view.Rows()) + "  esc clears ", m.styles.Dim
}

// wrongWords returns what cannot be understood of a filter, empty where all of it is understood.
func wrongWords(text string) string {
	if wrong := filter.Wrong(filter.Parse, text); wrong != nil {
		return wrong.Words
	}
	return ""
}

// completeFilter completes the field or the value before the cursor, and lists the candidates where there are several.
func (m *Model) completeFilter() tea.Cmd {
	line := &m.filter.line
	typed := line.BeforeCursor()
	complete := m.store.View().Complete
	if m.page == eventsPage {
		complete = m.store.View().CompleteEvents
	}
	start, candidates := complete(typed)
	if len(candidates) == 0 {
		m.notify("nothing to complete")
		return nil
	}
	if common := commonStart(candidates); len(common) >= len(typed)-start {
		line.ReplaceBefore(len([]rune(typed[start:])), common)
	}
	if len(candidates) > 1 {
		m.notify(strings.Join(candidates, "  "))
	}
	return m.applyFilter()
}

// commonStart returns what all texts begin with. It does not end within a character.
func commonStart(texts []string) string {
	common := texts[0]
	for _, text := range texts[1:] {
		for !strings.HasPrefix(text, common) {
			_, size := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-size]
		}
	}
	return common
}
