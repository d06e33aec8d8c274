package record

import (
	"maps"
	"slices"

	"blotter/model"
	"blotter/model/book"
)

// take adds what an entry shows. The state has it already.
func (s *showing) take(e *entry) {
	s.rows += len(e.positions)
	switch {
	case e.Watched != nil, e.Link != nil:
		s.links = true
	case e.Snapshot != nil:
		if e.Snapshot.Last {
			s.commit = true
			of := e.Snapshot.subscription()
			for _, w := range s.watched {
				if overlap(w.Key, of.Key) {
					delete(s.shown, w)
				}
			}
		}
	case e.Updates != nil:
		for _, w := range s.watched {
			if some := covered(w, e.positions); len(some) > 0 {
				s.shows.Updates = append(s.shows.Updates, book.Updates{Subscription: w, Positions: some, NotAfter: s.cursor.state.notAfter()})
			}
		}
	case e.Partial != nil:
		of := e.Partial.subscription()
		for _, w := range s.watched {
			if overlap(w.Key, of.Key) {
				s.shows.Updates = append(s.shows.Updates, book.Updates{Subscription: w, BeginsPartial: true})
			}
		}
	case e.Audit != nil:
		s.takeAudit(e)
	case e.Margins != nil:
		s.shows.Margins = append(s.shows.Margins, e.Margins.read(s.watchedLevels(e.levels)))
	}
	s.shows.Missed += e.Missed
}

func (s *showing) takeAudit(e *entry) {
	of := e.Audit.subscription()
	for _, w := range s.watched {
		if !overlap(w.Key, of.Key) {
			continue
		}
		page := e.correctedPage(w)
		page.NotAfter = s.cursor.state.notAfter()
		page.Positions = covered(w, page.Positions)
		page.Removed = slices.DeleteFunc(page.Removed, func(key model.Key) bool { return !w.Covers(key) })
		s.shows.Audits = append(s.shows.Audits, page)
	}
}

// watchedLevels returns a copy of the margin records of the watched subscriptions.
func (s *showing) watchedLevels(levels []model.MarginLevels) []model.MarginLevels {
	return slices.DeleteFunc(slices.Clone(levels), func(m model.MarginLevels) bool {
		return !slices.ContainsFunc(s.watched, func(w model.Subscription) bool { return w.Covers(m.Key) })
	})
}

// overlap reports whether two subscriptions with these keys have positions in common.
func overlap(a, b model.Key) bool {
	return (a.Party.IsZero() || b.Party.IsZero() || a.Party == b.Party) && (a.Market.IsZero() || b.Market.IsZero() || a.Market == b.Market)
}

// covered returns a copy of the positions of a subscription.
func covered(s model.Subscription, positions []model.Position) []model.Position {
	return slices.DeleteFunc(slices.Clone(positions), func(p model.Position) bool { return !s.Covers(p.Key) })
}

// delta returns what is shown, and false if there is nothing new.
func (s *showing) delta(linksOnly bool) (delta book.Delta, ok bool) {
	state := s.cursor.state
	maps.DeleteFunc(s.shown, func(w model.Subscription, _ bool) bool { return !slices.Contains(s.watched, w) })
	if linksOnly {
		if s.commit || s.shows.Updates != nil || s.shows.Audits != nil || s.shows.Margins != nil {
			clear(s.shown)
		}
		return book.Delta{Links: state.linksOf(s.watched)}, s.links || s.restarts
	}
	delta = book.Delta{Missed: s.shows.Missed, More: s.more, Restart: s.restart}
	fresh := make(map[model.Subscription]bool)
	for _, w := range s.watched {
		if s.shown[w] {
			continue
		}
		s.shown[w], fresh[w] = true, true
		delta.Snapshots, delta.Updates = state.appendTable(delta.Snapshots, delta.Updates, w)
	}
	delta.Updates = append(delta.Updates, slices.DeleteFunc(s.shows.Updates, func(u book.Updates) bool { return fresh[u.Subscription] })...)
	delta.Audits = slices.DeleteFunc(s.shows.Audits, func(page book.AuditPage) bool { return fresh[page.Subscription] })
	delta.Margins = s.shows.Margins
	if len(fresh) > 0 {
		delta.Margins = nil
		for _, read := range state.allMargins() {
			if read.Page != nil {
				read.Page.Rows = s.watchedLevels(read.Page.Rows)
			}
			delta.Margins = append(delta.Margins, read)
		}
	}
	if s.links || len(fresh) > 0 || s.restart {
		delta.Links = state.linksOf(s.watched)
	}
	has := delta.Links != nil || delta.Updates != nil || len(delta.Audits) > 0 || delta.Margins != nil || delta.Missed > 0 || s.restart
	s.restart = false
	return delta, has
}

// appendTable appends the rows of a subscription, if there are any, and what marks them as partial.
func (s *state) appendTable(snapshots []book.Snapshot, updates []book.Updates, w model.Subscription) ([]book.Snapshot, []book.Updates) {
	has, isPartial := false, false
	for i := range s.links {
		if of := s.links[i].Subscription; overlap(w.Key, of.Key) && s.Has(of) {
			has, isPartial = true, isPartial || s.IsPartial(of)
		}
	}
	if !has {
		return snapshots, updates
	}
	snapshots = append(snapshots, book.Snapshot{Subscription: w, Rows: s.Copied(w), NotAfter: s.notAfter()})
	if isPartial {
		updates = append(updates, book.Updates{Subscription: w, BeginsPartial: true})
	}
	return snapshots, updates
}

// notWatched is what a link says if nothing of its subscription was recorded.
const notWatched = "this was not watched when it was recorded"

// linksOf returns a link for each watched subscription: that of the recorded subscription, or the one with the rows
// that can be trusted least of those that have its positions.
func (s *state) linksOf(watched []model.Subscription) []model.Link {
	links := make([]model.Link, len(watched))
	for i, w := range watched {
		var link *model.Link
		for j := range s.links {
			switch other := &s.links[j]; {
			case other.Key == w.Key:
				link = other
			case link != nil && link.Key == w.Key, !overlap(w.Key, other.Key):
			case link == nil, isLessTrusted(other, link):
				link = other
			}
		}
		switch {
		case link != nil:
		case len(s.links) == 0:
			link = new(model.Link)
		default:
			link = &model.Link{Problem: &model.Problem{Words: notWatched}}
		}
		links[i] = *link
		links[i].Subscription = w
	}
	return links
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
