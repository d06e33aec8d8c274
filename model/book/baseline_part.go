package book

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"time"

	"blotter/model"
)

// baselinePart is the baseline of one subscription.
//
// Each position is a record: the codes of party and market, four bytes each, and the numbers, each in the bytes that
// it needs. The slots are a hash table with open addressing, at most three quarters full. A slot has 1 + the place of a
// record, and 0 if it is free.
type baselinePart struct {
	of               model.Key   // of the subscription
	followed         []model.Key // as in Table: a position of another stream has no baseline
	at               time.Time
	parties, markets model.Dictionary[model.ID]
	records          []byte
	slots            []uint32
	seed             uint64
	rows             int
	touched          uint32 // see records.prefetch
	isPartial        bool   // rows of the service may be missing
	isTooLarge       bool   // the records would not fit: no position has a baseline
}

// newBaselinePart copies the rows of a table.
//
// It uses the codes of the table, reads no more of a row than it keeps, and prefetches slots: BenchmarkBaseline/take of
// package view takes twice as long without these. It is a part of the time in BenchmarkStart.
func newBaselinePart(t *Table, at time.Time) *baselinePart {
	rows := t.rows
	b := &baselinePart{
		of: t.Key, followed: t.followed, at: at, isPartial: t.partial, rows: rows.Len(),
		parties: rows.parties.Clone(), markets: rows.markets.Clone(), seed: rows.index.seed,
	}
	size := 0
	var space []byte
	for number := range rows.all {
		space = appendRecord(space[:0], rows, number)
		size += len(space)
	}
	if size >= math.MaxUint32 {
		return &baselinePart{of: t.Key, at: at, isTooLarge: true, rows: rows.Len()}
	}
	b.records = make([]byte, 0, size)
	b.slots = make([]uint32, 1<<bits.Len(uint(rows.Len()+rows.Len()/3)))
	together := make([]uint32, 0, prefetchedTogether)
	for number := range rows.all {
		if together = append(together, number); len(together) == cap(together) {
			b.addRows(rows, together)
			together = together[:0]
		}
	}
	b.addRows(rows, together)
	return b
}

// addRows adds the rows with the numbers, at most prefetchedTogether, whose slots it prefetches.
func (b *baselinePart) addRows(rows *Rows, numbers []uint32) {
	var slots [prefetchedTogether]int
	for i, number := range numbers {
		slots[i] = b.home(rows.codesOf(number))
	}
	for _, slot := range slots[:len(numbers)] {
		b.touched += b.slots[slot]
	}
	for i, number := range numbers {
		slot := slots[i]
		for b.slots[slot] != 0 { // of another row
			slot = (slot + 1) & (len(b.slots) - 1)
		}
		b.slots[slot] = uint32(len(b.records)) + 1
		b.records = appendRecord(b.records, rows, number)
	}
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

// has reports whether the part has the position with the key, or would have it if it had existed.
func (b *baselinePart) has(key model.Key) bool {
	isOf := func(of model.Key) bool { return model.Subscription{Key: of}.Covers(key) }
	return b.covers(key) && (b.followed == nil || slices.ContainsFunc(b.followed, isOf))
}

// codeBytes is how many bytes the codes of a record have.
const codeBytes = 8

// baselineFields are the numbers that a baseline has.
var baselineFields = [...]model.Field{model.OpenVolume, model.UnrealisedPnl, model.RealisedPnl}

// onlyNumbers returns a position with the numbers that a baseline has of another one.
func onlyNumbers(p *model.Position) *model.Position {
	only := &model.Position{Key: p.Key}
	for _, f := range baselineFields {
		only.SetNumber(f, p.Number(f))
	}
	return only
}

// appendRecord appends the record of a row, with the codes of its table.
func appendRecord(to []byte, rows *Rows, number uint32) []byte {
	c := rows.codesOf(number)
	to = binary.LittleEndian.AppendUint32(to, c.party)
	to = binary.LittleEndian.AppendUint32(to, c.market)
	for _, f := range baselineFields {
		to = appendCompact(to, rows.Amount(number, f))
	}
	return to
}

// home returns the slot where the search for a record begins.
func (b *baselinePart) home(c codes) int { return int(c.hash(b.seed)) & (len(b.slots) - 1) }

// search returns the numbers of the record with these codes, or nil if there is none.
func (b *baselinePart) search(c codes) (numbers []byte) {
	for slot := b.home(c); b.slots[slot] != 0; slot = (slot + 1) & (len(b.slots) - 1) {
		record := b.records[b.slots[slot]-1:]
		if binary.LittleEndian.Uint32(record) == c.party && binary.LittleEndian.Uint32(record[4:]) == c.market {
			return record[codeBytes:]
		}
	}
	return nil
}

// find returns the numbers of the record with the key, or nil if there is none.
func (b *baselinePart) find(key model.Key) []byte {
	party, hasParty := b.parties.Find(key.Party)
	market, hasMarket := b.markets.Find(key.Market)
	if !hasParty || !hasMarket {
		return nil
	}
	return b.search(codes{party, market})
}

// The first byte of a number. Up to compactText, it is how many bytes of two's complement follow, the lowest first.
// Else it is compactText more than the length of the text that follows, or compactNone.
const (
	compactText = 16
	compactNone = 255 // no number: nothing follows
)

// appendCompact appends a number. readCompact reads it.
func appendCompact(to []byte, a model.Amount) []byte {
	n := a.Packed()
	switch {
	case n.IsText() && a.IsNumber():
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

// readCompact returns the first number and what follows it. What is no number is an empty text.
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
