package sim

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"blotter/feed/sim/market"
)

// script is how tests and faults change the service. The lock of Node guards it.
type script struct {
	streamResponses, marginResponses []scriptedResponse

	silence   chan struct{} // closed when it ends; nil while the service responds
	holding   bool
	holdAfter int
	lag       time.Duration
	late      time.Duration
	growth    int
	snapshots Snapshots
	proxy     Proxy

	streamBlocks bool                      // responses to streams have the headers of the last block too
	clock        func(now time.Time) int64 // nil for the true time
	ahead        time.Duration

	requests []Request
}

// scripted is the script of a Node. Its methods are those of the Node too.
type scripted struct {
	open   *scriptedStreams
	script script
}

// Stamp makes the service give these times to positions from now on: to those that its market changes, and to those
// that a script leaves without. NoTime leaves the time out. Nil gives the true time again; positions keep the time
// that they have. Margin levels always have the true time.
func (of *scripted) Stamp(clock func(now time.Time) int64) {
	of.set(func(s *script) { s.clock = clock })
}

// SetClock sets how far the clock of the service is ahead of that of the machine from now on, or behind it if that is
// negative: that of its Date header, of its blocks, and of the positions and margin levels that change.
func (of *scripted) SetClock(ahead time.Duration) { of.set(func(s *script) { s.ahead = ahead }) }

// now returns the time by the clock of the service.
func (s *script) now() time.Time { return time.Now().Add(s.ahead) }

// stamp returns the time that a position gets when a script changes it now.
func (s *script) stamp() int64 {
	if s.clock != nil {
		return s.clock(s.now())
	}
	return s.now().UnixNano()
}

// Heal ends everything that faults have begun: what is set in script, and the rest. If it cuts the streams, they are
// opened again without the fault, and what was held in their snapshots is not sent before.
func (n *Node) Heal(cuts bool) {
	n.EndSilence()
	n.set(func(s *script) { s.streamResponses, s.marginResponses = nil, nil })
	if cuts {
		n.Cut()
	}
	n.set(func(s *script) { *s = script{requests: s.requests, streamBlocks: s.streamBlocks, ahead: s.ahead} })
	n.GrowMargins(0)
	n.LoseMarkets()
	n.StopReplicas()
	n.AgeSnapshots(0)
	n.restamp()
}

// restamp sets the time of positions that have none or a future one to now, and sends them to the streams.
func (n *Node) restamp() {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := time.Now().UnixNano()
	var mended []*market.Row
	for _, r := range n.main.positions.rows {
		if r != nil && (r.UpdatedAt == NoTime || r.UpdatedAt > now) {
			next := *r
			next.UpdatedAt = now
			mended = append(mended, &next)
		}
	}
	n.apply(change{Block: market.Block{Rows: mended}})
}

func (n *Node) block(positions []Position) market.Block {
	rows, script := make([]*market.Row, len(positions)), n.current()
	for i, p := range positions {
		if p.UpdatedAt == 0 {
			p.UpdatedAt = script.stamp()
		}
		rows[i] = market.NewRow(p)
	}
	return market.Block{Rows: rows}
}

// Some returns a few positions as they are now, if there are any, which the source chooses.
func (n *Node) Some(random *rand.Rand) (some []Position) {
	n.mu.Lock()
	defer n.mu.Unlock()
	rows := n.main.positions.rows
	first := random.IntN(len(rows))
	for _, r := range rows[first:min(len(rows), first+1+random.IntN(8))] {
		if r != nil {
			some = append(some, r.Position())
		}
	}
	return some
}

// Message returns the message that sends positions as updates.
func (n *Node) Message(positions ...Position) []byte {
	return appendUpdates(nil, n.block(positions).Rows)
}

// Resend sends positions to the streams once more, as they are now.
func (n *Node) Resend(keys ...Key) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var slots []int32
	for _, key := range keys {
		slots = append(slots, n.main.positions.at[key])
	}
	n.main.publish(n.main.positions.in(slots...))
}

// Put sets positions and does not send them to the streams: the state before the first request, or an update that is
// lost.
func (n *Node) Put(positions ...Position) { n.change(change{Block: n.block(positions), unsent: true}) }

