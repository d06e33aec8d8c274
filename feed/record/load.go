package record

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/book/pairs"
)

// load applies an entry, and emits it.
func (s *state) load(e *entry) (err error) {
	s.at = e.At
	switch {
	case e.Watched != nil:
		s.loadWatched(*e.Watched)
	case e.Link != nil:
		if link := model.LinkOfSubscription(s.links, e.Link.Subscription); link != nil {
			err = e.Link.apply(link)
		}
	case e.Updates != nil:
		s.Merge(&book.Updates{Subscription: e.Updates.Subscription, Positions: e.positions, NotAfter: s.notAfterOf(e.Updates),
			Told: e.Updates.Told, AsIs: true})
	case e.Partial != nil:
		s.Merge(&book.Updates{Subscription: *e.Partial, BeginsPartial: true})
	case e.Audit != nil:
		page := e.correctedPage(e.Audit.Subscription)
		page.NotAfter = s.notAfterOf(e.Audit)
		s.Compare(&page)
	case e.Snapshot != nil:
		err = s.loadSnapshot(e)
	case e.Doubts != nil:
		s.Mark(e.Doubts)
	case e.Margins != nil:
		s.putMargins(e.Margins, e.levels)
	}
	for i := range e.Sizes {
		s.RestoreSizeChange(&e.Sizes[i])
	}
	s.emit(e)
	return err
}

// correctedPage returns what an audit has corrected, for a subscription. It shares the rows with the entry.
func (e *entry) correctedPage(of model.Subscription) book.AuditPage {
	return book.AuditPage{Subscription: of, Positions: e.positions, Removed: e.Audit.Removed,
		Corrected: true, Last: e.Audit.Last, Told: e.Audit.Told}
}

func (s *state) loadWatched(watched []model.Subscription) {
	var links []model.Link
	for _, of := range watched {
		link := cmp.Or(model.LinkOfSubscription(s.links, of), &model.Link{Subscription: of})
		links = append(links, *link)
	}
	s.links, s.Book = links, s.Narrowed(watched)
	maps.DeleteFunc(s.staged, func(of model.Subscription, _ *book.Rows) bool { return !slices.Contains(watched, of) })
}

// loadSnapshot applies a part of what a snapshot changes, and all of it with the last part. An error means that there
// are too many positions.
func (s *state) loadSnapshot(e *entry) error {
	of := e.Snapshot.Subscription
	rows := s.staged[of]
	if rows == nil {
		rows = book.NewRows()
		for row := range s.Narrowed([]model.Subscription{of}).All {
			rows.Put(&row)
		}
		s.staged[of] = rows
	}
	for i := range e.positions {
		rows.Put(&e.positions[i])
	}
	if s.limit > 0 && rows.Len() > 2*s.limit { // rows are removed when all others have been added
		return fmt.Errorf("a snapshot has more positions than are kept: the limit is %d", s.limit)
	}
	for _, key := range e.Snapshot.Removed {
		rows.Remove(key)
	}
	if e.Snapshot.Last {
		delete(s.staged, of)
		s.Book = s.Replaced(book.Snapshot{Subscription: of, Rows: rows, AsIs: true,
			NotAfter: s.notAfterOf(e.Snapshot), Told: e.Snapshot.Told})
	}
	return nil
}

// emitWhole emits entries from which load makes the state.
func (s *state) emitWhole() {
	emitLinks(nil, s.links, s.at, s.emit)
	for i := range s.links {
		s.emitTable(s.links[i].Subscription)
	}
	var levels []model.MarginLevels
	var readAt time.Time
	emit := func(m marginsOf) {
		if !m.ReadAt.IsZero() {
			m.ServedAt = model.ServiceTime(s.links, m.ReadAt)
		}
		s.emit(&entry{At: s.at, Margins: &m, levels: levels})
		levels = levels[:0]
	}
	for record, at := range s.Margins().All {
		if len(levels) > 0 && (len(levels) == rowsOfLine || !at.Equal(readAt)) {
			emit(marginsOf{ReadAt: readAt})
		}
		levels, readAt = append(levels, record), at
	}
	if len(levels) > 0 {
		emit(marginsOf{ReadAt: readAt})
	}
	emit(s.margins)
	var sizes []pairs.SizeChange
	for change := range s.SizeChanges {
		if sizes = append(sizes, change); len(sizes) == rowsOfLine {
			s.emit(&entry{At: s.at, Sizes: sizes})
			sizes = sizes[:0]
		}
	}
	if len(sizes) > 0 {
		s.emit(&entry{At: s.at, Sizes: sizes})
	}
}

func (s *state) emitTable(of model.Subscription) {
	if !s.Has(of) {
		return
	}
	isPartial, table := s.IsPartial(of), s.Narrowed([]model.Subscription{of})
	for t, number := range table.AllRows {
		if !isPartial || t.IsUnsent(number) {
			s.emitRow(of, t.Rows().Position(number))
		}
	}
	told, now := s.Table(of).Told(), s.notAfter()
	s.emitRows(rowsOf{Subscription: of, Last: true, Told: told, NotAfter: now}, ofSnapshot)
	if isPartial {
		s.emit(&entry{At: s.at, Partial: &of})
		for t, number := range table.AllRows {
			if !t.IsUnsent(number) {
				s.changed = append(s.changed, t.Rows().Position(number))
			}
		}
		s.emitRows(rowsOf{Subscription: of, Told: told, NotAfter: now}, ofUpdates)
	}
	if s.IsAudited(of) {
		s.emit(&entry{At: s.at, Audit: &rowsOf{Subscription: of, Last: true, Told: told}})
	}
	if keys := s.Table(of).Doubts(); len(keys) > 0 {
		s.emit(&entry{At: s.at, Doubts: &book.Doubts{Subscription: of, Keys: keys}})
	}
}
