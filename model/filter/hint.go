package filter

import (
	"fmt"
	"strings"
)

// Hint returns what the trader may have meant by a filter that is right but unusual: the word or between two texts, or
// a minus sign before a text. It is empty for other filters.
func Hint(text string) string {
	var before, term string
	for at := 0; at < len(text); {
		if text[at] == ' ' {
			at++
			continue
		}
		w, err := nextWord(text, at)
		if err != nil {
			return ""
		}
		at = w.end
		switch word := w.shown(); {
		case strings.EqualFold(term, "or") && before != "":
			return fmt.Sprintf("%q is searched as a text; %s|%s finds one of the two", term, before, word)
		case strings.EqualFold(term, "and") && before != "":
			return fmt.Sprintf("%q is searched as a text; without it, %s %s finds what matches both", term, before, word)
		case len(word) > 1 && word[0] == '-':
			return fmt.Sprintf("%q is searched as a text; !%s leaves out what matches", word, word[1:])
		default:
			before, term = term, word
		}
	}
	return ""
}
