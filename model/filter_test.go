package model

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"
)

// plainMatch reports whether a row matches a filter, with fractions and without any index. A filter that cannot be parsed
// matches every row.
func plainMatch(f Filter, in *Instruments, margins plainMargins, p *Position) bool {
	q, err := ParseQuery(f.Text)
	if err != nil {
		return true
	}
	for _, t := range q.allTerms() {
		met := slices.ContainsFunc(t.any, func(c condition) bool { return plainCondition(c, f.Now, in, margins, p) })
		if met == t.negated {
			return false
		}
	}
	return true
}

func plainCondition(c condition, now time.Time, in *Instruments, margins plainMargins, p *Position) bool {
	market := in.Market(p.Market)
	asset := in.Asset(market.Asset)
	switch c := c.(type) {
	case textCondition:
		status := strings.ReplaceAll(strings.ReplaceAll(p.StatusName(), "POSITION_STATUS_", ""), "_", " ")
		texts := map[fieldName][]string{
			"":       {market.Name, p.Market.String(), in.Party(p.Party).Name, p.Party.String()},
			"party":  {in.Party(p.Party).Name, p.Party.String()},
			"market": {market.Name, p.Market.String()},
			"asset":  {asset.Symbol, asset.ID.String()},
			"status": {p.StatusName(), status},
		}[c.field]
		return slices.ContainsFunc(texts, func(s string) bool {
			s = strings.ToLower(s)
			return s == c.text || !c.whole && strings.Contains(s, c.text)
		})
	case sideCondition:
		return p.Number(OpenVolume).Sign() == map[side]int{long: +1, short: -1, flat: 0}[c.side]
	case amountCondition:
		n, decimals := bigOf(p.Number(c.number).String()), in.Decimals(c.number, p.Market)
		isZero := c.limit.integer.IsZero()
		if c.number == OpenVolume && isZero && !c.limit.raw { // what is no number has a side too
			return plainHolds(string(c.operator), big.NewRat(int64(p.Number(OpenVolume).Sign()), 1), new(big.Rat))
		}
		if n == nil || decimals < 0 && !c.limit.raw && !isZero || decimals >= 0 && c.limit.raw {
			return false
		}
		return plainHolds(string(c.operator), new(big.Rat).SetFrac(n, powerOfTen(max(0, decimals))), ratOf(c.limit))
	case ratioCondition:
		ratio := margins.ratio(in, p)
		return ratio != nil && plainHolds(string(c.operator), ratio,
			new(big.Rat).SetFrac(bigOf(c.limit.Profit.String()), bigOf(c.limit.Maintenance.String())))
	case ageCondition:
		at, ok := p.Number(UpdatedAt).Time()
		return ok && plainHolds(string(c.operator), big.NewRat(int64(now.Sub(at)), 1), big.NewRat(int64(c.limit), 1))
	case timeCondition:
		limit := c.limit
		if c.today {
			limit = time.Date(now.Year(), now.Month(), now.Day(), limit.Hour(), limit.Minute(), limit.Second(), 0, now.Location())
		}
		at, ok := p.Number(UpdatedAt).Time()
		return ok && plainHolds(string(c.operator), big.NewRat(at.UnixNano(), 1), big.NewRat(limit.UnixNano(), 1))
	}
	return false
}

func ratOf(d decimal) *big.Rat {
	return new(big.Rat).SetFrac(bigOf(d.integer.String()), powerOfTen(d.decimals))
}

// filters are texts that match some rows of a world, and one that cannot be parsed.
var filters = []string{
	"", "a", "f", "ee", "desk", "DESK-1", "!desk", "c1", "c2 !desk-1", "usdt", "asset:eur", "!asset:d", "asset:f",
	"party:desk", "market:usdt", "market:0 party:0", "status:closed", "status:new", "!status:dist", "status:9",
	"side:long", "side:s", "!side:l", "side:f", "eth status:distressed", "nothing", "a b c", "a:b", "!",
	strings.Repeat("a ", 60), strings.Repeat("!z ", 63) + "desk", strings.Repeat("!z ", 63) + "side:long",
	"party:=desk-1", "=c2/dai|desk-3", "desk|c1", "!desk|c1", `status:="closed out"`, "party:desk|side:long",
	"size>0", "size<0 upnl>0", "size!=0 entry>.01", "upnl<-1", "upnl>=0.0000005", "upnl>1r", "rpnl<=-3r", "!upnl<0",
	"size>5|<-5", "entry=0", "m%<-20", "m%>100", "!m%>0", "m%<0|side:short", "m%=100|m%=50", "m%!=33.3 upnl<0",
	"status:dist|m%<-50 side:long|flat", "age>1ns", "age<=2ns", "updated>1970-01-01", "updated<=00:00 size>0", "desk age<2ns m%<50",
}

