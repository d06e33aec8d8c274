package input

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/draw"
)

// pressed returns a key press as Bubble Tea reports it.
func pressed(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "delete": tea.KeyDelete,
		"backspace": tea.KeyBackspace, "up": tea.KeyUp, "down": tea.KeyDown, "tab": tea.KeyTab,
	}
	letter, isCtrl := strings.CutPrefix(name, "ctrl+")
	letter, isAlt := strings.CutPrefix(letter, "alt+")
	code, isNamed := codes[letter]
	if !isNamed {
		code, _ = utf8.DecodeRuneInString(letter)
	}
	switch {
	case isCtrl:
		return tea.KeyPressMsg{Code: code, Mod: tea.ModCtrl}
	case isAlt:
		return tea.KeyPressMsg{Code: code, Mod: tea.ModAlt}
	case isNamed:
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: tea.KeyExtended, Text: strings.ReplaceAll(name, "_", " ")}
}

func TestTypingALine(t *testing.T) {
	for _, test := range []struct{ keys, want string }{
		{"a b left c", "acb|2"},
		{"a b home c end d", "cabd|4"},
		{"a b ctrl+a c ctrl+e d", "cabd|4"},
		{"a _ b ctrl+w", "a |2"},
		{"a b ctrl+u c", "c|1"},
		{"a b c left ctrl+u", "c|0"},
		{"a b left ctrl+k", "a|1"},
		{"a left left delete backspace", "|0"},
		{"ctrl+x right 世", "世|2"},
		{"one_two alt+b x", "one xtwo|5"},
		{"one_two alt+b alt+b x alt+f y", "xoney two|5"},
		{"one_two home alt+d", " two|0"},
		{"left _left _", " left |6"}, // a text that is the name of a key
		{"a ctrl+v tab up down ctrl+n ctrl+p", "a|1"},
	} {
		line := New("")
		for name := range strings.FieldsSeq(test.keys) {
			line.Press(pressed(name))
		}
		_, column := line.Seen(80)
		if got := fmt.Sprintf("%s|%d", &line, column); got != test.want {
			t.Errorf("%s is %q, want %q", test.keys, got, test.want)
		}
	}
}

// TestDeletingTheLastWord: the text input of Bubbles panics if the word to be deleted is the last character.
func TestDeletingTheLastWord(t *testing.T) {
	for _, key := range []string{"alt+d", "alt+delete", "ctrl+delete"} {
		for text, want := range map[string]string{"a": "", "one two": "one tw", "世": "", "one ": "one"} {
			line := New(text)
			for _, name := range []string{key, "left", key, key} {
				line.Press(pressed(name))
			}
			if line.String() != want {
				t.Errorf("%s at the end of %q leaves %q, want %q", key, text, &line, want)
			}
		}
	}
}

// TestNoClipboardProgram: no key does more than to change the text.
func TestNoClipboardProgram(t *testing.T) {
	line := New("text")
	for _, name := range []string{"ctrl+v", "tab", "up", "down"} {
		var do tea.Cmd
		if line.field, do = line.field.Update(pressed(name)); do != nil {
			t.Errorf("%s has a command", name)
		}
	}
}

func TestLengthOfALine(t *testing.T) {
	line := New(strings.Repeat("x", 2*maxTyped))
	line.Press(pressed("x"))
	if len(line.String()) != maxTyped {
		t.Errorf("%d characters were kept", len(line.String()))
	}
}

func TestSeen(t *testing.T) {
	for _, test := range []struct {
		text, keys string
		room       int
		want       string
	}{
		{"abcdef", "", 7, "abcdef|6"},
		{"abcdef", "", 6, "…cdef|5"},
		{"abcdef", "home", 6, "abcdef|0"},
		{"abcdefgh", "home", 6, "abcde…|0"},
		{"abcdefgh", "left left", 6, "…cdef…|5"},
		{"世界世界", "", 6, "…世界|5"},
		{"abcdef", "", 1, "|0"},
		{"abcdef", "", 0, "|0"},
	} {
		line := New(test.text)
		for name := range strings.FieldsSeq(test.keys) {
			line.Press(pressed(name))
		}
		text, column := line.Seen(test.room)
		if got := fmt.Sprintf("%s|%d", text, column); got != test.want {
			t.Errorf("%q after %q in %d cells is %q, want %q", test.text, test.keys, test.room, got, test.want)
		}
	}
}

// FuzzLine presses keys and pastes texts: nothing panics, nothing that controls a terminal is kept, what is seen has
// room, and the cursor is in it.
func FuzzLine(f *testing.F) {
	names := strings.Fields("left right home end delete backspace up down tab ctrl+a ctrl+b ctrl+d ctrl+e ctrl+f ctrl+h ctrl+k ctrl+n " +
		"ctrl+p ctrl+u ctrl+v ctrl+w ctrl+left ctrl+right ctrl+delete ctrl+backspace alt+b alt+d alt+f alt+left alt+right alt+delete alt+backspace a _ 世")
	for _, text := range []string{"", "one two", "世界 世界", "שלום עולם", "e\u0301e\u0301", "👩\u200d👩\u200d👧", "🇩🇪🇫🇷", "\x1b[2J\x00\u202e", "\xff\xfe", "각각"} {
		f.Add(text, []byte("\x00\x1d\x00\x00\x1d\x21\x22\x03\x1a"), 7)
		f.Add(text, []byte("\x02\x1d\x1d\x1d\x1b\x1b\x0f"), 2)
	}
	f.Fuzz(func(t *testing.T, text string, presses []byte, room int) {
		room = max(room%80, 0)
		line := New(text)
		for _, press := range presses {
			if press >= 0xf0 {
				line.Insert(text)
			}
			line.Press(pressed(names[int(press)%len(names)]))
			seen, column := line.Seen(room)
			switch runes := []rune(line.String()); {
			case len(runes) > maxTyped:
				t.Fatalf("%d characters", len(runes))
			case strings.ContainsFunc(line.String(), unicode.IsControl):
				t.Fatalf("%q has a control character", &line)
			case draw.Width(seen) > room:
				t.Fatalf("%q takes %d cells of %d", seen, draw.Width(seen), room)
			case column < 0 || column >= max(room, 1):
				t.Fatalf("the cursor is in cell %d of %d", column, room)
			}
		}
	})
}
