package filter

import (
	"errors"
	"strings"
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
			start = strings.LastIndex(text[:start], " ") + 1
			if after := strings.Index(text[end:], " "); after >= 0 {
				end += after
			} else {
				end = len(text)
			}
		}
		before, after := text[:start], text[end:]
		if strings.TrimSpace(before) == "" || strings.HasSuffix(before, " ") {
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
