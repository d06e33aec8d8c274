package store

import (
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/ui/history"
)

// While the rows are frozen, the view that is shown keeps its book as it is. A copy of that book takes what the service
// sends, and the rules have a view of the copy. A release makes a view of the copy, as another order would.

// Frozen is what is shown as it was when the rows were frozen, beside the view and its book.
type Frozen struct {
	since       time.Time
	isAwaited   bool               // the view is of an earlier freeze or scope: the next one has the rows of this one
	instruments *model.Instruments // of the view
	walk        Walk
	newest      uint64 // the number of the newest event
	inAlert     map[model.Key]bool
	kept        map[model.Key]*event.Story
	stories     map[model.Key]event.Story  // the latest one of each position
	trends      map[model.Key]*history.Row // of positions that have traded since
	changed     map[model.Key]struct{}     // the rows of the scope that updates and audits have changed since
	inSnapshots int                        // how many changes of such rows snapshots have shown
}

// Since is when the rows were frozen.
func (f *Frozen) Since() time.Time { return f.since }

// Waiting returns how many rows of the scope have changed since.
func (f *Frozen) Waiting() int { return len(f.changed) + f.inSnapshots }

// keepTrends keeps the trends of a position, nil if there are none, before the first change that is noted there.
func (f *Frozen) keepTrends(of *history.Row, key model.Key) {
	if of != nil && f.trends[key] == nil {
		kept := *of
		f.trends[key] = &kept
	}
}

// note notes a change that the frozen rows do not show.
func (f *Frozen) note(c *book.Change, scope *model.Scope) {
	if !c.IsOfRatio && scope.Covers(c.Key()) {
		f.changed[c.Key()] = struct{}{}
	}
}
