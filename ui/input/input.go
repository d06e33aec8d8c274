// Package input has the line of text that the trader types: its keys, its cursor and its limit. Nothing in it can
// control a terminal. It uses package format for the letters that names may have, and does not depend on what the text
// is for.
package input

import (
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// Line is a line of text that the trader types; the zero value is empty. (The text input of bubbles is not used: it
// imports a package that looks for clipboard programs when the program starts.)
type Line struct {
	runes  []rune
	cursor int // the rune before which the cursor is
}

// maxTyped is how many characters can be typed or pasted.
const maxTyped = 512

// New returns a line with a text, and the cursor after it.
func New(text string) Line {
	var t Line
	t.Insert(text)
	return t
}

func (t *Line) String() string { return string(t.runes) }

// Column returns the cell of the cursor.
func (t *Line) Column() int { return draw.Width(t.BeforeCursor()) }

// BeforeCursor returns the text before the cursor.
func (t *Line) BeforeCursor() string { return string(t.runes[:t.cursor]) }

// ReplaceBefore replaces this many runes before the cursor.
func (t *Line) ReplaceBefore(runes int, text string) {
	t.remove(t.cursor-runes, t.cursor)
	t.Insert(text)
}

// Insert puts text at the cursor, on one line and without anything that could control a terminal.
func (t *Line) Insert(text string) {
	runes := []rune(Typeable(text))
	if room := maxTyped - len(t.runes); len(runes) > room {
		runes = runes[:max(room, 0)]
	}
	t.runes = slices.Insert(t.runes, t.cursor, runes...)
	t.cursor += len(runes)
}

// Typeable returns text as it could have been typed: line breaks and tabs become spaces, letters stay, also those of
// names from right to left, and characters that could control a terminal are neutralised. All spaces are kept,
// which format.OneLine does not do.
func Typeable(text string) string {
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

// Press handles a key as line editors do.
func (t *Line) Press(key tea.KeyPressMsg) {
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
		t.Insert(key.Text)
	}
}

func (t *Line) remove(from, to int) {
	t.runes = slices.Delete(t.runes, from, to)
	t.cursor = from
}

// wordStart returns the start of the word before the cursor.
func (t *Line) wordStart() int {
	at := t.cursor
	for at > 0 && t.runes[at-1] == ' ' {
		at--
	}
	for at > 0 && t.runes[at-1] != ' ' {
		at--
	}
	return at
}
