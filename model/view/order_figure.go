package view

import (
	"blotter/model"
	"blotter/model/filter"
)

// figureOrdering orders positions by a figure. Those without one are last.
type figureOrdering struct{ of model.Figure }

// levelsOf returns the margin record of an open position, in the asset of its market; nil if there is none.
func (c *encoder) levelsOf(e entry) *model.MarginLevels {
	record := c.marginRecord(e)
	if e.open() == 0 || record == 0 {
		return nil
	}
	levels := c.book.Margins().Levels(record)
	return &levels
}

// figureOf returns a figure of an entry, and false if it has none.
func (c *encoder) figureOf(e entry, of model.Figure) (model.MarginRatio, bool) {
	var levels *model.MarginLevels
	if of.UsesMargins() {
		if levels = c.levelsOf(e); levels == nil {
			return model.MarginRatio{}, false
		}
	}
	p := c.position(e)
	return of.Of(&p, levels, c.instruments)
}

func (o figureOrdering) comparer(c *encoder) func(a, b entry) int {
	return compareKnown(func(e entry) (model.MarginRatio, bool) { return c.figureOf(e, o.of) }, model.MarginRatio.Compare)
}

// isSame compares all numbers of the position that figures depend on.
func (figureOrdering) isSame(p, q *model.Position) bool { return distanceOrdering{}.isSame(p, q) }

// ranker ranks rows as they are stored, because a figure depends on several numbers.
func (o figureOrdering) ranker(_ []entry, c *encoder) ranker {
	return rankedByEntry(func(e entry) rank {
		if ratio, ok := c.figureOf(e, o.of); ok {
			return rankRatio(ratio)
		}
		return noDistance
	})
}

func (figureOrdering) lastingRanker(*encoder) ranker { return ranker{} }

// levelsComparison compares what is worked out of the position and its margin record.
type levelsComparison struct {
	meets       func(*model.Position, *model.MarginLevels, *model.Instruments) bool
	usesMargins bool
	uncertain   bool // see comparison
	encoder     *encoder
}

// meetsOfDay returns whether the change of the PnL of a position since the day began meets a condition: not if it is
// not known.
func (c *encoder) meetsOfDay(day filter.DayCondition) func(*model.Position, *model.MarginLevels, *model.Instruments) bool {
	return func(p *model.Position, _ *model.MarginLevels, in *model.Instruments) bool {
		decimals := in.Decimals(model.UnrealisedPnl, p.Market)
		change, limit := c.changeOfDay(p, decimals), day.Limit.In(decimals)
		return limit.Matches(change, day.Operator)
	}
}

func (c *levelsComparison) matches(e entry) bool {
	var levels *model.MarginLevels
	if c.usesMargins {
		levels = c.encoder.levelsOf(e)
	}
	p := c.encoder.position(e)
	return c.meets(&p, levels, c.encoder.instruments)
}

func (c *levelsComparison) matchAll(entries []entry, of entrySet) (met entrySet) {
	for i := range of.all {
		if c.matches(entries[i]) {
			met |= 1 << i
		}
	}
	return met
}

func (c *levelsComparison) isUncertain() bool { return c.uncertain }

func (*levelsComparison) cost() int { return 3 }
