package record

import (
	"encoding/binary"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/dictionary"
)

// The kinds of what is in a block of a Memory.
const (
	rawLine byte = iota // a line, as in a file
	rawUpdates
	rawAudit
	rawSnapshot
)

// rawBlock is a block of a Memory that is being filled: pieces as they were told, in a few dozen bytes for each
// position. A Memory applies them to its state when they are the oldest, and a cursor of a Player when it comes there.
type rawBlock struct {
	data             []byte
	parties, markets dictionary.Of[model.ID] // also of blocks before it: most identifiers come again in each block
	before           int                     // how many identifiers are of blocks before it
	updated          int64                   // UpdatedAt of the last position
}

const (
	dictionarySize    = 1 << 16 // identifiers in the dictionaries of blocks; then the next block begins new ones
	bytesOfIdentifier = 128     // how much memory one takes, about: its text, and its place in a dictionary
)

// size returns how much memory the block takes, about, without the identifiers of blocks before it.
func (b *rawBlock) size() int { return len(b.data) + (b.identifiers()-b.before)*bytesOfIdentifier }

func (b *rawBlock) identifiers() int { return len(b.parties.Values()) + len(b.markets.Values()) }

// next returns an empty block, which comes after this one.
func (b *rawBlock) next() rawBlock {
	next := rawBlock{data: b.data[:0], parties: b.parties, markets: b.markets, before: b.identifiers()}
	if next.before > dictionarySize {
		next.parties, next.markets, next.before = dictionary.Of[model.ID]{}, dictionary.Of[model.ID]{}, 0
	}
	if cap(next.data) > 4*rawBlockSize {
		next.data = nil
	}
	return next
}

func (b *rawBlock) begin(p *piece, kind byte, of model.Subscription) {
	b.data = append(binary.AppendUvarint(b.data, uint64(p.at)), kind)
	b.id(&b.parties, of.Party)
	b.id(&b.markets, of.Market)
	b.data = binary.AppendUvarint(b.data, of.Epoch)
}

// line adds an entry as a line.
func (b *rawBlock) line(e *entry) {
	line, err := appendLine(nil, e)
	if err != nil {
		return // only times beyond the year 9999 cannot be written
	}
	b.data = append(binary.AppendUvarint(b.data, uint64(e.At)), rawLine)
	b.text(string(line[:len(line)-1]))
}

// piece adds a piece with positions.
func (b *rawBlock) piece(p *piece, positions []model.Position) {
	switch {
	case p.updates != nil:
		b.begin(p, rawUpdates, p.updates.Subscription)
		b.data = binary.AppendVarint(b.data, p.updates.NotAfter)
		b.data = append(b.data, bits(p.updates.LatePage, p.updates.BeginsPartial))
	case p.audit != nil:
		b.begin(p, rawAudit, p.audit.Subscription)
		b.data = binary.AppendVarint(binary.AppendVarint(b.data, p.audit.NotAfter), p.audit.LeftOutNewest)
		b.data = append(b.data, bits(p.audit.First, p.audit.Last))
	case p.snapshot != nil:
		b.begin(p, rawSnapshot, p.snapshot.Subscription)
		b.data = binary.AppendVarint(b.data, p.snapshot.NotAfter)
		b.data = binary.AppendUvarint(b.data, uint64(p.snapshot.Rows.Len()))
		for row := range p.snapshot.Rows.All {
			b.position(&row)
		}
	}
	b.data = binary.AppendUvarint(b.data, uint64(len(positions)))
	for i := range positions {
		b.position(&positions[i])
	}
}

func bits(first, second bool) (b byte) {
	if first {
		b |= 1
	}
	if second {
		b |= 2
	}
	return b
}

func (b *rawBlock) text(text string) {
	b.data = append(binary.AppendUvarint(b.data, uint64(len(text))), text...)
}

// id adds the code of an identifier.
func (b *rawBlock) id(codes *dictionary.Of[model.ID], id model.ID) {
	b.data = binary.AppendUvarint(b.data, uint64(codes.Code(id)))
}

const (
	hasStatus  = 1 << model.FieldCount       // beside a bit for each number that is not 0
	hasUnusual = 1 << (model.FieldCount + 1) // then a byte says what is a text, and a byte what has more than 64 bits
)

