package memnet

import (
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// pipe is one direction of a connection: a buffer that one side writes and the other reads. A full buffer makes the
// writer wait, as a socket does.
//
// It waits on a condition, never on the network, so that testing/synctest can find when everything waits.
type pipe struct {
	mu      sync.Mutex
	changed *sync.Cond

	buffer []byte // what was written and not yet read is buffer[read:]
	read   int
	size   int
	waits  *atomic.Int64 // counts the writes that found it full; may be nil

	ended       bool  // the writer has closed: io.EOF after what is left
	abandoned   bool  // the reader has closed: writing is an error
	broken      error // the connection was reset: both sides see it at once
	readExpiry  expiry
	writeExpiry expiry
}

func newPipe(size int) *pipe {
	p := &pipe{size: size}
	p.changed = sync.NewCond(&p.mu)
	return p
}

// Read waits for at least a byte.
func (p *pipe) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		switch {
		case p.broken != nil:
			return 0, p.broken
		case p.abandoned:
			return 0, net.ErrClosed
		case p.readExpiry.isOver():
			return 0, os.ErrDeadlineExceeded
		case len(b) == 0:
			return 0, nil
		case p.read < len(p.buffer):
			n := copy(b, p.buffer[p.read:])
			p.read += n
			if p.read == len(p.buffer) {
				p.buffer, p.read = p.buffer[:0], 0
			}
			p.changed.Broadcast()
			return n, nil
		case p.ended:
			return 0, io.EOF
		}
		p.changed.Wait()
	}
}

// Write waits until everything is in the buffer.
func (p *pipe) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	written, waited := 0, false
	for {
		switch {
		case p.broken != nil:
			return written, p.broken
		case p.ended:
			return written, net.ErrClosed
		case p.abandoned:
			return written, syscall.EPIPE
		case p.writeExpiry.isOver():
			return written, os.ErrDeadlineExceeded
		case written == len(b):
			return written, nil
		}
		if room := p.size - (len(p.buffer) - p.read); room > 0 {
			n := min(room, len(b)-written)
			p.add(b[written : written+n])
			written += n
			continue
		}
		if !waited && p.waits != nil {
			p.waits.Add(1)
		}
		waited = true
		p.changed.Wait()
	}
}

// add appends to the buffer, and reuses the room of what was read.
func (p *pipe) add(b []byte) {
	if len(p.buffer)+len(b) > cap(p.buffer) && p.read > 0 {
		p.buffer = p.buffer[:copy(p.buffer, p.buffer[p.read:])]
		p.read = 0
	}
	p.buffer = append(p.buffer, b...)
	p.changed.Broadcast()
}

// unread returns how many bytes are in the buffer.
func (p *pipe) unread() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.buffer) - p.read
}

// change sets a part of the state and wakes both sides.
func (p *pipe) change(set func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	set()
	p.changed.Broadcast()
}

// expiry is a deadline of one side.
type expiry struct {
	at    time.Time   // zero if there is none
	timer *time.Timer // wakes both sides then
}

func (e *expiry) isOver() bool { return !e.at.IsZero() && !time.Now().Before(e.at) }

// setDeadline sets the deadline; the zero time has none.
func (p *pipe) setDeadline(e *expiry, at time.Time) {
	p.change(func() {
		if e.timer != nil {
			e.timer.Stop()
		}
		e.at = at
		if !at.IsZero() {
			e.timer = time.AfterFunc(time.Until(at), func() { p.change(func() {}) })
		}
	})
}
