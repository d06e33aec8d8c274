// Package input has the line of text that the trader types: its keys, its cursor and its limit. Nothing in it can
// control a terminal. It uses package format for the letters that names may have, and does not depend on what the text
// is for.
package input

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// Line is a line of text that the trader types. New makes one. Its field, the textinput of Bubbles, does not draw it:
// that counts the cells of a cursor by characters, and cannot draw a part of the text in another style.
type Line struct {
	field      textinput.Model
	isSelected bool // what is typed next replaces the text
}

// maxTyped is how many characters can be typed or pasted.
const maxTyped = 512

// New returns a line with a text, and the cursor after it.
func New(text string) Line {
	field := textinput.New()
	field.CharLimit = maxTyped
	field.SetVirtualCursor(false)
	field.Focus()
	// Pasting by this key would run a program for the clipboard, and nothing would neutralise its text.
	field.KeyMap.Paste.Unbind()
	for _, suggestions := range []*key.Binding{&field.KeyMap.AcceptSuggestion, &field.KeyMap.NextSuggestion, &field.KeyMap.PrevSuggestion} {
		suggestions.Unbind()
	}
	t := Line{field: field}
	t.Insert(text)
	return t
}

func (t *Line) String() string { return t.field.Value() }

// Select lets what is typed next replace the text, and a key that deletes delete all of it.
func (t *Line) Select() { t.isSelected = t.String() != "" }

// IsSelected reports whether what is typed next replaces the text.
func (t *Line) IsSelected() bool { return t.isSelected }

// replace removes the text if it is selected, and reports whether it was.
func (t *Line) replace() bool {
	wasSelected := t.isSelected
	if t.isSelected = false; wasSelected {
		t.field.SetValue("")
	}
	return wasSelected
}

// BeforeCursor returns the text before the cursor.
func (t *Line) BeforeCursor() string { return string([]rune(t.String())[:t.field.Position()]) }

// Seen returns the part of the text around the cursor that fits into the given number of cells, and the cell of the
// cursor in it.
func (t *Line) Seen(room int) (text string, column int) {
	text, before := t.String(), t.BeforeCursor()
	if over := draw.Width(before) + 1 - room; over > 0 { // the cursor takes a cell, and … another
		text, before = ansi.TruncateLeft(text, over+1, "…"), ansi.TruncateLeft(before, over+1, "…")
	}
	return draw.Cut(text, room), max(min(draw.Width(before), room-1), 0)
}

// ReplaceBefore replaces the given number of runes before the cursor.
func (t *Line) ReplaceBefore(runes int, text string) {
	t.isSelected = false
	all, at := []rune(t.String()), t.field.Position()
	t.field.SetValue(string(all[:at-runes]) + string(all[at:]))
	t.field.SetCursor(at - runes)
	t.Insert(text)
}

// Insert puts text at the cursor, on one line and without anything that could control a terminal.
func (t *Line) Insert(text string) {
	t.replace()
	t.field, _ = t.field.Update(tea.PasteMsg{Content: Typeable(text)})
}

// CanInsert reports whether there is room for all of a text.
func (t *Line) CanInsert(text string) bool {
	return utf8.RuneCountInString(t.String())+utf8.RuneCountInString(text) <= maxTyped
}

// Lines returns the lines of a text as they could have been typed, each once, without empty ones and without the spaces
// around them.
func Lines(text string) []string {
	var lines []string
	known := make(map[string]bool)
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = strings.TrimSpace(Typeable(line)); line != "" && !known[line] {
			known[line] = true
			lines = append(lines, line)
		}
	}
	return lines
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

// Press handles a key as line editors do. A key with a text inserts the text.
func (t *Line) Press(pressed tea.KeyPressMsg) {
	if pressed.Text != "" {
		t.Insert(pressed.Text)
		return
	}
	pressed, ok := new(Keyboard).Meant(pressed, true, t.edits)
	if !ok {
		return
	}
	isLast := t.field.Position() == len([]rune(t.String()))-1
	if isLast && key.Matches(pressed, t.field.KeyMap.DeleteWordForward) {
		pressed = tea.KeyPressMsg{Code: tea.KeyDelete} // textinput panics if the word has one character, the last
	}
	k := &t.field.KeyMap
	if key.Matches(pressed, k.DeleteCharacterBackward, k.DeleteCharacterForward, k.DeleteWordBackward, k.DeleteWordForward,
		k.DeleteBeforeCursor, k.DeleteAfterCursor) && t.replace() {
		return
	}
	t.isSelected = false
	t.field, _ = t.field.Update(pressed)
}

// Edits reports whether a key press edits the text or moves the cursor, without a text of its own.
func (t *Line) Edits(pressed tea.KeyPressMsg) bool {
	meant, _ := new(Keyboard).Meant(pressed, true, t.edits)
	return t.edits(meant.String())
}

// edits reports whether a key edits the text or moves the cursor.
func (t *Line) edits(name string) bool {
	k := &t.field.KeyMap
	for _, each := range []*key.Binding{
		&k.CharacterForward, &k.CharacterBackward, &k.WordForward, &k.WordBackward, &k.DeleteWordBackward, &k.DeleteWordForward,
		&k.DeleteAfterCursor, &k.DeleteBeforeCursor, &k.DeleteCharacterBackward, &k.DeleteCharacterForward, &k.LineStart, &k.LineEnd,
	} {
		if slices.Contains(each.Keys(), name) {
			return true
		}
	}
	return false
}
