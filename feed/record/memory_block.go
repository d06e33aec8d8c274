package record

import (
	"encoding/binary"
	"encoding/json"
	"time"

	"github.com/klauspost/compress/zstd"

	"blotter/model"
	"blotter/model/book"
)

// memoryBlock is a block of a Memory that is full.
type memoryBlock struct {
	decoder          *zstd.Decoder
	data             []byte     // of the openBlock, compressed
	parties, markets []model.ID // by their codes
	end              time.Duration
	size             int // how much memory it takes, about
}

// openBlock is a block of a Memory that is being filled: Deltas as they came, in a few dozen bytes for each
// position. A Memory applies them to its state when they are the oldest, and a cursor of a Player when it comes there.
type openBlock struct {
	data             []byte
	parties, markets model.Dictionary[model.ID] // also of blocks before it: most identifiers come again in each block
	before           int                        // how many identifiers are of blocks before it
	began            time.Duration              // the time of what came first
	updated          int64                      // UpdatedAt of the last position
}

const (
	dictionarySize    = 1 << 16 // identifiers in the dictionaries of blocks; then the next block begins new ones
	bytesOfIdentifier = 128     // how much memory one takes, about: its text, and its place in a dictionary
)

// size returns how much memory the block takes, about, without the identifiers of blocks before it.
func (b *openBlock) size() int { return len(b.data) + (b.identifiers()-b.before)*bytesOfIdentifier }

func (b *openBlock) identifiers() int { return len(b.parties.Values()) + len(b.markets.Values()) }

// nextBlock returns an empty block, which comes after this one.
func (b *openBlock) nextBlock() openBlock {
	next := openBlock{data: b.data[:0], parties: b.parties, markets: b.markets, before: b.identifiers()}
	if next.before > dictionarySize {
		next.parties, next.markets, next.before = model.Dictionary[model.ID]{}, model.Dictionary[model.ID]{}, 0
	}
	if cap(next.data) > 4*openBlockSize {
		next.data = nil
	}
	return next
}

// line adds an entry as a line, as in a file.
func (b *openBlock) line(e *entry) {
	b.begin(e.At)
	b.data, _ = appendLine(b.data, e) // only times beyond the year 9999 cannot be written
}

// moment adds a moment, without its links and margin levels, which are lines before it: a line, and then the positions
// that are not in it. They are removed from the moment.
func (b *openBlock) moment(m *moment) {
	m.Links, m.Margins = nil, nil
	for i := range m.Snapshots { // rows are read with the numbers from 1 on
		if s := &m.Snapshots[i]; s.IsPartial {
			s.Rows, s.Sent = s.Rows.Only(func(model.Key) bool { return true }, s.Sent)
		}
	}
	var lists [][]model.Position
	for _, some := range positions(&m.Delta) {
		lists = append(lists, *some)
		*some = nil
	}
	line, err := json.Marshal(m)
	if err != nil {
		return // it can be written always
	}
	b.begin(m.At)
	b.data = append(append(b.data, line...), '\n')
	for i := range m.Snapshots {
		b.uvarint(m.Snapshots[i].Rows.Len())
		for row := range m.Snapshots[i].Rows.All {
			b.position(&row)
		}
	}
	for _, some := range lists {
		b.uvarint(len(some))
		for i := range some {
			b.position(&some[i])
		}
	}
}

// begin begins something of a time.
func (b *openBlock) begin(at time.Duration) {
	if len(b.data) == 0 {
		b.began = at
	}
}

func (b *openBlock) uvarint(n int) { b.data = binary.AppendUvarint(b.data, uint64(n)) }

func (b *openBlock) varint(n int64) { b.data = binary.AppendVarint(b.data, n) }

func (b *openBlock) text(text string) {
	b.uvarint(len(text))
	b.data = append(b.data, text...)
}

// hasWide is set in what a position has, beside a bit for each value that is not 0, if a number has more than 64 bits
// or is a text: each has its upper half before it.
const hasWide = 1 << valueCount

