package sim

import (
	"compress/gzip"
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"time"
)

// responseWriter is the response to one request: gzipped if that was requested, and flushed after every message.
type responseWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	held    heldBody
	zip     *gzip.Writer // of the service; nil if the body is sent as it is
	gzip    bool         // the client asks for it
	started bool

	proxyZips bool
	proxyZip  *gzip.Writer // of a proxy, in place of that of the service

	clockAhead time.Duration // how far the clock of the service is ahead
}

func newResponseWriter(w http.ResponseWriter, r *http.Request, p Proxy) *responseWriter {
	out := &responseWriter{w: w, control: http.NewResponseController(w), held: heldBody{w: w}, proxyZips: p.Gzip}
	out.gzip = strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Vary", "Origin")
	return out
}

// start sends the status and the headers with the first byte that follows.
func (o *responseWriter) start(status int) {
	if o.started {
		return
	}
	o.started = true
	if o.gzip {
		o.w.Header().Set("Content-Encoding", "gzip")
		if o.proxyZips {
			o.proxyZip = gzip.NewWriter(o.w)
			o.held.w = o.proxyZip
		} else {
			o.zip = gzip.NewWriter(&o.held)
		}
	}
	if wrong := o.held.isUsed() || o.clockAhead != 0; wrong && o.w.Header().Get("Date") == "" {
		// The server would set its own time, and only when it sends.
		o.w.Header().Set("Date", time.Now().Add(o.clockAhead).UTC().Format(http.TimeFormat))
	}
	o.w.WriteHeader(status)
}

// Write adds to the body, under status 200 if none was sent.
func (o *responseWriter) Write(text []byte) (int, error) {
	o.start(http.StatusOK)
	if o.zip != nil {
		return o.zip.Write(text)
	}
	return o.held.Write(text)
}

// flush writes everything so far to the connection, unless a proxy holds it back.
func (o *responseWriter) flush() error {
	if o.zip != nil {
		if err := o.zip.Flush(); err != nil {
			return err
		}
	}
	ready := o.held.ready()
	if ready == 0 && o.held.isUsed() {
		return nil
	}
	return o.release(ready)
}

// release writes to the connection the first bytes of what a proxy has held back.
func (o *responseWriter) release(count int) error {
	if err := o.held.release(count); err != nil {
		return err
	}
	return o.control.Flush()
}

// send writes and flushes one message, its newline apart as the service does.
func (o *responseWriter) send(text []byte) error {
	body, newline := text, []byte(nil)
	if last := len(text) - 1; last >= 0 && text[last] == '\n' {
		body, newline = text[:last], text[last:]
	}
	if _, err := o.Write(body); err != nil {
		return err
	}
	return o.sendRaw(newline)
}

// sendRaw writes and flushes bytes as they are, in one piece.
func (o *responseWriter) sendRaw(text []byte) error {
	if _, err := o.Write(text); err != nil {
		return err
	}
	return o.flush()
}

// close ends a gzipped body, and passes on what a proxy holds back; the server ends the rest. All of it fails if the
// client has closed the connection.
func (o *responseWriter) close() {
	if o.zip != nil {
		_ = o.zip.Close()
	}
	_ = o.held.release(len(o.held.text))
	if o.proxyZip != nil {
		_ = o.proxyZip.Close()
	}
}

// refusal is an error response of the service.
type refusal struct {
	status int
	header http.Header
	body   errorBody
}

// errorBody is the service's error object. The details are nil if the service leaves them out, and empty if it
// writes them empty.
type errorBody struct {
	Code    int           `json:"code"`
	Message string        `json:"message"`
	Details []errorDetail `json:"details,omitzero"`
}

type errorDetail struct {
	Type    string `json:"@type"`
	Code    int    `json:"code"`
	Message string `json:"message"`
	Inner   string `json:"inner"`
}

// detailed returns the body of an error that the service itself found, not the gateway before it.
func detailed(code int, message string, detail int, what, inner string) errorBody {
	return errorBody{code, message, []errorDetail{{"type.googleapis.com/vega.ErrorDetail", detail, what, inner}}}
}

var (
	notFound = &refusal{status: http.StatusNotFound,
		body: errorBody{5, "Not Found", []errorDetail{}}}
	methodNotAllowed = &refusal{status: http.StatusNotImplemented,
		body: errorBody{12, "Method Not Allowed", []errorDetail{}}}
	tooManyStreams = &refusal{status: http.StatusTooManyRequests,
		body: errorBody{Code: 8, Message: "client reached max subscription allowed"}}
	tooManyRequests = &refusal{status: http.StatusTooManyRequests,
		body: errorBody{8, "rate limit exceeded", []errorDetail{}}}

	// streamDropped ends a stream whose reader is too slow.
	streamDropped = detailed(13, "Internal error", 10010, "internal stream failure", "channel closed")
	// streamClosing ends the streams of a service that shuts down.
	streamClosing = errorBody{Code: 1, Message: "grpc: the client connection is closing"}
)

// unparsed refuses a query that cannot be parsed.
func unparsed(err error) *refusal {
	return &refusal{status: http.StatusBadRequest, body: errorBody{Code: 3, Message: err.Error()}}
}

// wrapped returns the error as a message of the stream.
func (e errorBody) wrapped() []byte {
	return encode(struct {
		Error errorBody `json:"error"`
	}{e})
}

func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // structs of texts and numbers always have a JSON form
	}
	return text
}

// refuse responds with the error as it is.
func (o *responseWriter) refuse(r *refusal) {
	maps.Copy(o.w.Header(), r.header)
	o.start(r.status)
	_, _ = o.Write(encode(r.body))
}

// refuseStream responds with the error as a message of the stream, in a body of unknown length like everything that the
// stream sends.
func (o *responseWriter) refuseStream(r *refusal) {
	o.start(r.status)
	_ = o.send(r.body.wrapped())
}
