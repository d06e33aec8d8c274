package filter

import (
	"fmt"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"blotter/model"
)

// word is a part of the text of a filter. Its quotes are balanced.
type word struct {
	*source
	start, end int
}

// words yields the words of the text of a filter. An error is the last that it yields.
func words(s *source) iter.Seq2[word, error] {
	return func(yield func(word, error) bool) {
		for at := 0; at < len(s.text); {
			if r, size := utf8.DecodeRuneInString(s.text[at:]); unicode.IsSpace(r) {
				at += size
				continue
			}
			w, err := s.nextWord(at)
			if !yield(w, err) || err != nil {
				return
			}
			at = w.end
		}
	}
}

func (w word) String() string { return w.text[w.start:w.end] }

// part returns the part of the word between two places, counted from its start.
func (w word) part(from, to int) word { return word{w.source, w.start + from, w.start + to} }

// wrong returns an error about the word.
func (w word) wrong(format string, arguments ...any) error {
	return &Error{w.start, w.end, fmt.Sprintf(format, arguments...), false}
}

// shown returns the word for a message: cut if it is long.
func (w word) shown() string { return shown(w.String()) }

func shown(text string) string {
	const most = 40
	text = model.Neutralise(text)
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}

// unquoted returns the text of the word in lower case and without quotes.
func (w word) unquoted() string { return strings.ToLower(w.withoutQuotes()) }

func (w word) withoutQuotes() string { return strings.ReplaceAll(w.String(), `"`, "") }

// asName returns the word as the text of a name is written.
func (w word) asName() string { return quoted(w.withoutQuotes()) }

// index returns the place of the first byte of the word that is one of chars and not between quotes, -1 if there is
// none.
func (w word) index(chars string) int {
	quoted := false
	for i, c := range []byte(w.String()) {
		if c == '"' {
			quoted = !quoted
		} else if !quoted && strings.IndexByte(chars, c) >= 0 {
			return i
		}
	}
	return -1
}
