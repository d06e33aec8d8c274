package input

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// TestEveryLetterOfALayoutIsAKeyOfTheUSLayout, and each row of a layout is as long as that of the US layout.
func TestEveryLetterOfALayoutIsAKeyOfTheUSLayout(t *testing.T) {
	if len(usKeys) != len(usShiftedKeys) || len(usDigits) != len(usSymbols) {
		t.Error("the rows with and without shift differ in length")
	}
	for _, l := range layouts {
		for row, us := range map[string]string{l.keys: usKeys, l.shifted: usShiftedKeys} {
			if n := utf8.RuneCountInString(row); n != len(us) && n > 0 {
				t.Errorf("%q has %d keys, not %d", row, n, len(us))
			}
		}
	}
}

// layoutKeys are keys as layouts type them: each character is one press. Below it is the key of the US layout.
var layoutKeys = map[string][2]string{
	"Russian":                    {"йцукенгшщзхъфывапролджэячсмитьбюё", "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"},
	"Russian with shift":         {"ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮЁ", "QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>~"},
	"Ukrainian":                  {"йцукенгшщзхїфівапролджєячсмитьбюґ", "qwertyuiop[]asdfghjkl;'zxcvbnm,.\\"},
	"Ukrainian with shift":       {"ЇІЄҐ", "}S\"|"},
	"Greek":                      {"ςερτυθιοπασδφγηξκλζχψωβνμ", "wertyuiopasdfghjklzxcvbnm"},
	"Greek with shift":           {"ΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ", "ERTYUIOPASDFGHJKLZXCVBNM"},
	"Hebrew":                     {"קראטוןםפשדגכעיחלךףזסבהנמצתץ", "ertyuiopasdfghjkl;zxcvbnm,."},
	"Russian point after letter": {"т./", "n/|"},
	"Greek q after a letter":     {"ε;", "eq"},
	"Hebrew w after a letter":    {"ק'", "ew"},
}

// TestKeysOfLayouts without a protocol: what a layout types is the key of the US layout in its place, unless text is
// typed.
func TestKeysOfLayouts(t *testing.T) {
	for name, test := range layoutKeys {
		commands, texts, want := Keyboard{}, Keyboard{}, []rune(test[1])
		for i, character := range []rune(test[0]) {
			press := tea.KeyPressMsg{Code: unicode.ToLower(character), Text: string(character)}
			isWanted := func(key string) bool { return key == string(want[i]) }
			if meant, _ := commands.Meant(press, false, isWanted); meant.String() != string(want[i]) {
				t.Errorf("%s: %c means %s, not %c", name, character, meant, want[i])
			}
			if typed, _ := texts.Meant(press, true, isWanted); typed.Text != string(character) {
				t.Errorf("%s: %c types %q", name, character, typed.Text)
			}
			for _, mod := range []tea.KeyMod{tea.ModCtrl, tea.ModAlt} {
				with := tea.KeyPressMsg{Code: character, Mod: mod}
				prefix := map[tea.KeyMod]string{tea.ModCtrl: "ctrl+", tea.ModAlt: "alt+"}[mod]
				isKey := func(key string) bool { return key == prefix+string(want[i]) }
				if meant, _ := texts.Meant(with, true, isKey); !isKey(meant.String()) && unicode.IsLetter(character) {
					t.Errorf("%s: %s means %s", name, with, meant)
				}
			}
		}
	}
}

