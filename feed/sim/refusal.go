package sim

import (
	"encoding/json"
	"net/http"
)

// refusal is an answer of the service that is not what was asked for.
type refusal struct {
	status int
	header http.Header
	body   errorBody
}

// errorBody is the service's error object. The details are nil where the
// service leaves them out, and empty where it writes them empty.
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

// detailed returns the body of an error that the service itself found, rather
// than the gateway before it.
func detailed(code int, message string, detail int, what, inner string) errorBody {
	return errorBody{code, message, []errorDetail{{"type.googleapis.com/vega.ErrorDetail", detail, what, inner}}}
}

var (
	notFound = refusal{status: http.StatusNotFound,
		body: errorBody{5, "Not Found", []errorDetail{}}}
	methodNotAllowed = refusal{status: http.StatusNotImplemented,
		body: errorBody{12, "Method Not Allowed", []errorDetail{}}}
	tooManyStreams = refusal{status: http.StatusTooManyRequests,
		body: errorBody{Code: 8, Message: "client reached max subscription allowed"}}
	tooManyRequests = refusal{status: http.StatusTooManyRequests,
		body: errorBody{8, "rate limit exceeded", []errorDetail{}}}

	// streamDropped ends a stream whose reader is too slow.
	streamDropped = detailed(13, "Internal error", 10010, "internal stream failure", "channel closed")
	// streamClosing ends the streams of a service that shuts down.
	streamClosing = errorBody{Code: 1, Message: "grpc: the client connection is closing"}
)

// unparsed refuses a query that is not one.
func unparsed(err error) refusal {
	return refusal{status: http.StatusBadRequest, body: errorBody{Code: 3, Message: err.Error()}}
}

// text is the error as it stands in a body, without a newline.
func (e errorBody) text() []byte { return encode(e) }

// wrapped is the error as a message of the stream.
func (e errorBody) wrapped() []byte {
	return encode(struct {
		Error errorBody `json:"error"`
	}{e})
}

func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // plain structs of texts and numbers always have a JSON form
	}
	return text
}

// refuse answers with the error as it is.
func (o *reply) refuse(r refusal) {
	for name, values := range r.header {
		o.w.Header()[name] = values
	}
	o.start(r.status)
	_, _ = o.Write(r.body.text())
}

// refuseStream answers with the error as a message of the stream, in a body
// of unknown length, as everything that the stream sends.
func (o *reply) refuseStream(r refusal) {
	o.start(r.status)
	_ = o.send(r.body.wrapped())
}
