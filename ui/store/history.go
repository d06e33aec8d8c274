package store

import (
	"context"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/history"
)

// Moves are how the totals of a Store, and the numbers of some positions, have moved.
type Moves struct {
	data    *data
	clock   clock
	live    *Moves // those of the service whose past is shown; nil if none is
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
func (m *Moves) noteChange(c *book.Change) {
	d := m.data
	if f := d.frozen; f != nil {
		f.keepTrends(m.trends.Of(c.Key()), c.Key())
	} else if c.After != nil && isInTrouble(c.After.Status()) {
		m.trends.FollowTrouble(c.After.Key, d.trades.at)
	}
	m.trends.Note(c.Before, c.After, d.instruments)
}

// isInTrouble reports whether a status says that a position is in trouble, or was.
func isInTrouble(status model.Status) bool {
	return status == model.StatusDistressed || status == model.StatusOrdersClosed || status == model.StatusClosedOut
}

// TrendOf returns how the numbers of a position have moved, nil if it is not followed.
func (m *Moves) TrendOf(key model.Key) *history.Row {
	if f := m.data.frozen; f != nil && f.trends[key] != nil {
		return f.trends[key]
	}
	return m.trends.Of(key)
}

// learn corrects the totals by what a new view shows. While the rows are frozen, that waits.
func (m *Moves) learn(of *Prepared) {
	d := m.data
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
	d := m.data
	m.history.Learn(d.view.Scope(), d.relisted)
	d.relisted = history.Learned{}
}

// hasTotals reports whether the totals of the view are those of all positions in scope.
func (d *data) hasTotals() bool {
	b := d.view.Book()
	incomplete := func(of model.Subscription) bool { return !b.Has(of) || b.IsPartial(of) }
	return !d.cleared && d.view.Scope().Equal(d.scope) && !slices.ContainsFunc(d.streamsOf(&d.scope), incomplete)
}

// followed returns what was followed at the time of a recording, if that is not the whole scope; else nil.
func (d *data) followed() *model.Scope {
	var followed []model.Key
	for _, of := range d.streamsOf(&d.scope) {
		followed = append(followed, d.shownBook().Table(of).Followed()...)
	}
	if followed == nil {
		return nil
	}
	scope := new(model.Scope)
	for _, of := range followed {
		if !of.Party.IsZero() && !slices.Contains(scope.Parties, of.Party) {
			scope.Parties = append(scope.Parties, of.Party)
		}
		if !of.Market.IsZero() && !slices.Contains(scope.Markets, of.Market) {
			scope.Markets = append(scope.Markets, of.Market)
		}
	}
	if includes(*scope, d.scope) {
		return nil
	}
	return scope
}

// Assets returns the assets of the scope, with how their totals have moved. The past has those of the service, up to
// the totals that it shows.
func (m *Moves) Assets() []*history.Asset {
	d := m.data
	if m.live != nil {
		if d.followed() != nil {
			return nil // the totals of the service are those of other positions
		}
		var last []*view.Total
		if d.hasTotals() {
			last = d.view.Totals()
		}
		return m.live.history.Until(d.scope, m.clock.now(), last)
	}
	if h := m.history.Of(d.scope); h != nil {
		return h.Assets
	}
	return nil
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
