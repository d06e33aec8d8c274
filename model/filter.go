package model

import (
	"strings"
)

// Filter is what the trader typed to narrow the rows: words that must all match. A word matches a row whose
// market or party has it in its name or identifier, whatever the case. A word may say where to look
// (party:, market:, asset:, status:) or on which side a position is (side:long, side:short); a leading !
// turns it round.
type Filter struct {
	Text       string // as typed
	ShowClosed bool   // also positions whose volume is 0
}

// term is one word of a filter.
type term struct {
	field string // one of termFields, or empty: market or party
	word  string // in lower case
	not   bool
}

// termFields are the places where a word can ask to be looked for.
const termFields = " party market asset status side "

func parseTerms(text string) []term {
	var terms []term
	for _, word := range strings.Fields(strings.ToLower(text)) {
		var t term
		t.word, t.not = strings.CutPrefix(word, "!")
		if field, rest, ok := strings.Cut(t.word, ":"); ok && strings.Contains(termFields, " "+field+" ") {
			t.field, t.word = field, rest
		}
		if t.word != "" {
			terms = append(terms, t)
		}
	}
	return terms
}

// matcher tells which rows a filter lets through. Identifiers are few where rows are many, so each is
// matched once and the answer kept.
type matcher struct {
	terms       []term
	showClosed  bool
	instruments *Instruments
	parties     []map[ID]bool // for each term, what is known of a party
	markets     []map[ID]bool // for each term, what is known of a market, its asset included
}

func newMatcher(filter Filter, instruments *Instruments) *matcher {
	m := &matcher{terms: parseTerms(filter.Text), showClosed: filter.ShowClosed, instruments: instruments}
	m.parties = make([]map[ID]bool, len(m.terms))
	m.markets = make([]map[ID]bool, len(m.terms))
	for i := range m.terms {
		m.parties[i], m.markets[i] = make(map[ID]bool), make(map[ID]bool)
	}
	return m
}

// words tells whether all words match the row.
func (m *matcher) words(p *Position) bool {
	for i, t := range m.terms {
		if m.word(i, t, p) == t.not {
			return false
		}
	}
	return true
}

func (m *matcher) word(i int, t term, p *Position) bool {
	switch t.field {
	case "status":
		return contains(p.StatusName(), t.word)
	case "side":
		sign := p.Number(OpenVolume).Sign()
		return sign > 0 && strings.HasPrefix("long", t.word) || sign < 0 && strings.HasPrefix("short", t.word)
	case "party":
		return m.party(i, t, p.Party)
	case "market", "asset":
		return m.market(i, t, p.Market)
	}
	return m.market(i, t, p.Market) || m.party(i, t, p.Party)
}

func (m *matcher) party(i int, t term, id ID) bool {
	matches, known := m.parties[i][id]
	if !known {
		matches = contains(m.instruments.Party(id).Name, t.word) || contains(id.String(), t.word)
		m.parties[i][id] = matches
	}
	return matches
}

func (m *matcher) market(i int, t term, id ID) bool {
	matches, known := m.markets[i][id]
	if !known {
		market := m.instruments.Market(id)
		if t.field == "asset" {
			matches = contains(m.instruments.Asset(market.Asset).Symbol, t.word) || contains(market.Asset.String(), t.word)
		} else {
			matches = contains(market.Name, t.word) || contains(id.String(), t.word)
		}
		m.markets[i][id] = matches
	}
	return matches
}

// contains tells whether text has word, which is in lower case, in it.
func contains(text, word string) bool {
	return strings.Contains(strings.ToLower(text), word)
}
