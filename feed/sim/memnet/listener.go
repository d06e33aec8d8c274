package memnet

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
)

// bufferSize is how much a connection of a Listener holds in each direction, about what a system gives to a loopback
// socket.
const bufferSize = 256 << 10

// Listener is a net.Listener in memory: its connections come from its own DialContext and work in a testing/synctest
// bubble.
type Listener struct {
	buffer   int
	incoming chan *conn
	closed   chan struct{}
	close    sync.Once
	waits    atomic.Int64

	mu    sync.Mutex
	down  bool
	dials int
	open  map[*conn]struct{}
}

// Listen returns a listener whose connections hold 256 KiB in each direction.
func Listen() *Listener { return ListenBuffer(bufferSize) }

// ListenBuffer is Listen with another size of the buffers, in bytes: with a small one a reader is soon too slow.
func ListenBuffer(size int) *Listener {
	return &Listener{
		buffer:   size,
		incoming: make(chan *conn),
		closed:   make(chan struct{}),
		open:     map[*conn]struct{}{},
	}
}

// Accept waits for the next connection.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.incoming:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close makes the listener take no more connections; open ones stay.
func (l *Listener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return nil
}

// Addr returns a loopback address. Nothing listens there.
func (l *Listener) Addr() net.Addr { return address(80) }

func address(port int) net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port} }

// DialContext connects to the listener, whatever the address.
func (l *Listener) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server, err := l.connect()
	if err != nil {
		return nil, err
	}
	select {
	case l.incoming <- server:
		return client, nil
	case <-l.closed:
		err = refusedDial()
	case <-ctx.Done():
		err = ctx.Err()
	}
	_ = server.Close()
	return nil, err
}

func refusedDial() error {
	// As if from another host: that nothing listens on its own machine is a failure of another kind to a client.
	other := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 80} // of the block for documentation
	return &net.OpError{Op: "dial", Net: "tcp", Addr: other, Err: syscall.ECONNREFUSED}
}

// connect makes the two ends of a connection, unless the listener is down.
func (l *Listener) connect() (client, server *conn, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dials++
	if l.down {
		return nil, nil, refusedDial()
	}
	up, down := newPipe(l.buffer, &l.waits), newPipe(l.buffer, &l.waits)
	near, far := address(1024+l.dials%64000), l.Addr()
	client = &conn{in: down, out: up, local: near, remote: far}
	server = &conn{in: up, out: down, local: far, remote: near, listener: l}
	l.open[server] = struct{}{}
	return client, server, nil
}

// Dials returns how often a client tried to connect.
func (l *Listener) Dials() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dials
}

// Waits returns how often a write had to wait until the other end made room by reading.
func (l *Listener) Waits() int { return int(l.waits.Load()) }

// Unread returns how many bytes the service has written that no client has read yet.
func (l *Listener) Unread() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		n += c.out.unread()
	}
	return n
}

// Kill resets every connection, what is in the buffers included, and refuses new ones until Revive, as if the host had
// crashed.
func (l *Listener) Kill() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = true
	for c := range l.open {
		c.reset()
	}
	clear(l.open)
}

// Revive takes connections again.
func (l *Listener) Revive() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = false
}

// forget removes a connection that was closed.
func (l *Listener) forget(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, c)
}
