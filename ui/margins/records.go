package margins

import (
	"slices"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/ui/format"
)

// narrowedPage is a page, and the filter and the names that its records were matched with.
type narrowedPage struct {
	page        *model.Page
	filter      string
	instruments *model.Instruments
}

// Narrow matches the records of the page with the parties, markets and assets of a filter. A record has no other fields
// to filter by.
func (p *Pages) Narrow(text string, instruments *model.Instruments) {
	now := narrowedPage{p.page, text, instruments}
	if now == p.narrowed {
		return
	}
	if text != p.narrowed.filter {
		p.Rows.Seek()
	}
	p.narrowed, p.rows = now, nil
	if p.page == nil {
		return
	}
	query, _ := filter.Parse(text)
	names := query.Names()
	for i := range p.page.Rows {
		if names.MatchesLevels(&p.page.Rows[i], instruments) {
			p.rows = append(p.rows, p.page.Rows[i])
		}
	}
}

// Len, Key and Find give the list of rows the records of the page that match the filter.
func (p *Pages) Len() int {
	if p.page == nil {
		return 0
	}
	return len(p.rows)
}

func (p *Pages) Key(place int) model.MarginKey { return p.rows[place].MarginKey }

func (p *Pages) Find(key model.MarginKey) (int, bool) {
	if p.page == nil {
		return -1, false
	}
	place := 0
	for i := range p.page.Rows {
		isListed := place < len(p.rows) && p.rows[place].MarginKey == p.page.Rows[i].MarginKey
		switch {
		case p.page.Rows[i].MarginKey == key:
			return place, isListed
		case isListed:
			place++
		}
	}
	return -1, false
}

// Record returns the record with a key, nil if the page has none that matches the filter.
func (p *Pages) Record(key model.MarginKey) *model.MarginLevels {
	if place, ok := p.Find(key); ok {
		return &p.rows[place]
	}
	return nil
}

// notOlder returns a page without records that are older than what is known: each request may reach another node, and
// this one may be behind. A page that was to be refreshed then stays: the result is nil. The block of a page of several
// lists is the newest one of their nodes.
func (p *Pages) notOlder(page *model.Page, answered *pendingPage, known *book.Margins) *model.Page {
	p.behind = p.block.Height - page.Block.Height
	if page.Block.Height == 0 || p.behind <= 0 {
		p.block, p.behind = page.Block, 0
	}
	switch {
	case p.behind == 0 && len(page.Places) < 2:
		return page
	case p.behind > 0 && answered.purpose == refresh:
		return nil
	}
	newer := *page
	newer.Rows = slices.Clone(page.Rows)
	for i := range newer.Rows {
		newer.Rows[i] = newest(&newer.Rows[i], known)
	}
	return &newer
}

// newest returns a record, or the one that is known in its place if that is newer.
func newest(row *model.MarginLevels, known *book.Margins) model.MarginLevels {
	if levels, _, ok := known.Find(row.Key, row.Asset); ok && levels.Asset == row.Asset && levels.Timestamp.CompareTime(row.Timestamp) > 0 {
		return levels
	}
	return *row
}

// behindWords returns that the last response came from a node that is behind the one before; empty if it did not.
func (p *Pages) behindWords() string {
	if p.behind == 0 {
		return ""
	}
	return "A node that is " + format.Counted(int(p.behind), "block") + " behind has responded: newer records stay."
}
