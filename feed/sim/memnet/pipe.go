package memnet

import (
	"bytes"
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

	buffer bytes.Buffer // what was written and not yet read
	size   int
	waits  *atomic.Int64 // counts the writes that found it full

	ended       bool  // the writer has closed: io.EOF after what is left
	abandoned   bool  // the reader has closed: writing is an error
	broken      error // the connection was reset: both sides see it at once
	readExpiry  expiry
	writeExpiry expiry
}

func newPipe(size int, waits *atomic.Int64) *pipe {
	p := &pipe{size: size, waits: waits}
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
		case p.buffer.Len() > 0:
			p.changed.Broadcast()
			return p.buffer.Read(b)
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
		if room := p.size - p.buffer.Len(); room > 0 {
			n, _ := p.buffer.Write(b[written:min(written+room, len(b))])
			written += n
			p.changed.Broadcast()
			continue
		}
		if !waited {
			waited = true
			p.waits.Add(1)
		}
		p.changed.Wait()
	}
}

func (p *pipe) unread() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.buffer.Len()
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

// setDeadline sets the deadline; the zero time removes it.
func (p *pipe) setDeadline(e *expiry, at time.Time) {
	p.change(func() {
		if e.timer != nil {
			e.timer.Stop()
		}
		e.at = at
		if wait := time.Until(at); !at.IsZero() && wait > 0 {
			e.timer = time.AfterFunc(wait, func() { p.change(func() {}) })
		}
	})
}
