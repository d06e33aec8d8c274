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
	seen := make(map[model.ID]bool)
	for row := range w.book.All {
		if w.Scope.Covers(row.Key) && !seen[row.Market] && !w.Query.CanCompare(&row, w.Instruments) {
			seen[row.Market] = true
		}
	}
	return len(seen)
}
