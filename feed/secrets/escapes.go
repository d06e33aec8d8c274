package secrets

import (
	"strconv"
	"strings"
)

// mappedText is a text in lower case, perhaps without its escapes.
type mappedText struct {
	text string
	from []int // where in the original each byte begins, and one more for the end
}

// mapped returns a text with its escapes.
func mapped(text string) mappedText {
	m := mappedText{text: lower(text), from: make([]int, len(text)+1)}
	for i := range m.from {
		m.from[i] = i
	}
	return m
}

// lower changes the case of ASCII letters only, so that the length stays.
func lower(text string) string {
	bytes := []byte(text)
	for i, c := range bytes {
		if 'A' <= c && c <= 'Z' {
			bytes[i] = c + 'a' - 'A'
		}
	}
	return string(bytes)
}

// unescaped returns the text with the character in place of each escape: %41, \x41, \u0041, and \ before any other
// character. It returns false if there are none.
func (m mappedText) unescaped() (mappedText, bool) {
	if !strings.ContainsAny(m.text, `%\`) {
		return m, false
	}
	out := make([]byte, 0, len(m.text))
	from := make([]int, 0, len(m.from))
	for i := 0; i < len(m.text); {
		c, length := unescape(m.text[i:])
		out, from = append(out, c), append(from, m.from[i])
		i += length
	}
	return mappedText{lower(string(out)), append(from, m.from[len(m.text)])}, true
}

// unescape reads the first character of a text.
func unescape(text string) (c byte, length int) {
	for _, escape := range []string{"%", `\x`, `\u00`} {
		digits, is := strings.CutPrefix(text, escape)
		if !is || len(digits) < 2 {
			continue
		}
		if code, err := strconv.ParseUint(digits[:2], 16, 8); err == nil {
			return byte(code), len(escape) + 2
		}
	}
	if text[0] == '\\' && len(text) > 1 {
		return text[1], 2
	}
	return text[0], 1
}
