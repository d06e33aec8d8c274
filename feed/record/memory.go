package record

import (
	"errors"
	"hash/maphash"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/zstd"

	"blotter/feed/secrets"
	"blotter/model"
	"blotter/model/book"
)

// MemoryOptions are how a Memory works.
type MemoryOptions struct {
	Header   Header        // Start and Thinned are set by NewMemory
	Duration time.Duration // how far back it reaches at most
	Bytes    int           // how much memory it takes at most, about
	Rows     int           // how many positions are kept at most; 0 is no limit
	Secrets  *secrets.Hider
}

// Memory records in memory, for as far back as it has room: the state at its oldest time, and what came since. When
// there is no more room, the oldest block is applied to that state. Of each row, it has one state a second, and all
// that make an event. What it records never waits for it. Its methods may be called by any goroutine.
type Memory struct {
	options MemoryOptions
	queue   *queue
	stop    chan struct{}
	stopped chan struct{}
	close   sync.Once

	mu      sync.Mutex
	base    *state // before the first block
	blocks  []memoryBlock
	open    openBlock                  // the block that is filled
	began   time.Duration              // of its first line
	last    time.Duration              // of the last line
	hasAny  bool                       // something was recorded
	size    int                        // of the blocks
	isOff   bool                       // the rows alone take too much memory
	sizes   map[model.Subscription]int // how many rows the last snapshot of each had
	links   []model.Link               // as they are recorded
	waiting []model.Link               // as they are to be recorded, if nothing else is told before
	zip     *zstd.Encoder
	unzip   *zstd.Decoder
	seed    maphash.Seed
	known   [knownHoldings]uint64

	oldest atomic.Int64 // how far back it reached after the start, at the last drain; or nothingYet, tooManyRows
}

const (
	thinEvery     = time.Second // how often what has come is recorded
	openBlockSize = 256 << 10   // bytes that end a block
	openBlockTime = time.Minute // and how long it may be
	knownHoldings = 1 << 16
	// bytesOfRow is how much memory a position or a margin record takes at most, about: 100 in the oldest state, and
	// the rest while a snapshot is recorded and until the garbage collector has run.
	bytesOfRow = 320
)

// NewMemory starts to record.
func NewMemory(options MemoryOptions) (*Memory, error) {
	options.Header.Start, options.Header.Thinned = time.Now(), true
	zip, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(openBlockSize))
	if err != nil {
		return nil, err
	}
	unzip, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	m := &Memory{
		options: options, queue: newQueue(options.Header.Start), stop: make(chan struct{}), stopped: make(chan struct{}),
		sizes: make(map[model.Subscription]int),
		base:  newTakingState(&options.Header, options.Rows, options.Secrets),
		zip:   zip, unzip: unzip, seed: maphash.MakeSeed(),
	}
	m.noteOldest()
	go func() {
		defer close(m.stopped)
		tick := time.NewTicker(thinEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				m.mu.Lock()
				m.drain()
				m.mu.Unlock()
			case <-m.stop:
				return
			}
		}
	}()
	return m, nil
}

// Close stops the recording.
func (m *Memory) Close() {
	m.close.Do(func() {
		m.queue.close()
		close(m.stop)
		<-m.stopped
	})
}

// Delta records what the screen is told. It does not wait, and keeps nothing of the Delta.
func (m *Memory) Delta(delta *book.Delta) { m.queue.put(delta) }

// Margins records what was read of margin levels. It does not wait.
func (m *Memory) Margins(read book.MarginsRead) { m.queue.putMargins(read) }

// Oldest returns how far back the memory reaches, and false if it has nothing, also because there are too many rows for
// its memory. It does not wait.
func (m *Memory) Oldest() (time.Time, bool) {
	oldest := m.oldest.Load()
	return m.options.Header.Start.Add(time.Duration(oldest)), oldest >= 0
}

// IsTooSmall reports whether nothing is recorded any more, because the rows alone take too much memory.
func (m *Memory) IsTooSmall() bool { return m.oldest.Load() == tooManyRows }

// What stands in place of the oldest time if there is none.
const (
	nothingYet  = -1
	tooManyRows = -2
)

// noteOldest sets what Oldest returns. The lock is held.
func (m *Memory) noteOldest() {
	switch {
	case m.isOff:
		m.oldest.Store(tooManyRows)
	case !m.hasAny:
		m.oldest.Store(nothingYet)
	default:
		m.oldest.Store(int64(m.base.at))
	}
}

// drain records what has come since the last call. The lock is held, as for all that follow.
func (m *Memory) drain() {
	defer m.noteOldest()
	if m.isOff {
		return
	}
	come := m.queue.takeAll()
	superseded := come.superseded(m.isKnown)
	var positions []model.Position
	for {
		p, some, _, ok := come.take(positions)
		if positions = some; !ok {
			break
		}
		kept := positions
		if !p.isBarrier() {
			kept = positions[:0]
			for i := range positions {
				if !superseded[i] {
					kept = append(kept, positions[i])
				}
			}
		}
		superseded = superseded[p.rows:]
		m.add(&p, kept)
	}
	m.addLinks()
	m.bound()
}

// add records a piece.
func (m *Memory) add(p *piece, positions []model.Position) {
	if p.Snapshot != nil {
		m.sizes[p.Snapshot.Subscription] = p.Snapshot.Rows.Len()
		m.turnOffIfTooSmall()
	}
	if m.isOff {
		return
	}
	m.begin(p.at)
	switch {
	case p.margins != nil:
		m.base.emitMargins(p.margins, p.at, m.open.line)
	case p.Snapshot != nil, p.Updates != nil, p.Audit != nil:
		if p.isBarrier() {
			clear(m.known[:])
		} else {
			for i := range positions {
				m.isKnown(&positions[i])
			}
		}
		m.open.piece(p, positions)
	default:
		if p.missed > 0 {
			m.open.line(&entry{At: p.at, Missed: p.missed})
		}
		if len(p.links) > 0 {
			m.waiting = m.base.recordedLinks(p.links)
		}
		if !slices.EqualFunc(m.waiting, m.links, saysTheSame) {
			m.addLinks()
		}
	}
	if m.open.size() >= openBlockSize {
		m.seal()
	}
}

