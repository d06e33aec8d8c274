package store

import (
	"blotter/model"
	"blotter/model/view"
	"blotter/ui/history"
)

// Assets returns the assets of the scope, with how their totals have moved. The past has those of the service, up to
// the totals that it shows.
func (m *Moves) Assets() []*history.Asset {
	d := &m.of.data
	if live := m.of.options.Live; live != nil {
		if Followed(m.of) != nil {
			return nil // the totals of the service are those of other positions
		}
		var last []*view.Total
		if d.hasTotals() {
			last = d.view.Totals()
		}
		return live.moves.history.Until(d.scope, m.of.Now(), last)
	}
	if h := m.history.Of(d.scope); h != nil {
		return h.Assets
	}
	return nil
}

// sample adds the current numbers of some positions, the selected one among them, and the current totals, if they are
// complete and fresh. The numbers of frozen and stale rows are old, and those of a recording that goes to another time
// are not of that time: the lines have a gap.
func (m *Moves) sample(selected *model.Position) {
	s := m.of
	d, stale := &s.data, s.Stale()
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
