package view

import "blotter/model"

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

// maintenanceOf returns the maintenance margin of an open position, and false if there is none, or if the asset of its
// market is not known.
func (c *encoder) maintenanceOf(e entry) (model.Amount, bool) {
	levels := c.levelsOf(e)
	if levels == nil || c.assetOf(e).IsZero() {
		return model.Amount{}, false
	}
	return levels.Maintenance, true
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
