package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// stream is one open positions stream, from its request to its end.
type stream struct {
	node    *Node
	ctx     context.Context
	out     *responseWriter
	filter  filter
	replica *replica // where its rows come from; the lock of Node guards it
	buffer  []byte   // the current message
	queue

	opened time.Time
	sent   time.Time       // when it last wrote something, or was opened
	pause  time.Time       // when the next page of its snapshot may be sent
	lost   map[string]bool // the markets of which it sends no changes; the lock of Node guards it

	hung   bool   // it sends nothing more of its own
	repeat []byte // what it sends instead, at each tick
	ticks  <-chan time.Time
}

func (n *Node) newStream(out *responseWriter, r *http.Request) *stream {
	now, wake := time.Now(), make(chan struct{}, 1)
	return &stream{node: n, ctx: r.Context(), out: out, replica: n.main, opened: now, sent: now, queue: queue{wake: wake}}
}

// observePositions responds to one request for the stream, in the service's own order: the snapshot is read and sent,
// and only then the subscription starts. Changes in between are lost.
func (n *Node) observePositions(out *responseWriter, r *http.Request) {
	s := n.newStream(out, r)
	if !n.addStream(s) {
		out.refuseStream(tooManyStreams)
		return
	}
	defer n.removeStream(s)
	if response, ok := n.nextResponse(&n.script.streamResponses); ok {
		s.end(s.sendScripted(response))
		return
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	p := parameters{query, err}
	s.filter = p.filter()
	if p.err != nil {
		out.refuse(unparsed(p.err))
		return
	}
	if !s.filter.isValid() {
		words := fmt.Sprintf("getting initial positions by %s: %v", s.filter.kind(), errNotHex)
		out.refuseStream(&refusal{status: http.StatusBadRequest,
			body: detailed(3, "InvalidArgument error", 160002, "failed to send positions snapshot", words)})
		return
	}
	s.end(s.serve())
}

// addStream reports whether there is room for one more stream.
func (n *Node) addStream(s *stream) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.streams) >= n.config.Limits.Streams {
		return false
	}
	s.replica = cmp.Or(n.reached(s.ctx, &n.streamTurns), n.main)
	if n.script.streamBlocks {
		n.addBlock(s.out.w.Header(), s.replica)
	}
	n.streams[s] = struct{}{}
	n.count(&n.counters.StreamsOpen, 1)
	n.count(&n.counters.StreamsOpened, 1)
	return true
}

func (n *Node) removeStream(s *stream) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.streams, s)
	s.replica.unsubscribe(s)
	s.stopTimer()
	n.count(&n.counters.StreamsOpen, -1)
}

func always() bool { return true }
func never() bool  { return false }

// serve sends the snapshot, then the updates for as long as the stream lasts.
func (s *stream) serve() error {
	subscribed, err := s.sendSnapshot()
	if err != nil {
		return err
	}
	if subscribed {
		return s.runCommands(never)
	}
	if err := sleep(s.ctx, s.node.config.Gap); err != nil {
		return err
	}
	s.node.mu.Lock()
	s.replica.subscribe(s)
	s.node.mu.Unlock()
	return s.runCommands(never)
}

// sendScripted sends the response of the script instead.
func (s *stream) sendScripted(a Response) error {
	if err := s.runCommands(always); err != nil {
		return err
	}
	err := s.out.writeScripted(s.ctx, a)
	switch {
	case err != nil:
		return err
	case a.staysOpen():
		s.hang(command{text: []byte(a.Body), every: a.Every})
		return s.runCommands(never)
	case a.Cut:
		return errCut
	default:
		return nil
	}
}

// runCommands runs the stream's commands as they come, until there are none and the condition holds. The condition is
// called with the lock of Node.
func (s *stream) runCommands(until func() bool) error {
	for {
		due, err := s.passProxy()
		if err != nil {
			return err
		}
		s.node.mu.Lock()
		silent := s.isSilent()
		next, ok := s.nextCommand(silent)
		due = earliest(due, s.nextDue())
		done := !ok && !silent && !s.hung && until()
		s.node.mu.Unlock()
		switch {
		case done:
			return nil
		case ok:
			if err := s.do(next); err != nil {
				return err
			}
		default:
			if !time.Now().Before(s.pause) {
				s.pause = time.Time{} // a stream that is silent or hangs waits for something else
			}
			if err := s.wait(silent, earliest(due, s.pause)); err != nil {
				return err
			}
		}
	}
}

// isSilent reports whether the whole service or the stream's node sends nothing. The caller holds the lock of Node.
func (s *stream) isSilent() bool { return s.node.script.silence != nil || s.replica.hung != nil }

// wait returns when there may be something to do: at the latest at the given time, if there is one. Meanwhile a stream
// that hangs sends its text.
func (s *stream) wait(silent bool, due time.Time) error {
	ticks := s.ticks
	if silent {
		ticks = nil
	}
	var timeout <-chan time.Time
	if !due.IsZero() {
		timeout = time.After(time.Until(due))
	}
	select {
	case <-s.wake:
		return nil
	case <-timeout:
		return nil
	case <-ticks:
		return s.sendRaw(s.repeat)
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}

var (
	errEnded = errors.New("the stream was ended")
	errCut   = errors.New("the stream was cut")
)

func (s *stream) do(c command) error {
	switch c.kind {
	case sendRows:
		return s.sendBlock(c)
	case sendText:
		return s.sendRaw(c.text)
	case hangBody:
		s.hang(c)
		return nil
	case failBody:
		s.out.start(http.StatusInternalServerError) // without effect once there was data
		_, _ = s.send(c.text)
		return errEnded
	case cutBody:
		return errCut
	default:
		return errEnded
	}
}

// hang makes the stream send nothing more but the command's text.
func (s *stream) hang(c command) {
	s.node.mu.Lock()
	defer s.node.mu.Unlock()
	s.replica.unsubscribe(s)
	s.keepBlocks(0)
	s.stopTimer()
	s.hung, s.repeat = true, c.text
	if c.every > 0 {
		s.ticks = time.Tick(c.every)
	}
}

// sendBlock writes a block of updates, in one message or several.
func (s *stream) sendBlock(c command) error {
	for rows := c.rows; len(rows) > 0; {
		n := min(pageSize, len(rows))
		s.buffer = appendUpdates(s.buffer[:0], rows[:n])
		rows = rows[n:]
		blocked, err := s.send(s.buffer)
		if err != nil {
			return err
		}
		if blocked {
			s.node.count(&s.node.counters.BlockedUpdates, 1)
		}
		s.node.count(&s.node.counters.UpdatesSent, n)
	}
	return nil
}

// end closes the stream as its last command requires.
func (s *stream) end(err error) {
	if errors.Is(err, errCut) && s.out.held.buffer == 0 {
		panic(http.ErrAbortHandler) // what was flushed arrives, then the connection closes
	}
}

// blockedAfter is longer than a connection with room ever takes for a message.
const blockedAfter = 10 * time.Millisecond

// send writes one message. It reports, and counts, whether it had to wait for the reader.
func (s *stream) send(text []byte) (blocked bool, err error) {
	began := time.Now()
	err = s.out.send(text)
	s.sent = time.Now()
	if blocked = s.sent.Sub(began) >= blockedAfter; blocked {
		s.node.count(&s.node.counters.BlockedWrites, 1)
	}
	return blocked, err
}

func (s *stream) sendRaw(text []byte) error {
	s.sent = time.Now()
	return s.out.sendRaw(text)
}
