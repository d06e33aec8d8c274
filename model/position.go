package model

import (
	"math/bits"
	"slices"
	"strconv"
)

// Key identifies a position: a party has at most one in a market. In JSON it has the names of the interface.
type Key struct {
	Party  ID `json:"partyId,omitzero"`
	Market ID `json:"marketId,omitzero"`
}

// IsComplete reports whether the key has both a party and a market.
func (k Key) IsComplete() bool { return !k.Party.IsZero() && !k.Market.IsZero() }

// Compare orders keys by party, then market.
func (k Key) Compare(other Key) int {
	if c := k.Party.Compare(other.Party); c != 0 {
		return c
	}
	return k.Market.Compare(other.Market)
}

// Position is what a party holds in a market. It is a plain value; a text that does not fit in it is on the heap.
// Copies share their texts.
type Position struct {
	Key
	numbers [FieldCount]Packed
	status  Status
	texts   *Texts
}

// Texts are the amounts of a position or a margin record that are not packed, and the name of a status without a
// number. They are replaced and never changed, because copies of a position share them.
type Texts struct {
	Numbers [max(int(FieldCount), int(MarginNumberCount))]string
	Status  string
}

// Number returns the amount in field f, and 0 if the service left it out.
func (p *Position) Number(f Field) Amount {
	n := p.numbers[f]
	if n.IsText() {
		return TextAmount(p.texts.Numbers[f])
	}
	return n.Amount()
}

// SetNumber sets field f to a.
func (p *Position) SetNumber(f Field, a Amount) {
	p.numbers[f] = a.Packed()
	if a.isText() {
		p.copyTexts()
		p.texts.Numbers[f] = a.text
	}
}

// ReadNumber sets field f to the amount with the given text. For most texts it does not allocate.
func (p *Position) ReadNumber(f Field, text []byte) {
	if number, ok := parsePacked(text); ok {
		p.numbers[f] = number
		return
	}
	p.SetNumber(f, TextAmount(string(text)))
}

// copyTexts replaces the texts of p by a copy, which may be changed.
func (p *Position) copyTexts() {
	own := new(Texts)
	if p.texts != nil {
		*own = *p.texts
	}
	p.texts = own
}

// IsOpen reports whether the open volume is not 0. The service keeps closed positions in its list.
func (p *Position) IsOpen() bool { return !p.Number(OpenVolume).IsZero() }

// ChangedAt returns UpdatedAt, in nanoseconds since the Unix epoch, and whether it can be used to decide which of two
// states is newer: it must be a time or a positive integer, and not later than notAfter. Only Amount.Time tells how old
// the state is.
func (p *Position) ChangedAt(notAfter int64) (at int64, usable bool) {
	return p.Number(UpdatedAt).UsableTime(notAfter)
}

// IsNotOlder reports whether the state p is as new as q or newer, by the times that can be used. It returns true if q
// has none, and false if only p has none.
func (p *Position) IsNotOlder(q *Position, notAfter int64) bool {
	at, isTime := p.ChangedAt(notAfter)
	last, wasTime := q.ChangedAt(notAfter)
	return !wasTime || isTime && at >= last
}

// Equal reports whether both positions have the same key, numbers and status, each as the service wrote it.
func (p *Position) Equal(q *Position) bool {
	if p.Key != q.Key || p.numbers != q.numbers || p.status != q.status {
		return false
	}
	return p.texts == q.texts || p.usedTexts() == q.usedTexts()
}

// Agrees reports whether a snapshot with the state q shows that p is right: as Equal does, but without the numbers that
// a service sends in updates alone.
func (p *Position) Agrees(q *Position) bool { return p.agrees(q, Field.IsCompared) }

func (p *Position) agrees(q *Position, isCompared func(Field) bool) bool {
	other := *q
	for f := range FieldCount {
		if !isCompared(f) {
			other.SetNumber(f, p.Number(f))
		}
	}
	return p.Equal(&other)
}

