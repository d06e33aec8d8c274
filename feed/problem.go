package feed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json/jsontext"

	"blotter/model"
)

// StatusError is an answer of the service that is no success.
type StatusError struct {
	Status     int           // the HTTP status; 0 where the request was not even sent
	Words      string        // what the service said, in one line, neutralised
	RetryAfter time.Duration // how long it asked to be left alone; 0 where it named no time
}

func (e *StatusError) Error() string {
	if e.Status == 0 {
		return e.Words
	}
	return fmt.Sprintf("the service answered %d: %s", e.Status, e.Words)
}

// Retryable tells whether asking again later, unchanged, may help.
func (e *StatusError) Retryable() bool {
	switch {
	case e.Status == http.StatusRequestTimeout, e.Status == http.StatusTooManyRequests, e.Status >= 500:
		return true
	}
	return e.Status == http.StatusForbidden && e.RetryAfter > 0
}

// streamError is an error object inside a stream.
type streamError struct{ words string }

func (e *streamError) Error() string { return "the service ended the stream: " + e.words }

// How much of an error's body is read, and how long it may take. The status says the most.
const (
	errorBodyBytes    = 64 << 10
	errorBodyPatience = time.Second
)

// statusError reads what a refused request was answered.
func statusError(response *http.Response, secrets *secrets, now time.Time) *StatusError {
	body, _ := io.ReadAll(io.LimitReader(response.Body, errorBodyBytes))
	e := &StatusError{Status: response.StatusCode, RetryAfter: retryAfter(response.Header, now)}
	e.Words = bodyWords(body, secrets)
	if location := response.Header.Get("Location"); location != "" {
		e.Words = "it redirects to " + oneLine(secrets.hide([]byte(location)))
	}
	if e.Words == "" {
		e.Words = strings.ToLower(http.StatusText(response.StatusCode))
	}
	return e
}

// retryAfter is how long the service asked to be left alone, by the standard header or by the one that
// rate limiters in front of such services send.
func retryAfter(header http.Header, now time.Time) time.Duration {
	for _, name := range []string{"Retry-After", "Ratelimit-Retry-After"} {
		text := strings.TrimSpace(header.Get(name))
		if seconds, err := strconv.ParseUint(text, 10, 31); err == nil && seconds > 0 {
			return time.Duration(seconds) * time.Second
		}
		if at, err := http.ParseTime(text); err == nil && at.After(now) {
			return at.Sub(now)
		}
	}
	return 0
}

// bodyWords is what an error's body says: the message and the details of the service's error object, or
// else the first line of whatever it is.
func bodyWords(body []byte, secrets *secrets) string {
	d := newDecoder(bytes.NewReader(body), errorBodyBytes+1)
	d.secrets = secrets
	var m message
	err := d.object(func(w word) error {
		switch w {
		case wordErrorObject:
			return d.complaint(&m)
		}
		return d.errorField(&m, w)
	})
	if (err == nil || errors.Is(err, io.EOF)) && m.complaint != "" {
		return m.complaint
	}
	return oneLine(secrets.hide(body))
}

// complaint reads an error object: its message and what its details add.
func (d *decoder) complaint(m *message) error {
	value, err := d.json.ReadValue()
	switch {
	case err != nil, value.Kind() == 'n':
		return err
	}
	m.failed = true
	if value.Kind() != '{' {
		return d.word(value, &m.complaint)
	}
	return d.members(value, func(w word, value jsontext.Value) error { return d.errorValue(m, w, value) })
}

// errorField reads a field of an error object that some answer without anything around it.
func (d *decoder) errorField(m *message, w word) error {
	value, err := d.json.ReadValue()
	if err != nil {
		return err
	}
	return d.errorValue(m, w, value)
}

func (d *decoder) errorValue(m *message, w word, value jsontext.Value) error {
	switch w {
	case wordErrorMessage:
		return d.word(value, &m.complaint)
	case wordErrorDetails:
		return d.details(value, &m.complaint)
	case wordErrorCode:
		if kind := value.Kind(); kind == '0' || kind == '"' {
			m.code = oneLine(d.secrets.hide(bytes.Trim(value, `"`)))
		}
	}
	return nil
}

// complain has an error say something, even where the service gave it no words.
func (m *message) complain() {
	switch {
	case m.complaint != "":
	case m.code != "":
		m.complaint = "code " + m.code
	default:
		m.complaint = "an error without words"
	}
}

// details reads what the details of an error add: a list as a rule, or words.
func (d *decoder) details(value jsontext.Value, words *string) error {
	if value.Kind() != '[' {
		return d.word(value, words)
	}
	return elements(value, func(detail jsontext.Value) error {
		if detail.Kind() != '{' {
			return nil
		}
		return d.members(detail, func(w word, value jsontext.Value) error {
			switch w {
			case wordErrorMessage, wordErrorInner:
				return d.word(value, words)
			}
			return nil
		})
	})
}

// word adds a text to what an error says. A value that is no text adds nothing.
func (d *decoder) word(value jsontext.Value, words *string) error {
	if value.Kind() != '"' || len(*words) > lineCells {
		return nil
	}
	text, err := d.unquote(value)
	if line := oneLine(d.secrets.hide(text)); line != "" && !strings.Contains(*words, line) {
		if *words != "" {
			*words += ": "
		}
		*words += line
	}
	return err
}

// lineCells is how long a line of a service's own words may get.
const lineCells = 200

// oneLine is the first line of text that says anything, neutralised and cut.
func oneLine(text []byte) string {
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			if len(line) > 8*lineCells {
				line = strings.ToValidUTF8(line[:8*lineCells], "")
			}
			return ansi.Truncate(model.Neutralise(line), lineCells, "…")
		}
	}
	return ""
}

// asStatus is the service's answer that err came about by, where it did.
func asStatus(err error) (*StatusError, bool) { return errors.AsType[*StatusError](err) }

// problemOf is what the screen is told of err.
func problemOf(err error) *model.Problem {
	if status, ok := asStatus(err); ok {
		return &model.Problem{Status: status.Status, Words: status.Words, Refuse: !status.Retryable()}
	}
	return &model.Problem{Words: words(err)}
}
