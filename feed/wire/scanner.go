package wire

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"blotter/model"
)

// scanner reads JSON in one pass, as strictly as jsontext does. The rare cases are left to jsontext: texts with
// escapes, numbers of more than one digit that are not texts, and what is wrong with a text that is not JSON. After an
// error no object or array has further elements, and what the methods return means nothing.
type scanner struct {
	input
	unescaped []byte // a text without its escapes
}

// knownNames are the names that the reader uses.
var knownNames = slices.Concat([]string{
	"result", "snapshot", "updates", "positions", "lastPage", "error", "code", "message", "details", "inner",
	"partyId", "marketId", "positionStatus", "marginLevels", "edges", "node", "cursor", "pageInfo", "hasNextPage",
	"hasPreviousPage", "startCursor", "endCursor", "asset",
}, model.FieldNames(), model.MarginFieldNames())

type array struct{ isOpen, hasElements bool }

type object struct {
	array
	name string                // of the member that comes next; empty if the reader does not use it
	seen [maxKnown / 64]uint64 // a bit for each known name so far
}

// maxKnown is how many known names there can be.
const maxKnown = 128

// maxDepth is how many objects and arrays may be inside each other.
const maxDepth = 10_000

// open reads the opening bracket of an object or an array. A null has no members and no elements.
func (s *scanner) open(bracket byte) array {
	switch c := s.peek(); c {
	case bracket:
		s.at++
		if s.depth++; s.depth > maxDepth {
			s.invalid()
		}
		return array{isOpen: true}
	case 'n':
		s.constant("null")
	default:
		s.wrongKind(c, kindNames[jsontext.Kind(bracket)])
	}
	return array{}
}

// nextElement reports whether one more element follows. It reads the comma before it, or the closing bracket.
func (s *scanner) nextElement(a *array, bracket byte) bool {
	if !a.isOpen {
		return false
	}
	switch c := s.peek(); {
	case c == bracket:
		s.at++
		s.depth--
		return false
	case !a.hasElements:
		a.hasElements = true
	case c == ',':
		s.at++
		s.peek()
	default:
		s.invalid()
	}
	return s.err == nil
}

func (s *scanner) array() *array         { a := s.open('['); return &a }
func (s *scanner) element(a *array) bool { return s.nextElement(a, ']') }
func (s *scanner) object() *object       { return &object{array: s.open('{')} }

// member reads the name of the next member, and reports whether there is one. A name that comes twice is an error:
// which of the two values counts would be a guess.
func (s *scanner) member(o *object) bool {
	if !s.nextElement(&o.array, '}') {
		return false
	}
	name := s.string()
	id := slices.IndexFunc(knownNames, func(known string) bool { return string(name) == known })
	s.colon()
	if id < 0 {
		o.name = ""
		return true
	}
	o.name = knownNames[id]
	if word, bit := &o.seen[id/64], uint64(1)<<(id%64); *word&bit == 0 {
		*word |= bit
	} else {
		s.fail(fmt.Errorf("the service sent %q twice in one object, at %s", o.name, s.place()))
	}
	return true
}

func (s *scanner) colon() {
	if s.peek() != ':' {
		s.invalid()
		return
	}
	s.at++
}

// string reads a text, and returns it without its quotes. It is valid until the next call.
func (s *scanner) string() []byte {
	if s.at >= len(s.text) || s.text[s.at] != '"' {
		s.invalid()
		return nil
	}
	end, escaped := findSpecial(s.text, s.at+1), false
	for end >= len(s.text) || s.text[end] != '"' {
		switch {
		case end >= len(s.text):
			if !s.more() {
				return nil
			}
		case s.text[end] == '\\':
			escaped = true
			end += 2
		default:
			s.invalid()
			return nil
		}
		end = findSpecial(s.text, end)
	}
	quoted := s.text[s.at : end+1]
	s.at = end + 1
	if !escaped {
		return quoted[1 : len(quoted)-1]
	}
	unescaped, err := jsontext.AppendUnquote(s.unescaped[:0], quoted)
	if err != nil {
		s.invalid()
	}
	s.unescaped = unescaped
	return unescaped
}

