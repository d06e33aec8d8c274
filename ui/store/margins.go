package store

import (
	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// maxHeldPages is how many pages of margin levels are held. The oldest are dropped: they are read again.
const maxHeldPages = 20

// mergeMargins puts the margin records that were read in the book, unless a view is in preparation or the rows are
// frozen.
func (d *data) mergeMargins(frozen bool) {
	d.heldPages = d.heldPages[max(0, len(d.heldPages)-maxHeldPages):]
	if d.job.running || frozen {
		return
	}
	for _, page := range d.heldPages {
		d.view.MergeMargins(page)
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
	for i := range page.Rows {
		if subscription, ok := d.view.Book().MayHaveMissedUpdate(&page.Rows[i], page.At()); ok {
			s.source.RequestAudit(subscription)
		}
	}
	return s.learnAssets(page)
}

// learnAssets takes the assets of markets from the margin records of a page.
func (s *Store) learnAssets(page *model.Page) tea.Cmd {
	d := &s.data
	instruments := d.instruments.Learn(page.Rows)
	if instruments == d.instruments {
		return nil
	}
	d.instruments, s.format = instruments, s.options.Format(instruments)
	return d.applyLearned(s.Now())
}
