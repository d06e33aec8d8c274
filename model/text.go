package model

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
)

// Neutralise makes a text of the service safe for a screen, a table or a log. It replaces control characters by their
// Unicode pictures (␛) or their code points (<U+009B>), and also characters that change the direction of a line, join
// or hide their neighbours, or are not text. So a reader sees that they were there. It is here because the errors and
// the log of the feed need it too.
func Neutralise(text string) string {
	if isPrintableASCII(text) || strings.IndexFunc(text, isUnsafe) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !isUnsafe(r):
			b.WriteRune(r)
		case r < 0x20:
			b.WriteRune(0x2400 + r)
		case r == 0x7f:
			b.WriteRune(0x2421)
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}

// isPrintableASCII reports whether no character of a text is a control character or outside ASCII. Nearly all texts are
// like that, and it takes little time: exports have a million rows.
func isPrintableASCII(text string) bool {
	for i := range len(text) {
		if text[i] < 0x20 || text[i] >= 0x7f {
			return false
		}
	}
	return true
}

// isUnsafe reports whether a character can control a terminal, reorder or hide its neighbours, or have another width
// than it seems to have.
func isUnsafe(r rune) bool {
	if r >= 0x20 && r < 0x7f {
		return false
	}
	return !unicode.IsGraphic(r) || unicode.In(r, unicode.M, unicode.Z) || r == unicode.ReplacementChar || changesNeighbours(r)
}

// changesNeighbours reports whether a letter or sign changes the cells beside it, or has another width than it seems.
func changesNeighbours(r rune) bool {
	within := func(first, last rune) bool { return first <= r && r <= last }
	switch {
	case r == 0x115f, r == 0x2800, r == 0x3164, r == 0xffa0:
		return true // invisible
	case r == 0x0e33, r == 0x0eb3:
		return true // a vowel of Thai and of Lao: terminals give it different widths
	case within(0x1160, 0x11ff), within(0xd7b0, 0xd7ff), within(0x1f1e6, 0x1f1ff), within(0x1f3fb, 0x1f3ff):
		return true // joined to the character before: Hangul vowels and final consonants, halves of flags, skin colours
	}
	return IsRightToLeft(r)
}

// IsRightToLeft reports whether a character is of a script that is written from right to left. A terminal that reverses
// it also reverses the numbers beside it.
func IsRightToLeft(r rune) bool {
	within := func(first, last rune) bool { return first <= r && r <= last }
	return within(0x0590, 0x08ff) || within(0xfb1d, 0xfdff) || within(0xfe70, 0xfeff) ||
		within(0x10800, 0x10fff) || within(0x1e800, 0x1efff)
}

// CompareNatural orders texts in natural order: digits that follow each other are compared as one number, of any
// length, and everything else byte by byte. Texts that differ only in leading zeros are equal. The order is transitive,
// as a view needs it; maruel/natural and others sort 1 before 1b, 1b before 01c, and 01c before 1.
func CompareNatural(a, b string) int {
	for a != "" && b != "" {
		m, n := leadingDigits(a), leadingDigits(b)
		if m == "" || n == "" {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		a, b = a[len(m):], b[len(n):]
		m, n = strings.TrimLeft(m, "0"), strings.TrimLeft(n, "0")
		if order := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); order != 0 {
			return order
		}
	}
	return cmp.Compare(len(a), len(b))
}

func leadingDigits(text string) string {
	i := 0
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		i++
	}
	return text[:i]
}
