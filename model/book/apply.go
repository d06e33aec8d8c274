package book

import (
	"slices"

	"blotter/model"
)

// Target is what a Delta is merged into: a book, or a view of one.
type Target interface {
	// Merge applies updates.
	Merge(u *Updates)
	// Compare compares a page of an audit, corrects the rows and returns the corrections. If it reports more, it must
	// be called again with page.Rest().
	Compare(page *AuditPage) (corrections []Correction, more bool)
}

// WithSnapshots returns the book with the snapshots as the tables of their subscriptions: see Replaced. Observe, if it
// is not nil, gets what they change: see SnapshotChanges.
func (b *Book) WithSnapshots(snapshots []Snapshot, observe ChangeObserver) *Book {
	for i := range snapshots {
		if observe != nil {
			b.SnapshotChanges(&snapshots[i], observe)
		}
		b = b.Replaced(snapshots[i])
	}
	return b
}

// KeepOnly drops the updates and audits of subscriptions that are not kept.
func (d *Delta) KeepOnly(isKept func(model.Subscription) bool) {
	d.Updates = slices.DeleteFunc(d.Updates, func(u Updates) bool { return !isKept(u.Subscription) })
	d.Audits = slices.DeleteFunc(d.Audits, func(page AuditPage) bool { return !isKept(page.Subscription) })
}

// MergeInto merges the updates and audits of the Delta, whose snapshots are in the book already. It calls compared, if
// that is not nil, after each page of an audit. If it reports more, some pages have more to correct than can be done at
// once: they are left in the Delta, for another call.
func (d *Delta) MergeInto(to Target, compared func(page *AuditPage, corrections []Correction, more bool)) (more bool) {
	for i := range d.Updates {
		to.Merge(&d.Updates[i])
	}
	var left []AuditPage
	for i := range d.Audits {
		page := &d.Audits[i]
		corrections, hasMore := to.Compare(page)
		if compared != nil {
			compared(page, corrections, hasMore)
		}
		if hasMore {
			left = append(left, page.Rest())
		}
	}
	d.Updates, d.Audits = nil, left
	return left != nil
}