// Texts returns the texts that the numbers and the status refer to, or nil if there are none. They must not be
// changed.
func (p *Position) Texts() *Texts {
	if p.texts == nil || p.status != statusText && !slices.ContainsFunc(p.numbers[:], Packed.IsText) {
		return nil
	}
	return p.texts
}

// Numbers returns the stored numbers, for packages that store positions in another form. A number that is a text is in
// Texts.
func (p *Position) Numbers() *[FieldCount]Packed { return &p.numbers }

// Restore sets the status and the texts that Status and Texts have returned before.
func (p *Position) Restore(status Status, stored *Texts) { p.status, p.texts = status, stored }

// usedTexts returns the texts of the fields that are texts now. The others are left from earlier values.
func (p *Position) usedTexts() Texts {
	var used Texts
	for f := range FieldCount {
		if p.numbers[f].IsText() {
			used.Numbers[f] = p.texts.Numbers[f]
		}
	}
	if p.status == statusText {
		used.Status = p.texts.Status
	}
	return used
}

// Status is the state of a position, as the number that the service uses for it.
type Status int32

// The statuses with a known name.
const (
	StatusUnspecified  Status = 0
	StatusOrdersClosed Status = 1
	StatusClosedOut    Status = 2
	StatusDistressed   Status = 4
	statusText         Status = -1 << 31 // an unknown name, which is in Position.texts
)

var statusNames = [...]string{
	StatusUnspecified:  "POSITION_STATUS_UNSPECIFIED",
	StatusOrdersClosed: "POSITION_STATUS_ORDERS_CLOSED",
	StatusClosedOut:    "POSITION_STATUS_CLOSED_OUT",
	StatusDistressed:   "POSITION_STATUS_DISTRESSED",
}

// IsText reports whether the status is a name that is not known.
func (s Status) IsText() bool { return s == statusText }

// StatusNames returns the names of all known statuses.
func StatusNames() []string {
	return slices.DeleteFunc(slices.Clone(statusNames[:]), func(name string) bool { return name == "" })
}

// Status returns the status. For a name that is not known it returns a number that no known status has.
func (p *Position) Status() Status { return p.status }

// StatusName returns the name of the status as the interface has it, such as POSITION_STATUS_UNSPECIFIED. For an
// unknown number it returns the digits, for an unknown name that name.
func (p *Position) StatusName() string { return p.status.Name(p.texts) }

// Name returns the name of a status, as StatusName does, with the texts of its position.
func (s Status) Name(t *Texts) string {
	if s == statusText {
		return t.Status
	}
	if s >= 0 && int(s) < len(statusNames) && statusNames[s] != "" {
		return statusNames[s]
	}
	return strconv.FormatInt(int64(s), 10)
}

// SetStatus sets the status from its number or its name.
func (p *Position) SetStatus(text []byte) {
	if number, ok := parseCanonical(text); ok {
		if n, ok := number.Amount().Int64(); ok && n > int64(statusText) && n == int64(Status(n)) {
			p.status = Status(n)
			return
		}
	}
	for status, name := range statusNames {
		if name != "" && name == string(text) {
			p.status = Status(status)
			return
		}
	}
	p.copyTexts()
	p.texts.Status = string(text)
	p.status = statusText
}

// ValuesHash returns a hash of what a snapshot has of the position, but for its key and its time: a service may write
// another time with the same values.
func (p *Position) ValuesHash() uint64 {
	const prime = 0x9e3779b97f4a7c15
	hash := uint64(uint32(p.status))
	mix := func(word uint64) {
		high, low := bits.Mul64(hash^word, prime)
		hash = high ^ low
	}
	mixText := func(text string) {
		for i := range len(text) {
			mix(uint64(text[i]) + 1)
		}
	}
	for f, n := range p.numbers {
		switch {
		case Field(f) == UpdatedAt || !Field(f).IsCompared():
		case n.IsText():
			mixText(p.texts.Numbers[f])
		default:
			mix(n.Low ^ uint64(n.High)<<1 + uint64(f))
		}
	}
	if p.status == statusText {
		mixText(p.texts.Status)
	}
	return hash
}
