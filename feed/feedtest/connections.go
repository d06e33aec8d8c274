package feedtest

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"sync"
)

// Connections writes into the connections of a service what the service itself does not send: frames of HTTP/2, and
// responses without a request.
type Connections struct {
	mu   sync.Mutex
	open []*connection
}

// Listener returns a listener with these connections. It hides a TLS connection from net/http, which would otherwise
// write HTTP/2 to that one directly.
func (all *Connections) Listener(l net.Listener) net.Listener { return listener{l, all} }

type listener struct {
	net.Listener
	all *Connections
}

func (l listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: conn, all: l.all}
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	l.all.open = append(l.all.open, c)
	return c, nil
}

// connection is one connection of a service.
type connection struct {
	net.Conn
	all *Connections

	mu     sync.Mutex // held during a write
	begun  bool       // the client has sent something
	http2  bool
	frames int    // how many frames of HTTP/2 the service has sent
	frame  []byte // the header of the frame that it sends now, as far as it is sent
	rest   int    // bytes of that frame that are still to be sent
	after  []byte // to be written when that frame has ended
}

func (c *connection) Close() error {
	c.all.mu.Lock()
	c.all.open = slices.DeleteFunc(c.all.open, func(other *connection) bool { return other == c })
	c.all.mu.Unlock()
	return c.Conn.Close()
}

func (c *connection) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && !c.begun {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.begun, c.http2 = true, bytes.HasPrefix(b[:n], []byte("PRI"))
	}
	return n, err
}

func (c *connection) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, err := c.Conn.Write(b)
	if err == nil && c.http2 {
		c.follow(b)
		err = c.writeAfter()
	}
	return n, err
}

// follow finds the ends of frames in what the service sends. The header of a frame has nine bytes: length (3), type,
// flags, stream (4).
func (c *connection) follow(b []byte) {
	for len(b) > 0 {
		n := min(len(b), 9-len(c.frame))
		c.frame, b = append(c.frame, b[:n]...), b[n:]
		if len(c.frame) < 9 {
			return
		}
		if n > 0 {
			c.rest = int(c.frame[0])<<16 | int(c.frame[1])<<8 | int(c.frame[2])
		}
		n = min(len(b), c.rest)
		b, c.rest = b[n:], c.rest-n
		if c.rest == 0 {
			c.frame = c.frame[:0]
			c.frames++
		}
	}
}

// writeAfter writes what waits for the end of a frame, if this is one.
func (c *connection) writeAfter() (err error) {
	if len(c.after) > 0 && c.frames > 0 && len(c.frame) == 0 {
		_, err = c.Conn.Write(c.after)
		c.after = nil
	}
	return err
}

// SendFrames writes the given number of equal frames to each HTTP/2 connection, between two frames of the service, and
// returns how many connections there are.
func (all *Connections) SendFrames(count int, frameType byte, stream uint32, payload string) (connections int) {
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(payload)))[1:]
	frame = binary.BigEndian.AppendUint32(append(frame, frameType, 0), stream)
	frames := bytes.Repeat(append(frame, payload...), count)
	return all.each(true, func(c *connection) {
		c.after = append(c.after, frames...)
		_ = c.writeAfter() // the server finds a broken connection by itself
	})
}

// SendUnsolicited writes a response to each HTTP/1 connection, and returns how many there are. No request may be under
// way on them.
func (all *Connections) SendUnsolicited(response string) (connections int) {
	return all.each(false, func(c *connection) { _, _ = io.WriteString(c.Conn, response) })
}

// each calls a function for each connection of a protocol, and counts them.
func (all *Connections) each(http2 bool, do func(*connection)) (done int) {
	all.mu.Lock()
	open := slices.Clone(all.open)
	all.mu.Unlock()
	for _, c := range open {
		if !c.mu.TryLock() {
			continue // its client does not read
		}
		if c.begun && c.http2 == http2 {
			do(c)
			done++
		}
		c.mu.Unlock()
	}
	return done
}