// position adds a position: what it has, its identifiers, its numbers and its status. The time is relative to the one
// before.
func (b *rawBlock) position(p *model.Position) {
	var has, texts, wide byte
	for f, n := range p.Numbers() {
		if n != (model.Packed{}) {
			has |= 1 << f
		}
		switch {
		case n.IsText():
			texts |= 1 << f
		case n.High != int64(n.Low)>>63:
			wide |= 1 << f
		}
	}
	if p.Status() != model.StatusUnspecified {
		has |= hasStatus
	}
	if p.Status().IsText() {
		texts |= hasStatus
	}
	if texts|wide != 0 {
		has |= hasUnusual
	}
	if b.data = append(b.data, has); texts|wide != 0 {
		b.data = append(b.data, texts, wide)
	}
	b.id(&b.parties, p.Party)
	b.id(&b.markets, p.Market)
	for f, n := range p.Numbers() {
		switch {
		case has>>f&1 == 0:
		case texts>>f&1 != 0:
			b.text(p.Number(model.Field(f)).String())
		case wide>>f&1 != 0:
			b.data = binary.LittleEndian.AppendUint64(binary.AppendVarint(b.data, n.High), n.Low)
		default:
			value := int64(n.Low)
			if model.Field(f) == model.UpdatedAt {
				value, b.updated = value-b.updated, value
			}
			b.data = binary.AppendVarint(b.data, value)
		}
	}
	switch {
	case has&hasStatus == 0:
	case texts&hasStatus != 0:
		b.text(p.StatusName())
	default:
		b.data = binary.AppendVarint(b.data, int64(p.Status()))
	}
}

// rawReader reads the data of a rawBlock.
type rawReader struct {
	data             []byte
	parties, markets []model.ID // by their codes
	updated          int64
	positions        []model.Position
	lines            lineReader
}

func (r *rawReader) uvarint() uint64 {
	n, size := binary.Uvarint(r.data)
	r.data = r.data[size:]
	return n
}

func (r *rawReader) varint() int64 {
	n, size := binary.Varint(r.data)
	r.data = r.data[size:]
	return n
}

func (r *rawReader) byte() byte {
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

func (r *rawReader) text() []byte {
	n := r.uvarint()
	text := r.data[:n]
	r.data = r.data[n:]
	return text
}

func (r *rawReader) uint64() uint64 {
	n := binary.LittleEndian.Uint64(r.data)
	r.data = r.data[8:]
	return n
}

// at returns the time of what comes next.
func (r *rawReader) at() uint64 {
	at, _ := binary.Uvarint(r.data)
	return at
}

// apply applies what comes next to a state, which emits what that changes.
func (r *rawReader) apply(s *state) error {
	p := piece{at: time.Duration(r.uvarint())}
	kind := r.byte()
	if kind == rawLine {
		var e entry
		if err := r.lines.read(r.text(), &e); err != nil {
			return err
		}
		err := s.load(&e)
		s.emit(&e)
		s.settle()
		return err
	}
	of := model.Subscription{Key: model.Key{Party: r.parties[r.uvarint()], Market: r.markets[r.uvarint()]}, Epoch: r.uvarint()}
	switch kind {
	case rawUpdates:
		p.updates = &book.Updates{Subscription: of, NotAfter: r.varint()}
		flags := r.byte()
		p.updates.LatePage, p.updates.BeginsPartial = flags&1 != 0, flags&2 != 0
	case rawAudit:
		p.audit = &book.AuditPage{Subscription: of, NotAfter: r.varint(), LeftOutNewest: r.varint()}
		flags := r.byte()
		p.audit.First, p.audit.Last = flags&1 != 0, flags&2 != 0
	case rawSnapshot:
		p.snapshot = &book.Snapshot{Subscription: of, NotAfter: r.varint(), Rows: book.NewRows()}
		for range r.uvarint() {
			var row model.Position
			r.position(&row)
			p.snapshot.Rows.Put(&row)
		}
	}
	n := int(r.uvarint())
	r.positions = r.positions[:0]
	for range n {
		r.positions = append(r.positions, model.Position{})
		r.position(&r.positions[len(r.positions)-1])
	}
	s.take(&p, r.positions)
	return nil
}

func (r *rawReader) position(p *model.Position) {
	has, texts, wide := r.byte(), byte(0), byte(0)
	if has&hasUnusual != 0 {
		texts, wide = r.byte(), r.byte()
	}
	p.Party, p.Market = r.parties[r.uvarint()], r.markets[r.uvarint()]
	numbers := p.Numbers()
	for f := range model.FieldCount {
		switch {
		case has>>f&1 == 0:
		case texts>>f&1 != 0:
			p.ReadNumber(f, r.text())
		case wide>>f&1 != 0:
			numbers[f] = model.Packed{High: r.varint(), Low: r.uint64()}
		default:
			n := r.varint()
			if f == model.UpdatedAt {
				n += r.updated
				r.updated = n
			}
			numbers[f] = model.Packed{High: n >> 63, Low: uint64(n)}
		}
	}
	switch {
	case has&hasStatus == 0:
	case texts&hasStatus != 0:
		p.SetStatus(r.text())
	default:
		p.Restore(model.Status(r.varint()), p.Texts())
	}
}
