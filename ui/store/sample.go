package store

import "blotter/model"

// sample adds the current numbers of some positions, the selected one among them, and the current totals, if they are
// complete and fresh. The numbers of frozen and stale rows are old, and those of a recording that goes to another time
// are not of that time: the lines have a gap.
func sample(s *Store, selected *model.Position) {
	d, m, stale := &s.data, &s.moves, s.Stale()
	if d.isApart() || isRestarting(s) {
		return
	}
	m.learnRelisted()
	m.trends.Add(d.view, selected, stale.HasRow, s.Now())
	if s.options.Live != nil {
		return
	}
	if !stale.Any() && d.hasTotals() {
		m.history.Use(d.scope).Add(d.view.Totals(), d.view.Instruments(), s.Now())
		noteDay(s)
		noteToday(s)
	}
}
