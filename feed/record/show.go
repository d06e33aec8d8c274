package record

import (
	"cmp"
	"maps"
	"slices"

	"blotter/model"
	"blotter/model/book"
)

// addEntry adds what an entry shows. The state has it already.
func (s *showing) addEntry(e *entry) {
	s.rows += len(e.positions)
	s.shows.Missed += e.Missed
	s.links = s.links || e.Watched != nil || e.Link != nil
	if e.Watched != nil { // other positions are followed from now on
		clear(s.shown)
		s.commit = true
	}
	s.commit = s.commit || e.Snapshot != nil // all of it has this time
	if e.Margins != nil {
		s.shows.Margins = append(s.shows.Margins, e.Margins.read(s.watchedLevels(e.levels)))
	}
	s.marks = s.marks || e.Doubts != nil
	of := e.Partial
	if rows := cmp.Or(e.Updates, e.Snapshot, e.Audit); rows != nil {
		of = &rows.Subscription
	}
	if of == nil {
		return
	}
	isMark := e.Partial != nil || e.Audit != nil && e.Audit.Last // which rows of the stream may be out of date
	for _, w := range s.watched {
		switch {
		case !overlap(w.Key, of.Key):
		case isMark && !of.Covers(w.Key): // not all rows of the table are of the stream
			delete(s.shown, w)
			s.commit = true
		default:
			s.takeRows(e, w)
		}
	}
}

