package book

import (
	"time"

	"blotter/model"
)

// maxHints is how many margin records are kept that may be a reason for an audit some seconds later.
const maxHints = 1000

// When a margin record is a reason for an audit: a service may write a record and its position a moment apart, and an
// update may not have arrived yet.
const (
	newerBy       = 2 * time.Second // than its position, at least
	hintsNotUntil = 5 * time.Second // after its time
)

// Hints are margin records that are newer than their positions. While that stays so, an update may have been missed.
// The zero value is empty.
type Hints struct {
	records map[model.Key]model.MarginLevels
}

// Take takes the records of a page that was read. It calls request with each subscription that should be audited
// because of these or earlier ones. They are kept until their positions are as new: an audit may reach a node that has
// missed the update too.
func (h *Hints) Take(b *Book, page *model.Page, request func(model.Subscription)) {
	if h.records == nil {
		h.records = make(map[model.Key]model.MarginLevels)
	}
	for i := range page.Rows {
		row := &page.Rows[i]
		switch kept, isKept := h.records[row.Key]; {
		case isKept && kept.Timestamp.Compare(row.Timestamp) >= 0: // of a node that is behind
		case isKept, len(h.records) < maxHints:
			h.records[row.Key] = *row
		}
	}
	for key, record := range h.records {
		subscription, from, may := b.MayHaveMissedUpdate(&record)
		switch {
		case b.tables.covering(key) == nil: // its snapshot has not come yet
		case !may:
			delete(h.records, key)
		case !page.At().Before(from):
			request(subscription)
		}
	}
}

// MayHaveMissedUpdate returns the subscription that may have missed an update, because the margin record is newer than
// its position, or the position is missing; and from when on that is a reason for an audit. It returns false if that is
// not so.
func (b *Book) MayHaveMissedUpdate(record *model.MarginLevels) (of model.Subscription, from time.Time, may bool) {
	t := b.tables.covering(record.Key)
	recorded, isTime := record.Timestamp.Time()
	if t == nil || !isTime {
		return of, from, false
	}
	if _, number := b.Row(record.Key); number != 0 {
		updated, isTime := t.rows.Amount(number, model.UpdatedAt).Time()
		if !isTime || recorded.Sub(updated) < newerBy {
			return of, from, false
		}
	}
	return t.Subscription, recorded.Add(hintsNotUntil), true
}
