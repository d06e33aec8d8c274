package record

import (
	"math"
	"reflect"
	"slices"
	"sync"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// piece is a part of a Delta, or what was read of margin levels, with the time of its receipt. The exported fields are
// written into a block of a Memory.
type piece struct {
	at        time.Duration
	Snapshot  *book.Snapshot   `json:",omitempty"`
	Updates   *book.Updates    `json:",omitempty"`
	Audit     *book.AuditPage  `json:",omitempty"`
	positions []model.Position // of the updates or the audit; of a snapshot, those that it supersedes
	links     []model.Link     // with which a Delta begins
	margins   *book.MarginsRead
	missed    int
	dropped   int // states of rows that were dropped before it
}

// isBarrier reports whether states of rows before the piece cannot be dropped because of states after it.
func (p *piece) isBarrier() bool {
	return p.Snapshot != nil || p.Audit != nil || p.Updates != nil && (p.Updates.LatePage || p.Updates.BeginsPartial)
}

// queue has what the screen got and is not recorded yet. It copies the positions: their memory is used again.
// They are copied as they are, not stored as records: the screen-ms of BenchmarkMemory are half as many.
type queue struct {
	start  time.Time
	clock  func() time.Time
	isFull func() // is called each time that something comes and too much waits; nil if nothing needs that

	mu           sync.Mutex
	last         time.Duration
	lastAt       time.Time     // of it, by the clock
	setBack      time.Duration // by which the clock was set back since the start, all together
	pieces       []piece
	rows         int // how many positions the pieces have, without the rows of snapshots
	snapshotRows int // how many rows the snapshots have
	thinAt       int // when this many rows wait, states that have been superseded are dropped
	dropped      int // how many states were dropped
	wake         chan struct{}
	isClosed     bool
}

// The limits of what waits to be recorded.
const (
	thinnedFrom = 1 << 17 // rows: then superseded states are dropped
	maxQueued   = 1 << 22 // rows that are left then
	maxPieces   = 1 << 18
)

// thinAt returns how many rows wait when superseded states are dropped, after the last time that this many were left.
func thinAt(left int) int { return max(thinnedFrom, 2*left) }

func newQueue(start time.Time, clock func() time.Time) *queue {
	return &queue{start: start, clock: clock, lastAt: start, thinAt: thinnedFrom, wake: make(chan struct{}, 1)}
}

// now returns the time since the start, later than each before. By the wall clock a machine that sleeps leaves a gap.
// If that clock is set back, the time goes on by the monotonic clock, so that what comes afterwards has its own times
// in the recording.
func (q *queue) now() time.Duration {
	now := q.clock()
	q.setBack += setBack(q.lastAt, now)
	q.lastAt = now
	q.last = max(q.last+1, now.Round(0).Sub(q.start.Round(0))+q.setBack)
	return q.last
}

// setBack returns by how much the wall clock was set back between two times, in whole seconds.
func setBack(from, to time.Time) time.Duration {
	back := to.Sub(from) - to.Round(0).Sub(from.Round(0))
	return max(back, 0).Round(time.Second)
}

// recorded returns a time of this machine by the clock of the recording.
func (q *queue) recorded(at time.Time) time.Time {
	if at.IsZero() {
		return at
	}
	return at.Add(q.setBack - setBack(at, q.lastAt))
}

// timedLinks returns a copy of links with times by the clock of the recording.
func (q *queue) timedLinks(links []model.Link) []model.Link {
	links = slices.Clone(links)
	if q.setBack == 0 {
		return links
	}
	for i := range links {
		link := reflect.ValueOf(&links[i]).Elem()
		for f := range link.NumField() {
			if at, isTime := link.Field(f).Addr().Interface().(*time.Time); isTime {
				*at = q.recorded(*at)
			}
		}
		links[i].Lag.Since = q.recorded(links[i].Lag.Since)
		links[i].ClockOffset -= q.setBack
	}
	return links
}

// Delta records what the screen gets. It does not wait, and keeps nothing of the Delta.
//
// The screen gets the Delta only then. So a snapshot is copied as it is stored, and is not searched for superseded
// states: of the time in BenchmarkStart, this takes 0.05 s for a million positions, not 0.4 s.
func (q *queue) Delta(delta *book.Delta) { q.put(func() { q.putDelta(delta) }) }

// Margins records what was read of margin levels. It does not wait. The page must not be changed any more.
func (q *queue) Margins(read book.MarginsRead) {
	q.put(func() {
		at := q.now()
		if q.setBack != 0 && read.Page != nil {
			page := *read.Page
			page.ServedAt, page.ReadAt = page.Served(), q.recorded(page.ReadAt)
			read.Page = &page
		}
		q.pieces = append(q.pieces, piece{at: at, margins: &read})
	})
}

// put calls add, which adds pieces, and drops what can be dropped if much waits.
func (q *queue) put(add func()) {
	q.mu.Lock()
	if q.isClosed {
		q.mu.Unlock()
		return
	}
	add()
	if q.rows >= q.thinAt {
		dropped := thin(q.pieces, nil)
		q.rows, q.dropped = q.rows-dropped, q.dropped+dropped
		q.thinAt = thinAt(q.rows)
	}
	isFull := q.rows+q.snapshotRows > maxQueued || len(q.pieces) > maxPieces
	q.mu.Unlock()
	q.wakeUp()
	if isFull && q.isFull != nil {
		q.isFull()
	}
}

// wakeUp ends a wait for something new.
func (q *queue) wakeUp() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// putDelta adds the pieces of a Delta. The lock is held.
func (q *queue) putDelta(delta *book.Delta) {
	at := q.now()
	add := func(p piece, positions []model.Position) {
		p.at, p.positions = at, slices.Clone(positions)
		q.pieces = append(q.pieces, p)
		q.rows += len(positions)
	}
	if delta.Links != nil || delta.Missed > 0 {
		add(piece{links: q.timedLinks(delta.Links), missed: delta.Missed}, nil)
	}
	for _, s := range delta.Snapshots {
		superseded := s.Superseded
		s.Rows, s.Superseded = s.Rows.Clone(), nil
		q.snapshotRows += s.Rows.Len()
		add(piece{Snapshot: &s}, superseded)
	}
	for _, u := range delta.Updates {
		positions := u.Positions
		u.Positions = nil
		add(piece{Updates: &u}, positions)
	}
	for _, page := range delta.Audits {
		positions := page.Positions
		page.Positions = nil
		add(piece{Audit: &page}, positions)
	}
}

// thin drops the states of rows that a later update supersedes, but those that make an event, and returns how many. The
// first state of each row stays too, unless isKnown returns true for it: the state before it has the same size, status
// and loss socialisation amount. If isKnown is nil, all of them stay.
func thin(pieces []piece, isKnown func(*model.Position) bool) (dropped int) {
	from := 0
	for to := range pieces {
		if pieces[to].isBarrier() {
			dropped += dropSuperseded(pieces[from:to], isKnown)
			from, isKnown = to+1, nil // the piece may change any row
		}
	}
	return dropped + dropSuperseded(pieces[from:], isKnown)
}

// dropSuperseded drops states as thin does, of pieces that are no barriers. A state whose next one has an older time
// stays: an audit may be newer than that one.
func dropSuperseded(pieces []piece, isKnown func(*model.Position) bool) (dropped int) {
	type state struct {
		*model.Position
		isFirst, repeats, isSuperseded bool // of its row; by its event; see thin
	}
	rows := 0
	for i := range pieces {
		rows += len(pieces[i].positions)
	}
	states, latest := make([]state, 0, rows), make(map[model.Key]int32, rows)
	for i := range pieces {
		for j := range pieces[i].positions {
			states = append(states, state{Position: &pieces[i].positions[j]})
		}
	}
	for i := range states {
		now := &states[i]
		last, isLater := latest[now.Key]
		latest[now.Key] = int32(i)
		if now.isFirst = !isLater; now.isFirst {
			continue
		}
		before := &states[last]
		now.repeats = event.NoneBetween(before.Position, now.Position)
		canGo := before.repeats || before.isFirst && isKnown != nil && isKnown(before.Position)
		if canGo && now.IsNotOlder(before.Position, math.MaxInt64) {
			before.isSuperseded = true
			dropped++
		}
	}
	if dropped == 0 {
		return 0
	}
	for i := range pieces {
		kept := slices.DeleteFunc(pieces[i].positions, func(model.Position) bool {
			isSuperseded := states[0].isSuperseded
			states = states[1:]
			return isSuperseded
		})
		pieces[i].positions = slices.Clone(kept) // so that the memory of the others is free
	}
	return dropped
}

// takeAll returns all pieces that wait, without superseded states. It does not keep how many were dropped. See thin.
func (q *queue) takeAll(isKnown func(*model.Position) bool) []piece {
	q.mu.Lock()
	pieces := q.pieces
	q.pieces, q.rows, q.snapshotRows, q.thinAt, q.dropped = nil, 0, 0, thinnedFrom, 0
	q.mu.Unlock()
	thin(pieces, isKnown)
	return pieces
}

// take returns the oldest piece, and false if there is none. more is true if the next piece is of the same time.
func (q *queue) take() (p piece, more, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.pieces) == 0 {
		return piece{}, false, false
	}
	p = q.pieces[0]
	q.pieces[0] = piece{}
	if q.pieces = q.pieces[1:]; len(q.pieces) == 0 {
		q.pieces = nil
	}
	p.dropped, q.dropped = q.dropped, 0
	q.rows -= len(p.positions)
	q.thinAt = min(q.thinAt, thinAt(q.rows))
	if p.Snapshot != nil {
		q.snapshotRows -= p.Snapshot.Rows.Len()
	}
	return p, len(q.pieces) > 0 && q.pieces[0].at == p.at, true
}

// close lets nothing more in.
func (q *queue) close() {
	q.mu.Lock()
	q.isClosed = true
	q.mu.Unlock()
	q.wakeUp()
}

// ended reports whether nothing waits and nothing more comes.
func (q *queue) ended() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.isClosed && len(q.pieces) == 0
}
