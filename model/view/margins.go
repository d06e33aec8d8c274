package view

import (
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view/sorting"
)

// Margins are the margin records of the rows in scope of a view, and the ratios of these rows.
type Margins struct {
	book    *book.Book
	scope   model.Scope
	encoder *sorting.Encoder
	covered int // how many open positions in scope have a record
}

// Levels returns the margin record of a position in the asset of its market, and when it was read. If that
// asset is not known, it is the newest record.
func (m *Margins) Levels(p *model.Position) (levels model.MarginLevels, readAt time.Time, ok bool) {
	return m.book.Margins().Find(p.Key, m.encoder.Instruments.Market(p.Market).Asset)
}

// SizedAt returns when the size of a position last changed, by the service's clock, and false if that is not known.
func (m *Margins) SizedAt(p *model.Position) (at time.Time, ok bool) {
	t, number := m.book.Row(p.Key)
	if number == 0 {
		return at, false
	}
	changed := t.Rows().SizeChangedAt(number)
	return time.Unix(0, changed), changed != 0
}

// Open returns the margin record of a position that is open, in the asset of its market; nil if there is none.
func (m *Margins) Open(p *model.Position) *model.MarginLevels {
	levels, _, ok := m.Levels(p)
	if !ok || !p.IsOpen() {
		return nil
	}
	return &levels
}

// Ratio returns the margin ratio of a position, and false if it has none. If the position and its margin record
// are not of one moment, it is an estimate or has ended.
func (m *Margins) Ratio(p *model.Position) (model.MarginRatio, bool) {
	return m.encoder.RatioOfPosition(p)
}

// LastRatio returns what Ratio returns, but the last ratio in place of an estimate.
func (m *Margins) LastRatio(p *model.Position) (model.MarginRatio, bool) {
	t, number := m.book.Row(p.Key)
	if number == 0 || !p.IsOpen() {
		return model.MarginRatio{}, false
	}
	asset := m.encoder.Instruments.Market(p.Market).Asset
	record := m.book.Margins().NumberOf(p.Key, asset)
	ratio, ok := t.Rows().LastRatio(number, m.book.Margins(), record, p.Number(model.UnrealisedPnl))
	if !ok {
		return model.MarginRatio{}, false
	}
	return m.encoder.InUnit(ratio, asset)
}

// maxWaiting is how many rows Waiting reads at most.
const maxWaiting = 1000

// Waiting are the rows in scope whose margin record is older than their size.
type Waiting struct {
	Rows    int        // how many
	Overdue int        // how many of them have waited since the limit of Margins.Waiting or longer
	More    bool       // there are more, which were not read
	Parties []model.ID // of the rows that are not overdue, each once
}

// Waiting returns which rows wait for a newer margin record. Rows that wait since the limit or longer, by the
// service's clock, are overdue.
func (m *Margins) Waiting(limit time.Time) (w Waiting) {
	parties := make(map[model.ID]bool)
	for key, since := range book.Waiting(m.book) {
		if w.More = w.Rows == maxWaiting; w.More {
			break
		}
		if !m.scope.Covers(key.Key) {
			continue
		}
		w.Rows++
		if since <= limit.UnixNano() {
			w.Overdue++
		} else if !parties[key.Party] {
			parties[key.Party] = true
			w.Parties = append(w.Parties, key.Party)
		}
	}
	return w
}

// Covered returns how many of the open positions have a margin record.
func (m *Margins) Covered() int { return m.covered }
