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
	open    rawBlock                   // the block that is filled
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

// memoryBlock is a block of a Memory that is full.
type memoryBlock struct {
	data             []byte     // compressed
	parties, markets []model.ID // by their codes
	end              time.Duration
	size             int // how much memory it takes, about
}

// reader returns a reader of the block.
func (b *memoryBlock) reader(unzip *zstd.Decoder) (rawReader, error) {
	data, err := unzip.DecodeAll(b.data, nil)
	return rawReader{data: data, parties: b.parties, markets: b.markets}, err
}

const (
	thinEvery     = time.Second // how often what has come is recorded
	rawBlockSize  = 256 << 10   // bytes that end a block
	rawBlockTime  = time.Minute // and how long it may be
	knownHoldings = 1 << 16
	// bytesOfRow is how much memory a position or a margin record takes at most, about: 100 in the oldest state, and
	// the rest while a snapshot is recorded and until the garbage collector has run.
	bytesOfRow = 320
)

// NewMemory starts to record.
func NewMemory(options MemoryOptions) (*Memory, error) {
	options.Header.Start, options.Header.Thinned = time.Now(), true
	zip, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(rawBlockSize))
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
	if p.snapshot != nil {
		m.sizes[p.snapshot.Subscription] = p.snapshot.Rows.Len()
		m.turnOffIfTooSmall()
	}
	if m.isOff {
		return
	}
	m.begin(p.at)
	switch {
	case p.margins != nil:
		m.base.emitMargins(p.margins, p.at, m.open.line)
	case p.snapshot != nil, p.updates != nil, p.audit != nil:
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
	if m.open.size() >= rawBlockSize {
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

// snapshot returns what is recorded now. Recording goes on meanwhile.
func (m *Memory) snapshot() (*memoryTape, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drain()
	if m.seal(); m.isOff || !m.hasAny {
		return nil, errNothing
	}
	return &memoryTape{unzip: m.unzip, base: m.base.clone(), blocks: slices.Clone(m.blocks), end: m.last}, nil
}

// Play returns a Player of what is recorded now, while recording goes on. It reads all of it once.
func (m *Memory) Play() (*Player, error) {
	tape, err := m.snapshot()
	if err != nil {
		return nil, err
	}
	if err := tape.index(m.options.Bytes / 2); err != nil {
		return nil, err
	}
	return newPlayer(tape, m.options.Header)
}

// Save writes what is recorded now to a new file, which Open opens.
func (m *Memory) Save(path string) error {
	tape, err := m.snapshot()
	if err != nil {
		return err
	}
	options := Options{Path: path, Size: 1 << 62, Header: m.options.Header, create: createFile}
	files, err := createFiles(&options)
	if err != nil {
		return err
	}
	s := tape.base
	s.emit = files.add
	s.emitWhole()
	c := &memoryCursor{tape: tape, now: s, block: -1}
	for at, ok := c.peek(); ok && files.err == nil; at, ok = c.peek() {
		files.begin(at, s)
		if err := c.next(files.add); err != nil {
			return errors.Join(err, files.file.Close())
		}
	}
	files.close(s.at)
	return errors.Join(c.err, files.err)
}
