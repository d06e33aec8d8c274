package book

import (
	"encoding/binary"
	"math"
	"math/bits"
	"time"

	"blotter/model"
	"blotter/model/dictionary"
)

// baselinePart is the baseline of one subscription.
//
// Each position is a record: the codes of party and market, four bytes each, and the numbers, each in as many bytes as
// it needs. The slots are a hash table with open addressing, at most three quarters full. A slot has 1 + the place of a
// record, and 0 if it is free.
type baselinePart struct {
	of               model.Key // of the subscription
	at               time.Time
	parties, markets dictionary.Of[model.ID]
	records          []byte
	slots            []uint32
	rows             int
	isPartial        bool // rows of the service may be missing
	isTooLarge       bool // the records would not fit: no position has a baseline
}

// newBaselinePart copies the rows of a table.
func newBaselinePart(t *Table, at time.Time) *baselinePart {
	b, rows := &baselinePart{of: t.Key, at: at, isPartial: t.partial, rows: t.rows.Len()}, t.rows
	size := 0
	var space []byte
	for row := range rows.All {
		space = b.appendRecord(space[:0], &row)
		size += len(space)
	}
	if size >= math.MaxUint32 {
		return &baselinePart{of: t.Key, at: at, isTooLarge: true, rows: rows.Len()}
	}
	b.records = make([]byte, 0, size)
	b.slots = make([]uint32, 1<<bits.Len(uint(rows.Len()+rows.Len()/3)))
	for row := range rows.All {
		slot, _ := b.search(b.parties.Code(row.Party), b.markets.Code(row.Market))
		b.slots[slot] = uint32(len(b.records)) + 1
		b.records = b.appendRecord(b.records, &row)
	}
	return b
}

// positions yields each position, with the numbers of a baseline.
func (b *baselinePart) positions(yield func(model.Position) bool) {
	for records := b.records; len(records) > 0; {
		p := model.Position{Key: model.Key{
			Party:  b.parties.Values()[binary.LittleEndian.Uint32(records)],
			Market: b.markets.Values()[binary.LittleEndian.Uint32(records[4:])],
		}}
		records = records[codeBytes:]
		for _, f := range baselineFields {
			var number model.Amount
			number, records = readCompact(records)
			p.SetNumber(f, number)
		}
		if !yield(p) {
			return
		}
	}
}

// covers reports whether a position with the key, or each position of a subscription with it, belongs to the part.
func (b *baselinePart) covers(key model.Key) bool { return model.Subscription{Key: b.of}.Covers(key) }

// codeBytes is how many bytes the codes of a record have.
const codeBytes = 8

func (b *baselinePart) appendRecord(to []byte, p *model.Position) []byte {
	to = binary.LittleEndian.AppendUint32(to, b.parties.Code(p.Party))
	to = binary.LittleEndian.AppendUint32(to, b.markets.Code(p.Market))
	for _, f := range baselineFields {
		to = appendCompact(to, p.Number(f))
	}
	return to
}

// search returns the slot of the record with these codes, or the free slot where it would be, and the numbers of the
// record, or nil if there is none.
func (b *baselinePart) search(party, market uint32) (slot int, numbers []byte) {
	hash := uint64(party)<<32 | uint64(market)
	hash = (hash ^ hash>>33) * 0xff51afd7ed558ccd // one step of MurmurHash3
	last := len(b.slots) - 1
	for slot = int(hash >> 32); ; slot++ {
		slot &= last
		if b.slots[slot] == 0 {
			return slot, nil
		}
		record := b.records[b.slots[slot]-1:]
		if binary.LittleEndian.Uint32(record) == party && binary.LittleEndian.Uint32(record[4:]) == market {
			return slot, record[codeBytes:]
		}
	}
}

// find returns the numbers of the record with the key, or nil if there is none.
func (b *baselinePart) find(key model.Key) []byte {
	party, hasParty := b.parties.Find(key.Party)
	market, hasMarket := b.markets.Find(key.Market)
	if !hasParty || !hasMarket {
		return nil
	}
	_, numbers := b.search(party, market)
	return numbers
}

// The first byte of a number is how many bytes of two's complement follow, the lowest first; above that, how many bytes
// of text.
const (
	compactText = 16
	compactNone = 255 // not an integer of at most MaxDigits digits
)

func appendCompact(to []byte, a model.Amount) []byte {
	n := a.Packed()
	switch {
	case n.IsText() && a.IsInteger():
		text := a.String()
		return append(append(to, byte(compactText+len(text))), text...)
	case n.IsText():
		return append(to, compactNone)
	}
	length := 16
	switch {
	case n == model.Packed{}:
		length = 0
	case n.High == int64(n.Low)>>63: // it fits in 64 bits, with its sign
		length = bits.Len64(uint64(int64(n.Low)^int64(n.Low)>>63))/8 + 1
	default:
		length = 8 + bits.Len64(uint64(n.High^n.High>>63))/8 + 1
	}
	var bytes [16]byte
	binary.LittleEndian.PutUint64(bytes[:], n.Low)
	binary.LittleEndian.PutUint64(bytes[8:], uint64(n.High))
	return append(append(to, byte(length)), bytes[:length]...)
}

// readCompact returns the first number and what follows it.
func readCompact(from []byte) (model.Amount, []byte) {
	length, from := int(from[0]), from[1:]
	switch {
	case length == compactNone:
		return model.TextAmount(""), from
	case length > compactText:
		length -= compactText
		return model.TextAmount(string(from[:length])), from[length:]
	}
	var bytes [16]byte
	if copy(bytes[:], from[:length]); length > 0 && from[length-1] >= 0x80 {
		for i := length; i < len(bytes); i++ {
			bytes[i] = 0xff // the sign
		}
	}
	low, high := binary.LittleEndian.Uint64(bytes[:]), binary.LittleEndian.Uint64(bytes[8:])
	return model.Packed{High: int64(high), Low: low}.Amount(), from[length:]
}
