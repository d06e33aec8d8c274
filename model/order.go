package model

import (
	"cmp"
	"strings"
)

// Column is what rows can be put in order by.
type Column uint8

// The columns of the positions table.
const (
	ByMarket Column = iota
	ByParty
	BySize
	ByEntry
	ByUnrealised
	ByRealised
	ByStatus
	ByAge
)

// Order is the order of rows: by a column, and among equals by party and market, as they are called.
type Order struct {
	Column     Column
	Descending bool
}

// numberOf is the field that a column of numbers shows.
var numberOf = map[Column]Field{
	BySize: OpenVolume, ByEntry: AverageEntryPrice, ByUnrealised: UnrealisedPnl, ByRealised: RealisedPnl, ByAge: UpdatedAt,
}

// comparer returns how rows compare in the column alone. Numbers go by what they mean, not by their digits:
// 1.250 comes before 2 however many decimals each market has. A number whose decimals are unknown
// counts as it stands.
func (o Order) comparer(instruments *Instruments) func(p, q *Position) int {
	compare := o.columnComparer(instruments)
	if o.Descending {
		return func(p, q *Position) int { return compare(q, p) }
	}
	return compare
}

// wholeComparer returns how rows compare in all: no two of them are equal.
func (o Order) wholeComparer(instruments *Instruments) func(p, q *Position) int {
	compare := o.comparer(instruments)
	return func(p, q *Position) int {
		if c := compare(p, q); c != 0 {
			return c
		}
		if c := instruments.compareParties(p.Party, q.Party); c != 0 {
			return c
		}
		return instruments.compareMarkets(p.Market, q.Market)
	}
}

func (o Order) columnComparer(in *Instruments) func(p, q *Position) int {
	switch o.Column {
	case ByMarket:
		return func(p, q *Position) int { return in.compareMarkets(p.Market, q.Market) }
	case ByParty:
		return func(p, q *Position) int { return in.compareParties(p.Party, q.Party) }
	case ByStatus:
		return func(p, q *Position) int {
			if p.status == q.status && p.status != statusText {
				return 0
			}
			return strings.Compare(p.StatusName(), q.StatusName())
		}
	case ByAge: // the youngest first, as an age reads
		return func(p, q *Position) int { return q.Number(UpdatedAt).Compare(p.Number(UpdatedAt)) }
	}
	field := numberOf[o.Column]
	if in.isUniform(field) {
		return func(p, q *Position) int { return p.Number(field).Compare(q.Number(field)) }
	}
	return func(p, q *Position) int {
		x, y := p.Number(field), q.Number(field)
		if p.Market == q.Market {
			return x.Compare(y)
		}
		return compareScaled(x, max(0, in.Decimals(field, p.Market)), y, max(0, in.Decimals(field, q.Market)))
	}
}

// compareMarkets orders markets by their labels, and those of one label by identifier.
func (in *Instruments) compareMarkets(a, b ID) int {
	if a == b {
		return 0
	}
	return cmp.Or(strings.Compare(in.Market(a).Label(), in.Market(b).Label()), a.Compare(b))
}

// compareParties orders parties by their labels, and those of one label by identifier.
func (in *Instruments) compareParties(a, b ID) int {
	if a == b {
		return 0
	}
	return cmp.Or(strings.Compare(in.Party(a).Label(), in.Party(b).Label()), a.Compare(b))
}
