package model

import (
	"fmt"
	"strings"
	"unicode"
)

// Neutralise makes a text of the service safe for a screen, a table or a log, and shows what it did:
// control characters become the pictures that Unicode has for them, or their number; so do characters that
// change the direction of a line, join or hide others, or do not belong to any text.
func Neutralise(text string) string {
	if strings.IndexFunc(text, isUnsafe) < 0 {
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

// Counted returns a number of things: 1 row, 2,000 rows.
func Counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return AmountOf(int64(n)).Scaled(0, false) + " " + thing
}

// isUnsafe tells whether a character can drive a terminal, reorder or hide what stands beside it, or take
// another width than it seems to have.
func isUnsafe(r rune) bool {
	if r >= 0x20 && r < 0x7f {
		return false
	}
	return !unicode.IsGraphic(r) || unicode.In(r, unicode.M, unicode.Z) || r == unicode.ReplacementChar || misleads(r)
}

// misleads tells the letters and signs that change more than their own cells.
func misleads(r rune) bool {
	within := func(first, last rune) bool { return first <= r && r <= last }
	switch {
	case r == 0x115f, r == 0x2800, r == 0x3164, r == 0xffa0:
		return true // drawn as nothing
	case r == 0x0e33, r == 0x0eb3:
		return true // a vowel of Thai and Lao that is half a mark: terminals differ in how wide it is
	case within(0x1160, 0x11ff), within(0xd7b0, 0xd7ff), within(0x1f1e6, 0x1f1ff), within(0x1f3fb, 0x1f3ff):
		return true // join the one before: vowels and final consonants of Hangul, halves of flags, skin colours
	}
	// The scripts written from right to left: where a terminal turns them round, it turns the numbers beside
	// them as well.
	return within(0x0590, 0x08ff) || within(0xfb1d, 0xfdff) || within(0xfe70, 0xfeff) ||
		within(0x10800, 0x10fff) || within(0x1e800, 0x1efff)
}
