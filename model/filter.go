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
	field string // one of FilterFields, or empty: market or party
	word  string // in lower case
	not   bool
}

// FilterFields are the places where a word can ask to be looked for.
const FilterFields = "party: market: asset: side: status:"

func isField(text string) bool { return strings.Contains(" "+FilterFields, " "+text+":") }

// UnknownField is the first field that a word names and that there is not; empty where there is none. Such a word
// is looked for as it stands, because a name may have a colon too.
func (f Filter) UnknownField() string {
	for _, word := range strings.Fields(f.Text) {
		field, _, ok := strings.Cut(strings.TrimPrefix(word, "!"), ":")
		if ok && field != "" && !isField(strings.ToLower(field)) {
			return field
		}
	}
	return ""
}

func parseTerms(text string) []term {
	var terms []term
	for _, word := range strings.Fields(strings.ToLower(text)) {
		var t term
		t.word, t.not = strings.CutPrefix(word, "!")
		if field, rest, ok := strings.Cut(t.word, ":"); ok && isField(field) {
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
