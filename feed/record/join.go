package record

import (
	"blotter/model"
	"blotter/model/book"
)

// joined makes the positions of parties from a recording of several markets. It keeps all positions that the recording
// has shown so far.
type joined struct {
	book      *book.Book
	partial   map[model.Key]bool // the recorded subscriptions whose last snapshot may have missed rows
	shown     bool               // every recorded subscription has had a snapshot
	corrected *book.Delta        // what audits have corrected, which is still to be taken
}

func newJoined(rows int) *joined {
	return &joined{book: book.New(rows), partial: make(map[model.Key]bool)}
}

// part returns what a delta of the recorded subscriptions is for the wanted ones. They have their first snapshots when
// all of the recorded ones have one. The pages of an audit are about another subscription than the wanted ones: where
// it has found rows wrong, new snapshots follow.
func (j *joined) part(delta book.Delta, wanted []model.Subscription) book.Delta {
	part := book.Delta{Links: j.links(delta.Links, wanted), More: delta.More, Missed: delta.Missed}
	for _, snapshot := range delta.Snapshots {
		j.book = j.book.Replaced(snapshot)
		j.partial[snapshot.Key] = snapshot.Partial
	}
	isFirst := !j.shown && len(part.Links) > 0 && part.Links[0].Committed
	j.shown = j.shown || isFirst
	if j.shown {
		if isFirst || len(delta.Snapshots) > 0 {
			part.Snapshots = j.snapshots(wanted, delta.Snapshots)
		}
		for _, s := range wanted {
			part.Updates = appendCovered(part.Updates, s, delta.Updates)
		}
	}
	for i := range delta.Updates {
		j.book.Merge(&delta.Updates[i])
	}
	if j.correct(delta.Audits) && j.shown {
		j.corrected = &book.Delta{Links: part.Links, Snapshots: j.snapshots(wanted, nil), More: part.More}
		part.More = true
	}
	return part
}

// correct compares the book with the pages of audits. It reports whether rows were wrong.
func (j *joined) correct(pages []book.AuditPage) (wrong bool) {
	for _, page := range pages {
		for more := true; more; page = page.Rest() {
			var corrections []book.Correction
			corrections, more = j.book.Compare(&page)
			wrong = wrong || len(corrections) > 0
		}
	}
	return wrong
}

// takeCorrected returns what audits have corrected, once.
func (p *playback) takeCorrected(linksOnly bool) (delta book.Delta, ok bool) {
	if linksOnly || p.joined == nil || p.joined.corrected == nil {
		return book.Delta{}, false
	}
	delta, p.joined.corrected = *p.joined.corrected, nil
	return delta, true
}

// snapshots returns all positions of each wanted subscription. They supersede what the recorded snapshots do.
func (j *joined) snapshots(wanted []model.Subscription, recorded []book.Snapshot) []book.Snapshot {
	var all []book.Snapshot
	for _, s := range wanted {
		snapshot := book.Snapshot{Subscription: s, Rows: book.NewRows()}
		for row := range j.book.All {
			if s.Covers(row.Key) {
				snapshot.Rows.Put(&row)
			}
		}
		for _, isPartial := range j.partial {
			snapshot.Partial = snapshot.Partial || isPartial
		}
		for i := range recorded {
			snapshot.Superseded = append(snapshot.Superseded, covered(s, recorded[i].Superseded)...)
			snapshot.NotAfter = max(snapshot.NotAfter, recorded[i].NotAfter)
		}
		all = append(all, snapshot)
	}
	return all
}

// links returns for each wanted subscription the link whose rows can be trusted least.
func (j *joined) links(recorded []model.Link, wanted []model.Subscription) []model.Link {
	worst := leastTrusted(recorded)
	if worst == nil {
		return nil
	}
	links := make([]model.Link, len(wanted))
	for i, s := range wanted {
		links[i] = *worst
		links[i].Subscription = s
	}
	return links
}

// leastTrusted returns the link whose rows can be trusted least; nil where there is none.
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
	case a.StaleSince.IsZero() != b.StaleSince.IsZero():
		return !a.StaleSince.IsZero()
	case (a.Problem == nil) != (b.Problem == nil):
		return a.Problem != nil
	}
	return a.LastReceived().Before(b.LastReceived())
}
