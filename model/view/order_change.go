package view

import (
	"math"

	"blotter/model"
)

// changeOrdering orders positions by how much a number has changed since the baseline, as numberOrdering orders
// numbers. Those without a baseline are after all others.
type changeOrdering struct{ field model.Field }

// unknownChange is the change of a position without a baseline. It is not an integer, so it is after all others.
var unknownChange = model.TextAmount("")

// change returns how much the number of a row has changed from the baseline to its value now.
func (o changeOrdering) change(e entry, now model.Amount, c *encoder) model.Amount {
	if before, ok := c.baseline.Row(c.key(e)); ok {
		if change, ok := before.ChangeTo(now, o.field); ok {
			return change
		}
	}
	return unknownChange
}

func (o changeOrdering) comparer(c *encoder) func(a, b entry) int {
	units := units{field: o.field, encoder: c}
	units.numberMarkets()
	return func(a, b entry) int {
		x, y := o.change(a, c.amount(a, o.field), c), o.change(b, c.amount(b, o.field), c)
		return units.compare(x, a.market(), y, b.market())
	}
}

func (o changeOrdering) isSame(p, q *model.Position) bool { return sameNumber(p, q, o.field) }

func (o changeOrdering) ranker(_ []entry, c *encoder) ranker {
	units := units{field: o.field, encoder: c}
	units.numberMarkets()
	return o.rankerIn(&units)
}

func (o changeOrdering) lastingRanker(c *encoder) ranker {
	units := units{field: o.field, encoder: c}
	if len(units.marketGroups()) == 0 {
		return ranker{}
	}
	return o.rankerIn(&units)
}

// unknownRank is the rank of unknownChange: above all others, and exact.
const unknownRank = math.MaxUint64 - 1

func (o changeOrdering) rankerIn(u *units) ranker {
	return ranker{o.field, func(e entry, now model.Amount, _ model.Status) rank {
		if change := o.change(e, now, u.encoder); change.IsInteger() {
			return u.rankOf(change, e.market())
		}
		return unknownRank
	}}
}
