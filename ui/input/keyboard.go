package input

import (
	"slices"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// Keyboard finds out which key a key press means, whatever layout the keyboard has. The zero value is a keyboard of
// which no key was pressed.
type Keyboard struct {
	isLatin bool    // the last letter was a Latin one
	last    *layout // the layout of the last letter, if it is one of layouts
}

// Enhancements returns what the terminal is asked to send besides characters: the key of the US layout, with each key
// press. Keys that type text are sent as usual while text is typed, for input methods.
func Enhancements(isTyping bool) tea.KeyboardEnhancements {
	return tea.KeyboardEnhancements{
		ReportAlternateKeys: true, ReportAllKeysAsEscapeCodes: !isTyping, ReportAssociatedText: !isTyping,
	}
}

// Meant returns the key press that is meant: the first of its readings whose name is a key, or the first reading if
// none is. It returns false for a modifier, such as shift, which is pressed alone. While text is typed, a key with a
// text is always its character.
func (k *Keyboard) Meant(pressed tea.KeyPressMsg, isTyping bool, isKey func(name string) bool) (tea.KeyPressMsg, bool) {
	if pressed.Code >= tea.KeyLeftShift && pressed.Code <= tea.KeyIsoLevel5Shift || slices.Contains(locks, pressed.Code) {
		return pressed, false
	}
	readings := k.read(pressed, isTyping)
	for _, reading := range readings {
		if isKey(reading.String()) {
			return reading, true
		}
	}
	return readings[0], true
}

var locks = []rune{tea.KeyCapsLock, tea.KeyNumLock, tea.KeyScrollLock}

// AfterEsc returns the key that was pressed after esc, if a press of alt with a key may be these two: a terminal
// without a protocol sends the same for both. It returns false if it cannot be.
func AfterEsc(pressed tea.KeyPressMsg) (key tea.KeyPressMsg, ok bool) {
	if !pressed.Mod.Contains(tea.ModAlt) || pressed.BaseCode != 0 || pressed.Code == tea.KeyEscape {
		return pressed, false
	}
	key = byCharacter(pressed)
	if key.Mod &^= tea.ModAlt; key.Mod == 0 && unicode.IsPrint(key.Code) {
		key.Text = string(key.Code)
	}
	return key, true
}

// read returns a key press by its character and, if that is another one, by the key of the US layout in its place.
func (k *Keyboard) read(pressed tea.KeyPressMsg, isTyping bool) []tea.KeyPressMsg {
	reading := byCharacter(pressed)
	readings := []tea.KeyPressMsg{reading}
	character := reading.Code
	if pressed.Text != "" {
		character, _ = utf8.DecodeRuneInString(pressed.Text)
	}
	k.note(character)
	if isTyping && pressed.Text != "" {
		return readings
	}
	if us := k.usKey(character, &pressed); us != 0 && us != character {
		byPlace := tea.KeyPressMsg{Code: us, Mod: reading.Mod}
		if pressed.Text != "" {
			byPlace = tea.KeyPressMsg{Code: us, Text: string(us)}
		}
		readings = append(readings, byPlace)
	}
	return readings
}

// byCharacter returns a key press by its character. Shift is a part of the character: alt and T is alt+T.
func byCharacter(pressed tea.KeyPressMsg) tea.KeyPressMsg {
	reading := tea.KeyPressMsg{Code: pressed.Code, Mod: pressed.Mod, Text: pressed.Text}
	const altShift = tea.ModAlt | tea.ModShift
	switch {
	case pressed.Text == " ":
		reading.Mod &^= tea.ModShift
	case pressed.Mod&(altShift|tea.ModCtrl) == altShift && pressed.Code > ' ' && unicode.IsPrint(pressed.Code):
		reading.Mod &^= tea.ModShift
		if reading.Code = pressed.ShiftedCode; reading.Code == 0 {
			reading.Code = unicode.ToUpper(pressed.Code)
		}
	}
	return reading
}

func (k *Keyboard) note(character rune) {
	switch {
	case character >= 'a' && character <= 'z':
		k.isLatin, k.last = true, nil
	case character < utf8.RuneSelf || k.last != nil && k.last.usKey(character) != 0:
	default:
		for i := range layouts {
			if layouts[i].usKey(character) != 0 {
				k.isLatin, k.last = false, &layouts[i]
				return
			}
		}
	}
}

// usKey returns the character of the US layout on the key that was pressed; 0 if it is not known, or if the layout has
// Latin letters: all of them have their own keys there.
func (k *Keyboard) usKey(character rune, pressed *tea.KeyPressMsg) rune {
	isASCII := character < utf8.RuneSelf
	switch {
	case isASCII && (unicode.IsLetter(character) || k.isLatin):
		return 0
	case pressed.BaseCode != 0 && pressed.BaseCode != pressed.Code:
		isShifted := pressed.Mod.Contains(tea.ModShift)
		if unicode.IsLetter(pressed.BaseCode) && pressed.Mod.Contains(tea.ModCapsLock) {
			isShifted = !isShifted
		}
		if isShifted && !pressed.Mod.Contains(tea.ModCtrl) {
			return shiftedUSKey(pressed.BaseCode)
		}
		return pressed.BaseCode
	case k.last != nil:
		return k.last.usKey(character)
	}
	return 0
}
