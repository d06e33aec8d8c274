package watch

import (
	"fmt"

	"blotter/model"
	"blotter/ui/format"
)

// WarnOfRowsLeftOut warns of positions above the limit, and of positions that were not requested.
func (w *Watch) WarnOfRowsLeftOut() {
	isOver, unrequested := w.book.LeftOut(), 0
	for i := range w.links {
		isOver = isOver || w.links[i].LeftOut > 0
		unrequested += w.links[i].Unrequested
	}
	if isOver {
		w.Warn(fmt.Errorf("there are more positions than %s: the others are left out; feed.rows in the configuration is the limit", format.Grouped(w.Limit)))
	}
	if unrequested > 0 {
		w.Warn(fmt.Errorf("the service sent %s that were not requested; they are left out", format.Counted(unrequested, "position")))
	}
}

// uncompared returns how many markets have numbers that the query cannot compare.
func (w *Watch) uncompared() int {
	return w.marketsOf(func(p *model.Position) bool { return !w.Query.CanCompare(p, w.Instruments) })
}

// notLinear returns how many markets are not linear, if that matters for the query.
func (w *Watch) notLinear() int {
	if !w.Query.UsesEstimates() {
		return 0
	}
	return w.marketsOf(func(p *model.Position) bool { return !w.Instruments.IsLinear(p.Market) })
}

// marketsOf returns how many markets have a row in scope of which something is true; 0 if the query compares nothing.
func (w *Watch) marketsOf(isTrue func(*model.Position) bool) int {
	if w.Query.MatchesAll() {
		return 0
	}
	seen := make(map[model.ID]bool)
	var row model.Position // one for all: isTrue gets its address
	for row = range w.book.All {
		if w.Scope.Covers(row.Key) && !seen[row.Market] && isTrue(&row) {
			seen[row.Market] = true
		}
	}
	return len(seen)
}
