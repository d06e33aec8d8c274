package endpoint

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"
)

// A service decides how much its client has to read: HTTP/2 frames that carry nothing, empty gzip members, white space
// and messages without rows are as much work as rows are. So what a connection brings without content has a limit. An
// idle stream brings a few bytes a minute.
const (
	contentlessAtOnce = 4 << 20 // bytes; more than the windows of HTTP/2, because what is not read yet is no content yet
	contentlessMore   = 1 << 20 // bytes more in each Config.Silence
	bytesAround       = 8       // bytes that may come with each byte of content: a service may send small pieces

	streamWindow     = 1 << 20 // bytes of a response that HTTP/2 keeps until they are read
	connectionWindow = 2 << 20 // of all responses on a connection
)

// errContentless is why a connection is closed that brings much without content.
var errContentless = errors.New("the service sends much that has no content")

// allowance is how many bytes may still come without content: on the connection of a stream, or on all connections
// for pages of an address, because those are replaced without a failure. A nil allowance has no limit.
type allowance struct {
	every time.Duration // in which there are contentlessMore

	mu   sync.Mutex
	left int64
	at   time.Time // when left was raised last
}

func newAllowance(config *Config) *allowance {
	return &allowance{every: config.Silence, left: contentlessAtOnce, at: time.Now()}
}

// use counts bytes that came, which may have no content. The error is errContentless if there are too many.
func (a *allowance) use(n int) error {
	if a == nil || n == 0 {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	if more := int64(contentlessMore * (float64(now.Sub(a.at)) / float64(a.every))); more != 0 {
		a.left = min(a.left+max(0, more), contentlessAtOnce)
		a.at = now
	}
	if a.left -= int64(n); a.left < 0 {
		a.left = 0
		return errContentless
	}
	return nil
}

// refill allows bytes for content, which use has counted already.
func (a *allowance) refill(content int) { a.allow(content * (bytesAround + 1)) }

// takeBack undoes a refill for bytes, after decompression, that turned out to be no content, and counts them.
func (a *allowance) takeBack(n int) error { return a.use(n * (bytesAround + 2)) }

func (a *allowance) allow(n int) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.left = min(a.left+int64(n), contentlessAtOnce)
}

// allowUnread refills the allowance for a response that is not read, because its status is an error or nobody waits for
// it: what its window has room for may still come.
func (a *allowance) allowUnread() { a.allow(streamWindow) }

// countedConn counts what is read from the network, and fails if it is too much without content.
type countedConn struct {
	net.Conn
	allowance *allowance
	exceeded  func() // called when it fails
}

func (c *countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if spent := c.allowance.use(n); spent != nil {
		c.exceeded()
		return 0, spent
	}
	return n, err
}

// withAllowance returns a context for a request, and a pointer that is set to the allowance of its connection when it
// has one.
func withAllowance(ctx context.Context) (context.Context, *atomic.Pointer[allowance]) {
	found := new(atomic.Pointer[allowance])
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		conn := info.Conn
		for secure, ok := conn.(*tls.Conn); ok; secure, ok = conn.(*tls.Conn) {
			conn = secure.NetConn()
		}
		if known, ok := conn.(*countedConn); ok {
			found.Store(known.allowance)
		} else {
			found.Store(nil)
		}
	}})
	return traced, found
}

// contentBody is a body, after decompression, that refills the allowance with what is read.
type contentBody struct {
	io.ReadCloser
	allowance *allowance
	raw       *rawBody
}

func (b *contentBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if len(bytes.TrimLeft(p[:n], " \t\r\n")) > 0 {
		b.allowance.refill(n)
	} else if spent := b.allowance.use(n); spent != nil {
		return n, spent
	}
	return n, err
}