// begin notes that something of a time is recorded.
func (m *Memory) begin(at time.Duration) {
	if len(m.open.data) == 0 {
		m.began = at
	}
	if !m.hasAny {
		m.hasAny, m.base.at = true, at
	}
	m.last = at
}

// addLinks records the links that wait, as of the last time.
func (m *Memory) addLinks() {
	if m.waiting == nil {
		return
	}
	emitLinks(m.links, m.waiting, m.last, m.open.line)
	m.links, m.waiting = m.waiting, nil
	maps.DeleteFunc(m.sizes, func(of model.Subscription, _ int) bool { return linkOf(m.links, of) == nil })
}

// isKnown reports whether the last state of a row had the size, status and loss socialisation amount of this one, and
// keeps these. It forgets rows if there are many.
func (m *Memory) isKnown(p *model.Position) bool {
	size, loss := p.Numbers()[model.OpenVolume], p.Numbers()[model.LossSocialisationAmount]
	if size.IsText() || loss.IsText() || p.Status().IsText() {
		return false
	}
	place := &m.known[maphash.Comparable(m.seed, p.Key)%knownHoldings]
	holding := maphash.Comparable(m.seed, struct {
		model.Key
		size, loss model.Packed
		status     model.Status
	}{p.Key, size, loss, p.Status()})
	before := *place
	*place = holding
	return before == holding
}

// seal ends the block.
func (m *Memory) seal() {
	if len(m.open.data) == 0 {
		return
	}
	b := memoryBlock{
		data: slices.Clip(m.zip.EncodeAll(m.open.data, nil)), end: m.last,
		parties: m.open.parties.Values(), markets: m.open.markets.Values(),
	}
	b.size = len(b.data) + m.open.size() - len(m.open.data)
	m.blocks = append(m.blocks, b)
	m.size += b.size
	m.open = m.open.next()
}

// errNothing is why a Memory cannot be played or saved.
var errNothing = errors.New("nothing is kept in memory: rewind is off, nothing has come yet, or there are too many positions for rewind_memory")

// tape returns what is recorded now. Recording goes on meanwhile.
func (m *Memory) tape() (*memoryTape, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drain()
	if m.seal(); m.isOff || !m.hasAny {
		return nil, errNothing
	}
	t := &memoryTape{unzip: m.unzip, blocks: slices.Clone(m.blocks), states: []savedState{{m.base.clone(), 0}}}
	t.source, t.header, t.from, t.to = t, m.options.Header, m.base.at, max(m.base.at, m.last)
	return t, nil
}

// Play returns a Player of what is recorded now, while recording goes on. It reads all of it once.
func (m *Memory) Play() (*Player, error) {
	t, err := m.tape()
	if err != nil {
		return nil, err
	}
	if err := t.index(m.options.Bytes / 2); err != nil {
		return nil, err
	}
	return newPlayer(&t.tape)
}

// Save writes what is recorded now to a new file, which Open opens.
func (m *Memory) Save(path string) error {
	t, err := m.tape()
	if err != nil {
		return err
	}
	w, err := newWriter(&Options{Path: path, Size: 1 << 62, Header: t.header, create: createFile})
	if err != nil {
		return err
	}
	c := t.cursor(t.states[0])
	c.state.emit = w.add
	c.state.emitWhole()
	for at, ok := c.peek(); ok && w.err == nil; at, ok = c.peek() {
		w.begin(at, c.state)
		if err := c.next(w.add); err != nil {
			return errors.Join(err, w.file.Close())
		}
	}
	w.end(c.state.at, closed)
	return errors.Join(c.err, w.err)
}

// memoryTape is what a Memory had at a moment. Nothing of it changes.
type memoryTape struct {
	tape
	blocks []memoryBlock
	states []savedState // that before the first block, and later ones
	unzip  *zstd.Decoder
}

// savedState is the state before a block.
type savedState struct {
	*state
	block int
}

// index reads everything once: it keeps the events, and for at most some bytes states from which a cursor can begin.
func (t *memoryTape) index(bytes int) error {
	r, s, changes := t.reader(), t.states[0].clone(), 0
	s.emit = func(e *entry) {
		changes += 1 + len(e.positions)
		t.addEvent(e)
	}
	for block := range t.blocks {
		if rows := s.Len() + s.Margins().Len(); changes > max(rows, 1<<12) && rows*bytesOfRow < bytes {
			t.states = append(t.states, savedState{s.clone(), block})
			changes, bytes = 0, bytes-rows*bytesOfRow
		}
		if _, err := r.open(block); err != nil {
			return err
		}
		if err := applyRest(r, s); err != nil {
			return err
		}
	}
	return nil
}

// open implements source.
func (t *memoryTape) open(to time.Duration) (*cursor, error) {
	from := t.states[0]
	for _, later := range t.states {
		if later.at <= to {
			from = later
		}
	}
	return t.cursor(savedState{from.clone(), from.block}), nil
}

// cursor returns a cursor that begins with a state, and changes it.
func (t *memoryTape) cursor(from savedState) *cursor {
	return &cursor{reader: t.reader(), state: from.state, block: from.block, to: t.to}
}

func (t *memoryTape) reader() *memoryReader { return &memoryReader{blocks: t.blocks, unzip: t.unzip} }

// close implements source.
func (*memoryTape) close() error { return nil }
