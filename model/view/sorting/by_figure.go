package sorting

import "blotter/model"

// ByFigure orders positions by a figure. Those without one are last.
type ByFigure struct{ Of model.Figure }

// LevelsOf returns the margin record of an open position, in the asset of its market; nil if there is none.
func (c *Encoder) LevelsOf(e Entry) *model.MarginLevels {
	record := c.MarginRecord(e)
	if e.Open() == 0 || record == 0 {
		return nil
	}
	levels := c.Book.Margins().Levels(record)
	return &levels
}

// MaintenanceOf returns the maintenance margin of an open position, and false if there is none, or if the asset of its
// market is not known.
func (c *Encoder) MaintenanceOf(e Entry) (model.Amount, bool) {
	levels := c.LevelsOf(e)
	if levels == nil || c.AssetOf(e).IsZero() {
		return model.Amount{}, false
	}
	return levels.Maintenance, true
}

// FigureOf returns a figure of an entry, and false if it has none.
func (c *Encoder) FigureOf(e Entry, of model.Figure) (model.MarginRatio, bool) {
	var levels *model.MarginLevels
	if of.UsesMargins() {
		if levels = c.LevelsOf(e); levels == nil {
			return model.MarginRatio{}, false
		}
	}
	p := c.Position(e)
	return of.Of(&p, levels, c.Instruments)
}

func (o ByFigure) comparer(c *Encoder) func(a, b Entry) int {
	return compareKnown(func(e Entry) (model.MarginRatio, bool) { return c.FigureOf(e, o.Of) }, model.MarginRatio.Compare)
}

// isSame compares all numbers of the position that figures depend on.
func (ByFigure) isSame(p, q *model.Position) bool { return ByDistance{}.isSame(p, q) }

// ranker ranks rows as they are stored, because a figure depends on several numbers.
func (o ByFigure) ranker(_ []Entry, c *Encoder) Ranker {
	return rankedByEntry(func(e Entry) Rank {
		if ratio, ok := c.FigureOf(e, o.Of); ok {
			return RankRatio(ratio)
		}
		return noDistance
	})
}

func (ByFigure) lastingRanker(*Encoder) Ranker { return Ranker{} }
