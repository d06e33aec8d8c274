package margins

import (
	"slices"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/wording"
)

// notOlder returns a page without records that are older than what is known: each request may reach another node, and
// this one may be behind. A page that was to be refreshed then stays: the result is nil.
func (p *Pages) notOlder(page *model.Page, answered *pendingPage, known *book.Margins) *model.Page {
	behind := p.block.Height - page.Block.Height
	if page.Block.Height == 0 || behind <= 0 {
		p.block, p.behind = page.Block, 0
		return page
	}
	if p.behind = behind; answered.purpose == refresh {
		return nil
	}
	newer := *page
	newer.Rows = slices.Clone(page.Rows)
	for i := range newer.Rows {
		row := &newer.Rows[i]
		if levels, _, ok := known.Find(row.Key, row.Asset); ok && levels.Asset == row.Asset && levels.Timestamp.Compare(row.Timestamp) > 0 {
			*row = levels
		}
	}
	return &newer
}

// behindWords returns that the last response came from a node that is behind the one before; empty if it did not.
func (p *Pages) behindWords() string {
	if p.behind == 0 {
		return ""
	}
	return "A node that is " + wording.Counted(int(p.behind), "block") + " behind has responded: newer records stay."
}
