package store

import (
	"slices"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/ui/history"
)

// noteDay adds the current totals, which are fresh and complete, to those of the day: of each party when its positions
// were counted, or, if there are too many to count them, of all together. A stream that is behind is not fresh here,
// and while the asset of a position is not known, no total is complete.
func noteDay(s *Store) {
	now, totals := s.Now(), s.data.view.Totals()
	isBehind := func(link model.Link) bool { return link.Behind(now) != 0 }
	if IsOfRecording(s) || slices.ContainsFunc(s.flow.shown, isBehind) {
		return
	}
	for _, total := range totals {
		if total.Asset.IsZero() && total.Rows > 0 {
			return
		}
	}
	d, in := &s.moves.days, s.data.view.Instruments()
	d.use(s.data.scope, &s.options.Extent)
	if counted := s.surveys.read.Today; s.surveys.countsToday() && (counted == nil || counted.Parties != nil) {
		d.noteParties(s, counted)
		return
	}
	for _, total := range totals {
		_, whole := d.keysOf(total.Asset, in)
		both := *total.Sum(model.UnrealisedPnl)
		both.AddSum(*total.Sum(model.RealisedPnl))
		d.all.Add(whole, now.In(s.options.Location), &both, nil)
	}
}

// noteParties adds the totals of each party, unless that was done, or positions of another scope were counted.
func (d *days) noteParties(s *Store, counted *analysis.Today) {
	in := s.data.view.Instruments()
	if counted == nil || counted == d.noted || counted.In != in || !counted.Scope.Equal(d.scope) {
		return
	}
	d.noted = counted
	if counted.At.Before(s.data.day.began) {
		return
	}
	for key, of := range counted.Parties {
		each, _ := d.keysOf(key.Asset, in)
		each.Party = key.Party
		pnl := &of.PnL
		if of.LeftOut > 0 || !s.data.day.isWhole(of.Since) {
			pnl = nil
		}
		d.all.Add(each, counted.At.In(s.options.Location), &of.Total, pnl)
	}
}

// DaysIn returns the totals of all days.
func DaysIn(s *Store) *history.Days { return s.moves.days.all }

// DaysOf returns the changes of the days of the scope in an asset, the oldest first; none in a recording.
func DaysOf(s *Store, asset model.ID) []history.DayChange {
	if IsOfRecording(s) {
		return nil
	}
	d := &s.moves.days
	d.use(s.data.scope, &s.options.Extent)
	each, whole := d.keysOf(asset, s.data.view.Instruments())
	if d.shown == nil || d.of != whole || !d.shown.IsCurrent() {
		d.shown, d.of = d.all.Changes(s.data.scope.Parties, each, whole), whole
	}
	return d.shown.All()
}
