package store

import (
	"blotter/model"
	"blotter/model/event"
	"blotter/ui/history"
)

// FrozenOf returns what is shown as it was; nil if the rows are not frozen.
func FrozenOf(s *Store) *Frozen { return s.data.frozen }

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
		isAwaited: d.isApart() || !d.view.Scope().Equal(d.scope), instruments: d.viewInstruments,
		walk: s.walk, newest: d.happening.log.Count(),
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

// NewestShown returns the number of the newest event that belongs to the rows that are shown.
func NewestShown(s *Store) uint64 {
	newest := s.data.happening.log.Count()
	if f := s.data.frozen; f != nil {
		return min(f.newest, newest) // a jump in a recording begins another log
	}
	return newest
}
