package model

import "strings"

// matcher tells which rows the words of a filter let through. Identifiers are few where rows are many, so
// each is matched once: what is left to do for a row is to combine what its party and its market match.
type matcher struct {
	directory *directory
	terms     []term   // at most 64
	wanted    uint64   // one bit for each term: whether it has to match
	parties   []uint64 // one bit for each term that a party matches, by the party's number
	markets   []uint64
	statuses  []uint64
	sides     [sides]uint64
	rest      *matcher // the terms beyond the 64th
}

const maxTerms = 64

func newMatcher(terms []term, directory *directory) *matcher {
	m := &matcher{directory: directory, terms: terms}
	if len(terms) > maxTerms {
		m.terms, m.rest = terms[:maxTerms], newMatcher(terms[maxTerms:], directory)
	}
	m.wanted = m.bits(func(t term) bool { return !t.not })
	for s := range sides {
		m.sides[s] = m.bits(func(t term) bool { return t.matchesSide(s) })
	}
	m.learn()
	return m
}

// bits has a bit for each term that matches.
func (m *matcher) bits(matches func(term) bool) uint64 {
	var bits uint64
	for i, t := range m.terms {
		if matches(t) {
			bits |= 1 << i
		}
	}
	return bits
}

// learn matches what is new in the directory.
func (m *matcher) learn() {
	d := m.directory
	for _, id := range d.parties.all[len(m.parties):] {
		m.parties = append(m.parties, m.bits(func(t term) bool { return t.matchesParty(d.instruments.Party(id)) }))
	}
	for _, id := range d.markets.all[len(m.markets):] {
		market := d.instruments.Market(id)
		asset := d.instruments.Asset(market.Asset)
		m.markets = append(m.markets, m.bits(func(t term) bool { return t.matchesMarket(market, asset) }))
	}
	for _, name := range d.statuses.all[len(m.statuses):] {
		m.statuses = append(m.statuses, m.bits(func(t term) bool { return t.matchesStatus(name) }))
	}
	if m.rest != nil {
		m.rest.learn()
	}
}

// matches tells whether all words match the row.
func (m *matcher) matches(e entry) bool {
	if len(m.terms) == 0 {
		return true
	}
	bits := m.parties[e.party()] | m.markets[e.market()] | m.sides[e.side()]
	if status := e.status(); status != unnumbered {
		bits |= m.statuses[status]
	} else {
		bits |= m.bits(func(t term) bool { return t.matchesStatus(e.row.StatusName()) })
	}
	matches := bits == m.wanted
	if m.rest != nil {
		matches = matches && m.rest.matches(e)
	}
	return matches
}

// Each of the following tells whether the term is one for its kind of thing and its word matches.

func (t term) matchesParty(p Party) bool {
	return (t.field == "" || t.field == "party") && (contains(p.Name, t.word) || contains(p.ID.String(), t.word))
}

func (t term) matchesMarket(m Market, a Asset) bool {
	switch t.field {
	case "", "market":
		return contains(m.Name, t.word) || contains(m.ID.String(), t.word)
	case "asset":
		return contains(a.Symbol, t.word) || contains(a.ID.String(), t.word)
	}
	return false
}

func (t term) matchesStatus(name string) bool { return t.field == "status" && contains(name, t.word) }

func (t term) matchesSide(s side) bool {
	return t.field == "side" &&
		(s == long && strings.HasPrefix("long", t.word) || s == short && strings.HasPrefix("short", t.word))
}
