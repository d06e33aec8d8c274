package sim

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// stream is one open positions stream, from its request to its end.
type stream struct {
	node   *Node
	ctx    context.Context
	out    *reply
	filter filter
	text   []byte // of the message at hand

	replica *replica // where its rows come from
	hung    bool     // it sends nothing more of its own
	repeat  []byte   // what it sends instead, at each tick
	ticks   <-chan time.Time
	queue
}

// observePositions answers one request for the stream. In the service's own
// order: the snapshot is read and sent, and only then the subscription starts.
// What changes in between is lost.
func (n *Node) observePositions(out *reply, r *http.Request) {
	s := &stream{node: n, ctx: r.Context(), out: out, queue: queue{wake: make(chan struct{}, 1)}}
	if !n.enter(s) {
		out.refuseStream(tooManyStreams)
		return
	}
	defer n.leave(s)
	if answer, ok := n.nextAnswer(&n.script.streamAnswers); ok {
		s.end(s.answer(answer))
		return
	}
	query, err := parseQuery(r)
	if err == nil {
		s.filter, err = parseFilter(query)
	}
	if err != nil {
		out.refuse(unparsed(err))
		return
	}
	if err := s.filter.check(); err != nil {
		out.refuseStream(refusal{status: http.StatusBadRequest,
			body: detailed(3, "InvalidArgument error", 160002, "failed to send positions snapshot", err.Error())})
		return
	}
	s.end(s.observe())
}

// enter admits a stream, unless there are too many.
func (n *Node) enter(s *stream) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.streams) >= n.config.Limits.Streams {
		return false
	}
	s.replica = n.reached()
	n.streams[s] = struct{}{}
	n.counters.streamsOpen.Add(1)
	n.counters.streamsOpened.Add(1)
	return true
}

func (n *Node) leave(s *stream) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.streams, s)
	s.replica.unsubscribe(s)
	s.stopWaiting()
	n.counters.streamsOpen.Add(-1)
}

// observe sends the snapshot, then the updates for as long as the stream lasts.
func (s *stream) observe() error {
	if err := s.sendSnapshot(); err != nil {
		return err
	}
	if err := sleep(s.ctx, s.node.config.Gap); err != nil {
		return err
	}
	s.node.mu.Lock()
	s.replica.subscribe(s)
	s.node.mu.Unlock()
	return s.follow(func() bool { return false })
}

// answer says what the script wants said instead.
func (s *stream) answer(a Answer) error {
	if err := s.follow(func() bool { return true }); err != nil {
		return err
	}
	err := s.out.give(s.ctx, a)
	switch {
	case err != nil:
		return err
	case a.Every > 0:
		s.hang(order{text: []byte(a.Body), every: a.Every})
		return s.follow(func() bool { return false })
	case a.staysOpen():
		return s.follow(func() bool { return false })
	case a.Cut:
		return errCut
	default:
		return nil
	}
}

// sendSnapshot writes the pages. A filter by party and market that finds
// nothing has none: not even the headers go out.
func (s *stream) sendSnapshot() error {
	if err := s.follow(func() bool { return true }); err != nil {
		return err
	}
	s.node.mu.Lock()
	rows := s.replica.positions.find(s.filter)
	s.node.mu.Unlock()

	none := len(rows) == 0 && s.filter.party != nil && s.filter.market != nil
	sent := 0
	for last := none; !last; sent++ {
		if err := s.follow(func() bool { return !s.node.script.holds(sent) }); err != nil {
			return err
		}
		n := min(pageSize, len(rows))
		last = n == len(rows)
		s.text = snapshotPage(s.text[:0], rows[:n], last)
		rows = rows[n:]
		if _, err := s.send(s.text); err != nil {
			return err
		}
		s.node.counters.snapshotsSent.Add(int64(n))
	}
	return s.follow(func() bool { return !s.node.script.holds(AllPages) })
}

// follow carries out the stream's orders as they come, until there are none
// and the condition holds. The condition is asked under the node's lock.
func (s *stream) follow(until func() bool) error {
	for {
		s.node.mu.Lock()
		silent := s.node.script.silence != nil
		next, ok := s.take(silent)
		done := !ok && !silent && !s.hung && until()
		s.node.mu.Unlock()
		switch {
		case done:
			return nil
		case ok:
			if err := s.perform(next); err != nil {
				return err
			}
		default:
			ticks := s.ticks
			if silent {
				ticks = nil
			}
			select {
			case <-s.wake:
			case <-ticks:
				if err := s.out.sendRaw(s.repeat); err != nil {
					return err
				}
			case <-s.ctx.Done():
				return s.ctx.Err()
			}
		}
	}
}

var (
	errEnded = errors.New("the stream was ended")
	errCut   = errors.New("the stream was cut")
)

func (s *stream) perform(o order) error {
	switch o.verb {
	case tellRows:
		return s.sendBlock(o.rows)
	case writeText:
		return s.out.sendRaw(o.text)
	case hangBody:
		s.hang(o)
		return nil
	case failBody:
		s.out.start(http.StatusInternalServerError) // without effect once there was data
		_, _ = s.send(o.text)
		return errEnded
	case cutBody:
		return errCut
	default:
		return errEnded
	}
}

// hang lets the stream send nothing more but the order's text.
func (s *stream) hang(o order) {
	s.node.mu.Lock()
	defer s.node.mu.Unlock()
	s.hung, s.repeat = true, o.text
	s.replica.unsubscribe(s)
	s.forgetBlocks()
	if o.every > 0 {
		s.ticks = time.Tick(o.every)
	}
}

// sendBlock writes a block of updates, in as many messages as it takes.
func (s *stream) sendBlock(rows []*row) error {
	for len(rows) > 0 {
		n := min(pageSize, len(rows))
		s.text = updatePage(s.text[:0], rows[:n])
		rows = rows[n:]
		blocked, err := s.send(s.text)
		if err != nil {
			return err
		}
		if blocked {
			s.node.counters.blockedUpdates.Add(1)
		}
		s.node.counters.updatesSent.Add(int64(n))
	}
	return nil
}

// end closes the stream as its last order wants it.
func (s *stream) end(err error) {
	if errors.Is(err, errCut) {
		s.out.cut()
	}
}

// blockedAfter is longer than a connection with room ever takes for a message.
const blockedAfter = 10 * time.Millisecond

// send writes one message, slowly if the script wants so, and tells and counts
// whether it had to wait for the reader.
func (s *stream) send(text []byte) (blocked bool, err error) {
	text, err = s.trickle(text)
	if err != nil {
		return false, err
	}
	began := time.Now()
	err = s.out.send(text)
	if blocked = time.Since(began) >= blockedAfter; blocked {
		s.node.counters.blockedWrites.Add(1)
	}
	return blocked, err
}

// trickle writes a message a few bytes at a time while the script wants it so,
// and returns the rest.
func (s *stream) trickle(text []byte) ([]byte, error) {
	for {
		size, pause := s.node.pace()
		if size == 0 || size >= len(text) {
			return text, nil
		}
		if err := s.out.sendRaw(text[:size]); err != nil {
			return nil, err
		}
		text = text[size:]
		if err := sleep(s.ctx, pause); err != nil {
			return nil, err
		}
	}
}
