package sim

import (
	"compress/gzip"
	"net/http"
	"slices"
	"strings"
)

// reply is the answer to one request: gzipped if it was asked for, and
// flushed after every message.
type reply struct {
	w       http.ResponseWriter
	control *http.ResponseController
	zip     *gzip.Writer // nil when the answer goes out as it is
	gzip    bool
	started bool
}

func newReply(w http.ResponseWriter, r *http.Request) *reply {
	out := &reply{w: w, control: http.NewResponseController(w), gzip: wantsGzip(r)}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Vary", "Origin")
	return out
}

func wantsGzip(r *http.Request) bool {
	encodings := strings.Split(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",")
	return slices.ContainsFunc(encodings, func(encoding string) bool {
		name, weight, _ := strings.Cut(encoding, ";")
		return strings.TrimSpace(name) == "gzip" && strings.TrimSpace(weight) != "q=0"
	})
}

// start sends the status and the headers with the first byte that follows.
func (o *reply) start(status int) {
	if o.started {
		return
	}
	o.started = true
	if o.gzip {
		o.w.Header().Set("Content-Encoding", "gzip")
		o.zip = gzip.NewWriter(o.w)
	}
	o.w.WriteHeader(status)
}

// Write adds to the body, under status 200 if none was sent.
func (o *reply) Write(text []byte) (int, error) {
	o.start(http.StatusOK)
	if o.zip != nil {
		return o.zip.Write(text)
	}
	return o.w.Write(text)
}

// flush hands everything written so far to the connection.
func (o *reply) flush() error {
	if o.zip != nil {
		if err := o.zip.Flush(); err != nil {
			return err
		}
	}
	return o.control.Flush()
}

// send writes and flushes one message, its newline apart as the service does.
func (o *reply) send(text []byte) error {
	body, newline := text, []byte(nil)
	if last := len(text) - 1; last >= 0 && text[last] == '\n' {
		body, newline = text[:last], text[last:]
	}
	if _, err := o.Write(body); err != nil {
		return err
	}
	if _, err := o.Write(newline); err != nil {
		return err
	}
	return o.flush()
}

// sendRaw writes and flushes bytes as they are, in one piece.
func (o *reply) sendRaw(text []byte) error {
	if _, err := o.Write(text); err != nil {
		return err
	}
	return o.flush()
}

// close ends a gzipped body; the server ends the rest.
func (o *reply) close() {
	if o.zip != nil {
		_ = o.zip.Close() // the client may be gone; nobody is left to tell
	}
}

// cut ends the answer in the middle: what was flushed arrives, then the
// connection closes.
func (o *reply) cut() { panic(http.ErrAbortHandler) }
