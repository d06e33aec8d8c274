package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json/jsontext"

	"blotter/model"
)

// errorObject collects the text of an error of the service.
type errorObject struct {
	present bool   // there is an error, perhaps without a text
	words   string // what the message and the details say
	code    string
}

// text is what the error says; empty where there is none.
func (e *errorObject) text() string {
	switch {
	case e.words != "" || !e.present:
		return e.words
	case e.code != "":
		return "code " + e.code
	}
	return "an error without words"
}

// ErrorText returns what the body of an error says, in one line and neutralised: its message and details, joined by
// ": ". Where the body is no error object, it is OneLine of the body.
func ErrorText(body []byte) string {
	r := NewReader(bytes.NewReader(body), Limits{MessageBytes: int64(len(body)) + 1})
	var said errorObject
	err := r.object(func(id fieldID) error {
		switch id {
		case fieldErrorObject:
			return r.errorObject(&said)
		}
		return r.errorField(&said, id)
	})
	if (err == nil || errors.Is(err, io.EOF)) && said.words != "" {
		return said.words
	}
	return OneLine(body)
}

// errorObject reads an error: an object or a text.
func (r *Reader) errorObject(e *errorObject) error {
	value, err := r.json.ReadValue()
	switch {
	case err != nil, value.Kind() == 'n':
		return err
	}
	e.present = true
	if value.Kind() != '{' {
		return r.addText(value, &e.words)
	}
	return r.members(value, func(id fieldID, value jsontext.Value) error { return r.errorValue(e, id, value) })
}

// errorField reads a field of an error that stands by itself, without an object around it.
func (r *Reader) errorField(e *errorObject, id fieldID) error {
	value, err := r.json.ReadValue()
	if err != nil {
		return err
	}
	return r.errorValue(e, id, value)
}

func (r *Reader) errorValue(e *errorObject, id fieldID, value jsontext.Value) error {
	switch id {
	case fieldErrorMessage:
		return r.addText(value, &e.words)
	case fieldErrorDetails:
		return r.details(value, &e.words)
	case fieldErrorCode:
		if kind := value.Kind(); kind == '0' || kind == '"' {
			e.code = OneLine(bytes.Trim(value, `"`))
		}
	}
	return nil
}

// details reads the details of an error: a list as a rule, or a text.
func (r *Reader) details(value jsontext.Value, words *string) error {
	if value.Kind() != '[' {
		return r.addText(value, words)
	}
	return elements(value, func(detail jsontext.Value) error {
		if detail.Kind() != '{' {
			return nil
		}
		return r.members(detail, func(id fieldID, value jsontext.Value) error {
			switch id {
			case fieldErrorMessage, fieldErrorInner:
				return r.addText(value, words)
			}
			return nil
		})
	})
}

// addText adds a text to what an error says. A value that is no text adds nothing.
func (r *Reader) addText(value jsontext.Value, words *string) error {
	if value.Kind() != '"' || len(*words) > lineCells {
		return nil
	}
	text, err := r.unquote(value)
	if line := OneLine(text); line != "" && !strings.Contains(*words, line) {
		if *words != "" {
			*words += ": "
		}
		*words += line
	}
	return err
}

// lineCells is how long a line of the service's own words may get.
const lineCells = 200

// OneLine returns the first line of text that is not blank, neutralised and cut to 200 cells.
func OneLine(text []byte) string {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if len(line) > 8*lineCells {
			line = bytes.ToValidUTF8(line[:8*lineCells], nil)
		}
		return ansi.Truncate(model.Neutralise(string(line)), lineCells, "…")
	}
	return ""
}
