package sim

import (
	"io"
	"net/http"
	"time"
)

// Proxy describes a proxy before the service, and what it does to streams. Its zero value does nothing.
type Proxy struct {
	// CutSilent is how long a stream may send nothing before it is ended; nginx ends it after 60 s by default. 0 does
	// not end it. A stream that has sent nothing at all gets the response 504.
	CutSilent time.Duration

	// CutAfter is how long a stream may be open before it is ended; 0 does not end it.
	CutAfter time.Duration

	// Clean ends streams as the service does: the body is complete. Otherwise the connection is closed in the middle.
	Clean bool

	// Hold is how long what a stream sends is held back, from the first byte on, up to 16 KiB of it; 0 holds nothing
	// back. The Date header has the time at which the service responded, not that at which the response is sent.
	Hold time.Duration

	// Buffer is how many bytes of a stream are collected and then sent together, as nginx does by default with 8 KiB; 0
	// sends all at once. What is less than Buffer is held back until more comes or the stream ends. Such a proxy uses
	// HTTP/1.0 to the service, so that a stream that is cut seems to end cleanly.
	Buffer int

	// Gzip compresses responses in place of the service, if the client asks for that, without a flush after a message.
	Gzip bool
}

// heldBytes is how much a proxy holds back at most.
const heldBytes = 16 << 10

// SetProxy puts a proxy before the service, in place of the one before. It concerns the streams that are open too.
func (of *scripted) SetProxy(p Proxy) { of.set(func(s *script) { s.proxy = p }) }

// passProxy does what the proxy has to do now: it ends the stream, or sends what was held back. It returns when there
// is more to do; zero if never.
func (s *stream) passProxy() (due time.Time, err error) {
	p := s.node.current().proxy
	s.out.held.delay, s.out.held.buffer = p.Hold, p.Buffer
	if ready := s.out.held.ready(); ready > 0 {
		if err := s.out.release(ready); err != nil {
			return time.Time{}, err
		}
	}
	ends := earliest(after(s.sent, p.CutSilent), after(s.opened, p.CutAfter))
	if ends.IsZero() || time.Now().Before(ends) {
		return earliest(ends, s.out.held.until()), nil
	}
	switch {
	case !s.out.started:
		s.out.start(http.StatusGatewayTimeout)
		return time.Time{}, errEnded
	case p.Clean:
		return time.Time{}, errEnded
	default:
		return time.Time{}, errCut
	}
}

// after returns t plus d; zero if d is 0.
func after(t time.Time, d time.Duration) time.Time {
	if d == 0 {
		return time.Time{}
	}
	return t.Add(d)
}

// earliest returns the earlier of two times. One that is zero does not count.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// heldBody is the part of a response's body that a proxy holds back.
type heldBody struct {
	w      io.Writer
	delay  time.Duration // how long it is held back
	buffer int           // how many bytes are passed on together, whatever the delay; 0 for any
	text   []byte
	since  time.Time // when its first byte was written
}

// isUsed reports whether something is or will be held back.
func (h *heldBody) isUsed() bool { return h.delay > 0 || h.buffer > 0 || len(h.text) > 0 }

// Write holds the bytes back, or passes them on.
func (h *heldBody) Write(text []byte) (int, error) {
	if !h.isUsed() {
		return h.w.Write(text)
	}
	if len(h.text) == 0 {
		h.since = time.Now()
	}
	h.text = append(h.text, text...)
	return len(text), nil
}

// ready returns how many bytes are to be passed on now.
func (h *heldBody) ready() int {
	switch {
	case h.buffer > 0:
		return len(h.text) / h.buffer * h.buffer
	case len(h.text) < heldBytes && time.Since(h.since) < h.delay:
		return 0
	default:
		return len(h.text)
	}
}

// until returns when what is held back is to be sent; zero if nothing is held back, or not for a time.
func (h *heldBody) until() time.Time {
	if len(h.text) == 0 || h.buffer > 0 {
		return time.Time{}
	}
	return h.since.Add(h.delay)
}

// release passes on the first bytes of what is held back.
func (h *heldBody) release(count int) error {
	if count == 0 {
		return nil
	}
	_, err := h.w.Write(h.text[:count])
	h.text = append(h.text[:0], h.text[count:]...)
	return err
}
