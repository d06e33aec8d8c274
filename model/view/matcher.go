package view

import (
	"slices"
	"time"

	"blotter/model"
	"blotter/model/filter"
	"blotter/model/view/ordered"
	"blotter/model/view/sorting"
)

// matcher reports which rows a query matches.
//
// A million rows have only some thousands of parties and markets. So the texts are matched once with each of these, and
// the results are kept as bits: bit i is set if term i is met. To match a row, the bits of its party, market, status
// and side are combined. Comparisons are made after that, and only for the rows that can still match, because a
// comparison has to read the row.
type matcher struct {
	encoder   *sorting.Encoder
	terms     []filter.Term           // at most maxTerms
	required  uint64                  // bit i: term i must be met; 0 if it is negated
	decided   uint64                  // bit i: term i has no comparisons
	parties   []uint64                // the bits of the party with this code
	markets   []uint64                // the same for markets
	statuses  []uint64                // the same for statuses
	sides     [model.SideCount]uint64 // the same for sides
	compared  []comparedTerm
	margins   bool // a comparison is with a margin record
	estimates bool // a comparison is with what exists in linear markets only
}

// comparedTerm is a term with comparisons.
type comparedTerm struct {
	bit         uint64
	comparisons []*comparison
}

// newMatcher returns the matcher of a query for the rows in an order, whose entries have the ranks of that order.
func newMatcher(q *filter.Query, now time.Time, order sorting.Sorter, encoder *sorting.Encoder) *matcher {
	m := &matcher{encoder: encoder, terms: q.Terms(), margins: q.UsesMargins(), estimates: q.UsesEstimates()}
	for i, t := range m.terms {
		if !t.Negated {
			m.required |= 1 << i
		}
		c := comparedTerm{bit: 1 << i}
		for _, condition := range t.Any {
			if comparison := newComparison(condition, now, order, encoder.Instruments); comparison != nil {
				c.comparisons = append(c.comparisons, comparison)
			}
		}
		if len(c.comparisons) > 0 {
			slices.SortStableFunc(c.comparisons, func(a, b *comparison) int { return a.cost - b.cost })
			m.compared = append(m.compared, c)
		} else {
			m.decided |= c.bit
		}
	}
	slices.SortStableFunc(m.compared, func(a, b comparedTerm) int { return a.cost() - b.cost() })
	for s := range model.SideCount {
		m.sides[s] = m.bits(func(c filter.Condition) bool { return filter.MatchesSide(c, s) })
	}
	m.matchNew()
	return m
}

func (t *comparedTerm) cost() int { return t.comparisons[len(t.comparisons)-1].cost }

// bits returns one bit for each term: whether a condition of it is met.
func (m *matcher) bits(isMet func(filter.Condition) bool) uint64 {
	var bits uint64
	for i, t := range m.terms {
		if slices.ContainsFunc(t.Any, isMet) {
			bits |= 1 << i
		}
	}
	return bits
}

// textBits returns the bits of the terms with a text that matches.
func (m *matcher) textBits(matches func(filter.TextCondition) bool) uint64 {
	return m.bits(func(c filter.Condition) bool { text, ok := c.(filter.TextCondition); return ok && matches(text) })
}

// matchNew matches the terms with the texts that have new codes in the encoder. It must be called before matches is
// called for an entry with new codes.
func (m *matcher) matchNew() {
	c := m.encoder
	for _, id := range c.Parties.Values()[len(m.parties):] {
		party := c.Instruments.Party(id)
		m.parties = append(m.parties, m.textBits(func(t filter.TextCondition) bool { return t.MatchesParty(party) }))
	}
	for _, id := range c.Markets.Values()[len(m.markets):] {
		market := c.Instruments.Market(id)
		asset := c.Instruments.Asset(market.Asset)
		m.markets = append(m.markets, m.textBits(func(t filter.TextCondition) bool { return t.MatchesMarket(market, asset) }))
	}
	for _, name := range c.Statuses.Values()[len(m.statuses):] {
		m.statuses = append(m.statuses, m.statusBits(name))
	}
	for _, t := range m.compared {
		for _, of := range t.comparisons {
			of.addMarkets(c)
		}
	}
}

func (m *matcher) statusBits(name string) uint64 {
	return m.textBits(func(t filter.TextCondition) bool { return t.MatchesStatus(name) })
}

