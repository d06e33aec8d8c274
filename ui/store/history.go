package store

import (
	"slices"
	"time"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/history"
)

// moves are how totals, and the numbers of some positions, have moved.
type moves struct {
	history history.History
	trends  history.Trends
	older   older
	days    days
}

// dropAfter drops what is later than a time to which a recording was jumped back.
func (m *moves) dropAfter(at time.Time) {
	m.history.DropAfter(at)
	m.trends.DropAfter(at)
	m.older.stop()
}

// noteChange notes a change that is not of the price alone, and follows positions in trouble.
func (m *moves) noteChange(c *book.Change, d *data) {
	if c.Source == book.NoEvent {
		return
	}
	before, after := c.Before, c.After
	if before != nil && after != nil && analysis.IsPriceAlone(before, after) && after.Status() == before.Status() {
		return
	}
	if after != nil && isInTrouble(after) {
		m.trends.FollowTrouble(after.Key, d.trades.at)
	}
	m.trends.Note(before, after, d.instruments)
}

// History returns the assets of the scope, with how their totals have moved. The past has those of the service, up to
// the totals that it shows.
func (s *Store) History() []*history.Asset {
	if live := s.options.Live; live != nil {
		var last []*view.Total
		if s.data.hasTotals() {
			last = s.data.view.Totals()
		}
		return live.moves.history.Until(s.data.scope, s.Now(), last)
	}
	if h := s.moves.history.Of(s.data.scope); h != nil {
		return h.Assets
	}
	return nil
}

// TrendOf returns how the numbers of a position have moved, nil if it is not followed.
func (s *Store) TrendOf(key model.Key) *history.Row { return s.moves.trends.Of(key) }

// sample adds the current numbers of some positions, the selected one among them, and the current totals, if they are
// complete and fresh. The numbers of frozen and stale rows are old, and those of a recording that goes to another time
// are not of that time: the lines have a gap.
func (s *Store) sample(selected *model.Position) {
	d, stale := &s.data, s.Stale()
	if s.flow.frozen || isRestarting(s) {
		return
	}
	s.moves.trends.Add(d.view, selected, stale.HasRow, s.Now())
	if s.options.Live != nil {
		return
	}
	if !stale.Any() && d.hasTotals() {
		s.moves.history.Use(d.scope).Add(d.view.Totals(), d.view.Instruments(), s.Now())
		noteDay(s)
	}
}

// hasTotals reports whether the totals of the view are those of all positions in scope.
func (d *data) hasTotals() bool {
	incomplete := func(of model.Subscription) bool { return !d.book.Has(of) || d.book.IsPartial(of) }
	return !d.cleared && d.view.Scope().Equal(d.scope) && !slices.ContainsFunc(d.subscriptions, incomplete)
}
