package wire

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// invalid fails because the text is not JSON. The reason is from jsontext. If the text does not even begin like
// JSON, its words are shown.
func (in *input) invalid() {
	if in.err != nil {
		return
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(in.text), jsontext.AllowDuplicateNames(true))
	syntax, ok := errors.AsType[*jsontext.SyntacticError](decoder.SkipValue())
	switch {
	case !ok:
		in.fail(errors.New("the service sent text that is not JSON"))
	case isBlank(in.text[:syntax.ByteOffset]):
		in.fail(notJSON(in.text))
	default:
		in.fail(fmt.Errorf("the service sent text that is not JSON: %w", syntax.Err))
	}
}

// notJSON returns the error of a response that begins with this text. A page for a browser, such as that of a captive
// portal, is shown by its title or its text, as in ErrorText.
func notJSON(text []byte) error {
	if isHTML(text) {
		if words := htmlText(text); words != "" {
			return fmt.Errorf("the response is HTML, not JSON: %q", words)
		}
	}
	return fmt.Errorf("the response is not JSON; it begins with %q", OneLine(text))
}

// wrongKind fails because a value that begins with c is not of the expected kind.
func (in *input) wrongKind(c byte, want string) {
	if kind := kindNames[jsontext.Value{c}.Kind()]; kind == "" {
		in.invalid()
	} else {
		if at := in.place(); at != "" { // not the whole message
			kind += " at " + at
		}
		in.fail(fmt.Errorf("the service sent %s; %s is expected", kind, want))
	}
}

var kindNames = map[jsontext.Kind]string{
	'{': "an object", '[': "an array", '"': "a text", '0': "a number", 't': "true or false", 'f': "true or false", 'n': "null",
}

// place returns the JSON pointer to the value that is being read.
func (in *input) place() string {
	text := append(bytes.Clone(in.text[:in.at]), "null"...)
	decoder := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		if _, err := decoder.ReadToken(); err != nil {
			return OneLine([]byte(decoder.StackPointer()))
		}
	}
}