// findSpecial returns where the first quote, backslash or control character is in text from a place on. It checks
// eight bytes at once: c^2 < 0x21 holds for control characters and the quote only, c^'\\' < 1 for the backslash only.
func findSpecial(text []byte, at int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; at+8 <= len(text); at += 8 {
		word := binary.LittleEndian.Uint64(text[at:])
		quote, backslash := word^ones*2, word^ones*'\\'
		found := (quote-ones*0x21)&^quote | (backslash-ones)&^backslash
		if found &= tops; found != 0 {
			return at + bits.TrailingZeros64(found)/8
		}
	}
	for at < len(text) && text[at] != '"' && text[at] != '\\' && text[at] >= ' ' {
		at++
	}
	return at
}

// scalar reads a text or a number, and returns it as it was written. It reports false for a null.
func (s *scanner) scalar() (text []byte, ok bool) {
	switch c := s.peek(); {
	case c == '"':
		text = s.string()
	case c == '{', c == '[', c == 't', c == 'f':
		s.wrongKind(c, "a text or a number")
	case c == 'n':
		s.constant("null")
		return nil, false
	default:
		text = s.number()
	}
	return text, s.err == nil
}

// value reads what stands in the place of a number, and returns it as it was written. If it is neither a text nor a
// number, it is returned as a text of maxOdd characters at most: one bad value is not worth all rows. It reports false
// for a null. It is an error only if it is not known where the value ends.
func (s *scanner) value() (text []byte, ok bool) {
	switch c := s.peek(); c {
	case '"':
		text = s.string()
	case '{', '[':
		start := s.at
		s.skip()
		text = cutOdd(s.text[start:s.at])
	default:
		start := s.at
		for (s.at < len(s.text) || s.more()) && isOfWord(s.text[s.at]) {
			s.at++
		}
		text = s.text[start:s.at]
		if len(text) == 0 {
			s.invalid()
		}
		if string(text) == "null" {
			return nil, false
		}
		if !isJSONNumber(text) {
			text = cutOdd(text)
		}
	}
	return text, s.err == nil
}

// isOfWord reports whether a character can be in a value without quotes and brackets.
func isOfWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || strings.IndexByte("+-._", c) >= 0
}

func isJSONNumber(text []byte) bool {
	isDigit := len(text) == 1 && text[0]-'0' <= 9
	return isDigit || jsontext.Value(text).Kind() == '0' && jsontext.Value(text).IsValid()
}

// maxOdd is how many characters are kept of a value in the place of a number that is none.
const maxOdd = 64

// cutOdd cuts a value. The mark at its end makes sure that what is left is no number.
func cutOdd(text []byte) []byte {
	cut := 0
	for i := range string(text) {
		if cut == maxOdd-1 {
			return append(slices.Clone(text[:i]), "…"...)
		}
		cut++
	}
	return text
}

func (s *scanner) number() []byte {
	start := s.at
	for (s.at < len(s.text) || s.more()) && strings.IndexByte("0123456789-+.eE", s.text[s.at]) >= 0 {
		s.at++
	}
	number := s.text[start:s.at]
	if !isJSONNumber(number) {
		s.invalid()
	}
	return number
}

// constant reads true, false or null.
func (s *scanner) constant(word string) {
	for i := 0; i < len(word) && (s.at < len(s.text) || s.more()); i++ {
		if s.text[s.at] != word[i] {
			s.invalid()
			return
		}
		s.at++
	}
}

// skip reads any value, and returns what was written: of a text what is between its quotes.
func (s *scanner) skip() []byte {
	c := s.peek()
	start := s.at
	switch c {
	case '"':
		return s.string()
	case '{':
		for o := s.object(); s.nextElement(&o.array, '}'); s.skip() {
			s.string()
			s.colon()
		}
	case '[':
		for a := s.array(); s.element(a); {
			s.skip()
		}
	case 't':
		s.constant("true")
	case 'f':
		s.constant("false")
	case 'n':
		s.constant("null")
	default:
		s.number()
	}
	return s.text[start:s.at]
}

// boolean reads true or false, perhaps as a text. A null is false.
func (s *scanner) boolean() bool {
	c := s.peek()
	switch string(s.skip()) {
	case "true":
		return true
	case "false", "null":
		return false
	}
	s.wrongKind(c, "true or false")
	return false
}
