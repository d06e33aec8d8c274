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

// HasField reports whether the word at a place of the text of a filter has a field and something after its operator or
// colon, as upnl<-1500 has.
func HasField(text string, at int) bool {
	for w, err := range words(&source{text: text}) {
		if err != nil || w.start > at {
			return false
		}
		if at < w.end {
			_, operator, value := w.split()
			return operator != "" && value.start < value.end
		}
	}
	return false
}

// FirstError returns what cannot be understood of a filter, nil if all of it is understood.
func FirstError(parse Parser, text string) *Error {
	_, err := parse(text)
	wrong, _ := errors.AsType[*Error](err)
	return wrong
}
