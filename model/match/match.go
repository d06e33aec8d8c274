// Package match has how well a typed text matches a name, for lists that a typed text narrows, and which name is
// nearest to a mistyped one.
package match

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quality is how well a name matches a typed text.
type Quality uint8

// The qualities, the worst first.
const (
	None        Quality = iota
	Letters             // the name has the letters of the text in their order, with others between them
	EveryWord           // the name has each word of the text between separators
	Inside              // the name has the text in it
	Beginning           // the name begins with the text
	WholeWord           // the name has the text between separators, as SOL in SOL/USDT
	AnotherCase         // it is the name, with other letters in upper case
	Same                // it is the name
)

// Of returns how well a name matches a text. An empty text is the beginning of every name.
func Of(name, text string) Quality {
	lower, word := strings.ToLower(name), strings.ToLower(text)
	isMissing := func(word string) bool { return !HasWord(lower, word) }
	switch {
	case text == "":
		return Beginning
	case name == text:
		return Same
	case lower == word:
		return AnotherCase
	case HasWord(lower, word):
		return WholeWord
	case strings.HasPrefix(lower, word):
		return Beginning
	case strings.Contains(lower, word):
		return Inside
	case !slices.ContainsFunc(strings.Fields(word), isMissing):
		return EveryWord
	case hasLetters(lower, word):
		return Letters
	}
	return None
}

// hasLetters reports whether a text has the letters of a word in their order. Spaces of the word do not count.
func hasLetters(text, word string) bool {
	for _, r := range word {
		if r == ' ' {
			continue
		}
		at := strings.IndexRune(text, r)
		if at < 0 {
			return false
		}
		text = text[at+utf8.RuneLen(r):]
	}
	return true
}

// HasWord reports whether a text has the word in it, with neither a letter nor a digit beside it.
func HasWord(text, word string) bool {
	isInWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for from := 0; word != ""; {
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
	return false
}
