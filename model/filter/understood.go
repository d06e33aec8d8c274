package filter

import (
	"errors"
	"strings"
)

// Parser is Parse or ParseEvents.
type Parser func(text string) (*Query, error)

// Understood returns a filter without the words that cannot be understood.
func Understood(parse Parser, text string) string {
	for {
		wrong := Wrong(parse, text)
		if wrong == nil {
			return text
		}
		start := strings.LastIndex(text[:wrong.Start], " ") + 1
		end := wrong.End
		if after := strings.Index(text[end:], " "); after >= 0 {
			end += after
		} else {
			end = len(text)
		}
		text = strings.TrimSpace(text[:start]) + " " + strings.TrimSpace(text[end:])
		text = strings.TrimSpace(text)
	}
}

// Wrong returns what cannot be understood of a filter, nil where all of it is understood.
func Wrong(parse Parser, text string) *Error {
	_, err := parse(text)
	wrong, _ := errors.AsType[*Error](err)
	return wrong
}
