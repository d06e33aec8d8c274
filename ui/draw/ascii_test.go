package draw

import "testing"

func TestASCII(t *testing.T) {
	for text, want := range map[string]string{
		"▌ETH … desk \x1b[1m─┤\x1b[m": ">ETH ~ desk \x1b[1m-|\x1b[m",
		"東京 é desk":                   "???? ? desk",
		"e\u0301 \u200b":              "e ",
		"\u009b2J":                    "2J",
		"a\xff b":                     "a? b",
	} {
		if got := ASCII(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestASCIIKeepsPlaces: the replacement of a character has the same width.
func TestASCIIKeepsPlaces(t *testing.T) {
	for r, drawn := range asciiOf {
		if Width(string(r)) != 1 || drawn < 0x20 || drawn >= 0x7f {
			t.Errorf("%q does not take the cell of %q", drawn, r)
		}
	}
}
