package sim

import (
	"slices"
	"time"
)

// verb is what an order wants of a stream.
type verb int

const (
	tellRows  verb = iota // write the messages of a block
	writeText             // write bytes as they are
	hangBody              // stay open, and write nothing more but a text at intervals
	failBody              // write an error object, then end
	endBody               // end cleanly
	cutBody               // close the connection in the middle of the body
)

// order is a thing that a stream is to do, in its turn.
type order struct {
	verb verb
	rows []*row
	text []byte

	every time.Duration // between the texts of hangBody; 0 writes none
}

// queue is what a stream has yet to do. The node's lock guards it.
type queue struct {
	orders  []order
	blocks  int         // how many of the orders are blocks of updates
	overdue *time.Timer // runs while there are more blocks than may wait
	closed  bool        // nothing more is taken in
	wake    chan struct{}
}

// push adds an order. A queue that holds too many blocks for too long is
// closed as the service closes it: the backlog still goes out, then the error.
func (s *stream) push(o order) {
	if s.closed {
		return
	}
	s.orders = append(s.orders, o)
	s.rouse()
	if o.verb != tellRows {
		return
	}
	s.blocks++
	if limits := s.node.config.Limits; s.blocks > limits.Backlog && s.overdue == nil && s.node.script.silence == nil && s.node.script.pieceSize == 0 {
		s.overdue = time.AfterFunc(limits.Patience, s.dropIfSlow)
	}
}

func (s *stream) dropIfSlow() {
	s.node.mu.Lock()
	defer s.node.mu.Unlock()
	if s.overdue == nil || s.closed {
		return // the reader has caught up at the last moment, or left
	}
	s.overdue = nil
	s.node.counters.streamsDropped.Add(1)
	s.trim()
	s.push(order{verb: failBody, text: streamDropped.wrapped()})
	s.closed = true
}

// trim forgets the blocks that do not fit into the backlog.
func (s *stream) trim() {
	kept := 0
	s.orders = slices.DeleteFunc(s.orders, func(o order) bool {
		if o.verb == tellRows {
			kept++
		}
		return o.verb == tellRows && kept > s.node.config.Limits.Backlog
	})
	s.blocks = s.node.config.Limits.Backlog
}

// forgetBlocks removes the blocks of updates from the queue.
func (s *stream) forgetBlocks() {
	s.orders = slices.DeleteFunc(s.orders, func(o order) bool { return o.verb == tellRows })
	s.blocks = 0
	s.stopWaiting()
}

// take removes the order whose turn it is. While the service is silent only a
// cut has an effect.
func (s *stream) take(silent bool) (order, bool) {
	if silent {
		cut := slices.ContainsFunc(s.orders, func(o order) bool { return o.verb == cutBody })
		return order{verb: cutBody}, cut
	}
	if len(s.orders) == 0 {
		return order{}, false
	}
	next := s.orders[0]
	s.orders[0] = order{} // the bytes are garbage once they are written
	s.orders = s.orders[1:]
	if next.verb == tellRows {
		s.blocks--
		if s.blocks <= s.node.config.Limits.Backlog {
			s.stopWaiting()
		}
	}
	return next, true
}

func (s *stream) stopWaiting() {
	if s.overdue != nil {
		s.overdue.Stop()
		s.overdue = nil
	}
}

// rouse makes the stream look at its orders again.
func (s *stream) rouse() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
