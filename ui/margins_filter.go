package ui

import (
	"blotter/model"
	"blotter/model/filter"
)

// narrowedPage is a page, and the filter and the names that its records were matched with.
type narrowedPage struct {
	page        *model.Page
	filter      string
	instruments *model.Instruments
}

// narrow matches the records of the page with the parties, markets and assets of a filter. A record has no other fields
// to filter by.
func (p *margins) narrow(text string, instruments *model.Instruments) {
	now := narrowedPage{p.page, text, instruments}
	if now == p.narrowed {
		return
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

// Len, Key and Find are the records of the page that match the filter, for the window.
func (p *margins) Len() int {
	if p.page == nil {
		return 0
	}
	return len(p.rows)
}

func (p *margins) Key(place int) model.MarginKey { return p.rows[place].MarginKey }

func (p *margins) Find(key model.MarginKey) (int, bool) {
	for place := range p.rows {
		if p.rows[place].MarginKey == key {
			return place, true
		}
	}
	return 0, false
}
