package store

import (
	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
)

// maxHeldPages is how many pages of margin levels are held. The oldest are dropped: they are read again.
const maxHeldPages = 20

// mergeMargins puts the margin records that were read in the book, unless a command reads the rows.
func (d *data) mergeMargins() {
	d.heldPages = d.heldPages[max(0, len(d.heldPages)-maxHeldPages):]
	if d.isRead() {
		return
	}
	for _, page := range d.heldPages {
		d.mergePage(page)
	}
	d.heldPages = nil
}

// storeMarginPage takes the margin records of a page, nil if there is none, and the assets of markets from them. If a
// record shows that an update of a position was missed, it requests an audit.
func (s *Store) storeMarginPage(page *model.Page) tea.Cmd {
	if page == nil {
		return nil
	}
	d := &s.data
	d.heldPages = append(d.heldPages, page)
	s.walk.hints.Take(s.data.book, page, s.source.RequestAudit)
	s.learnAssets(book.MarginsRead{Page: page})
	return d.applyLearned(s.Now())
}

// learnAssets takes the assets of markets from margin records that were read.
func (s *Store) learnAssets(reads ...book.MarginsRead) {
	before := s.data.instruments
	for i := range reads {
		if page := reads[i].Page; page != nil {
			s.data.instruments = s.data.instruments.Learn(page.Rows)
		}
	}
	if s.data.instruments != before && s.data.frozen == nil {
		s.format = s.options.Format(s.data.instruments)
	}
}
