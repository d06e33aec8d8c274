package model

import "strings"

// Order is the order of rows: by a column, and among equals by party and market, as they are called. By a column that
// rows cannot be sorted by (see Column.IsSortable), they are in the order of their markets.
type Order struct {
	Column     Column
	Descending bool
}

// ordering is how rows compare in one column.
type ordering interface {
	// comparer returns how two rows compare.
	comparer(in *Instruments) func(p, q *Position) int
	// ranker returns the ranks of the entries, whose numbers in the directory are those of d. Ranks of numbers hold
	// for rows that come later too; ranks of names hold for these entries alone.
	ranker(entries []entry, d *directory) func(entry) rank
	// isNumber reports whether ranks hold for rows that come later.
	isNumber() bool
}

type (
	marketOrdering struct{}
	partyOrdering  struct{}
	statusOrdering struct{}
	ageOrdering    struct{} // the youngest first, as an age reads
	numberOrdering struct{ field Field }
)

func (o Order) ordering() ordering {
	if columns[o.Column].ordering == nil {
		return marketOrdering{}
	}
	return columns[o.Column].ordering
}

// comparer returns how rows compare in the column alone. Numbers go by what they mean, not by their digits:
// 1.250 comes before 2 however many decimals each market has. A number whose decimals are unknown
// counts as it stands.
func (o Order) comparer(instruments *Instruments) func(p, q *Position) int {
	compare := o.ordering().comparer(instruments)
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

func (marketOrdering) comparer(in *Instruments) func(p, q *Position) int {
	return func(p, q *Position) int { return in.compareMarkets(p.Market, q.Market) }
}

func (partyOrdering) comparer(in *Instruments) func(p, q *Position) int {
	return func(p, q *Position) int { return in.compareParties(p.Party, q.Party) }
}

func (statusOrdering) comparer(*Instruments) func(p, q *Position) int {
	return func(p, q *Position) int {
		if p.status == q.status && p.status != statusText {
			return 0
		}
		return strings.Compare(p.StatusName(), q.StatusName())
	}
}

func (ageOrdering) comparer(*Instruments) func(p, q *Position) int {
	return func(p, q *Position) int { return q.Number(UpdatedAt).Compare(p.Number(UpdatedAt)) }
}

func (o numberOrdering) comparer(in *Instruments) func(p, q *Position) int {
	field := o.field
	if in.isUnscaled(field) {
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
