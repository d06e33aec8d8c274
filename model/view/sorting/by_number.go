package sorting

import (
	"math"

	"blotter/model"
)

// ByNumber orders positions by a number, or by what is worked out of it or has its unit. Those that lack this are after
// all others.
type ByNumber struct {
	Field model.Field
	Of    OrderedNumber
}

// OrderedNumber is what positions are ordered by.
type OrderedNumber uint8

const (
	asSent        OrderedNumber = iota
	SinceBaseline               // the change since the baseline
	SinceDay                    // the change of the PnL since the day began
	OfMaintenance               // the maintenance margin
)

// unknownNumber is that of a position without one. It is no number, so it is after all others.
var unknownNumber = model.TextAmount("")

// unknownRank is the rank of unknownNumber: above all others, and exact.
const unknownRank = math.MaxUint64 - 1

// valueOf returns what a row is ordered by if its number is this. Times are ordered as times, however they are written.
func (o ByNumber) valueOf(e Entry, number model.Amount, u *Units) model.Amount {
	c := u.encoder
	switch {
	case o.Field.IsTime():
		return number.AsNanoseconds()
	case o.Of == asSent:
		return number
	case o.Of == SinceDay:
		p := c.Position(e)
		return c.ChangeOfDay(&p, u.of(e.Market()).Decimals)
	case o.Of == OfMaintenance:
		if maintenance, ok := c.MaintenanceOf(e); ok && maintenance.IsNumber() {
			return maintenance
		}
		return unknownNumber
	}
	if before, ok := c.Book.Baselines().Current().Row(c.Key(e)); ok {
		if change, ok := before.ChangeTo(number, o.Field, u.of(e.Market()).Decimals); ok && change.IsNumber() {
			return change
		}
	}
	return unknownNumber
}

// ChangeOfDay returns the change of the PnL of a position since the day began, in an asset with these decimals.
func (c *Encoder) ChangeOfDay(p *model.Position, decimals int) model.Amount {
	before, ok := c.Book.Baselines().Day().Row(p.Key)
	pnl, _, isKnown := before.PnLChange(p, decimals)
	if !ok || !isKnown {
		return unknownNumber
	}
	return pnl.Amount(decimals)
}

func (o ByNumber) comparer(c *Encoder) func(a, b Entry) int {
	units := NewUnits(o.Field, c)
	units.numberMarkets()
	return func(a, b Entry) int {
		x, y := o.valueOf(a, c.Amount(a, o.Field), &units), o.valueOf(b, c.Amount(b, o.Field), &units)
		return units.compare(x, a.Market(), y, b.Market())
	}
}

func (o ByNumber) isSame(p, q *model.Position) bool {
	return sameNumber(p, q, o.Field) && (o.Of != SinceDay || sameNumber(p, q, model.RealisedPnl))
}

func (o ByNumber) ranker(_ []Entry, c *Encoder) Ranker {
	units := NewUnits(o.Field, c)
	units.numberMarkets()
	return o.rankerIn(&units)
}

func (o ByNumber) lastingRanker(c *Encoder) Ranker {
	units := NewUnits(o.Field, c)
	if len(units.marketGroups()) == 0 {
		return Ranker{}
	}
	return o.rankerIn(&units)
}

// rankerIn ranks by the number in these units.
func (o ByNumber) rankerIn(u *Units) Ranker {
	return Ranker{o.Field, func(e Entry, number model.Amount, _ model.Status) Rank {
		number = o.valueOf(e, number, u)
		if o.Of != asSent && !number.IsNumber() {
			return unknownRank
		}
		return u.rankIn(number, u.of(e.Market()))
	}}
}
