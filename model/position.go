package model

import (
	"strconv"
	"strings"
)

// Key names a position: a party has at most one in a market.
type Key struct{ Party, Market ID }

// Compare orders keys by party, then market.
func (k Key) Compare(other Key) int {
	if c := k.Party.Compare(other.Party); c != 0 {
		return c
	}
	return k.Market.Compare(other.Market)
}

// Field is one of the numbers of a position.
type Field uint8

// The numbers of a position. Volume is in the market's position decimals (positive is long), the entry price
// in the market's price decimals, the profits and the loss socialisation amount in the asset's decimals, and
// the time in nanoseconds since the Unix epoch.
const (
	AverageEntryPrice Field = iota
	LossSocialisationAmount
	OpenVolume
	RealisedPnl
	UnrealisedPnl
	UpdatedAt
	fields
)

// packed is an Amount in 16 bytes and without pointers: what a row holds. Texts stay beside the row.
type packed struct {
	high int64
	low  uint64
}

func (p packed) amount() Amount { return Amount{high: p.high, low: p.low} }

// packedText marks a packed amount whose text stands beside the row. No integer of 38 digits has these bits.
const packedText = -1 << 63

// Position is what a party holds in a market. It is a plain value of 128 bytes. Numbers that do not fit in
// place and statuses that have no number stand beside it, and go when it goes.
type Position struct {
	Key
	numbers [fields]packed
	status  Status
	texts   *texts
}

// texts are what the service wrote where the packed form cannot say it. They are never changed, only
// replaced, because copies of a position share them.
type texts struct {
	numbers [fields]string
	status  string
}

// Number is the amount in field f; 0 where the service left it out.
func (p *Position) Number(f Field) Amount {
	n := p.numbers[f]
	if n.high == packedText {
		return Amount{text: p.texts.numbers[f], isText: true}
	}
	return n.amount()
}

// SetNumber puts a in field f.
func (p *Position) SetNumber(f Field, a Amount) {
	if !a.isText {
		p.numbers[f] = packed{a.high, a.low}
		return
	}
	beside := p.textsToChange()
	beside.numbers[f] = a.text
	p.numbers[f] = packed{high: packedText}
}

// ReadNumber puts what the service wrote in field f.
func (p *Position) ReadNumber(f Field, text []byte) {
	if number, ok := parseCanonical(text); ok {
		p.numbers[f] = number
		return
	}
	p.SetNumber(f, ParseAmount(text))
}

func (p *Position) textsToChange() *texts {
	beside := new(texts)
	if p.texts != nil {
		*beside = *p.texts
	}
	p.texts = beside
	return beside
}

// IsOpen tells whether the party holds anything. A position that was closed stays in the service's list.
func (p *Position) IsOpen() bool { return !p.Number(OpenVolume).IsZero() }

// Equal tells whether the service would write both the same.
func (p *Position) Equal(q *Position) bool {
	if p.Key != q.Key || p.numbers != q.numbers || p.status != q.status {
		return false
	}
	return p.texts == q.texts || p.heldTexts() == q.heldTexts()
}

// heldTexts are the texts that count: those whose field refers to them. Others are left over from before.
func (p *Position) heldTexts() texts {
	var held texts
	for f := range fields {
		if p.numbers[f].high == packedText {
			held.numbers[f] = p.texts.numbers[f]
		}
	}
	if p.status == statusText {
		held.status = p.texts.status
	}
	return held
}

// Status is the state of a position, by the number that the service gives it.
type Status int32

// The statuses that a service is known to use.
const (
	StatusUnspecified  Status = 0
	StatusOrdersClosed Status = 1
	StatusClosedOut    Status = 2
	StatusDistressed   Status = 4
	statusText         Status = -1 << 31 // a name that has no number here
)

var statusNames = [...]string{
	StatusUnspecified:  "POSITION_STATUS_UNSPECIFIED",
	StatusOrdersClosed: "POSITION_STATUS_ORDERS_CLOSED",
	StatusClosedOut:    "POSITION_STATUS_CLOSED_OUT",
	StatusDistressed:   "POSITION_STATUS_DISTRESSED",
}

// Status is the position's state, or a number without a name where the service named one that is unknown.
func (p *Position) Status() Status { return p.status }

// StatusWords returns the status in words, such as ORDERS CLOSED, and nothing for a position without a particular one.
func (p *Position) StatusWords() string {
	if p.Status() == StatusUnspecified {
		return ""
	}
	return strings.ReplaceAll(strings.TrimPrefix(p.StatusName(), "POSITION_STATUS_"), "_", " ")
}

// StatusName is the name of the position's state as the interface writes it. An unknown number is its
// digits, an unknown name is itself.
func (p *Position) StatusName() string {
	if p.status == statusText {
		return p.texts.status
	}
	if p.status >= 0 && int(p.status) < len(statusNames) && statusNames[p.status] != "" {
		return statusNames[p.status]
	}
	return strconv.FormatInt(int64(p.status), 10)
}

// SetStatus takes the status by number or by name, whichever the service wrote.
func (p *Position) SetStatus(text []byte) {
	if number, ok := parseCanonical(text); ok {
		if n, ok := number.amount().Int64(); ok && n > int64(statusText) && n == int64(Status(n)) {
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
	p.textsToChange().status = string(text)
	p.status = statusText
}
