package wire

import (
	"bytes"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
)

// errorObject collects the text of an error of the service. It is not cut to lineCells: what looks for secrets in it
// would not find the one that is cut.
type errorObject struct {
	present bool   // there is an error, perhaps without a text
	words   string // the texts of the message and the details
	code    string
}

// text returns the text of the error; empty if there is none.
func (e *errorObject) text() string {
	switch {
	case e.words != "" || !e.present:
		return e.words
	case e.code != "":
		return "code " + e.code
	}
	return "an error without a text"
}

// ErrorText returns the text of the body of an error, in one line and neutralised: its message and details, joined by
// ": ". If the body is no error object, it is all of the body, cut to 200 cells; of a page for a browser, its title, or
// else its text.
func ErrorText(body []byte) string {
	s := scanner{input: input{body: bytes.NewReader(body), limit: int64(len(body)) + 1}}
	var e errorObject
	for o := s.object(); s.member(o); {
		s.errorMember(o.name, &e)
	}
	if s.end() == nil && e.words != "" {
		return e.words
	}
	if isHTML(body) {
		return htmlText(body)
	}
	return allInOneLine(body)
}

// errorMember reads a member of a value that may be an error: the error object, or a part of one that is not in an
// object.
func (s *scanner) errorMember(name string, e *errorObject) {
	switch name {
	case "error":
		e.present = s.peek() != 'n'
		s.errorWords(e)
	case "message", "inner", "details":
		s.errorWords(e)
	case "code":
		kind := s.peek()
		if code := s.skip(); e.code == "" && kind != '{' && kind != '[' && kind != 'n' {
			e.code = OneLine(code)
		}
	default:
		s.skip()
	}
}

// errorWords adds the texts of a value to an error: of a text, or of an object or an array of such.
func (s *scanner) errorWords(e *errorObject) {
	switch s.peek() {
	case '"':
		e.addText(s.string())
	case '{':
		for o := s.object(); s.member(o); {
			s.errorMember(o.name, e)
		}
	case '[':
		for a := s.array(); s.element(a); {
			s.errorWords(e)
		}
	default:
		s.skip()
	}
}

// addText adds a text that is not there yet.
func (e *errorObject) addText(text []byte) {
	if len(e.words) > lineCells {
		return
	}
	if line := firstLine(text); line != "" && !strings.Contains(e.words, line) {
		if e.words != "" {
			e.words += ": "
		}
		e.words += line
	}
}

// lineCells is how long a line with a text of the service may be.
const lineCells = 200

// OneLine returns the first line of text that is not blank, neutralised and cut to 200 cells.
func OneLine(text []byte) string { return ansi.Truncate(firstLine(text), lineCells, "…") }

// firstLine returns the first line of text that is not blank, neutralised. Of a very long one it is the beginning.
func firstLine(text []byte) string {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 {
			return neutralLine(line)
		}
	}
	return ""
}

// allInOneLine returns all lines of text as one, neutralised and cut to 200 cells.
func allInOneLine(text []byte) string {
	return ansi.Truncate(neutralLine(bytes.Join(bytes.Fields(text), []byte(" "))), lineCells, "…")
}

// neutralLine returns the beginning of a line, neutralised.
func neutralLine(line []byte) string {
	if len(line) > 8*lineCells {
		line = bytes.ToValidUTF8(line[:8*lineCells], nil)
	}
	return model.Neutralise(string(line))
}
