package book

import (
	"math"

	"blotter/model"
	"blotter/model/modeltest"
)

// filledBook returns a book with the given number of positions of one subscription, each of another party and market.
func filledBook(s *modeltest.Sample, rows, digits int) *Book {
	book := New(0)
	for _, key := range s.Pairs(rows) {
		book.Merge(updateOf(model.Subscription{}, s.State(key, digits)))
	}
	return book
}

// updateOf returns updates of a subscription. No time is ahead of the clock.
func updateOf(s model.Subscription, positions ...model.Position) *Updates {
	return &Updates{Subscription: s, Positions: positions, NotAfter: math.MaxInt64}
}

// compared applies a page of an audit, and returns what that has corrected.
func compared(b *Book, page *AuditPage) (corrections []Correction) {
	for rest, more := *page, true; more; {
		changes := b.ApplyAudit(&rest)
		for i := range changes.Rows {
			corrections = append(corrections, changes.Rows[i].Correction())
		}
		more = changes.More
	}
	return corrections
}

// merged applies updates, and returns in words what they have changed, but for what is no event.
func merged(b *Book, u *Updates) (words []string) {
	for rest, more := *u, true; more; {
		changes := b.ApplyUpdates(&rest)
		words, more = appendWords(words, changes.Rows), changes.More
	}
	return words
}

// appendWords appends changes in words, but for what is no event, or sets a row to what it was.
func appendWords(words []string, changes []Change) []string {
	for i := range changes {
		c := &changes[i]
		if c.Source != NoEvent && (c.Before == nil || c.After == nil || !c.Before.Equal(c.After)) {
			words = append(words, modeltest.ChangeWords(c.Before, c.After)+" by "+SourceNames[c.Source])
		}
	}
	return words
}
