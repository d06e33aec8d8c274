package filter

import (
	"errors"
	"strings"
	"unicode"
)

// Parser is Parse or ParseEvents.
type Parser func(text string) (*Query, error)

// ValidPart returns a filter without the words that cannot be understood. Of a term that is not complete, the rest
// stays: eth| is eth.
func ValidPart(parse Parser, text string) string {
	for {
		wrong := FirstError(parse, text)
		if wrong == nil {
			return text
		}
		start, end := wrong.Start, wrong.End
		if !wrong.Unfinished {
			isOfWord := func(r rune) bool { return !unicode.IsSpace(r) }
			start = len(strings.TrimRightFunc(text[:start], isOfWord))
			end = len(text) - len(strings.TrimLeftFunc(text[end:], isOfWord))
		}
		before, after := text[:start], text[end:]
		if strings.HasSuffix(before, " ") {
			after = strings.TrimLeft(after, " ")
		}
		text = strings.TrimSpace(before + after)
	}
}

// FirstError returns what cannot be understood of a filter, nil if all of it is understood.
func FirstError(parse Parser, text string) *Error {
	_, err := parse(text)
	wrong, _ := errors.AsType[*Error](err)
	return wrong
}