// The values of a position are its numbers and its status.
const (
	statusValue = int(model.FieldCount)
	valueCount  = statusValue + 1
)

// position adds a position: what it has, its identifiers, its values, and its texts if one of these is a text. The time
// is relative to the one before.
func (b *openBlock) position(p *model.Position) {
	var values [valueCount]model.Packed
	copy(values[:], p.Numbers()[:])
	values[statusValue] = model.AmountOf(int64(p.Status())).Packed()
	has := 0
	for i, n := range values {
		if n != (model.Packed{}) {
			has |= 1 << i
		}
		if n.High != int64(n.Low)>>63 {
			has |= hasWide
		}
	}
	b.uvarint(has)
	b.uvarint(int(b.parties.Code(p.Party)))
	b.uvarint(int(b.markets.Code(p.Market)))
	for i, n := range values {
		if has>>i&1 == 0 {
			continue
		}
		if has&hasWide != 0 {
			b.varint(n.High)
		}
		low := int64(n.Low)
		if i == int(model.UpdatedAt) {
			low, b.updated = low-b.updated, low
		}
		b.varint(low)
	}
	if texts := p.Texts(); texts != nil {
		for f := range model.FieldCount {
			b.text(texts.Numbers[f])
		}
		b.text(texts.Status)
	}
}

// positionReader reads the positions of a block in memory.
type positionReader struct {
	data             []byte // of the block, also of one in a file: what is not applied yet
	isMemory         bool
	parties, markets []model.ID // by their codes
	updated          int64
	positions        []model.Position
}

// open implements block.
func (b *memoryBlock) open(r *reader) (err error) {
	r.data, err = b.decoder.DecodeAll(b.data, nil)
	r.place, r.isMemory, r.parties, r.markets, r.updated = "", true, b.parties, b.markets, 0
	return err
}

// moment reads the moment of a line, and the positions after it.
func (r *positionReader) moment(line []byte) (m moment, err error) {
	if err := json.Unmarshal(line, &m); err != nil {
		return m, err
	}
	for i := range m.Snapshots {
		rows := book.NewRows()
		for range r.uvarint() {
			var row model.Position
			r.position(&row)
			rows.Put(&row)
		}
		m.Snapshots[i].Rows = rows
	}
	r.positions = r.positions[:0]
	for _, some := range positions(&m.Delta) {
		from := len(r.positions)
		for range r.uvarint() {
			r.positions = append(r.positions, model.Position{})
			r.position(&r.positions[len(r.positions)-1])
		}
		*some = r.positions[from:]
	}
	return m, nil
}

func (r *positionReader) uvarint() uint64 {
	n, size := binary.Uvarint(r.data)
	r.data = r.data[size:]
	return n
}

func (r *positionReader) varint() int64 {
	n, size := binary.Varint(r.data)
	r.data = r.data[size:]
	return n
}

func (r *positionReader) text() []byte {
	n := r.uvarint()
	text := r.data[:n]
	r.data = r.data[n:]
	return text
}

// position reads a position into an empty one.
func (r *positionReader) position(p *model.Position) {
	has := r.uvarint()
	p.Party, p.Market = r.parties[r.uvarint()], r.markets[r.uvarint()]
	var values [valueCount]model.Packed
	isText := false
	for i := range values {
		if has>>i&1 == 0 {
			continue
		}
		n := &values[i]
		if has&hasWide != 0 {
			n.High = r.varint()
		}
		low := r.varint()
		if i == int(model.UpdatedAt) {
			low += r.updated
			r.updated = low
		}
		if n.Low = uint64(low); has&hasWide == 0 {
			n.High = low >> 63
		}
		isText = isText || n.IsText()
	}
	copy(p.Numbers()[:], values[:])
	status := model.Status(values[statusValue].Low)
	var texts *model.Texts
	if isText || status.IsText() {
		texts = new(model.Texts)
		for f := range model.FieldCount {
			texts.Numbers[f] = string(r.text())
		}
		texts.Status = string(r.text())
	}
	p.Restore(status, texts)
}
