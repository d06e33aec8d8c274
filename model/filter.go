package model

import "strings"

// Filter is what the trader typed to narrow the rows, as terms with spaces between them. A row must match all terms. A
// term matches a row whose market or party contains it, in its name or its identifier, in upper or lower case. A term
// may name a field to search (party:, market:, asset:, status:) or a side (side:long, side:short). A term that begins
// with ! matches the rows that the rest of it does not match.
type Filter struct {
	Text       string // as typed
	ShowClosed bool   // whether positions with volume 0 are shown
}

// term is one term of a filter.
type term struct {
	field   string // one of FilterFields; empty for market or party
	text    string // in lower case
	negated bool
}

// FilterFields are the fields that a term can name.
const FilterFields = "party: market: asset: side: status:"

func isField(text string) bool { return strings.Contains(" "+FilterFields, " "+text+":") }

// UnknownField returns the first field in the filter that does not exist, and an empty text where there is none. A term
// with such a field is searched as it is, because a name can contain a colon too.
func (f Filter) UnknownField() string {
	for _, text := range strings.Fields(f.Text) {
		field, _, ok := strings.Cut(strings.TrimPrefix(text, "!"), ":")
		if ok && field != "" && !isField(strings.ToLower(field)) {
			return field
		}
	}
	return ""
}

func parseTerms(text string) []term {
	var terms []term
	for _, text := range strings.Fields(strings.ToLower(text)) {
		var t term
		t.text, t.negated = strings.CutPrefix(text, "!")
		if field, rest, ok := strings.Cut(t.text, ":"); ok && isField(field) {
			t.field, t.text = field, rest
		}
		if t.text != "" {
			terms = append(terms, t)
		}
	}
	return terms
}

func (t term) matchesParty(p Party) bool {
	return (t.field == "" || t.field == "party") && (t.isIn(p.Name) || t.isIn(p.ID.String()))
}

func (t term) matchesMarket(m Market, a Asset) bool {
	switch t.field {
	case "", "market":
		return t.isIn(m.Name) || t.isIn(m.ID.String())
	case "asset":
		return t.isIn(a.Symbol) || t.isIn(a.ID.String())
	}
	return false
}

func (t term) matchesStatus(name string) bool { return t.field == "status" && t.isIn(name) }

func (t term) matchesSide(s side) bool {
	return t.field == "side" &&
		(s == long && strings.HasPrefix("long", t.text) || s == short && strings.HasPrefix("short", t.text))
}

func (t term) isIn(text string) bool { return strings.Contains(strings.ToLower(text), t.text) }

// matcher reports which rows the terms of a filter match. A million rows have only some thousands of parties and
// markets. So the terms are matched once against each of these, and the results are kept as bits. To match a row is
// then to combine the bits of its party, market, status and side.
type matcher struct {
	encoder  *encoder
	terms    []term        // at most 64
	wanted   uint64        // bit i: term i must match; 0 where it is negated
	parties  []uint64      // bit i: term i matches the party with this code
	markets  []uint64      // the same for markets
	statuses []uint64      // the same for statuses
	sides    [sides]uint64 // the same for sides
	rest     *matcher      // of the terms after the first 64; nil where there are none
}

const maxTerms = 64

func newMatcher(terms []term, encoder *encoder) *matcher {
	m := &matcher{encoder: encoder, terms: terms}
	if len(terms) > maxTerms {
		m.terms, m.rest = terms[:maxTerms], newMatcher(terms[maxTerms:], encoder)
	}
	m.wanted = m.bits(func(t term) bool { return !t.negated })
	for s := range sides {
		m.sides[s] = m.bits(func(t term) bool { return t.matchesSide(s) })
	}
	m.matchNew()
	return m
}

// bits returns one bit for each term: whether matches reports true for it.
func (m *matcher) bits(matches func(term) bool) uint64 {
	var bits uint64
	for i, t := range m.terms {
		if matches(t) {
			bits |= 1 << i
		}
	}
	return bits
}

// matchNew matches the terms against what the encoder has got new codes for. It must be called before matches is called
// for an entry with new codes.
func (m *matcher) matchNew() {
	c := m.encoder
	for _, id := range c.parties.values[len(m.parties):] {
		m.parties = append(m.parties, m.bits(func(t term) bool { return t.matchesParty(c.instruments.Party(id)) }))
	}
	for _, id := range c.markets.values[len(m.markets):] {
		market := c.instruments.Market(id)
		asset := c.instruments.Asset(market.Asset)
		m.markets = append(m.markets, m.bits(func(t term) bool { return t.matchesMarket(market, asset) }))
	}
	for _, name := range c.statuses.values[len(m.statuses):] {
		m.statuses = append(m.statuses, m.bits(func(t term) bool { return t.matchesStatus(name) }))
	}
	if m.rest != nil {
		m.rest.matchNew()
	}
}

// matches reports whether the row matches all terms.
func (m *matcher) matches(e entry) bool {
	if len(m.terms) == 0 {
		return true
	}
	bits := m.parties[e.party()] | m.markets[e.market()] | m.sides[e.side()]
	if status := e.status(); status != noStatusCode {
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
