package record

import (
	"hash/maphash"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/zstd"

	"blotter/feed/secrets"
	"blotter/model"
)

// MemoryOptions are how a Memory works.
type MemoryOptions struct {
	Header   Header        // Start and Thinned are set by NewMemory
	Duration time.Duration // how far back it reaches at most
	Bytes    int           // how much memory it takes at most, about
	Rows     int           // how many positions are kept at most; 0 is no limit
	Players  int           // how many play it at the same time at most; each takes a part of its memory. 0: no limit, all of it
	Secrets  *secrets.Hider
	OnPanic  func(reason any, trace []byte) // as in Options

	clock func() time.Time // replaces the clock in tests
}

// Memory records in memory, for as far back as it has room: the state at its oldest time, and what came since. When
// there is no more room, the oldest block is applied to that state. Of each row, it has one state a second, and all
// that make an event, with those before. What it records never waits for it. Its methods may be called by any
// goroutine.
type Memory struct {
	*queue
	options MemoryOptions

	mu               sync.Mutex
	base             *state // before the first block; its time is nothingYet or tooManyRows if there is none
	blocks           []*memoryBlock
	open             openBlock                  // the block that is filled
	last             time.Duration              // of the last line
	size             int                        // of the blocks, in bytes
	lastSnapshotRows map[model.Subscription]int // of the last snapshot of each
	links            []model.Link               // as they are recorded
	encoder          *zstd.Encoder
	decoder          *zstd.Decoder
	seed             maphash.Seed
	known            [knownHoldings]uint64 // see isKnown

	oldest atomic.Int64 // the time of base at the last drain
	saving sync.Mutex   // held by Save
	played played
}

// What the time of base is if there is no state.
const (
	nothingYet  = -1 // nothing was recorded
	tooManyRows = -2 // nothing is recorded any more: the rows alone take too much memory
)

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
	if options.clock == nil {
		options.clock = time.Now
	}
	start := options.clock()
	options.Header.Start, options.Header.Thinned = start.Round(0), true // as in Create
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithWindowSize(openBlockSize))
	if err != nil {
		return nil, err
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	m := &Memory{
		options: options, queue: newQueue(start, options.clock),
		encoder: encoder, decoder: decoder, seed: maphash.MakeSeed(),
	}
	m.onPanic = options.OnPanic
	m.forget(nothingYet)
	m.drainEvery(thinEvery, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.drain()
	}, func() {})
	return m, nil
}

// forget drops everything that is recorded, and sets the time of base to nothingYet or tooManyRows.
func (m *Memory) forget(at time.Duration) {
	m.base, m.blocks, m.size, m.open = newTakingState(&m.options.Header, m.options.Rows, m.options.Secrets), nil, 0, openBlock{}
	m.base.at, m.lastSnapshotRows = at, make(map[model.Subscription]int)
	m.oldest.Store(int64(at))
}

// Close stops the recording.
func (m *Memory) Close() {
	m.queue.close()
	m.drains.Wait()
}

// Oldest returns how far back the memory reaches, and false if it has nothing, also because there are too many rows for
// its memory. It does not wait. model.Elapsed returns how long ago that was, also if the clock was set back since.
func (m *Memory) Oldest() (time.Time, bool) {
	oldest := m.oldest.Load()
	return m.start.Add(time.Duration(oldest)), oldest >= 0
}

// IsTooSmall reports whether nothing is recorded any more, because the rows alone take too much memory.
func (m *Memory) IsTooSmall() bool { return m.oldest.Load() == tooManyRows }

// isOff reports whether nothing is recorded any more. The lock is held, as for all that follow.
func (m *Memory) isOff() bool { return m.base.at == tooManyRows }

// drain records what has come since the last call.
func (m *Memory) drain() {
	moments, _ := m.queue.takeAll()
	thin(moments, m.isKnown)
	m.dropCounts(moments)
	for i := range moments {
		if !m.isOff() {
			m.addMoment(&moments[i])
		}
	}
	if !m.isOff() {
		m.makeRoom()
	}
	m.oldest.Store(int64(m.base.at))
}

