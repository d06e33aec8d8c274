package config

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"blotter/model"
)

// quote returns a text as TOML writes it in quotes. Characters that could drive a terminal or mislead a reader are
// escaped. What is no UTF-8 becomes the replacement character: TOML has no way to write it.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == ' ' || r < utf8.RuneSelf && ' ' < r && r != 0x7f || model.Neutralise(string(r)) == string(r):
			b.WriteRune(r)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\n':
			b.WriteString(`\n`)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
