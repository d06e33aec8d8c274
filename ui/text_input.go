package ui

import (
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// textInput is a line of text that the trader types. (The text input of bubbles is not used: it brings a package that
// looks for clipboard programs when the program starts.)
type textInput struct {
	runes  []rune
	cursor int // the rune before which the cursor stands
}

// maxTyped is how many characters can be typed or pasted.
const maxTyped = 512

func newTextInput(text string) textInput {
	var t textInput
	t.insert(text)
	return t
}

func (t *textInput) String() string { return string(t.runes) }

// column returns the cell of the cursor.
func (t *textInput) column() int { return draw.Width(t.beforeCursor()) }

// beforeCursor returns the text before the cursor.
func (t *textInput) beforeCursor() string { return string(t.runes[:t.cursor]) }

// replaceBefore replaces so many runes before the cursor.
func (t *textInput) replaceBefore(runes int, text string) {
	t.remove(t.cursor-runes, t.cursor)
	t.insert(text)
}

// insert puts text at the cursor, on one line and without anything that could drive a terminal.
func (t *textInput) insert(text string) {
	runes := []rune(typeable(text))
	if room := maxTyped - len(t.runes); len(runes) > room {
		runes = runes[:max(room, 0)]
	}
	t.runes = slices.Insert(t.runes, t.cursor, runes...)
	t.cursor += len(runes)
}

// typeable returns text as it could have been typed: line breaks and tabs become spaces, letters stay, also those of names
// from right to left, and what could drive a terminal is neutralised. Unlike in format.OneLine, every space stays.
func typeable(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case format.IsNameLetter(r):
			b.WriteRune(r)
		default:
			b.WriteString(model.Neutralise(string(r)))
		}
	}
	return b.String()
}

// press handles a key as line editors do.
func (t *textInput) press(key tea.KeyPressMsg) {
	switch key.String() {
	case "left", "ctrl+b":
		t.cursor = max(t.cursor-1, 0)
	case "right", "ctrl+f":
		t.cursor = min(t.cursor+1, len(t.runes))
	case "home", "ctrl+a":
		t.cursor = 0
	case "end", "ctrl+e":
		t.cursor = len(t.runes)
	case "backspace", "ctrl+h":
		t.remove(max(t.cursor-1, 0), t.cursor)
	case "delete", "ctrl+d":
		t.remove(t.cursor, min(t.cursor+1, len(t.runes)))
	case "ctrl+u":
		t.remove(0, t.cursor)
	case "ctrl+k":
		t.remove(t.cursor, len(t.runes))
	case "ctrl+w":
		t.remove(t.wordStart(), t.cursor)
	default:
		t.insert(key.Text)
	}
}

func (t *textInput) remove(from, to int) {
	t.runes = slices.Delete(t.runes, from, to)
	t.cursor = from
}

// wordStart returns where the word before the cursor begins.
func (t *textInput) wordStart() int {
	at := t.cursor
	for at > 0 && t.runes[at-1] == ' ' {
		at--
	}
	for at > 0 && t.runes[at-1] != ' ' {
		at--
	}
	return at
}
