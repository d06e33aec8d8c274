package memnet

import (
	"errors"
	"io"
	"net"
	"syscall"
	"time"
)

// conn is one end of a connection in memory.
type conn struct {
	in, out       *pipe
	local, remote net.Addr
	listener      *Listener // nil at the client's end
}

func (c *conn) LocalAddr() net.Addr  { return c.local }
func (c *conn) RemoteAddr() net.Addr { return c.remote }

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.in.Read(b)
	return n, c.opError("read", err)
}

func (c *conn) Write(b []byte) (int, error) {
	n, err := c.out.Write(b)
	return n, c.opError("write", err)
}

// opError returns an error in the form of a TCP connection.
func (c *conn) opError(op string, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return &net.OpError{Op: op, Net: "tcp", Source: c.local, Addr: c.remote, Err: err}
}

// Close ends both directions: the other end reads what was written, then the end.
func (c *conn) Close() error {
	_ = c.SetDeadline(time.Time{})
	c.out.change(func() { c.out.ended = true })
	c.in.change(func() { c.in.abandoned = true })
	if c.listener != nil {
		c.listener.forget(c)
	}
	return nil
}

// reset ends both directions at once, with what is still in them.
func (c *conn) reset() {
	for _, p := range []*pipe{c.out, c.in} {
		p.change(func() { p.broken = syscall.ECONNRESET })
	}
}

func (c *conn) SetDeadline(at time.Time) error {
	_ = c.SetReadDeadline(at)
	return c.SetWriteDeadline(at)
}

func (c *conn) SetReadDeadline(at time.Time) error {
	c.in.setDeadline(&c.in.readExpiry, at)
	return nil
}

func (c *conn) SetWriteDeadline(at time.Time) error {
	c.out.setDeadline(&c.out.writeExpiry, at)
	return nil
}
