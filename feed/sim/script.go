package sim

import (
	"context"
	"math"
	"net/http"
	"time"
)

// script is what the service was told to do beyond its nature. The node's
// lock guards it.
type script struct {
	streamAnswers, marginAnswers []scriptedAnswer

	silence    chan struct{} // closed when it ends; nil while the service speaks
	holding    bool
	holdAfter  int
	pieceSize  int
	piecePause time.Duration
	lag        time.Duration

	requests []Request
}

// stamp gives a time to what a script leaves without.
func stamp(given *int64) {
	if *given == 0 {
		*given = time.Now().UnixNano()
	}
}

func rowsOf(positions []Position) []*row {
	rows := make([]*row, len(positions))
	for i, p := range positions {
		stamp(&p.UpdatedAt)
		rows[i] = newRow(p)
	}
	return rows
}

// Put sets positions and tells no stream: the world before anyone looks at
// it, or an update that gets lost.
func (n *Node) Put(positions ...Position) {
	rows := rowsOf(positions)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.put(rows)
}

// Update sets positions and tells the streams, in one block.
func (n *Node) Update(positions ...Position) { n.update(rowsOf(positions)) }

func (n *Node) update(rows []*row) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.put(rows)
	n.tell(rows)
}

func (n *Node) put(rows []*row) {
	for _, r := range rows {
		n.world.put(r)
	}
}

// Tell tells the streams of positions that are not the truth, or not any
// more: duplicates, late ones, lies.
func (n *Node) Tell(positions ...Position) {
	rows := rowsOf(positions)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.tell(rows)
}

// Remove forgets positions. No stream is told: the interface has no word for it.
func (n *Node) Remove(keys ...Key) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, key := range keys {
		n.world.remove(key)
	}
}

// PutMargins sets margin levels records. Each moves to its timestamp's place.
func (n *Node) PutMargins(records ...MarginLevels) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, record := range records {
		stamp(&record.Timestamp)
		n.ledger.put(newLevels(record))
	}
}

// RemoveMargins forgets margin levels records.
func (n *Node) RemoveMargins(keys ...MarginKey) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, key := range keys {
		n.ledger.remove(key)
	}
}

// order gives every stream that is open now something to do, after what it
// has to do already.
func (n *Node) order(o order) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for s := range n.streams {
		s.push(o)
	}
}

// Raw writes bytes to every open stream, whatever they are.
func (n *Node) Raw(text []byte) { n.order(order{verb: writeText, text: text}) }

// Cut closes the connection of every open stream in the middle of the body.
func (n *Node) Cut() { n.order(order{verb: cutBody}) }

// End ends every open stream cleanly and without a word.
func (n *Node) End() { n.order(order{verb: endBody}) }

// Kick drops every open stream as the service drops a slow reader: with an
// error object that has no newline, and a clean end. A stream that has sent
// nothing yet answers 500.
func (n *Node) Kick() { n.order(order{verb: failBody, text: streamDropped.wrapped()}) }

// Shutdown ends every open stream as a service does that is going down. It
// goes on taking requests.
func (n *Node) Shutdown() { n.order(order{verb: failBody, text: streamClosing.wrapped()}) }

// Silence stops every byte of the service until Speak: on open streams, once
// the block at hand is written, and in answer to requests, which are taken and
// recorded. A Cut still works.
func (n *Node) Silence() {
	n.bend(func(s *script) {
		if s.silence == nil {
			s.silence = make(chan struct{})
		}
	})
}

// Speak ends a Silence. What piled up in it goes out.
func (n *Node) Speak() {
	n.bend(func(s *script) {
		if s.silence != nil {
			close(s.silence)
			s.silence = nil
		}
	})
}

// awaitSpeech waits for the end of a Silence.
func (n *Node) awaitSpeech(ctx context.Context) error {
	n.mu.Lock()
	silence := n.script.silence
	n.mu.Unlock()
	if silence == nil {
		return nil
	}
	select {
	case <-silence:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// AllPages makes HoldSnapshot hold after the last page.
const AllPages = math.MaxInt

// HoldSnapshot makes streams wait in their snapshot once they have sent so
// many pages, or all of them, until Release. After the last page they are in
// the gap: what changes then is lost to them.
func (n *Node) HoldSnapshot(afterPages int) {
	n.bend(func(s *script) { s.holding, s.holdAfter = true, afterPages })
}

// Release lets the held streams go on, and holds no others.
func (n *Node) Release() { n.bend(func(s *script) { s.holding = false }) }

func (s *script) holds(sent int) bool { return s.holding && sent >= s.holdAfter }

// Trickle makes streams write their messages in pieces of so many bytes, with
// a pause between them. A size of 0 ends it.
func (n *Node) Trickle(size int, pause time.Duration) {
	n.bend(func(s *script) { s.pieceSize, s.piecePause = size, pause })
}

func (n *Node) pace() (size int, pause time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.script.pieceSize, n.script.piecePause
}

// Lag makes the node's own block time stand so far behind the clock.
func (n *Node) Lag(behind time.Duration) { n.bend(func(s *script) { s.lag = behind }) }

// bend changes the script and lets every stream look at it.
func (n *Node) bend(change func(*script)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	change(&n.script)
	for s := range n.streams {
		s.rouse()
	}
}

// Request is what a client asked.
type Request struct {
	At     time.Time
	Method string
	URI    string // path and query, as they came
	Header http.Header
}

// requestsKept bounds the memory of a service that runs for days.
const requestsKept = 4096

func (n *Node) record(r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	kept := n.script.requests
	if len(kept) == requestsKept {
		kept = append(kept[:0], kept[requestsKept/2:]...)
	}
	n.script.requests = append(kept, Request{time.Now(), r.Method, r.RequestURI, r.Header.Clone()})
}

// Requests returns what was asked of the service, oldest first: the last few
// thousand.
func (n *Node) Requests() []Request {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]Request(nil), n.script.requests...)
}