// codeBits returns the bits of an entry without comparisons.
func (m *matcher) codeBits(e *sorting.Entry) uint64 {
	bits := m.parties[e.Party()] | m.markets[e.Market()] | m.sides[e.Side()]
	if status := e.Status(); status != sorting.NoStatusCode {
		return bits | m.statuses[status]
	}
	return bits | m.statusBits(m.encoder.StatusName(*e))
}

// matches reports whether the row matches all terms.
func (m *matcher) matches(e sorting.Entry) bool {
	return len(m.terms) == 0 || m.answer(e, ofFilter) == filter.Yes
}

// answer returns whether the row matches all terms. For rules it is Unknown if the row does not match, and a term is
// Unknown: the size of a row, which is known, does not end an alert before the ratio for that size is known.
func (m *matcher) answer(e sorting.Entry, of reading) filter.Answer {
	bits := m.codeBits(&e)
	all, isUnknown := filter.AnswerOf((bits^m.required)&m.decided == 0), false
	for i := 0; i < len(m.compared) && (all != filter.No || of != ofFilter); i++ {
		t := &m.compared[i]
		any := filter.AnswerOf(bits&t.bit != 0)
		for c := 0; c < len(t.comparisons) && any != filter.Yes; c++ {
			any = max(any, t.comparisons[c].answer(e, m.encoder, of))
		}
		if m.required&t.bit == 0 {
			any = any.Not()
		}
		all, isUnknown = min(all, any), isUnknown || any == filter.Unknown
	}
	if isUnknown {
		return filter.Unknown
	}
	return all
}

// matchAll returns which entries match. There are at most matchedTogether. They have ranks.
func (m *matcher) matchAll(entries []sorting.Entry) (matched entrySet) {
	var all [matchedTogether]uint64
	for i := range entries {
		all[i] = m.codeBits(&entries[i])
		if (all[i]^m.required)&m.decided == 0 {
			matched |= 1 << i
		}
	}
	for i := 0; i < len(m.compared) && matched != 0; i++ {
		matched = m.compared[i].matchAll(entries, &all, matched, m)
	}
	return matched
}

// matchAll returns which of some entries also match the term.
func (t *comparedTerm) matchAll(entries []sorting.Entry, all *[matchedTogether]uint64, of entrySet, m *matcher) entrySet {
	var met entrySet
	for i := range of.all {
		if all[i]&t.bit != 0 {
			met |= 1 << i
		}
	}
	for _, c := range t.comparisons {
		met |= c.matchAll(entries, of&^met, m.encoder)
	}
	if m.required&t.bit != 0 {
		return met
	}
	return of &^ met
}

// In the time in which one row is compared in the order of a view, about advanceWorth are compared in the order in
// which they are stored. One bucket in advanceSample is matched first, to estimate how many rows must be compared.
const (
	advanceWorth  = 8
	advanceSample = 16
)

// matchInAdvance makes the comparisons of numbers that are needed for many rows of an index: all rows are read in the
// order in which they are stored. The results are valid until rows change: end must be called before that. Without it,
// age>5m in BenchmarkComparisons takes twice as long.
func (m *matcher) matchInAdvance(rows []ordered.Bucket[sorting.Entry]) (end func()) {
	var numbers []*comparison
	for _, t := range m.compared {
		for _, c := range t.comparisons {
			if c.answered = 0; c.cost == numberCost {
				numbers = append(numbers, c)
			}
		}
	}
	sample := 0
	for i := 0; i < len(rows) && len(numbers) > 0; i += advanceSample {
		part := rows[i].Entries[:min(len(rows[i].Entries), matchedTogether)]
		m.matchAll(part)
		sample += len(part)
	}
	for _, c := range numbers {
		if c.answered*advanceWorth > sample {
			c.inAdvance = m.encoder.Matching(c.field, c.meets)
		}
	}
	return func() {
		for _, c := range numbers {
			c.inAdvance = nil
		}
	}
}

// uncompared returns how many markets have amounts that a comparison cannot compare.
func (m *matcher) uncompared() (most int) {
	for _, t := range m.compared {
		for _, c := range t.comparisons {
			unknown := 0
			for _, isUncompared := range c.uncompared {
				if isUncompared {
					unknown++
				}
			}
			most = max(most, unknown)
		}
	}
	return most
}

// notLinear returns how many markets match no comparison because they are not linear.
func (m *matcher) notLinear() (n int) {
	if !m.estimates {
		return 0
	}
	for _, id := range m.encoder.Markets.Values() {
		if !m.encoder.Instruments.IsLinear(id) {
			n++
		}
	}
	return n
}
