package pick

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"blotter/model"
	"blotter/ui/draw"
)

// match is how well an offer matches a typed text.
type match uint8

const (
	noMatch     match = iota
	everyWord         // its name has each word of the text between separators
	inside            // its name or identifier has the text in it
	beginning         // its name or identifier begins with the text
	wholeWord         // its name has the text between separators, as SOL in SOL/USDT
	anotherCase       // it is its name but for upper and lower case
	sameName          // it is its name or identifier
)

// match returns how well the offer matches a text.
func (o *offer) match(text string, typed *offer) match {
	word, label, id := strings.ToLower(text), strings.Trim(strings.ToLower(o.label), draw.Fence), model.Neutralise(o.id.String())
	isMissing := func(word string) bool { return !hasWholeWord(label, word) }
	switch {
	case !o.all && o.id == typed.id, o.label == text:
		return sameName
	case label == word:
		return anotherCase
	case hasWholeWord(label, word):
		return wholeWord
	case strings.HasPrefix(label, word), !o.all && strings.HasPrefix(id, word):
		return beginning
	case strings.Contains(label, word), !o.all && strings.Contains(id, word):
		return inside
	case !slices.ContainsFunc(strings.Fields(word), isMissing):
		return everyWord
	}
	return noMatch
}

// hasWholeWord reports whether a text has the word in it, with neither a letter nor a digit beside it.
func hasWholeWord(text, word string) bool {
	isInWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, size := utf8.DecodeRuneInString(text[at+len(word):])
		if !isInWord(before) && (size == 0 || !isInWord(after)) {
			return true
		}
		_, first := utf8.DecodeRuneInString(text[at:])
		from = at + first
	}
}

// cutsNumber reports whether a text ends in the middle of a number in the offer's name, or of a word after its number.
// The digits of an identifier are not numbers.
func (o *offer) cutsNumber(text string) bool {
	label, word := strings.ToLower(o.label), strings.ToLower(text)
	at := strings.Index(label, word)
	if at < 0 || o.id.IsWellFormed() && strings.Contains(o.label, "…") {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(word)
	next, _ := utf8.DecodeRuneInString(label[at+len(word):])
	return unicode.IsDigit(last) && (unicode.IsDigit(next) || unicode.IsLetter(next)) && !hasWholeWord(label, word)
}
