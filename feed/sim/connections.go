package sim

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
)

// connections are the client connections that Serve has open.
type connections struct {
	mu   sync.Mutex
	open map[*connection]struct{}
}

// connection is one of them. Faults write into it between the writes of the server. It hides a TLS connection from
// net/http, which would otherwise write HTTP/2 to that one directly.
type connection struct {
	net.Conn
	all *connections

	begun   bool // the client has sent something
	refused bool // the client does not use TLS, and was refused for it

	mu    sync.Mutex // held during a write
	http2 bool
	idle  bool // HTTP/1, and no request is under way
	frame frameReader
	after []byte // to be written once the current HTTP/2 frame has ended
}

// frameReader reads what is written to an HTTP/2 connection, to find where a frame ends.
type frameReader struct {
	header  []byte // of the current frame, as far as it is known
	payload int    // bytes of the current frame that are still to come
	frames  int    // how many have ended
}

// The nine bytes before each HTTP/2 frame are: length (3), type, flags, stream (4).
const frameHeader = 9

func (f *frameReader) read(b []byte) {
	for len(b) > 0 {
		n := min(len(b), frameHeader-len(f.header))
		f.header = append(f.header, b[:n]...)
		if b = b[n:]; len(f.header) < frameHeader {
			return
		}
		if n > 0 {
			f.payload = int(f.header[0])<<16 | int(f.header[1])<<8 | int(f.header[2])
		}
		n = min(len(b), f.payload)
		f.payload -= n
		if b = b[n:]; f.payload == 0 {
			f.header = f.header[:0]
			f.frames++
		}
	}
}

// between reports whether a frame has ended and the next one has not begun.
func (f *frameReader) between() bool { return f.frames > 0 && len(f.header) == 0 }

// connectionListener is a listener whose connections are kept in a list.
type connectionListener struct {
	net.Listener
	all *connections
}

func (l connectionListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: conn, all: l.all}
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	if l.all.open == nil {
		l.all.open = map[*connection]struct{}{}
	}
	l.all.open[c] = struct{}{}
	return c, nil
}

func (c *connection) Close() error {
	c.all.mu.Lock()
	delete(c.all.open, c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}

func (c *connection) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && !c.begun {
		c.begun = true
		c.mu.Lock()
		c.http2 = bytes.HasPrefix(b[:n], []byte("PRI"))
		c.mu.Unlock()
	}
	if notTLS, ok := errors.AsType[tls.RecordHeaderError](err); ok && notTLS.Conn != nil && !c.refused {
		// net/http does this too, if it has the TLS connection itself.
		c.refused = true
		_, _ = io.WriteString(notTLS.Conn, "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n")
	}
	return n, err
}

func (c *connection) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, err := c.Conn.Write(b)
	if !c.http2 || err != nil {
		return n, err
	}
	c.frame.read(b)
	return n, c.writeAfter()
}

// writeAfter writes what waits for the end of a frame, if this is one. The caller holds the lock.
func (c *connection) writeAfter() error {
	if len(c.after) == 0 || !c.frame.between() {
		return nil
	}
	_, err := c.Conn.Write(c.after)
	c.after = nil
	return err
}

// observe receives from the server what a connection does.
func (*connections) observe(conn net.Conn, state http.ConnState) {
	if c, ok := conn.(*connection); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.idle = state == http.StateIdle
	}
}

// each calls a function for every connection that is not being written to, and counts those for which it returns true.
func (all *connections) each(do func(*connection) bool) (done int) {
	all.mu.Lock()
	open := slices.Collect(maps.Keys(all.open))
	all.mu.Unlock()
	for _, c := range open {
		if !c.mu.TryLock() {
			continue // its client does not read
		}
		if do(c) {
			done++
		}
		c.mu.Unlock()
	}
	return done
}

// SendFrame writes an HTTP/2 frame of the given type for stream 0, such as an unknown type or GOAWAY, to each HTTP/2
// connection of Serve, and returns how many there are.
func (all *connections) SendFrame(frameType byte, payload string) (connections int) {
	return all.SendFrames(1, frameType, 0, payload)
}

// SendFrames is SendFrame for so many equal frames, for any stream.
func (all *connections) SendFrames(count int, frameType byte, stream uint32, payload string) (connections int) {
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(payload)))[1:]
	frame = binary.BigEndian.AppendUint32(append(frame, frameType, 0), stream)
	frames := bytes.Repeat(append(frame, payload...), count)
	return all.each(func(c *connection) bool {
		if !c.http2 {
			return false
		}
		c.after = append(c.after, frames...)
		_ = c.writeAfter() // a broken connection is found by the server
		return true
	})
}

// SendUnsolicited writes a response without a request to each idle HTTP/1 connection of Serve, and returns how many
// there are.
func (all *connections) SendUnsolicited(response string) (connections int) {
	return all.each(func(c *connection) bool {
		if c.http2 || !c.idle {
			return false
		}
		_, err := io.WriteString(c.Conn, response)
		return err == nil
	})
}
