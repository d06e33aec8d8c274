package endpoint

import (
	"encoding/base64"
	"strings"
	"sync"
)

// Secrets are the tokens that were sent. A service may repeat a token in its texts, and these are shown on the screen
// and written to the log. The zero value has none. It is safe for use by many goroutines.
type Secrets struct {
	mu     sync.Mutex
	tokens []*token // the latest, no more than secretsKept
}

// secretsKept is how many tokens are remembered: they are replaced from time to time, and a response may come after
// that.
const secretsKept = 8

// hiddenToken replaces a token.
const hiddenToken = "[token]"

// token is a token as pieces of equal length, of the token itself and of its base64 forms. A text that has only a part
// of the token, because it was cut, is recognised by any piece.
type token struct {
	text   string
	length int
	pieces map[string]bool // in lower case
}

// Add remembers a token that is being sent.
func (s *Secrets) Add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text == "" {
		return
	}
	for _, known := range s.tokens {
		if known.text == text {
			return
		}
	}
	if len(s.tokens) == secretsKept {
		s.tokens = s.tokens[1:]
	}
	s.tokens = append(s.tokens, newToken(text))
}

func newToken(text string) *token {
	t := &token{text: text, length: min(len(text), max(8, min(len(text)/2, 16))), pieces: make(map[string]bool)}
	t.add(text)
	for before := range 3 {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			t.add(base64Core(encoding, text, before))
		}
	}
	return t
}

// base64Core is the part of the base64 form of a token that does not depend on the text before and behind it. before is
// how many bytes of that text share the first group of three with the token.
func base64Core(encoding *base64.Encoding, text string, before int) string {
	whole := encoding.EncodeToString(append(make([]byte, before), text...))
	first, last := (before*8+5)/6, (before+len(text))*8/6
	return whole[min(first, last):last]
}

func (t *token) add(form string) {
	form = lower(form)
	for i := 0; i+t.length <= len(form); i++ {
		t.pieces[form[i:i+t.length]] = true
	}
}

// Hide returns the text without tokens: whatever their case, in base64, with percent or backslash escapes, and in part.
func (s *Secrets) Hide(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.tokens) == 0 || text == "" {
		return text
	}
	hidden := make([]bool, len(text))
	found := false
	v := plainView(text)
	for range 3 { // as it is, with its escapes read, and with the escapes in those read
		for _, t := range s.tokens {
			found = t.mark(v, hidden) || found
		}
		next, changed := v.unescaped()
		if !changed {
			break
		}
		v = next
	}
	if !found {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		switch {
		case !hidden[i]:
			b.WriteByte(text[i])
		case i == 0 || !hidden[i-1]:
			b.WriteString(hiddenToken)
		}
	}
	return b.String()
}

// mark marks the bytes of the original text that are a piece of the token.
func (t *token) mark(v view, hidden []bool) (found bool) {
	for i := 0; i+t.length <= len(v.text); i++ {
		if !t.pieces[v.text[i:i+t.length]] {
			continue
		}
		found = true
		for at := v.from[i]; at < v.from[i+t.length]; at++ {
			hidden[at] = true
		}
	}
	return found
}

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
		high, low := hexDigit(digits[0]), hexDigit(digits[1])
		if high >= 0 && low >= 0 {
			return byte(high<<4 | low), len(escape) + 2
		}
	}
	if text[0] == '\\' && len(text) > 1 {
		return text[1], 2
	}
	return text[0], 1
}

func hexDigit(c byte) int { return strings.IndexByte("0123456789abcdef", c) }