// takeRows adds what an entry shows of the rows of a watched subscription.
func (s *showing) takeRows(e *entry, w model.Subscription) {
	state := s.cursor.state
	switch {
	case e.Snapshot != nil:
		delete(s.shown, w)
	case e.Updates != nil:
		if some := covered(w, e.positions); len(some) > 0 {
			s.shows.Updates = append(s.shows.Updates, book.Updates{Subscription: w, Positions: some,
				NotAfter: state.notAfterOf(e.Updates), Told: state.toldOf(w), AsIs: true})
		}
		s.tells = true
	case e.Partial != nil:
		s.shows.Updates = append(s.shows.Updates, book.Updates{Subscription: w, BeginsPartial: true})
	case e.Audit != nil:
		page := e.correctedPage(w)
		page.Positions, page.Removed, page.NotAfter = covered(w, e.positions), slices.Clone(page.Removed), state.notAfterOf(e.Audit)
		page.Told = state.toldOf(w)
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

func covered(s model.Subscription, positions []model.Position) []model.Position {
	return slices.DeleteFunc(slices.Clone(positions), func(p model.Position) bool { return !s.Covers(p.Key) })
}

// delta returns what is shown, and false if there is nothing new.
func (s *showing) delta() (delta book.Delta, ok bool) {
	state := s.cursor.state
	maps.DeleteFunc(s.shown, func(w model.Subscription, _ bool) bool { return !slices.Contains(s.watched, w) })
	delta, isNew := s.shows, s.links || s.restart
	delta.More, delta.Restart, s.restart = s.more, s.restart, false
	if s.tells { // also streams of which no position is watched
		for _, w := range s.watched {
			if told := state.toldOf(w); told != 0 {
				delta.Updates = append(delta.Updates, book.Updates{Subscription: w, NotAfter: state.notAfter(), Told: told})
			}
		}
	}
	delta.KeepOnly(func(w model.Subscription) bool { return s.shown[w] })
	if isFresh := func(w model.Subscription) bool { return !s.shown[w] }; slices.ContainsFunc(s.watched, isFresh) {
		isNew, delta.Margins = true, nil
		for _, read := range state.allMargins() {
			if read.Page != nil {
				read.Page.Rows = s.watchedLevels(read.Page.Rows)
			}
			delta.Margins = append(delta.Margins, read)
		}
	}
	for _, w := range s.watched {
		if !s.shown[w] {
			s.shown[w] = true
			state.addTable(&delta, w)
		}
	}
	if s.marks {
		for _, w := range s.watched {
			delta.Doubts = append(delta.Doubts, book.Doubts{Subscription: w, Keys: state.doubtsOf(w)})
		}
	}
	if isNew {
		delta.Links = state.linksOf(s.watched)
	}
	return delta, isNew || s.marks || len(delta.Updates)+len(delta.Audits)+len(delta.Margins) > 0 || delta.Missed > 0
}

// addTable adds the rows of a subscription, if there are any, and what marks them as partial or as audited.
func (s *state) addTable(to *book.Delta, w model.Subscription) {
	has, isPartial, isAudited, told := false, false, true, s.toldOf(w)
	for i := range s.links {
		if of := s.links[i].Subscription; overlap(w.Key, of.Key) && s.Has(of) {
			has, isPartial, isAudited = true, isPartial || s.IsPartial(of), isAudited && s.IsAudited(of)
		}
	}
	if has {
		rows, sent := s.Copied(w)
		to.Snapshots = append(to.Snapshots, book.Snapshot{Subscription: w, Rows: rows, NotAfter: s.notAfter(),
			AsIs: true, IsPartial: isPartial, Sent: sent, Told: told, Followed: s.followedOf(w)})
	}
	if has { // also if there are none: the screen may have marked rows that have not changed since
		to.Doubts = append(to.Doubts, book.Doubts{Subscription: w, Keys: s.doubtsOf(w)})
	}
	if has && isAudited {
		to.Audits = append(to.Audits, book.AuditPage{Subscription: w, Corrected: true, Last: true, Told: told})
	}
}

// followedOf returns the streams that were followed of those that have positions of a subscription; nil if they have
// all of its positions.
func (s *state) followedOf(w model.Subscription) (followed []model.Key) {
	for i := range s.links {
		of := s.links[i].Subscription
		switch {
		case !overlap(w.Key, of.Key) || !s.Has(of):
		case model.Subscription{Key: of.Key}.Covers(w.Key):
			return nil
		default:
			followed = append(followed, model.Key{Party: cmp.Or(w.Party, of.Party), Market: cmp.Or(w.Market, of.Market)})
		}
	}
	return followed
}

// doubtsOf returns the keys of the rows of a subscription that are marked because they are in doubt.
func (s *state) doubtsOf(w model.Subscription) (keys []model.Key) {
	for i := range s.links {
		for _, key := range s.Table(s.links[i].Subscription).Doubts() {
			if w.Covers(key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// toldOf returns up to which time all recorded streams have told something that have positions of a subscription: see
// book.Told.
func (s *state) toldOf(w model.Subscription) (told int64) {
	if s.Has(w) {
		return s.Table(w).Told()
	}
	for i := range s.links {
		of := s.links[i].Subscription
		if !overlap(w.Key, of.Key) || !s.Has(of) {
			continue
		}
		if upTo := s.Table(of).Told(); told == 0 || upTo < told {
			told = upTo
		}
	}
	return told
}

// notWatched is the problem of a link if nothing of its subscription was recorded.
const notWatched = "this was not watched when it was recorded"

func (s *state) linksOf(watched []model.Subscription) []model.Link {
	links := make([]model.Link, len(watched))
	for i, w := range watched {
		links[i] = s.linkFor(w)
		links[i].Subscription = w
	}
	return links
}

// linkFor returns the link of the recorded subscription, or the one with the rows that can be trusted least of those
// that have its positions.
func (s *state) linkFor(w model.Subscription) model.Link {
	var least *model.Link
	for i := range s.links {
		link := &s.links[i]
		if link.Key == w.Key {
			return *link
		}
		if overlap(w.Key, link.Key) && (least == nil || isLessTrusted(link, least)) {
			least = link
		}
	}
	if least == nil && len(s.links) > 0 {
		return model.Link{Problem: &model.Problem{Words: notWatched, IsOwn: true}}
	}
	return *cmp.Or(least, new(model.Link))
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
