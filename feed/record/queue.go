package record

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// moment is what the screen got at once: a Delta, or what was read of margin levels.
type moment struct {
	At time.Duration `json:"at"` // of its receipt
	book.Delta
}

// isMoment reports whether a line in memory is of a moment.
func isMoment(line []byte) bool { return bytes.Contains(line, []byte(`,"Links":`)) }

// positions returns the lists of positions of a Delta, without the rows of its snapshots.
func positions(of *book.Delta) (lists []*[]model.Position) {
	for i := range of.Snapshots {
		lists = append(lists, &of.Snapshots[i].Superseded)
	}
	for i := range of.Updates {
		lists = append(lists, &of.Updates[i].Positions)
	}
	for i := range of.Audits {
		lists = append(lists, &of.Audits[i].Positions)
	}
	return lists
}

// rows returns how many positions the moment has. A link counts as the four positions whose memory it takes, and a
// margin record as two.
func (m *moment) rows() int {
	n := 4 * len(m.Links)
	for _, read := range m.Margins {
		if read.Page != nil {
			n += 2 * len(read.Page.Rows)
		}
	}
	for i := range m.Snapshots {
		n += m.Snapshots[i].Rows.Len()
	}
	for _, some := range positions(&m.Delta) {
		n += len(*some)
	}
	return n
}

// isBarrier reports whether states of rows before the moment cannot be dropped because of states after it.
func (m *moment) isBarrier() bool {
	isPart := func(u book.Updates) bool { return u.LatePage || u.BeginsPartial || u.BeginsStream }
	return m.Snapshots != nil || m.Audits != nil || slices.ContainsFunc(m.Updates, isPart)
}

// queue has what the screen got and is not recorded yet. It copies the positions: their memory is used again.
// They are copied as they are, not stored as records: the screen-ms of BenchmarkMemory are half of those with records.
type queue struct {
	start  time.Time
	clock  func() time.Time
	isFull func() // is called each time that something comes and too much waits; nil if nothing needs that
	// onPanic is as in Options.
	onPanic func(reason any, trace []byte)

	mu       sync.Mutex
	last     time.Duration
	lastAt   time.Time     // of it, by the clock
	setBack  time.Duration // by which the clock was set back since the start, all together
	moments  []moment
	rows     int // how many positions they have, see moment.rows
	taken    int // and those that takeAll has returned and that are not recorded yet
	maxRows  int // of both; then isFull is called
	thinAt   int // the number of waiting rows from which on superseded states are dropped
	dropped  int // how many states were dropped
	isClosed bool

	ctx    context.Context // ended by stop
	stop   context.CancelFunc
	drains sync.WaitGroup
}

// The limits of what waits to be recorded.
const (
	thinnedFrom = 1 << 17 // rows: then superseded states are dropped
	maxQueued   = 1 << 22 // rows that are left then, with those that are written
	maxMoments  = 1 << 18
)

func newQueue(start time.Time, clock func() time.Time) *queue {
	q := &queue{start: start, clock: clock, lastAt: start, thinAt: thinnedFrom, maxRows: maxQueued}
	q.ctx, q.stop = context.WithCancel(context.Background())
	return q
}

// drainEvery starts to call drain every so often, and a last time when the queue is closed. Then it calls end.
func (q *queue) drainEvery(d time.Duration, drain, end func()) {
	q.drains.Go(func() {
		defer q.guard()
		tick := time.Tick(d)
		for isLast := false; !isLast; {
			select {
			case <-tick:
			case <-q.ctx.Done():
			}
			isLast = q.ctx.Err() != nil
			drain()
		}
		end()
	})
}

