package filter

import (
	"strings"
	"unicode"
)

// nextWord returns the word that begins at a place: up to a space that is neither between quotes nor beside the
// operator of a comparison.
func (s *source) nextWord(start int) (word, error) {
	quote := -1
	for at, r := range s.text[start:] {
		switch at += start; {
		case r == '"' && quote < 0:
			quote = at
		case r == '"':
			quote = -1
		case unicode.IsSpace(r) && quote < 0 && !s.isBesideOperator(start, at):
			return word{s, start, at}, nil
		}
	}
	if quote >= 0 {
		return word{}, word{s, quote, len(s.text)}.wrong(`a closing " is missing`)
	}
	return word{s, start, len(s.text)}, nil
}

// isBesideOperator reports whether the space at a place, after the beginning of a word, stands before or after the
// operator of a comparison with a number or a time, as in upnl < -1500.
func (s *source) isBesideOperator(start, at int) bool {
	const operators = "<>="
	before, after := strings.TrimRight(s.text[start:at], " "), strings.TrimLeft(s.text[at:], " ")
	operand := strings.TrimLeft(before[strings.LastIndexByte(before, '|')+1:], "!")
	name := strings.TrimRight(operand, "!"+operators)
	if field := Field(strings.ToLower(strings.TrimSpace(name))); !field.isCompared() && !(s.ofRule && field == dayField) || after == "" {
		return false
	}
	if name != operand { // it ends with its operator
		return true
	}
	return strings.IndexByte(operators, after[0]) >= 0 || strings.HasPrefix(after, "!=")
}

// trimmed returns the word without the spaces at its ends.
func (w word) trimmed() word {
	text := w.String()
	w.start += len(text) - len(strings.TrimLeft(text, " "))
	w.end = max(w.end-(len(text)-len(strings.TrimRight(text, " "))), w.start)
	return w
}