// TestCharactersComeFirst: a key that an action has by its character is not another key, on any layout.
func TestCharactersComeFirst(t *testing.T) {
	for _, test := range []struct {
		layout, keys string // of actions
		pressed      tea.KeyPressMsg
		want         string
	}{
		{"Russian", "q й", tea.KeyPressMsg{Code: 'й', Text: "й", BaseCode: 'q'}, "й"},
		{"Russian", "q", tea.KeyPressMsg{Code: 'й', Text: "й", BaseCode: 'q'}, "q"},
		{"Russian", ".", tea.KeyPressMsg{Code: '.', Text: ".", BaseCode: '/'}, "."},
		{"Russian", "/", tea.KeyPressMsg{Code: '.', Text: ".", BaseCode: '/'}, "/"},
		{"Russian", "?", tea.KeyPressMsg{Code: '.', ShiftedCode: ',', Text: ",", BaseCode: '/', Mod: tea.ModShift}, "?"},
		{"Russian", "T", tea.KeyPressMsg{Code: 'е', ShiftedCode: 'Е', Text: "Е", BaseCode: 't', Mod: tea.ModShift}, "T"},
		{"Russian, caps lock", "T", tea.KeyPressMsg{Code: 'е', Text: "Е", BaseCode: 't', Mod: tea.ModCapsLock}, "T"},
		{"Russian, caps lock, shift", "t", tea.KeyPressMsg{Code: 'е', Text: "е", BaseCode: 't', Mod: tea.ModCapsLock | tea.ModShift}, "t"},
		{"Russian", "ctrl+c", tea.KeyPressMsg{Code: 'с', BaseCode: 'c', Mod: tea.ModCtrl}, "ctrl+c"},
		{"Russian without the key", "ctrl+c", tea.KeyPressMsg{Code: 'с', Mod: tea.ModCtrl}, "ctrl+c"},
		{"Armenian", "q", tea.KeyPressMsg{Code: 'ք', Text: "ք", BaseCode: 'q'}, "q"},
		{"Georgian", "f", tea.KeyPressMsg{Code: 'ფ', Text: "ფ", BaseCode: 'f'}, "f"},
		{"Arabic", "q", tea.KeyPressMsg{Code: 'ض', Text: "ض", BaseCode: 'q'}, "q"},
		{"Arabic", "ctrl+c", tea.KeyPressMsg{Code: 'ؤ', BaseCode: 'c', Mod: tea.ModCtrl}, "ctrl+c"},
		{"Thai", "q", tea.KeyPressMsg{Code: 'ๆ', Text: "ๆ", BaseCode: 'q'}, "q"},
		{"Devanagari", "T", tea.KeyPressMsg{Code: 'ू', ShiftedCode: 'ऊ', Text: "ऊ", BaseCode: 't', Mod: tea.ModShift}, "T"},
		{"Serbian", "q", tea.KeyPressMsg{Code: 'љ', Text: "љ", BaseCode: 'q'}, "q"},
		{"French, a is on the key of q", "q", tea.KeyPressMsg{Code: 'a', Text: "a", BaseCode: 'q'}, "a"},
		{"French, é is on the key of 2", "2", tea.KeyPressMsg{Code: 'é', Text: "é", BaseCode: '2'}, "2"},
		{"German, z is on the key of y", "y z", tea.KeyPressMsg{Code: 'z', Text: "z", BaseCode: 'y'}, "z"},
		{"German", "ctrl+y ctrl+z", tea.KeyPressMsg{Code: 'z', BaseCode: 'y', Mod: tea.ModCtrl}, "ctrl+z"},
		{"Dvorak", "e . d", tea.KeyPressMsg{Code: 'e', Text: "e", BaseCode: 'd'}, "e"},
		{"US", "space", tea.KeyPressMsg{Code: ' ', Text: " ", Mod: tea.ModShift}, "space"},
	} {
		keyboard := Keyboard{}
		isKey := func(key string) bool { return strings.Contains(" "+test.keys+" ", " "+key+" ") }
		if meant, _ := keyboard.Meant(test.pressed, false, isKey); meant.String() != test.want {
			t.Errorf("%s: %s means %s, not %s, with the keys %s", test.layout, test.pressed, meant, test.want, test.keys)
		}
	}
}

