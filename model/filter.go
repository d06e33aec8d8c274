package model

import "strings"

// Filter is what the trader typed to narrow the rows: words that must all match. A word matches a row whose
// market or party has it in its name or identifier, whatever the case. A word may say where to look
// (party:, market:, asset:, status:) or on which side a position is (side:long, side:short); a leading !
// turns it round.
type Filter struct {
	Text       string // as typed
	ShowClosed bool   // also positions whose volume is 0
}

// term is one word of a filter.
type term struct {
	field string // one of termFields, or empty: market or party
	word  string // in lower case
	not   bool
}

// termFields are the places where a word can ask to be looked for.
const termFields = " party market asset status side "

func parseTerms(text string) []term {
	var terms []term
	for _, word := range strings.Fields(strings.ToLower(text)) {
		var t term
		t.word, t.not = strings.CutPrefix(word, "!")
		if field, rest, ok := strings.Cut(t.word, ":"); ok && strings.Contains(termFields, " "+field+" ") {
			t.field, t.word = field, rest
		}
		if t.word != "" {
			terms = append(terms, t)
		}
	}
	return terms
}

// contains tells whether text has word, which is in lower case, in it.
func contains(text, word string) bool {
	return strings.Contains(strings.ToLower(text), word)
}
