package view

import (
	"math"

	"blotter/model"
)

// numberOrdering orders positions by a number, or by what is worked out of it or has its unit. Those that lack this are
// after all others.
type numberOrdering struct {
	field model.Field
	of    orderedNumber
}

// orderedNumber is what positions are ordered by.
type orderedNumber uint8

const (
	asSent        orderedNumber = iota
	sinceBaseline               // the change since the baseline
	sinceDay                    // the change of the PnL since the day began
	ofMaintenance               // the maintenance margin
)

// unknownNumber is that of a position without one. It is no number, so it is after all others.
var unknownNumber = model.TextAmount("")

// unknownRank is the rank of unknownNumber: above all others, and exact.
const unknownRank = math.MaxUint64 - 1

// valueOf returns what a row is ordered by if its number is this. Times are ordered as times, however they are written.
func (o numberOrdering) valueOf(e entry, number model.Amount, u *units) model.Amount {
	c := u.encoder
	switch {
	case o.field.IsTime():
		return number.AsNanoseconds()
	case o.of == asSent:
		return number
	case o.of == sinceDay:
		p := c.position(e)
		return c.changeOfDay(&p, u.of(e.market()).Decimals)
	case o.of == ofMaintenance:
		if maintenance, ok := c.maintenanceOf(e); ok && maintenance.IsNumber() {
			return maintenance
		}
		return unknownNumber
	}
	if before, ok := c.book.Baselines().Current().Row(c.key(e)); ok {
		if change, ok := before.ChangeTo(number, o.field, u.of(e.market()).Decimals); ok && change.IsNumber() {
			return change
		}
	}
	return unknownNumber
}

// changeOfDay returns the change of the PnL of a position since the day began, in an asset with these decimals.
func (c *encoder) changeOfDay(p *model.Position, decimals int) model.Amount {
	before, ok := c.book.Baselines().Day().Row(p.Key)
	pnl, _, isKnown := before.PnLChange(p, decimals)
	if !ok || !isKnown {
		return unknownNumber
	}
	return pnl.Amount(decimals)
}

func (o numberOrdering) comparer(c *encoder) func(a, b entry) int {
	units := newUnits(o.field, c)
	units.numberMarkets()
	return func(a, b entry) int {
		x, y := o.valueOf(a, c.amount(a, o.field), &units), o.valueOf(b, c.amount(b, o.field), &units)
		return units.compare(x, a.market(), y, b.market())
	}
}

func (o numberOrdering) isSame(p, q *model.Position) bool {
	return sameNumber(p, q, o.field) && (o.of != sinceDay || sameNumber(p, q, model.RealisedPnl))
}

func (o numberOrdering) ranker(_ []entry, c *encoder) ranker {
	units := newUnits(o.field, c)
	units.numberMarkets()
	return o.rankerIn(&units)
}

func (o numberOrdering) lastingRanker(c *encoder) ranker {
	units := newUnits(o.field, c)
	if len(units.marketGroups()) == 0 {
		return ranker{}
	}
	return o.rankerIn(&units)
}

// rankerIn ranks by the number in these units.
func (o numberOrdering) rankerIn(u *units) ranker {
	return ranker{o.field, func(e entry, number model.Amount, _ model.Status) rank {
		number = o.valueOf(e, number, u)
		if o.of != asSent && !number.IsNumber() {
			return unknownRank
		}
		return u.rankIn(number, u.of(e.market()))
	}}
}
