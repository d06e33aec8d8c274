package record

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	"blotter/feed/endpoint"
)

// Transport returns a transport that records the responses of next.
func (r *Recorder) Transport(next http.RoundTripper) http.RoundTripper { return &recording{r, next} }

type recording struct {
	recorder *Recorder
	next     http.RoundTripper
}

// CloseIdleConnections closes those of the recorded transport.
func (t *recording) CloseIdleConnections() {
	if closer, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}

// RoundTrip sends a request and records the response.
func (t *recording) RoundTrip(request *http.Request) (*http.Response, error) {
	r, number := t.recorder, t.recorder.next()
	r.put(event{Kind: opened, Request: number, Address: request.URL.Scheme + "://" + request.URL.Host, Target: request.URL.RequestURI()})
	response, err := t.next.RoundTrip(request)
	if err != nil {
		r.put(endOf(request.Context(), number, err))
		return nil, err
	}
	if location, err := response.Location(); err == nil {
		r.options.Secrets.AddPassword(location)
	}
	r.put(event{Kind: answered, Request: number, Status: response.StatusCode, Header: recorded(response.Header)})
	b := &recordedBody{ReadCloser: response.Body, recorder: r, ctx: request.Context(), number: number}
	b.unreadable = response.Header.Get("Content-Encoding") != ""
	response.Body = b
	return response, nil
}

// endOf returns the event of the end of a request by an error.
func endOf(ctx context.Context, number int64, err error) event {
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	_, postponed := errors.AsType[*endpoint.PostponedError](err)
	left := postponed || errors.Is(err, context.Canceled)
	return event{Kind: ended, Request: number, Error: endpoint.Describe(err), Left: left}
}

// recordedBody records what is read from a body.
type recordedBody struct {
	io.ReadCloser
	recorder   *Recorder
	ctx        context.Context
	number     int64
	unreadable bool // it is encoded, so that no token can be found in it: it is not recorded
	once       sync.Once
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 && !b.unreadable {
		b.recorder.put(event{Kind: body, Request: b.number, Bytes: append([]byte(nil), p[:n]...)})
	}
	switch {
	case errors.Is(err, io.EOF):
		b.end(event{Kind: ended, Request: b.number})
	case err != nil:
		b.end(endOf(b.ctx, b.number, err))
	}
	return n, err
}

func (b *recordedBody) Close() error {
	end := event{Kind: ended, Request: b.number, Left: true}
	if b.ctx.Err() != nil {
		end = endOf(b.ctx, b.number, b.ctx.Err())
	}
	b.end(end)
	return b.ReadCloser.Close()
}

func (b *recordedBody) end(e event) { b.once.Do(func() { b.recorder.put(e) }) }
