package wire

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"blotter/model"
)

// What is small and comes often, a position above all, is read as one value: jsontext checks all of it at once, which is
// quicker than token by token. What is left to do is to look through bytes that are known to be JSON.

// members calls member for each member of an object. A null in its place has none.
func (r *Reader) members(value jsontext.Value, member func(fieldID, jsontext.Value) error) error {
	switch kind := value.Kind(); kind {
	case 'n':
		return nil
	case '{':
	default:
		return r.misfit(kind, kindName('{'))
	}
	var names names
	depth := len(r.inside)
	for rest := nextValue(value[1:]); rest[0] != '}'; rest = nextValue(rest) {
		id, length, err := r.nameAt(rest, &names)
		if err != nil {
			return err
		}
		rest = nextValue(rest[length:])
		r.inside = append(r.inside[:depth], id)
		length = valueLength(rest)
		if err := member(id, rest[:length]); err != nil {
			return err
		}
		rest = rest[length:]
	}
	r.inside = r.inside[:depth]
	return nil
}

// elements calls element for each element of an array.
func elements(array jsontext.Value, element func(jsontext.Value) error) error {
	for rest := nextValue(array[1:]); rest[0] != ']'; rest = nextValue(rest) {
		part := rest[:valueLength(rest)]
		if err := element(part); err != nil {
			return err
		}
		rest = rest[len(part):]
	}
	return nil
}

// blanks has a bit for each character that may stand before a name or a value.
const blanks uint64 = 1<<' ' | 1<<'\t' | 1<<'\r' | 1<<'\n' | 1<<',' | 1<<':'

// nextValue is the text from the next name, value or closing bracket on.
func nextValue(text jsontext.Value) jsontext.Value {
	at := 0
	for blanks>>text[at]&1 != 0 {
		at++
	}
	return text[at:]
}

// valueLength is how long the value is that the text begins with.
func valueLength(text jsontext.Value) int {
	switch text[0] {
	case '"':
		return stringLength(text)
	case '{', '[':
		return compositeLength(text)
	}
	return bytes.IndexAny(text, ",}] \t\r\n")
}

func stringLength(text []byte) int {
	for length := 1; ; {
		length += bytes.IndexByte(text[length:], '"') + 1
		if text[length-2] != '\\' || !isEscaped(text[:length-1]) {
			return length
		}
	}
}

// isEscaped reports whether what comes after the text is: an odd number of backslashes stands before it.
func isEscaped(text []byte) bool {
	return (len(text)-len(bytes.TrimRight(text, `\`)))%2 == 1
}

func compositeLength(text []byte) int {
	for i, depth := 0, 0; ; i++ {
		switch text[i] {
		case '"':
			i += stringLength(text[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
}

// scalar is a string or a number as its text stands there, until the next one is read. It is not present where
// there is a null.
func (r *Reader) scalar(value jsontext.Value) (text []byte, present bool, err error) {
	if value[0] == '"' {
		text, err = r.unquote(value)
		return text, err == nil, err
	}
	switch kind := value.Kind(); kind {
	case '0':
		return value, true, nil
	case 'n':
		return nil, false, nil
	default:
		return nil, false, r.misfit(kind, "a text or a number")
	}
}

// unquote is the text of a quoted string.
func (r *Reader) unquote(quoted []byte) ([]byte, error) {
	if len(quoted) >= 2 && bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1], nil
	}
	var err error
	r.plain, err = jsontext.AppendUnquote(r.plain[:0], quoted)
	return r.plain, err
}

// boolean reads true or false, perhaps as a text.
func (r *Reader) boolean(value jsontext.Value, into *bool) error {
	switch string(bytes.Trim(value, `"`)) {
	case "true":
		*into = true
	case "false", "null":
		*into = false
	default:
		return r.misfit(value.Kind(), "true or false")
	}
	return nil
}

// text reads a text that stands by itself.
func (r *Reader) text(value jsontext.Value, into *string) error {
	text, present, err := r.scalar(value)
	if present {
		*into = string(text)
	}
	return err
}

func (r *Reader) amount(value jsontext.Value, into *model.Amount) error {
	text, present, err := r.scalar(value)
	if present {
		*into = model.ParseAmount(text)
	}
	return err
}

func (r *Reader) id(value jsontext.Value, into *model.ID) error {
	text, present, err := r.scalar(value)
	if present {
		*into = r.intern(text)
	}
	return err
}

// longestKept is how long the identifiers are that the Reader remembers, so that no service can fill the memory
// with them.
const longestKept = 256

func (r *Reader) intern(text []byte) model.ID {
	if len(text) > longestKept {
		return model.MakeID(string(text))
	}
	return r.ids.ID(text)
}
