package view

import (
	"time"

	"blotter/model"
	"blotter/model/book"
)

// The margin records of a view. A record changes the place of a row in an order of margin ratios, and whether the row
// matches a filter of them.

// MergeMargins stores the records of a page that are not older than those of the book, moves the rows whose ratios
// change, and returns how many records were new to the book.
func (v *View) MergeMargins(page *model.Page) (changed int) {
	for record := range v.book.Margins().NewOf(page) {
		changed++
		t, number := v.book.Row(record.Key)
		if number == 0 || !v.scope.Covers(record.Key) {
			v.book.PutMargins(t, number, record)
			continue
		}
		of := v.beginRatio(t, number)
		v.book.PutMargins(t, number, record)
		v.endRatio(&of)
	}
	return changed
}

// ratioChange is a change of the margin ratio of a row in scope.
type ratioChange struct {
	entry
	position model.Position
	isUsed   bool // the place of the row, its visibility or its group depends on it
}

// beginRatio takes a row out of the view whose margin ratio is about to change.
func (v *View) beginRatio(t *book.Table, number uint32) ratioChange {
	e := v.encoder.entry(t, number)
	c := ratioChange{entry: e, position: v.encoder.position(e)}
	c.isUsed = e.open() == 1 && (v.groups != nil || v.Order.usesMargins() || v.matcher.margins || v.alerts.hasSums())
	if c.isUsed {
		c.rank = v.ranks.of(e, &c.position)
		v.remove(c.entry, &c.position)
	}
	v.covered -= v.encoder.covered(e)
	return c
}

// endRatio puts the row in its place.
func (v *View) endRatio(c *ratioChange) {
	v.encoder.findMarginRecord(c.entry)
	v.covered += v.encoder.covered(c.entry)
	if c.isUsed {
		c.rank = v.ranks.of(c.entry, &c.position)
		v.insert(c.entry, &c.position)
		v.repositionGroup(c.entry)
	}
	if v.alerts != nil && v.alerts.margins {
		v.alerts.noteChanged(c.entry)
	}
}

// MarginLevels returns the margin record of a position in the asset of its market, and when it was read. If that
// asset is not known, it is the newest record.
func (v *View) MarginLevels(p *model.Position) (levels model.MarginLevels, readAt time.Time, ok bool) {
	return v.book.Margins().Find(p.Key, v.encoder.instruments.Market(p.Market).Asset)
}

// MarginRatio returns the margin ratio of a position, and false if it has none. If the position and its margin record
// are not of one moment, it is an estimate or has ended.
func (v *View) MarginRatio(p *model.Position) (model.MarginRatio, bool) {
	return v.encoder.ratioIn(v.book, p)
}

// LastMarginRatio returns what MarginRatio returns, but the last ratio in place of an estimate.
func LastMarginRatio(v *View, p *model.Position) (model.MarginRatio, bool) {
	t, number := v.book.Row(p.Key)
	if number == 0 || !p.IsOpen() {
		return model.MarginRatio{}, false
	}
	asset := v.encoder.instruments.Market(p.Market).Asset
	record := v.book.Margins().NumberOf(p.Key, asset)
	ratio, ok := t.Rows().LastRatio(number, v.book.Margins(), record, p.Number(model.UnrealisedPnl))
	if !ok {
		return model.MarginRatio{}, false
	}
	return v.encoder.inUnit(ratio, asset)
}

// ratioIn returns the margin ratio of a position of a book.
func (c *encoder) ratioIn(b *book.Book, p *model.Position) (model.MarginRatio, bool) {
	asset := c.instruments.Market(p.Market).Asset
	ratio, ok := b.RatioOf(p, asset)
	if !ok {
		return model.MarginRatio{}, false
	}
	return c.inUnit(ratio, asset)
}

// maxWaiting is how many rows WaitingRows reads at most.
const maxWaiting = 1000

// Waiting are the rows in scope whose margin record is older than their size.
type Waiting struct {
	Rows    int        // how many
	Overdue int        // how many of them have waited since the limit of WaitingRows or longer
	More    bool       // there are more, which were not read
	Parties []model.ID // of the rows that are not overdue, each once
}

// WaitingRows returns which rows wait for a newer margin record. Rows that wait since the limit or longer, by the
// service's clock, are overdue.
func (v *View) WaitingRows(limit time.Time) (w Waiting) {
	parties := make(map[model.ID]bool)
	for key, since := range book.Waiting(v.book) {
		if w.More = w.Rows == maxWaiting; w.More {
			break
		}
		if !v.scope.Covers(key.Key) {
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
func (v *View) Covered() int { return v.covered }

// covered counts the entries of open positions that have a margin record.
func (c *encoder) covered(entries ...entry) int {
	n := 0
	for _, e := range entries {
		if e.open() == 1 && c.marginRecord(e) != 0 {
			n++
		}
	}
	return n
}