// dropCounts drops links that differ only in counts from those before, but the last. Those that stay are as they are
// recorded.
func (m *Memory) dropCounts(moments []moment) {
	before, last := m.links, 0
	for i := range moments {
		if len(moments[i].Links) == 0 {
			continue
		}
		links := m.base.recordedLinks(moments[i].Links)
		if moments[i].Links = links; slices.EqualFunc(links, before, differOnlyInCounts) {
			moments[i].Links = nil
		}
		before, last = links, i
	}
	if len(moments) > 0 && before != nil {
		moments[last].Links = before
	}
}

func (m *Memory) addMoment(of *moment) {
	for i := range of.Snapshots {
		m.lastSnapshotRows[of.Snapshots[i].Subscription] = of.Snapshots[i].Rows.Len()
	}
	if m.turnOffIfTooSmall(); m.isOff() {
		return
	}
	if m.base.at == nothingYet {
		m.base.at = of.At
	}
	m.last = of.At
	if len(of.Links) > 0 {
		before := m.links
		m.links = of.Links
		emitLinks(before, m.links, of.At, m.open.line)
		maps.DeleteFunc(m.lastSnapshotRows, func(of model.Subscription, _ int) bool { return model.LinkOfSubscription(m.links, of) == nil })
	}
	if of.isBarrier() {
		clear(m.known[:])
	} else {
		for _, some := range positions(&of.Delta) {
			for i := range *some {
				m.isKnown(&(*some)[i])
			}
		}
	}
	for i := range of.Margins {
		m.open.line(m.base.marginsEntry(&of.Margins[i], of.At))
	}
	m.open.moment(of)
	if m.open.size() >= openBlockSize {
		m.seal()
	}
}

// isKnown reports whether the last state of a row had the size, status and loss socialisation amount of this one, and
// keeps these. It forgets rows if there are many.
func (m *Memory) isKnown(p *model.Position) bool {
	size, loss := p.Numbers()[model.OpenVolume], p.Numbers()[model.LossSocialisationAmount]
	place := &m.known[maphash.Comparable(m.seed, p.Key)%knownHoldings]
	if size.IsText() || loss.IsText() || p.Status().IsText() {
		*place = 0
		return false
	}
	holding := maphash.Comparable(m.seed, struct {
		model.Key
		size, loss model.Packed
		status     model.Status
	}{p.Key, size, loss, p.Status()})
	before := *place
	*place = holding
	return before == holding
}

func (m *Memory) seal() {
	if len(m.open.data) == 0 {
		return
	}
	b := &memoryBlock{
		decoder: m.decoder,
		data:    slices.Clone(m.encoder.EncodeAll(m.open.data, nil)), // which has room for the block as it was
		end:     m.last,
		parties: m.open.parties.Values(), markets: m.open.markets.Values(),
	}
	b.size = len(b.data) + m.open.size() - len(m.open.data)
	m.blocks = append(m.blocks, b)
	m.size += b.size
	m.open = m.open.nextBlock()
}

// makeRoom applies the oldest blocks to the state before them, while they are older than Duration or everything takes
// more than Bytes.
func (m *Memory) makeRoom() {
	if len(m.open.data) > 0 && m.last-m.open.began >= openBlockTime {
		m.seal()
	}
	for len(m.blocks) > 0 && (m.baseBytes()+m.size+m.open.size() > m.options.Bytes || m.blocks[0].end < m.last-m.options.Duration) {
		if err := m.applyOldest(); err != nil {
			m.turnOff()
		}
	}
	m.turnOffIfTooSmall()
}

// baseBytes returns about how much memory the oldest state takes.
func (m *Memory) baseBytes() int { return (m.base.Len() + m.base.Margins().Len()) * bytesOfRow }

func (m *Memory) applyOldest() error {
	oldest := m.blocks[0]
	m.blocks[0] = nil
	m.blocks = m.blocks[1:]
	m.size -= oldest.size
	return new(reader).applyAll(oldest, m.base)
}

// turnOffIfTooSmall drops everything if the rows alone take too much memory.
func (m *Memory) turnOffIfTooSmall() {
	rows := 0
	for _, each := range m.lastSnapshotRows {
		rows += each
	}
	if max(m.baseBytes(), rows*bytesOfRow) > m.options.Bytes/4*3 {
		m.turnOff()
	}
}

func (m *Memory) turnOff() {
	m.queue.close()
	m.forget(tooManyRows)
}
