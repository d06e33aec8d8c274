package store

import (
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/view"
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

// FrozenOf returns what is shown as it was; nil if the rows are not frozen.
func FrozenOf(s *Store) *Frozen { return s.data.frozen }

// Since is when the rows were frozen.
func (f *Frozen) Since() time.Time { return f.since }

// Waiting returns how many rows of the scope have changed since.
func (f *Frozen) Waiting() int { return len(f.changed) + f.inSnapshots }

// Freeze stops the rows from changing, or lets them change again. The rules go on meanwhile. The next Advance begins to
// make the views that this needs.
func (s *Store) Freeze(frozen bool) {
	d := &s.data
	if frozen == (d.frozen != nil) {
		return
	}
	if !frozen {
		d.frozen, s.format = nil, s.options.Format(d.instruments)
		return
	}
	present := d.happening.troubles.Present
	f := &Frozen{
		since:     s.Now(),
		isAwaited: d.isApart() || !d.view.Scope().Equal(d.scope), instruments: d.viewInstruments, walk: s.walk, newest: s.log.Count(),
		inAlert: make(map[model.Key]bool), kept: make(map[model.Key]*event.Story), stories: make(map[model.Key]event.Story),
		trends: make(map[model.Key]*history.Row), changed: make(map[model.Key]struct{}),
	}
	for _, key := range present.KeptKeys() {
		f.kept[key], _ = present.Kept(key)
	}
	for _, of := range Stories(s) {
		f.stories[of.Key] = *of
	}
	for alert := range present.Alerts() {
		f.inAlert[alert.Key] = f.inAlert[alert.Key] || alert.Begun
	}
	d.frozen = f
}

// keepTrends keeps the trends of a position, nil if there are none, before the first change that is noted there.
func (f *Frozen) keepTrends(of *history.Row, key model.Key) {
	if of != nil && f.trends[key] == nil {
		kept := *of
		f.trends[key] = &kept
	}
}

// isApart reports whether the view that is shown has another book than the one that takes what the service sends.
func (d *data) isApart() bool { return d.view.Book() != d.book }

// keepsView reports whether the next view must show the rows that are shown now.
func (d *data) keepsView() bool { return d.frozen != nil && !d.frozen.isAwaited && !d.cleared }

// sorted returns the next view of the frozen rows, or if these are sorted already, with another filter.
func (d *data) sorted(isSorted bool) *view.View {
	switch {
	case isSorted:
		return d.view.Refiltered(d.filter)
	case d.baseline.isOfTaken():
		return d.viewOf(book.Rebased(d.view.Book(), d.baseline.apply))
	}
	return d.viewOf(d.view.Book())
}

// note notes a change that the frozen rows do not show.
func (f *Frozen) note(c *book.Change, scope *model.Scope) {
	if !c.IsOfRatio && scope.Covers(c.Key()) {
		f.changed[c.Key()] = struct{}{}
	}
}

// Book returns the positions that are shown, and those that the view does not show: those of other scopes, and while
// the rows of another scope are awaited, all.
func (s *Store) Book() *book.Book {
	if s.data.keepsView() {
		return s.data.view.Book()
	}
	return s.data.book
}

// Walk returns how far the margin levels of the scope have been read.
func (s *Store) Walk() *Walk {
	if f := s.data.frozen; f != nil {
		return &f.walk
	}
	return &s.walk
}

// NewestShown returns the number of the newest event that belongs to the rows that are shown.
func NewestShown(s *Store) uint64 {
	if f := s.data.frozen; f != nil {
		return min(f.newest, s.log.Count()) // a jump in a recording begins another log
	}
	return s.log.Count()
}
