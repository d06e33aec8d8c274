package view

import (
	"math"

	"blotter/model"
)

// numberOrdering orders positions by a number, or by how much it has changed since the baseline. Those without a
// baseline are then after all others.
type numberOrdering struct {
	field    model.Field
	isChange bool
}

// unknownChange is the change of a position without a baseline. It is no number, so it is after all others.
var unknownChange = model.TextAmount("")

// unknownRank is the rank of unknownChange: above all others, and exact.
const unknownRank = math.MaxUint64 - 1

// valueOf returns what a row is ordered by if its number is this. Times are ordered as times, however they are written.
func (o numberOrdering) valueOf(e entry, number model.Amount, u *units) model.Amount {
	switch {
	case o.field.IsTime():
		return number.AsNanoseconds()
	case !o.isChange:
		return number
	}
	if before, ok := u.encoder.book.Baselines().Current().Row(u.encoder.key(e)); ok {
		if change, ok := before.ChangeTo(number, o.field, u.of(e.market()).Decimals); ok && change.IsNumber() {
			return change
		}
	}
	return unknownChange
}

func (o numberOrdering) comparer(c *encoder) func(a, b entry) int {
	units := units{field: o.field, encoder: c}
	units.numberMarkets()
	return func(a, b entry) int {
		x, y := o.valueOf(a, c.amount(a, o.field), &units), o.valueOf(b, c.amount(b, o.field), &units)
		return units.compare(x, a.market(), y, b.market())
	}
}

func (o numberOrdering) isSame(p, q *model.Position) bool { return sameNumber(p, q, o.field) }

func (o numberOrdering) ranker(_ []entry, c *encoder) ranker {
	units := units{field: o.field, encoder: c}
	units.numberMarkets()
	return o.rankerIn(&units)
}

func (o numberOrdering) lastingRanker(c *encoder) ranker {
	units := units{field: o.field, encoder: c}
	if len(units.marketGroups()) == 0 {
		return ranker{}
	}
	return o.rankerIn(&units)
}

// rankerIn ranks by the number in these units.
func (o numberOrdering) rankerIn(u *units) ranker {
	return ranker{o.field, func(e entry, number model.Amount, _ model.Status) rank {
		number = o.valueOf(e, number, u)
		if o.isChange && !number.IsNumber() {
			return unknownRank
		}
		return u.rankIn(number, u.of(e.market()))
	}}
}