// guard, which is deferred, passes a panic on.
func (q *queue) guard() {
	if q.onPanic == nil {
		return
	}
	if reason := recover(); reason != nil {
		q.onPanic(reason, debug.Stack())
	}
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

// Delta records what the screen gets. It does not wait, and keeps nothing of the Delta but pages of margin levels:
// these must not be changed any more.
//
// The screen gets the Delta only then. So a snapshot is copied as it is stored, and is not searched for superseded
// states: of the time in BenchmarkStart, this takes 0.05 s for a million positions, not 0.4 s.
func (q *queue) Delta(delta *book.Delta) {
	q.mu.Lock()
	if q.isClosed {
		q.mu.Unlock()
		return
	}
	m := moment{At: q.now()}
	m.Links, m.Missed, m.Doubts = q.timedLinks(delta.Links), delta.Missed, delta.Doubts
	m.Snapshots, m.Updates, m.Audits = slices.Clone(delta.Snapshots), slices.Clone(delta.Updates), slices.Clone(delta.Audits)
	for i := range m.Snapshots {
		m.Snapshots[i].Rows = m.Snapshots[i].Rows.Clone()
	}
	for _, some := range positions(&m.Delta) {
		*some = slices.Clone(*some)
	}
	for _, read := range delta.Margins {
		if read.Page != nil && q.setBack != 0 {
			page := *read.Page
			page.ServedAt, page.ReadAt = page.Served(), q.recorded(page.ReadAt)
			read.Page = &page
		}
		m.Margins = append(m.Margins, read)
	}
	q.moments = append(q.moments, m)
	q.rows += m.rows()
	if q.rows >= q.thinAt {
		dropped := thin(q.moments, nil)
		q.rows, q.dropped = q.rows-dropped, q.dropped+dropped
		q.thinAt = max(thinnedFrom, 2*q.rows)
	}
	isFull := q.rows+q.taken > q.maxRows || len(q.moments) > maxMoments
	q.mu.Unlock()
	if isFull && q.isFull != nil {
		q.isFull()
	}
}

// thin drops the states of rows that a later update supersedes, but those that make an event and those just before
// them, and returns how many: of a node that is behind, an event can begin with the state before, and the last margin
// ratio of a size has its profit. The first state of each row stays too, unless isKnown returns true for it: the state
// before it has the same size, status and loss socialisation amount. If isKnown is nil, all of them stay. Up to which
// time a stream has told something stays too.
func thin(moments []moment, isKnown func(*model.Position) bool) (dropped int) {
	defer keepTold(moments, newestTimes(moments))
	var lists []*[]model.Position // since the last moment that may change any row
	for i := range moments {
		if moments[i].isBarrier() {
			dropped += dropSuperseded(lists, isKnown)
			lists, isKnown = nil, nil
		} else {
			lists = append(lists, positions(&moments[i].Delta)...)
		}
	}
	return dropped + dropSuperseded(lists, isKnown)
}

// newestTimes returns the newest usable time of the positions of each Updates, and 0 if none is usable.
func newestTimes(moments []moment) (newest []int64) {
	for i := range moments {
		for _, u := range moments[i].Updates {
			newest = append(newest, book.NewestTime(u.Positions, u.NotAfter))
		}
	}
	return newest
}

// keepTold sets Updates.Told if the newest position is no longer there. Before is what newestTimes returned earlier.
func keepTold(moments []moment, before []int64) {
	now := newestTimes(moments)
	for i := range moments {
		for j := range moments[i].Updates {
			if now[0] < before[0] {
				told := &moments[i].Updates[j].Told
				*told = max(*told, before[0])
			}
			now, before = now[1:], before[1:]
		}
	}
}

// dropSuperseded drops states as thin does, of moments that are no barriers. A state whose next one has an older time
// stays: an audit may be newer than that one. So does a state without a time before one with a time.
func dropSuperseded(lists []*[]model.Position, isKnown func(*model.Position) bool) (dropped int) {
	type state struct {
		*model.Position
		isFirst, repeats, isSuperseded bool // of its row; by its event; see thin
	}
	rows := 0
	for _, some := range lists {
		rows += len(*some)
	}
	states, latest := make([]state, 0, rows), make(map[model.Key]int32, rows)
	for _, some := range lists {
		for i := range *some {
			states = append(states, state{Position: &(*some)[i]})
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
		canGo := now.repeats && (before.repeats || before.isFirst && isKnown != nil && isKnown(before.Position))
		_, hadTime := before.ChangedAt(math.MaxInt64)
		_, hasTime := now.ChangedAt(math.MaxInt64)
		if canGo && hadTime == hasTime && now.IsNotOlder(before.Position, math.MaxInt64) {
			before.isSuperseded = true
			dropped++
		}
	}
	if dropped == 0 {
		return 0
	}
	for _, some := range lists {
		kept := slices.DeleteFunc(*some, func(model.Position) bool {
			isSuperseded := states[0].isSuperseded
			states = states[1:]
			return isSuperseded
		})
		*some = slices.Clone(kept) // so that the memory of the others is free
	}
	return dropped
}

// takeAll returns all that waits, and how many states were dropped of it.
func (q *queue) takeAll() (moments []moment, dropped int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	moments, dropped, q.taken = q.moments, q.dropped, q.rows
	q.moments, q.rows, q.thinAt, q.dropped = nil, 0, thinnedFrom, 0
	return moments, dropped
}

// recordedRows notes that the given number of rows of those that were taken are recorded.
func (q *queue) recordedRows(n int) {
	q.mu.Lock()
	q.taken -= n
	q.mu.Unlock()
}

func (q *queue) close() {
	q.mu.Lock()
	q.isClosed = true
	q.mu.Unlock()
	q.stop()
}
