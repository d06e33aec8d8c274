package input

import "strings"

// The keys of the US layout, by rows, without shift and with it. Layouts have their characters in the same order.
const (
	usKeys        = "`qwertyuiop[]asdfghjkl;'zxcvbnm,./\\"
	usShiftedKeys = "~QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>?|"
	usDigits      = "1234567890-="
	usSymbols     = "!@#$%^&*()_+"
)

// layout is what the keys of usKeys and of usShiftedKeys type. A space stands for a key that types no character of its
// own.
type layout struct{ keys, shifted string }

// layouts are those whose letters are found without a protocol that sends the key of the US layout. With shift,
// the keys of Hebrew type Latin capitals.
var layouts = [...]layout{
	{"ёйцукенгшщзхъфывапролджэячсмитьбю.\\", "ЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ,/"},  // Russian
	{"'йцукенгшщзхїфівапролджєячсмитьбю.ґ", " ЙЦУКЕНГШЩЗХЇФІВАПРОЛДЖЄЯЧСМИТЬБЮ,Ґ"},   // Ukrainian
	{"`;ςερτυθιοπ[]ασδφγηξκλ 'ζχψωβνμ,./\\", "~: ΕΡΤΥΘΙΟΠ{}ΑΣΔΦΓΗΞΚΛ \"ΖΧΨΩΒΝΜ<>?|"}, // Greek
	{";/'קראטוןםפ][שדגכעיחלךף,זסבהנמצתץ.\\", ""},                                     // Hebrew
}

// usKey returns the character of the US layout on the key that types a character in this layout; 0 if none does.
func (l *layout) usKey(character rune) rune {
	for _, row := range [...]struct{ here, us string }{{l.keys, usKeys}, {l.shifted, usShiftedKeys}} {
		if at := strings.IndexRune(row.here, character); at >= 0 && character != ' ' {
			return rune(row.us[len([]rune(row.here[:at]))])
		}
	}
	return 0
}

// shiftedUSKey returns what a key of the US layout types with shift.
func shiftedUSKey(key rune) rune {
	if at := strings.IndexRune(usKeys, key); at >= 0 {
		return rune(usShiftedKeys[at])
	}
	if at := strings.IndexRune(usDigits, key); at >= 0 {
		return rune(usSymbols[at])
	}
	return key
}
