package secrets

import (
	"strconv"
	"strings"
)

// view is a text as a reader may read it, in lower case.
type view struct {
	text string
	from []int // where in the original each byte begins, and one more for the end
}

func plainView(text string) view {
	v := view{text: lower(text), from: make([]int, len(text)+1)}
	for i := range v.from {
		v.from[i] = i
	}
	return v
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

// unescaped reads the escapes %41, \x41, \u0041 and \ before any other character.
func (v view) unescaped() (view, bool) {
	if !strings.ContainsAny(v.text, `%\`) {
		return v, false
	}
	out := make([]byte, 0, len(v.text))
	from := make([]int, 0, len(v.from))
	for i := 0; i < len(v.text); {
		c, length := unescape(v.text[i:])
		out, from = append(out, c), append(from, v.from[i])
		i += length
	}
	return view{lower(string(out)), append(from, v.from[len(v.text)])}, true
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
