package store

import (
	"context"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/history"
)

// Moves are how the totals of a Store, and the numbers of some positions, have moved.
type Moves struct {
	of      *Store
	history history.History
	today   history.Today
	trends  history.Trends
	older   older
	days    days
}

// dropAfter drops what is later than a time to which a recording was jumped back.
func (m *Moves) dropAfter(at time.Time) {
	m.history.DropAfter(at)
	m.trends.DropAfter(at)
	m.older.stop()
}

// noteChange notes a change that is not of the price alone, and follows positions in trouble.
func (m *Moves) noteChange(c *book.Change, d *data) {
	if f := d.frozen; f != nil {
		f.keepTrends(m.trends.Of(c.Key()), c.Key())
	} else if c.After != nil && isInTrouble(c.After.Status()) {
		m.trends.FollowTrouble(c.After.Key, d.trades.at)
	}
	m.trends.Note(c.Before, c.After, d.instruments)
}

// Moves returns how totals, and the numbers of some positions, have moved.
func (s *Store) Moves() *Moves { return &s.moves }

// TrendOf returns how the numbers of a position have moved, nil if it is not followed.
func (m *Moves) TrendOf(key model.Key) *history.Row {
	if f := m.of.data.frozen; f != nil && f.trends[key] != nil {
		return f.trends[key]
	}
	return m.trends.Of(key)
}

// learn corrects the totals by what a new view shows. While the rows are frozen, that waits.
func (m *Moves) learn(of *Prepared) {
	d := &m.of.data
	switch {
	case of.view.Book() == of.book:
		m.learnRelisted()
		if !d.cleared || !d.job.outdated { // it is shown now
			m.history.Learn(of.view.Scope(), of.learned)
		}
	case d.relisted.IsZero():
		d.relisted = of.learned
	default:
		d.relisted.Add(of.learned)
	}
}

// learnRelisted corrects the totals by the positions that have come or left.
func (m *Moves) learnRelisted() {
	d := &m.of.data
	m.history.Learn(d.view.Scope(), d.relisted)
	d.relisted = history.Learned{}
}

// hasTotals reports whether the totals of the view are those of all positions in scope.
func (d *data) hasTotals() bool {
	b := d.view.Book()
	incomplete := func(of model.Subscription) bool { return !b.Has(of) || b.IsPartial(of) }
	return !d.cleared && d.view.Scope().Equal(d.scope) && !slices.ContainsFunc(d.streamsOf(&d.scope), incomplete)
}

// older is the reading of why the PnL of a position has changed in the last hour, in what is recorded.
type older struct {
	key     model.Key
	cancel  context.CancelFunc // nil if nothing is read
	started int                // how often it was started: an answer to an earlier start is dropped
}

// stop ends the reading.
func (o *older) stop() {
	if o.cancel != nil {
		o.cancel()
	}
	o.cancel = nil
	o.started++
}
