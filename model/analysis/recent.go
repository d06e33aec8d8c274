package analysis

import (
	"slices"
	"time"

	"blotter/model"
)

// Periods are those of which a Recent tells the change, the shortest first.
var Periods = [...]time.Duration{time.Minute, 5 * time.Minute, time.Hour}

// Recent tells by how much the PnL of one position has changed in the last minutes, and why. It is told the state of
// the position about once a second, and each change that is not of the price alone. It keeps about pointsOfPeriod
// states for each period. The zero Recent is empty and ready for use.
type Recent struct {
	Line model.Trend // realised and unrealised PnL together

	last        model.Position // the state that was told last
	at          time.Time      // when it was; zero if none was
	parts       *parts         // of all changes so far; it is replaced, and never changed
	instruments *model.Instruments
	points      [len(Periods)][]recentPoint
}

// recentPoint is a state at a time.
type recentPoint struct {
	at     time.Time
	profit model.PackedSum // realised and unrealised PnL together
	parts  *parts
}

// parts are those of a change, without that of the price.
type parts struct {
	Change
	bound bound
}

// pointsOfPeriod is into how many parts a period is divided. A point can be older than it should be by one of them.
const pointsOfPeriod = 60

// maxBack is how much earlier than the last time a time may be. If it is earlier, the clock was set back.
const maxBack = time.Minute

// profitOf returns the realised and unrealised PnL of a position together, and false if they cannot be added.
func profitOf(p *model.Position, decimals int) (profit model.Sum, ok bool) {
	for _, field := range profits {
		profit.Add(p.Number(field))
	}
	return profit, profit.LeftOut(decimals) == 0
}

// Sample tells the state of the position at a time. A time a little before the last one counts as that.
func (r *Recent) Sample(p *model.Position, in *model.Instruments, at time.Time) {
	if differ := r.instruments != nil && r.instruments != in && decimalsDiffer(r.instruments, in, p.Market); differ ||
		at.Before(r.at.Add(-maxBack)) {
		*r = Recent{}
	}
	decimals := in.Decimals(model.UnrealisedPnl, p.Market)
	profit, ok := profitOf(p, decimals)
	if !ok {
		*r = Recent{}
		return
	}
	if r.parts == nil {
		r.parts = new(parts)
	} else if !r.catchUp(p, in) {
		return
	}
	if at.Before(r.at) {
		at = r.at
	}
	r.last, r.at, r.instruments = *p, at, in
	r.Line.Decimals = decimals
	r.Line.Add(at, profit.Amount(decimals))
	for i, period := range Periods {
		points := r.points[i]
		if n := len(points); n > 0 && at.Sub(points[n-1].at) < period/pointsOfPeriod {
			continue
		}
		old := 0
		for old < len(points)-1 && at.Sub(points[old+1].at) >= period {
			old++
		}
		r.points[i] = append(slices.Delete(points, 0, old), recentPoint{at, profit.Packed(), r.parts})
	}
}

// Note tells a change of the position that is not of the price alone. before is nil for a new position, and after for a
// removed one.
func (r *Recent) Note(before, after *model.Position, in *model.Instruments) {
	switch {
	case r.parts == nil:
	case before == nil || after == nil:
		*r = Recent{}
	case r.catchUp(before, in) && r.addChange(before, after, in):
		r.last = *after
	}
}

// catchUp takes what has changed since the last state without being told: in a snapshot. It returns false if that is
// not known.
func (r *Recent) catchUp(p *model.Position, in *model.Instruments) bool {
	return IsPriceAlone(&r.last, p) || r.addChange(&r.last, p, in)
}

// addChange adds the parts of a change. It returns false, and forgets everything, if they are not known.
func (r *Recent) addChange(before, after *model.Position, in *model.Instruments) bool {
	change, by, ok := new(trade).between(before, after, in)
	if !ok {
		*r = Recent{}
		return false
	}
	now := *r.parts
	now.Add(&change)
	now.Price = model.Sum{}
	now.bound.append(&by)
	r.parts = &now
	return true
}

// Since returns by how much the PnL has changed in one of the Periods up to a state that is shown at a time, and from
// when on. If less is known, it is the change since the first state. It returns false if nothing is known.
func (r *Recent) Since(period int, p *model.Position, in *model.Instruments, now time.Time) (c Change, from time.Time, ok bool) {
	points := r.points[period]
	if len(points) == 0 || r.last.Key != p.Key {
		return c, from, false
	}
	first := points[0]
	for _, later := range points[1:] {
		if now.Sub(later.at) < Periods[period] {
			break
		}
		first = later
	}
	decimals := in.Decimals(model.UnrealisedPnl, p.Market)
	profit, ok := profitOf(p, decimals)
	if !ok {
		return c, from, false
	}
	shown := *r
	if !shown.catchUp(p, in) {
		return c, from, false
	}
	c = shown.parts.Change
	for _, part := range []struct{ of, before *model.Sum }{
		{&c.Trading, &first.parts.Trading}, {&c.Loss, &first.parts.Loss}, {&c.Other, &first.parts.Other},
		{&c.Unsplit, &first.parts.Unsplit},
	} {
		part.of.SubtractSum(*part.before)
		profit.SubtractSum(*part.of)
	}
	c.IsUnsplit = !c.Unsplit.IsZero()
	profit.SubtractSum(first.profit.Sum())
	c.Price = profit
	by := shown.parts.bound
	by.subtract(&first.parts.bound)
	c.Bound = by.sum(decimals)
	return c, first.at, profit.LeftOut(decimals) == 0
}

// Reaches returns since when the PnL is known; zero if it is not.
func (r *Recent) Reaches() time.Time {
	if points := r.points[len(Periods)-1]; len(points) > 0 {
		return points[0].at
	}
	return time.Time{}
}
