package filter

import (
	"slices"
	"strings"
)

// Names returns the names that PartyField, MarketField, AssetField, StatusField or GroupField can be searched for. With
// them, a word such as xyz:GOLD is understood: if what stands before the operator is no field, and one of the names has
// the text of the word, the word is searched for as a name. Without them, it is an error unless it is in quotes.
type Names func(Field) []string

// Parse does what the function Parse does, given names.
func (known Names) Parse(text string) (*Query, error) {
	return (&source{text: text, known: known}).parse(word.checkPositionTerm)
}

// ParseEvents does what the function ParseEvents does, given names.
func (known Names) ParseEvents(text string) (*Query, error) {
	return (&source{text: text, known: known}).parse(word.checkEventTerm)
}

// of returns the names of a field: those of parties and markets, if it is anyName.
func (known Names) of(field Field) []string {
	switch {
	case known == nil:
		return nil
	case field == anyName:
		return slices.Concat(known(PartyField), known(MarketField))
	}
	return known(field)
}

// have reports whether a field can be searched for a name that has a text, which is as compared returns it.
func (known Names) have(field Field, text string) bool {
	return text != "" && field.takesText() && slices.ContainsFunc(known.of(field), func(name string) bool {
		return strings.Contains(compared(name), text)
	})
}

// Quoted returns a filter with quotes around the words that are names because of the Names of its parser, so that it
// is understood without them. A filter with an error is returned as it is.
func Quoted(parse Parser, text string) string {
	query, err := parse(text)
	if err != nil {
		return text
	}
	for _, w := range slices.Backward(query.named) {
		text = text[:w.start] + w.asName() + text[w.end:]
	}
	return text
}
