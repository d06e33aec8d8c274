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

// isUnsafe tells whether a character can drive a terminal, reorder or hide what stands beside it, or take
// another width than it seems to have.
func isUnsafe(r rune) bool {
	if r >= 0x20 && r < 0x7f {
		return false
	}
	return !unicode.IsGraphic(r) || unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc, unicode.Z) ||
		unicode.Is(unicode.Variation_Selector, r) || r == unicode.ReplacementChar || isFiller(r)
}

// isFiller tells the letters that are drawn as nothing.
func isFiller(r rune) bool {
	return r == 0x115f || r == 0x1160 || r == 0x3164 || r == 0xffa0
}