// TestAltWithAShiftedCharacter has one name, in each way in which terminals send it.
func TestAltWithAShiftedCharacter(t *testing.T) {
	const altShift = tea.ModAlt | tea.ModShift
	for _, test := range []struct {
		how     string
		pressed tea.KeyPressMsg
		want    string
	}{
		{"ESC ?", tea.KeyPressMsg{Code: '?', Mod: tea.ModAlt}, "alt+?"},
		{"ESC T", tea.KeyPressMsg{Code: 't', ShiftedCode: 'T', Mod: altShift}, "alt+T"},
		{"ESC Ä", tea.KeyPressMsg{Code: 'Ä', Mod: tea.ModAlt}, "alt+Ä"},
		{"CSI 27;4;63~", tea.KeyPressMsg{Code: '?', Mod: altShift}, "alt+?"},
		{"CSI 27;4;84~", tea.KeyPressMsg{Code: 'T', Mod: altShift}, "alt+T"},
		{"Kitty, US", tea.KeyPressMsg{Code: '/', ShiftedCode: '?', Mod: altShift}, "alt+?"},
		{"Kitty, German", tea.KeyPressMsg{Code: 'ß', ShiftedCode: '?', BaseCode: '-', Mod: altShift}, "alt+?"},
		{"Kitty", tea.KeyPressMsg{Code: 't', ShiftedCode: 'T', Mod: altShift}, "alt+T"},
		{"Kitty, without the shifted key", tea.KeyPressMsg{Code: 't', Mod: altShift}, "alt+T"},
		{"Kitty, Russian", tea.KeyPressMsg{Code: 'е', ShiftedCode: 'Е', BaseCode: 't', Mod: altShift}, "alt+T"},
		{"Russian", tea.KeyPressMsg{Code: 'Е', Mod: tea.ModAlt}, "alt+T"},
		{"a named key", tea.KeyPressMsg{Code: tea.KeyEnd, Mod: altShift}, "alt+shift+end"},
	} {
		isKey := func(key string) bool { return key == test.want }
		if meant, _ := new(Keyboard).Meant(test.pressed, false, isKey); meant.String() != test.want {
			t.Errorf("%s is %s, not %s", test.how, meant, test.want)
		}
	}
}

// TestPunctuationOfLatinLayouts is no other key: they have all letters.
func TestPunctuationOfLatinLayouts(t *testing.T) {
	var keyboard Keyboard
	press := func(text string, base rune) string {
		meant, _ := keyboard.Meant(tea.KeyPressMsg{Code: []rune(text)[0], Text: text, BaseCode: base}, false, func(key string) bool { return key == "q" })
		return meant.String()
	}
	if press("e", 'd'); press("'", 'q') != "'" { // of Dvorak
		t.Error("' is q")
	}
	if press("ε", 'e'); press(";", 'q') != "q" { // of Greek
		t.Error("; is not q after a Greek letter")
	}
}

// TestModifiersAlone are no keys.
func TestModifiersAlone(t *testing.T) {
	for _, code := range []rune{tea.KeyLeftShift, tea.KeyRightAlt, tea.KeyLeftSuper, tea.KeyIsoLevel3Shift, tea.KeyCapsLock, tea.KeyNumLock} {
		if _, ok := new(Keyboard).Meant(tea.KeyPressMsg{Code: code}, false, func(string) bool { return true }); ok {
			t.Errorf("%d is a key", code)
		}
	}
	if _, ok := new(Keyboard).Meant(tea.KeyPressMsg{Code: tea.KeyF1}, false, func(string) bool { return true }); !ok {
		t.Error("f1 is no key")
	}
}

// TestEditingOnOtherLayouts: ctrl+w and alt+b edit the line on any layout, and letters are its text.
func TestEditingOnOtherLayouts(t *testing.T) {
	line := New("")
	for _, pressed := range []tea.KeyPressMsg{
		{Code: 'й', Text: "й", BaseCode: 'q'}, {Code: ' ', Text: " "}, {Code: 'ц', Text: "ц"}, {Code: 'ц', Mod: tea.ModCtrl}, // ctrl+w
		{Code: 'Ц', Text: "Ц"}, {Code: 'ф', BaseCode: 'a', Mod: tea.ModCtrl}, {Code: 'x', Text: "x"}, // ctrl+a
	} {
		line.Press(pressed)
	}
	if line.String() != "xй Ц" {
		t.Errorf("the text is %q", &line)
	}
}
