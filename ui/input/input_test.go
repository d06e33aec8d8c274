package input

import (
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// pressed returns a key press as Bubble Tea reports it.
func pressed(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "delete": tea.KeyDelete, "backspace": tea.KeyBackspace,
	}
	if code, ok := codes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if letter, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func TestTypingALine(t *testing.T) {
	for _, test := range []struct {
		keys []string
		want string
	}{
		{[]string{"a", "b", "left", "c"}, "acb|2"},
		{[]string{"a", "b", "home", "c", "end", "d"}, "cabd|4"},
		{[]string{"a", " ", "b", "ctrl+w"}, "a |2"},
		{[]string{"a", "b", "ctrl+u", "c"}, "c|1"},
		{[]string{"a", "b", "left", "ctrl+k"}, "a|1"},
		{[]string{"a", "left", "left", "delete", "backspace"}, "|0"},
		{[]string{"ctrl+x", "right", "世"}, "世|2"},
	} {
		var line Line
		for _, name := range test.keys {
			line.Press(pressed(name))
		}
		if got := line.String() + "|" + strconv.Itoa(line.Column()); got != test.want {
			t.Errorf("%v is %q, want %q", test.keys, got, test.want)
		}
	}
	line := New(strings.Repeat("x", 2*maxTyped))
	if len(line.runes) != maxTyped {
		t.Errorf("%d characters were kept", len(line.runes))
	}
}
