package record

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"blotter/model"
	"blotter/model/event"
)

// The slowest and the fastest speed of a Player.
const (
	MinSpeed = 1.0 / 64
	MaxSpeed = 4096
)

// Player plays a recording in place of a feed. What it shows at a time is a function of the recording and that time
// alone, however that time was reached. Its methods may be called by any goroutine, but only one at a time may wait in
// Next. Only Next, NextMargins, Page and what is said to read do I/O.
type Player struct {
	tape *tape
	ctx  context.Context // ended by stop
	stop context.CancelFunc

	release func()               // called by Close; nil if there is nothing to do
	isSeen  func(model.Key) bool // see StepTo

	mu      sync.Mutex
	clock   clock
	jumpTo  *time.Duration // where Next must go first; nil if nowhere
	step    int            // and then to the next change, or with -1 to the one before; 0 if to none
	changed chan struct{}  // closed and replaced if Next has something else to do
	problem error          // why the recording could not be read further
	watched []model.Subscription
	// The times of the events that TakeEvents returns next: those after the first. It is beforeAll after a jump.
	eventsFrom, eventsTo time.Duration

	reading sync.Mutex // guards what follows
	cursor  *cursor
	shown   map[model.Subscription]bool // the watched subscriptions whose rows the screen has
	restart bool                        // the next Delta replaces all before
	next    time.Time                   // when Next returns next, at the earliest
}

// beforeAll is before all times of a recording.
const beforeAll = -1

// Open opens a recording of at most limit positions, paused at its start. It reads all of it once. An error means that
// the file is no recording.
func Open(path string, limit int) (*Player, error) {
	tape, err := openTape(path, limit)
	if err != nil {
		return nil, err
	}
	p, err := newPlayer(tape)
	if err != nil {
		err = errors.Join(err, tape.close())
	}
	return p, err
}

func newPlayer(tape *tape) (p *Player, err error) {
	p = &Player{tape: tape, changed: make(chan struct{})}
	p.ctx, p.stop = context.WithCancel(context.Background())
	p.clock = clock{at: tape.from, speed: 1, end: tape.to}
	p.jumpTo = &tape.from
	p.cursor, err = tape.cursor(p.ctx, tape.from)
	return p, err
}

// Header returns the header of the recording.
func (p *Player) Header() Header { return p.tape.header }

// Close ends the replay. Next, NextMargins and Page return; a jump under way reads no other block.
func (p *Player) Close() {
	p.stop()
	p.reading.Lock()
	defer p.reading.Unlock()
	p.tape.close()
	if p.release != nil {
		p.release()
	}
}

// StepTo makes Step go to changes of positions whose keys are seen, not to others. It must be called before Next.
func (p *Player) StepTo(isSeen func(model.Key) bool) { p.isSeen = isSeen }

var errClosed = errors.New("the replay has ended")

// Range returns the times between which the recording can be shown.
func (p *Player) Range() (oldest, newest time.Time) {
	start := p.tape.header.Start
	return start.Add(p.tape.from), start.Add(p.tape.to)
}

// Damage returns why the recording ends too early: a *DamagedError, or nil if it does not.
func (p *Player) Damage() error { return p.tape.damage }

// Dropped returns how many states of rows are not in the recording, because writing was too slow.
func (p *Player) Dropped() int { return p.tape.dropped }

// Watch sets the subscriptions that are watched from now on. It does not wait. Of a recording of other subscriptions,
// they have the rows that belong to them.
func (p *Player) Watch(subscriptions []model.Subscription) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watched = slices.Clone(subscriptions)
	p.wake()
}

// wake makes Next look again. The lock is held.
func (p *Player) wake() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// RequestAudit does nothing: audits are those of the recording.
func (p *Player) RequestAudit(model.Subscription) {}

// Resync does nothing: there is nothing else to read.
func (p *Player) Resync() {}

// TakeEvents returns the events that belong to what Next has returned since the last call. With restart they replace
// all events before: the player has jumped, and they are those up to its time. They must not be changed.
func (p *Player) TakeEvents() (restart bool, events []event.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	from := p.eventsFrom
	p.eventsFrom = p.eventsTo
	return from == beforeAll, p.tape.happened(from, p.eventsTo)
}

// Events returns the events up to a time, the oldest first.
func (p *Player) Events(to time.Time) []event.Event {
	return p.tape.happened(beforeAll, to.Sub(p.tape.header.Start))
}
