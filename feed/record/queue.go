package record

import (
	"math"
	"slices"
	"sync"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// piece is a part of a Delta, or what was read of margin levels, with the time of its receipt. Its positions are in the
// queue. The exported fields are written into a block of a Memory.
type piece struct {
	at       time.Duration
	Snapshot *book.Snapshot  `json:",omitempty"`
	Updates  *book.Updates   `json:",omitempty"`
	Audit    *book.AuditPage `json:",omitempty"`
	links    []model.Link    // with which a Delta begins
	margins  *book.MarginsRead
	missed   int
	dropped  int // states of rows that were dropped before it
	rows     int // how many positions in the queue belong to it; of a snapshot, those that it supersedes
}

// isBarrier reports whether states of rows before the piece cannot be dropped because of states after it.
func (p *piece) isBarrier() bool {
	return p.Snapshot != nil || p.Audit != nil || p.Updates != nil && (p.Updates.LatePage || p.Updates.BeginsPartial)
}

// queue has what was told to the screen and is not recorded yet. It copies the positions: their memory is used again.
type queue struct {
	start  time.Time
	isFull func() // is called each time that something comes and too much waits; nil if nothing needs that

	mu           sync.Mutex
	last         time.Duration
	pieces       []piece
	rows         book.Backlog // but for those of snapshots
	superseded   []bool       // which of them are left out when they are taken; nil is none
	snapshotRows int          // how many rows the snapshots have
	thinAt       int          // when this many rows wait, states that have been superseded are dropped
	dropped      int          // how many states were dropped
	wake         chan struct{}
	isClosed     bool
}

// The limits of what waits to be recorded.
const (
	thinnedFrom = 1 << 17 // rows: then superseded states are dropped
	maxQueued   = 1 << 23 // rows that are left then
	maxPieces   = 1 << 18
)

func newQueue(start time.Time) *queue {
	return &queue{start: start, thinAt: thinnedFrom, wake: make(chan struct{}, 1)}
}

// now returns the time since the start, later than each before. By the wall clock a machine that sleeps leaves a gap.
func (q *queue) now() time.Duration {
	now := time.Now()
	q.last = max(q.last+1, now.Round(0).Sub(q.start.Round(0)))
	return q.last
}

// Delta records what the screen is told. It does not wait, and keeps nothing of the Delta.
//
// The screen gets the Delta only then. So a snapshot is copied as it is stored, and is not searched for superseded
// states: of the time in BenchmarkStart, this takes 0.05 s for a million positions, not 0.4 s.
func (q *queue) Delta(delta *book.Delta) { q.put(func() { q.putDelta(delta) }) }

// Margins records what was read of margin levels. It does not wait. The page must not be changed any more.
func (q *queue) Margins(read book.MarginsRead) {
	q.put(func() { q.pieces = append(q.pieces, piece{at: q.now(), margins: &read}) })
}

// put calls add, which adds pieces, and drops what can be dropped if much waits.
func (q *queue) put(add func()) {
	q.mu.Lock()
	if q.isClosed {
		q.mu.Unlock()
		return
	}
	add()
	if q.rows.Len() >= q.thinAt {
		q.thin()
		q.thinAt = max(thinnedFrom, 2*q.rows.Len())
	}
	isFull := q.rows.Len()+q.snapshotRows > maxQueued || len(q.pieces) > maxPieces
	q.mu.Unlock()
	q.wakeUp()
	if isFull && q.isFull != nil {
		q.isFull()
	}
}

// wakeUp tells who waits for something that there is.
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
		p.at, p.rows = at, len(positions)
		q.pieces = append(q.pieces, p)
		q.rows.Add(positions)
	}
	if delta.Links != nil || delta.Missed > 0 {
		add(piece{links: slices.Clone(delta.Links), missed: delta.Missed}, nil)
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

// thin drops the states of rows that a later update supersedes. The lock is held.
func (q *queue) thin() {
	if q.superseded = q.findSuperseded(nil); slices.Contains(q.superseded, true) {
		q.dropped += q.rows.Len()
		var kept book.Backlog
		var rows []model.Position
		for i := range q.pieces {
			p := &q.pieces[i]
			rows = q.takeRows(p.rows, rows)
			p.rows = len(rows)
			kept.Add(rows)
		}
		q.rows = kept
		q.dropped -= q.rows.Len()
	}
	q.superseded = nil
}

// takeRows takes the next n positions but those that are superseded, in the memory of into.
func (q *queue) takeRows(n int, into []model.Position) []model.Position {
	all := q.rows.Take(n, into[:0])
	if q.superseded == nil {
		return all
	}
	kept := all[:0]
	for i := range all {
		if !q.superseded[i] {
			kept = append(kept, all[i])
		}
	}
	q.superseded = q.superseded[n:]
	return kept
}

// findSuperseded returns which states of rows a later update supersedes, but those that make an event. Without isKnown,
// the first state of each row stays too; else it goes if isKnown returns true: the state before it has the same size,
// status and loss socialisation amount.
func (q *queue) findSuperseded(isKnown func(*model.Position) bool) (droppable []bool) {
	droppable = make([]bool, q.rows.Len())
	from, to := 0, 0
	for i := range q.pieces {
		if q.pieces[i].isBarrier() {
			markSuperseded(&q.rows, droppable, from, to, isKnown)
			from, isKnown = to+q.pieces[i].rows, nil // the piece may change any row
		}
		to += q.pieces[i].rows
	}
	markSuperseded(&q.rows, droppable, from, to, isKnown)
	return droppable
}

// markSuperseded marks the states in a part of a backlog that can be dropped. A state whose next one has an older time
// stays: an audit may be newer than that one.
func markSuperseded(rows *book.Backlog, droppable []bool, from, to int, isKnown func(*model.Position) bool) {
	const isFirst, changes, repeats = 0, 1, 2
	is := make([]uint8, to-from)
	var p, q model.Position
	for i, next := range rows.Later(from, to) {
		if next == 0 {
			continue
		}
		rows.At(from+i, &p)
		rows.At(from+int(next), &q)
		if is[next] = changes; event.NoneBetween(&p, &q) {
			is[next] = repeats
		}
		canGo := is[i] == repeats || is[i] == isFirst && isKnown != nil && isKnown(&p)
		droppable[from+i] = canGo && q.IsNotOlder(&p, math.MaxInt64)
	}
}

// takeAll returns a queue with everything that waits but superseded states, which only the caller uses. It does not
// keep how many states were dropped. See findSuperseded.
func (q *queue) takeAll(isKnown func(*model.Position) bool) *queue {
	q.mu.Lock()
	all := &queue{pieces: q.pieces, rows: q.rows, snapshotRows: q.snapshotRows}
	q.pieces, q.rows, q.snapshotRows, q.thinAt, q.dropped = nil, book.Backlog{}, 0, thinnedFrom, 0
	q.mu.Unlock()
	all.superseded = all.findSuperseded(isKnown)
	return all
}

// take returns the oldest piece with its positions, in the memory of into, and false if there is none. A snapshot has
// its rows, and the positions are those that it supersedes. more is true if the next piece is of the same time.
func (q *queue) take(into []model.Position) (p piece, positions []model.Position, more, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.pieces) == 0 {
		return piece{}, into, false, false
	}
	p = q.pieces[0]
	q.pieces[0] = piece{}
	if q.pieces = q.pieces[1:]; len(q.pieces) == 0 {
		q.pieces = nil
	}
	p.dropped, q.dropped = q.dropped, 0
	if p.Snapshot != nil {
		q.snapshotRows -= p.Snapshot.Rows.Len()
	}
	return p, q.takeRows(p.rows, into), len(q.pieces) > 0 && q.pieces[0].at == p.at, true
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
