package filter

import (
	"fmt"
	"slices"
	"strings"

	"blotter/model"
)

// Hint returns what the trader may have meant by a filter that is right but unusual: the words or, and, not, a minus
// sign, a parenthesis or a comma, a side or a status without its field, or a status that is not known. It is empty for
// other filters.
func Hint(text string) string {
	var before, term string
	for w, err := range words(&source{text: text}) {
		if err != nil {
			return ""
		}
		switch word := w.shown(); {
		case strings.EqualFold(term, "or") && before != "":
			return fmt.Sprintf("%q is searched as a text; %s|%s finds one of the two", term, before, word)
		case strings.EqualFold(term, "and") && before != "":
			return fmt.Sprintf("%q is searched as a text; without it, %s %s finds what matches both", term, before, word)
		case len(word) > 1 && word[0] == '-':
			return fmt.Sprintf("%q is searched as a text; !%s leaves out what matches", word, word[1:])
		case strings.EqualFold(term, "not"):
			return fmt.Sprintf("%q is searched as a text; !%s leaves out what matches", term, word)
		case word[0] == '(' && word != "(none)":
			return fmt.Sprintf("%q is searched as a text; filters have no parentheses", word)
		case strings.Contains(word, ",") && !strings.ContainsAny(word, `"<>=:`):
			return fmt.Sprintf("%q is searched as a text; a|b finds one of the two", word)
		case slices.Contains(sideNames[:], strings.ToLower(word)):
			return fmt.Sprintf("%q is searched as a text; side:%s finds these positions", word, strings.ToLower(word))
		case slices.Contains(StatusTexts(), strings.ToLower(word)):
			return fmt.Sprintf("%q is searched as a text; status:%s finds these positions", word, strings.ToLower(word))
		default:
			before, term = term, word
		}
		if status := w.unknownStatus(); status != "" {
			return fmt.Sprintf("no known status has %q; known: %s", status, strings.Join(StatusTexts(), ", "))
		}
	}
	return ""
}

// unknownStatus returns the text of a condition that no known status meets, or an empty text if there is none. A
// service may send others, so it is no error.
func (w word) unknownStatus() string {
	term, _ := w.term()
	for _, c := range term.Any {
		if text, ok := c.(TextCondition); ok && text.Field == StatusField && !slices.ContainsFunc(model.StatusNames(), text.MatchesStatus) {
			return text.Text
		}
	}
	return ""
}

// StatusTexts returns the known statuses as filters write them.
func StatusTexts() []string {
	texts := model.StatusNames()
	for i, name := range texts {
		texts[i] = quoted(strings.ToLower(StatusText(name)))
	}
	return texts
}