// anyNow is a time that some of a world's rows are older than.
func anyNow(s *sample) time.Time { return time.Unix(0, s.Int64N(6)).UTC() }

func FuzzFilter(f *testing.F) {
	for i, text := range filters {
		f.Add(text, uint64(i))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		_, err := ParseQuery(text)
		var wrong *QueryError
		if err != nil && (!errors.As(err, &wrong) || wrong.Start < 0 || wrong.End <= wrong.Start || wrong.End > len(text) || wrong.Words == "") {
			t.Fatalf("%q: the error is %+v", text, err)
		}
		checkMatcher(t, text, seed, 4, 20)
	})
}

// checkMatcher makes rows up, matches them by a matcher one by one and together, and compares with plainMatch. It returns
// how many match.
func checkMatcher(t *testing.T, text string, seed uint64, keys, rows int) (matched int) {
	t.Helper()
	w := newWorld(seed, keys, keys)
	c := &encoder{instruments: w.instruments, margins: NewBook(0).Margins()}
	levels := make(plainMargins)
	for range 3 * keys {
		record := w.record()
		levels[record.MarginKey] = record
		putRecord(c.margins, record)
	}
	filter := Filter{Text: text, Now: anyNow(w.sample)}
	order := Order{sortable[w.IntN(len(sortable))], w.IntN(2) == 0}
	query, _ := ParseQuery(text)
	m := newMatcher(query, filter.Now, order, c)
	entries := make([]entry, rows)
	for i := range entries {
		p := w.position(Subscription{})
		entries[i] = c.entryOf(&p)
	}
	m.matchNew()
	rankOf := order.ranker(entries, c)
	for part := range slices.Chunk(entries, matchedTogether) {
		for i := range part {
			part[i].rank = rankOf(part[i])
		}
		var together [matchedTogether]bool
		m.matchAll(part, &together)
		for i, e := range part {
			p := c.position(e)
			want := plainMatch(filter, w.instruments, levels, &p)
			if got := m.matches(e); got != want || together[i] != want {
				t.Fatalf("%q matches %+v: %v, together with others %v, want %v", text, p, got, together[i], want)
			}
			if got := query.Matches(&p, MatchContext{w.instruments, c.margins, filter.Now}); got != want {
				t.Fatalf("%q matches %+v by itself: %v, want %v", text, p, got, want)
			}
			if want {
				matched++
			}
		}
	}
	return matched
}

// TestMatcherAgreesWithEachRow: a filter of no use to the test would match none of the rows, or all.
func TestMatcherAgreesWithEachRow(t *testing.T) {
	useful := 0
	for seed, text := range filters {
		for more := range uint64(3) {
			if n := checkMatcher(t, text, 3*uint64(seed)+more, 6, 400); n > 0 && n < 400 {
				useful++
			}
		}
	}
	if useful < 2*len(filters) {
		t.Errorf("only %d of %d tries matched some rows and not others", useful, 3*len(filters))
	}
}

// TestMatcherOfEndlessStatuses: a service invents more statuses than there are codes.
func TestMatcherOfEndlessStatuses(t *testing.T) {
	c := &encoder{instruments: NewInstruments(nil, nil, nil), margins: NewBook(0).Margins()}
	query, _ := ParseQuery("status:x7")
	m := newMatcher(query, time.Time{}, Order{}, c)
	for i := range 3 * noStatusCode {
		var p Position
		p.SetStatus(fmt.Appendf(nil, "X%d", i))
		e := c.entryOf(&p)
		m.matchNew()
		if got, want := m.matches(e), plainMatch(Filter{Text: "status:x7"}, c.instruments, nil, &p); got != want {
			t.Fatalf("%s matches: %v", p.StatusName(), got)
		}
	}
	if len(c.statuses.all()) > noStatusCode {
		t.Errorf("%d statuses have codes", len(c.statuses.all()))
	}
}

// TestUncompared counts the markets whose numbers a filter cannot compare.
func TestUncompared(t *testing.T) {
	s := newSample(1, 2, 4) // of which one market has no decimals
	for text, want := range map[string]int{"size>5": 1, "size>0": 0, "upnl<0": 0, "size>5r": 3, "desk": 0, "m%<5": 0} {
		view := NewView(bookOf(s, 8, 3), Scope{}, Filter{Text: text}, Order{}, s.instruments)
		if got := view.Uncompared(); got != want {
			t.Errorf("%s: %d markets, want %d", text, got, want)
		}
	}
}
