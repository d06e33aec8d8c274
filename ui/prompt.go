package ui

import (
	"unicode"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// typed is a line of text that is being typed.
type typed struct {
	runes []rune
	at    int // where the cursor stands
}

// typedMost bounds what can be typed or pasted.
const typedMost = 512

func typedText(text string) typed {
	var t typed
	t.insert(text)
	return t
}

func (t *typed) String() string { return string(t.runes) }

// column is the cell of the cursor.
func (t *typed) column() int { return cells(string(t.runes[:t.at])) }

// insert puts text at the cursor, on one line and without anything that could drive a terminal.
func (t *typed) insert(text string) {
	runes := []rune(typeable(text))
	if room := typedMost - len(t.runes); len(runes) > room {
		runes = runes[:max(room, 0)]
	}
	after := append(runes, t.runes[t.at:]...)
	t.at += len(after) - len(t.runes[t.at:])
	t.runes = append(t.runes[:t.at-len(runes):t.at-len(runes)], after...)
}

// typeable is text as it could have been typed: line breaks and tabs become spaces, and what could drive a terminal
// is neutralised. Unlike in oneLine every space stays.
func typeable(text string) string {
	spaced := []rune(text)
	for i, r := range spaced {
		if unicode.IsSpace(r) {
			spaced[i] = ' '
		}
	}
	return model.Neutralise(string(spaced))
}

// press takes a key as a line editor does.
func (t *typed) press(key tea.KeyPressMsg) {
	switch key.String() {
	case "left", "ctrl+b":
		t.at = max(t.at-1, 0)
	case "right", "ctrl+f":
		t.at = min(t.at+1, len(t.runes))
	case "home", "ctrl+a":
		t.at = 0
	case "end", "ctrl+e":
		t.at = len(t.runes)
	case "backspace", "ctrl+h":
		t.remove(max(t.at-1, 0), t.at)
	case "delete", "ctrl+d":
		t.remove(t.at, min(t.at+1, len(t.runes)))
	case "ctrl+u":
		t.remove(0, t.at)
	case "ctrl+k":
		t.remove(t.at, len(t.runes))
	case "ctrl+w":
		t.remove(t.wordStart(), t.at)
	default:
		t.insert(key.Text)
	}
}

func (t *typed) remove(from, to int) {
	t.runes = append(t.runes[:from:from], t.runes[to:]...)
	t.at = from
}

func (t *typed) wordStart() int {
	at := t.at
	for at > 0 && t.runes[at-1] == ' ' {
		at--
	}
	for at > 0 && t.runes[at-1] != ' ' {
		at--
	}
	return at
}

// prompt is the line in which a filter is typed.
type prompt struct {
	open bool
	line typed
}

// filterColumn is where the typed text begins on the filter's line.
const filterColumn = 3

func (m *Model) startFilter() tea.Cmd {
	m.page = noPage
	m.filter = prompt{open: true, line: typedText(m.data.filter.Text)}
	return nil
}

// applyFilter narrows the table at each key.
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

// dropFilter leaves the prompt and clears the filter.
func (m *Model) dropFilter() tea.Cmd {
	m.filter = prompt{}
	return m.applyFilter()
}

// drawFilter is the line in which the filter is typed, with what it finds.
func (m *Model) drawFilter(width int) string {
	found := model.Counted(m.data.view.Len(), "row") + " of " + grouped(m.data.view.Rows()) + "  esc clears "
	l := newLine(width).put(m.styles.accent, " / ").put(plain, cut(m.filter.line.String(), width-filterColumn-2))
	if hint := " words, or " + model.FilterFields; m.filter.line.String() == "" && cells(hint) < l.left() {
		l.put(m.styles.dim, hint)
	}
	if l.left() > cells(found)+1 {
		l.to(width-cells(found)).put(m.styles.dim, found)
	}
	return l.String()
}