// Update sets positions and sends them to the streams, in one block.
func (n *Node) Update(positions ...Position) { n.change(change{Block: n.block(positions)}) }

// Broadcast sends positions to the streams that are not the state, or no longer: duplicates, late ones, wrong ones.
func (n *Node) Broadcast(positions ...Position) {
	n.change(change{Block: n.block(positions), unstored: true})
}

// Remove removes positions. Nothing is sent to the streams: the interface has no message for it.
func (n *Node) Remove(keys ...Key) { n.change(change{removed: keys}) }

// PutMargins sets margin levels records. Each moves to its timestamp's place.
func (n *Node) PutMargins(records ...MarginLevels) {
	script := n.current()
	var c change
	for _, record := range records {
		record.Timestamp = cmp.Or(record.Timestamp, script.now().UnixNano())
		c.Margins = append(c.Margins, market.NewMarginRecord(record))
	}
	n.change(c)
}

// RemoveMargins removes margin levels records.
func (n *Node) RemoveMargins(keys ...MarginKey) {
	n.change(change{Block: market.Block{RemovedMargins: keys}})
}

// Silence stops every byte of the service until EndSilence: on open streams, once the current block is written, and in
// responses to requests, which are taken and recorded. A Cut still works.
func (of *scripted) Silence() {
	of.set(func(s *script) {
		if s.silence == nil {
			s.silence = make(chan struct{})
		}
	})
}

// EndSilence ends a Silence. The data that was held back is sent.
func (of *scripted) EndSilence() {
	of.set(func(s *script) {
		if s.silence != nil {
			close(s.silence)
			s.silence = nil
		}
	})
}

// await waits for the end of a Silence, or of a hang. It returns at once if the channel is nil.
func await(ctx context.Context, end <-chan struct{}) error {
	if end == nil {
		return nil
	}
	select {
	case <-end:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// AllPages makes HoldSnapshot hold after the last page.
const AllPages = math.MaxInt

// HoldSnapshot makes streams wait in their snapshot once they have sent the given number of pages, or all of them,
// until Release. After the last page they are in the gap: what changes then is not sent on them.
func (of *scripted) HoldSnapshot(afterPages int) {
	of.set(func(s *script) { s.holding, s.holdAfter = true, afterPages })
}

// Release continues the held streams, and holds no others.
func (of *scripted) Release() { of.set(func(s *script) { s.holding = false }) }

func (s *script) holds(sent int) bool { return s.holding && sent >= s.holdAfter }

// Lag sets how much older than the clock the node's block time is. Its state stays current: see StartReplicas.
func (of *scripted) Lag(behind time.Duration) { of.set(func(s *script) { s.lag = behind }) }

// DelayUpdates makes updates reach the streams later by a duration, in the same order. Snapshots are as current as
// before.
func (of *scripted) DelayUpdates(by time.Duration) { of.set(func(s *script) { s.late = by }) }

// NameBlocksOnStreams decides whether the responses to streams have the headers of the last block too. Those of the
// public service have none; a gateway may add them.
func (of *scripted) NameBlocksOnStreams(on bool) { of.set(func(s *script) { s.streamBlocks = on }) }

func (of *scripted) current() script {
	of.open.lock.Lock()
	defer of.open.lock.Unlock()
	return of.script
}

func (of *scripted) set(change func(*script)) {
	of.open.lock.Lock()
	defer of.open.lock.Unlock()
	change(&of.script)
	for s := range of.open.streams {
		s.signal()
	}
}

// Request is a request of a client.
type Request struct {
	At     time.Time
	Method string
	URI    string // path and query, as they came
	Header http.Header
}

// requestsKept bounds the memory of a service that runs for days.
const requestsKept = 4096

func (of *scripted) record(r *http.Request) {
	of.open.lock.Lock()
	defer of.open.lock.Unlock()
	kept := of.script.requests
	if len(kept) == requestsKept {
		kept = append(kept[:0], kept[requestsKept/2:]...)
	}
	of.script.requests = append(kept, Request{time.Now(), r.Method, r.RequestURI, r.Header.Clone()})
}

// Requests returns the last few thousand requests, oldest first.
func (of *scripted) Requests() []Request {
	of.open.lock.Lock()
	defer of.open.lock.Unlock()
	return slices.Clone(of.script.requests)
}
