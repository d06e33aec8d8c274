package record

import (
	"slices"

	"blotter/model"
	"blotter/model/book"
)

// joined collects the positions of parties from a recording of several markets. It keeps all positions that the
// recording has shown so far.
type joined struct {
	book      *book.Book
	recorded  []model.Subscription
	shown     bool        // every recorded subscription has had a snapshot
	corrected *book.Delta // what audits have corrected, which is still to be taken
}

func newJoined(rows int) *joined {
	return &joined{book: book.New(rows)}
}

// part returns a delta of the recorded subscriptions as one of the watched subscriptions. These have their first
// snapshots when all recorded subscriptions have one. An audit is of a recorded subscription: if it has found wrong
// rows, or rows are no longer partial, new snapshots of the watched ones follow.
func (j *joined) part(delta book.Delta, watched []model.Subscription) book.Delta {
	part := book.Delta{Links: j.links(delta.Links, watched), More: delta.More, Missed: delta.Missed}
	for _, snapshot := range delta.Snapshots {
		j.book = j.book.Replaced(snapshot)
	}
	if delta.Links != nil {
		j.recorded = j.recorded[:0]
		for i := range delta.Links {
			j.recorded = append(j.recorded, delta.Links[i].Subscription)
		}
	}
	isFirst := !j.shown && len(part.Links) > 0 && (part.Links[0].Committed || part.Links[0].Partial)
	j.shown = j.shown || isFirst
	if j.shown {
		if isFirst || len(delta.Snapshots) > 0 {
			part.Snapshots = j.snapshots(watched, delta.Snapshots)
			part.Updates = j.partial(watched)
		}
		for _, s := range watched {
			part.Updates = appendCovered(part.Updates, s, delta.Updates)
		}
	}
	for i := range delta.Updates {
		j.book.Merge(&delta.Updates[i])
	}
	if j.correct(delta.Audits) && j.shown {
		j.corrected = &book.Delta{Links: part.Links, Snapshots: j.snapshots(watched, nil), Updates: j.partial(watched), More: part.More}
		part.More = true
	}
	return part
}

// isPartial reports whether rows of a recorded subscription may be missing.
func (j *joined) isPartial() bool { return slices.ContainsFunc(j.recorded, j.book.IsPartial) }

// partial returns what makes the watched subscriptions partial if a recorded one is.
func (j *joined) partial(watched []model.Subscription) (begun []book.Updates) {
	if j.isPartial() {
		for _, s := range watched {
			begun = append(begun, book.Updates{Subscription: s, BeginsPartial: true})
		}
	}
	return begun
}

// correct compares the book with the pages of audits. It reports whether rows were wrong, or were partial until now.
func (j *joined) correct(pages []book.AuditPage) (changed bool) {
	wasPartial := j.isPartial()
	for _, page := range pages {
		for more := true; more; page = page.Rest() {
			var corrections []book.Correction
			corrections, more = j.book.Compare(&page)
			changed = changed || len(corrections) > 0
		}
	}
	return changed || wasPartial && !j.isPartial()
}

// takeCorrected returns what audits have corrected, once.
func (p *playback) takeCorrected(linksOnly bool) (delta book.Delta, ok bool) {
	if linksOnly || p.joined == nil || p.joined.corrected == nil {
		return book.Delta{}, false
	}
	delta, p.joined.corrected = *p.joined.corrected, nil
	return delta, true
}

// snapshots returns all positions of each watched subscription. They supersede what the recorded snapshots supersede.
func (j *joined) snapshots(watched []model.Subscription, recorded []book.Snapshot) []book.Snapshot {
	var all []book.Snapshot
	for _, s := range watched {
		snapshot := book.Snapshot{Subscription: s, Rows: book.NewRows()}
		for row := range j.book.All {
			if s.Covers(row.Key) {
				snapshot.Rows.Put(&row)
			}
		}
		for i := range recorded {
			snapshot.Superseded = append(snapshot.Superseded, covered(s, recorded[i].Superseded)...)
			snapshot.NotAfter = max(snapshot.NotAfter, recorded[i].NotAfter)
		}
		all = append(all, snapshot)
	}
	return all
}

// links returns for each watched subscription the link whose rows can be trusted least.
func (j *joined) links(recorded []model.Link, watched []model.Subscription) []model.Link {
	worst := leastTrusted(recorded)
	if worst == nil {
		return nil
	}
	links := make([]model.Link, len(watched))
	for i, s := range watched {
		links[i] = *worst
		links[i].Subscription = s
	}
	return links
}

// leastTrusted returns the link whose rows can be trusted least, or nil if there is none.
func leastTrusted(links []model.Link) *model.Link {
	var worst *model.Link
	for i := range links {
		if worst == nil || isLessTrusted(&links[i], worst) {
			worst = &links[i]
		}
	}
	return worst
}

func isLessTrusted(a, b *model.Link) bool {
	switch {
	case a.Committed != b.Committed:
		return !a.Committed
	case a.Partial != b.Partial:
		return a.Partial
	case a.StaleSince.IsZero() != b.StaleSince.IsZero():
		return !a.StaleSince.IsZero()
	case (a.Problem == nil) != (b.Problem == nil):
		return a.Problem != nil
	}
	return a.LastReceived().Before(b.LastReceived())
}
