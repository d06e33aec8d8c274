package book

import "blotter/model"

// maxHints is how many margin records are kept that may be a reason for an audit some seconds later.
const maxHints = 1000

// Hints are margin records that are newer than their positions. If that stays so, an update may have been missed. The
// zero value has none.
type Hints struct{ records []model.MarginLevels }

// Take takes the records of a page that was read. It calls request with each subscription that should be audited
// because of these or earlier ones.
func (h *Hints) Take(b *Book, page *model.Page, request func(model.Subscription)) {
	earlier := h.records
	h.records = nil
	for _, records := range [][]model.MarginLevels{earlier, page.Rows} {
		for i := range records {
			subscription, from, may := b.MayHaveMissedUpdate(&records[i])
			switch {
			case !may:
			case !page.At().Before(from):
				request(subscription)
			case len(h.records) < maxHints:
				h.records = append(h.records, records[i])
			}
		}
	}
}
