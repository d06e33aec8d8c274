package endpoint

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// A proxy that collects what a service sends passes on whole buffers: nginx does so by default. What does not fill the
// next buffer comes when the service sends more. So a response stops in the middle of a message, after about a multiple
// of the size of a buffer; the first buffer has the header of the response too.
const (
	proxyBuffer   = 4 << 10
	headerInFirst = 1 << 10
	heldBackFrom  = time.Second // without a byte
)

// HeldBackError is the error of a stream if a proxy seems to hold back what the service has sent.
type HeldBackError struct {
	Bytes int64 // that came
}

func (e *HeldBackError) Error() string {
	kilobytes := (e.Bytes + 1<<10 - 1) >> 10
	return fmt.Sprintf("a proxy seems to hold back the stream: %d KiB came, and not the rest of a message", kilobytes)
}

// heldBackAdvice is what to do about a proxy that holds back streams.
const heldBackAdvice = "have the proxy pass streams on at once: in nginx proxy_buffering off for their path, or " +
	"X-Accel-Buffering: no from the service, HTTP/1.1 to the service and no gzip; until then, watch all parties with " +
	"a filter here"

// HeldBack returns the error of a stream if a proxy seems to hold back the rest of a message, else nil. It may be
// called by another goroutine.
func (s *Stream) HeldBack() *HeldBackError {
	half := s.watch.half.Load()
	if half == nil || time.Since(half.last) < heldBackFrom {
		return nil
	}
	bytes := s.body.raw.read.Load()
	if past := bytes % proxyBuffer; past != 0 && past < proxyBuffer-headerInFirst {
		return nil
	}
	return &HeldBackError{bytes}
}

// rawBody counts the bytes of a response before decompression.
type rawBody struct {
	io.ReadCloser
	read atomic.Int64
}

func (b *rawBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read.Add(int64(n))
	return n, err
}
