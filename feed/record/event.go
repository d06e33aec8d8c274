package record

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"blotter/feed/wire"
)

// formatVersion is the version of the format that is written and read.
const formatVersion = 1

// Header describes a recording.
type Header struct {
	Version   string    // of the program
	Start     time.Time // the times of events are relative to it
	Addresses []string  // the base addresses of the service
	Service   string    // its name on the screen
	Parties   []string  // the identifiers of the scope at the start; none are all
	Markets   []string
}

// headerLine is the first line of each part.
type headerLine struct {
	Recording int       `json:"recording"` // formatVersion
	Part      int       `json:"part"`
	Version   string    `json:"version"`
	Start     time.Time `json:"start"`
	Addresses []string  `json:"addresses"`
	Service   string    `json:"service,omitempty"`
	Parties   []string  `json:"parties,omitempty"`
	Markets   []string  `json:"markets,omitempty"`
}

func (h *Header) line(part int) headerLine {
	return headerLine{formatVersion, part, h.Version, h.Start, h.Addresses, h.Service, h.Parties, h.Markets}
}

func (l *headerLine) header() Header {
	return Header{l.Version, l.Start, l.Addresses, l.Service, l.Parties, l.Markets}
}

// The events of a recording.
const (
	opened    = "opened"    // a request was sent
	answered  = "answered"  // status and header came
	body      = "body"      // bytes of the body came
	ended     = "ended"     // the body ended, or the request failed
	continued = "continued" // the recording continues in the next file
	closed    = "closed"    // the recording was ended in order
)

// event is one line of a recording after the header.
type event struct {
	At      time.Duration `json:"at"`
	Kind    string        `json:"event"`
	Request int64         `json:"request,omitempty"` // numbered from 1 on

	Address string `json:"address,omitempty"` // opened: scheme and host
	Target  string `json:"target,omitempty"`  // opened: path and query

	Status int         `json:"status,omitempty"` // answered
	Header http.Header `json:"header,omitempty"` // answered: those of recordedHeaders

	Text  string `json:"text,omitempty"`  // body, if it is UTF-8
	Bytes []byte `json:"bytes,omitempty"` // body elsewhere

	Error string `json:"error,omitempty"` // ended: why; empty if the service ended the body
	Left  bool   `json:"left,omitempty"`  // ended: by blotter, before the end of the body
}

// data returns the bytes of a body event.
func (e *event) data() []byte {
	if len(e.Bytes) > 0 {
		return e.Bytes
	}
	return []byte(e.Text)
}

// setData sets the bytes of a body event.
func (e *event) setData(data []byte) {
	e.Text, e.Bytes = "", nil
	if utf8.Valid(data) {
		e.Text = string(data)
	} else {
		e.Bytes = data
	}
}

// appendLine appends a value as one line of JSON.
func appendLine(line *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(line)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// recordedHeaders are the headers of responses that blotter reads. A name that ends in - means all names that begin so.
var recordedHeaders = []string{"Date", "Content-Type", "Content-Encoding", "Location", "Retry-After", "Ratelimit-", "X-Block-"}

// recorded returns the part of a header that is recorded.
func recorded(header http.Header) http.Header {
	kept := make(http.Header)
	for name, values := range header {
		for _, pattern := range recordedHeaders {
			if name == pattern || strings.HasSuffix(pattern, "-") && strings.HasPrefix(name, pattern) {
				kept[name] = slices.Clone(values)
			}
		}
	}
	return kept
}

// requestKey identifies a request, whatever the address: requests with the same key have the same response.
type requestKey struct {
	operation string // its path, below the base address
	query     string
}

func requestKeyOf(path, query string) requestKey {
	for _, operation := range []string{wire.StreamPath, wire.MarginPath} {
		if strings.HasSuffix(path, operation) {
			return requestKey{operation, query}
		}
	}
	return requestKey{path, query}
}

// key returns the key of the request of an opened event.
func (e *event) key() requestKey {
	path, query, _ := strings.Cut(e.Target, "?")
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	return requestKeyOf(path, query)
}

func (q requestKey) isStream() bool { return q.operation == wire.StreamPath }
