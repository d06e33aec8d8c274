package model

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestNeutralise(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"BTC/USDT perp ~ 2026":  "BTC/USDT perp ~ 2026",
		"Zürich 東京 Ελλάδα €":    "Zürich 東京 Ελλάδα €",
		"a\x1b[2Jb":             "a␛[2Jb",
		"a\r\n\tb\x00\x7f":      "a␍␊␉b␀␡",
		"\u009b2J\u0085":        "<U+009B>2J<U+0085>",           // C1
		"1\u00a0000":            "1<U+00A0>000",                 // a space that is none
		"a\u200bb\u200d\ufeff":  "a<U+200B>b<U+200D><U+FEFF>",   // no width, joiners
		"\u202egnp\u2066\u200f": "<U+202E>gnp<U+2066><U+200F>",  // bidirectional controls
		"a\u0301\ufe0f\u20e3":   "a<U+0301><U+FE0F><U+20E3>",    // marks on the letter before
		"a\u2028b\u2029":        "a<U+2028>b<U+2029>",           // lines
		"\u3164\u2800\uffa0":    "<U+3164><U+2800><U+FFA0>",     // drawn as nothing
		"\ue000\U000e0041":      "<U+E000><U+E0041>",            // private, tags
		"🇩🇪👍🏽":                  "<U+1F1E9><U+1F1EA>👍<U+1F3FD>", // joined into one
		"\u05d0\u0627":          "<U+05D0><U+0627>",             // written from right to left
		"a\xffb":                "a<U+FFFD>b",                   // no UTF-8
		"\xed\xa0\x80":          "<U+FFFD><U+FFFD><U+FFFD>",     // half a surrogate pair
	} {
		if got := Neutralise(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func FuzzNeutralise(f *testing.F) {
	f.Add("a\x1b]0;title\x07\u202e\xff")
	f.Fuzz(func(t *testing.T, text string) {
		safe := Neutralise(text)
		if !utf8.ValidString(safe) {
			t.Errorf("%q becomes %q, which is no UTF-8", text, safe)
		}
		if i := strings.IndexFunc(safe, func(r rune) bool { return unicode.Is(unicode.C, r) || unicode.Is(unicode.Zl, r) }); i >= 0 {
			t.Errorf("%q becomes %q, with a control character at %d", text, safe, i)
		}
		if again := Neutralise(safe); again != safe {
			t.Errorf("%q becomes %q, and that %q", text, safe, again)
		}
	})
}
