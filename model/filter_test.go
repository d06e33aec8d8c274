package model

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseQuery(t *testing.T) {
	text := func(field fieldName, text string) condition { return textCondition{field, text, false} }
	one := func(conditions ...condition) term { return term{any: conditions} }
	number := func(field Field, o operator, integer int64, decimals int) term {
		return one(amountCondition{field, o, decimal{AmountOf(integer), decimals, false}})
	}
	ratio := func(o operator, profit, maintenance int64) term {
		return one(ratioCondition{o, MarginRatio{AmountOf(profit), AmountOf(maintenance)}})
	}
	for typed, want := range map[string][]term{
		"":                         nil,
		" \t ":                     nil,
		"ETH":                      {one(text("", "eth"))},
		"eth  desk":                {one(text("", "eth")), one(text("", "desk"))},
		"!eth":                     {{true, []condition{text("", "eth")}}},
		"!!x":                      {{true, []condition{text("", "!x")}}},
		"eth|BTC|":                 {one(text("", "eth"), text("", "btc"))},
		`"Two words" x`:            {one(text("", "two words")), one(text("", "x"))},
		`"a|b:c>d!=""e"`:           {one(text("", "a|b:c>d!=e"))},
		`party:"desk 7"|8`:         {one(text(partyField, "desk 7"), text(partyField, "8"))},
		"party:a|market:b|c":       {one(text(partyField, "a"), text(marketField, "b"), text(marketField, "c"))},
		"party:=Desk-77":           {one(textCondition{partyField, "desk-77", true})},
		"=desk !=desk":             {one(textCondition{"", "desk", true}), {true, []condition{textCondition{"", "desk", true}}}},
		"PARTY:Desk":               {one(text(partyField, "desk"))},
		"!status:Distressed":       {{true, []condition{text(statusField, "distressed")}}},
		"side:long|s":              {one(sideCondition{long}, sideCondition{short})},
		"side:=flat asset:usd":     {one(sideCondition{flat}), one(text(assetField, "usd"))},
		"market:a:b":               {one(text(marketField, "a:b"))},
		":x":                       {one(text("", ":x"))},
		"party: ! !party:= | \"\"": nil,
		"size>0":                   {number(OpenVolume, ">", 0, 0)},
		"entry<=1,500.25":          {number(AverageEntryPrice, "<=", 150025, 2)},
		"UPNL<-1.5k":               {number(UnrealisedPnl, "<", -1500, 0)},
		"rpnl!=.5M":                {number(RealisedPnl, "!=", 500_000, 0)},
		"rpnl>=1.2345678M":         {number(RealisedPnl, ">=", 12345678, 1)},
		"size=+5r":                 {one(amountCondition{OpenVolume, "=", decimal{AmountOf(5), 0, true}})},
		"size>5|<-5":               {one(amountCondition{OpenVolume, ">", decimal{integer: AmountOf(5)}}, amountCondition{OpenVolume, "<", decimal{integer: AmountOf(-5)}})},
		"m%<-20":                   {ratio("<", -20, 100)},
		"m%>=12.5%":                {ratio(">=", 125, 1000)},
		"status:dist|m%<-50":       {one(text(statusField, "dist"), ratio("<", -50, 100).any[0])},
		"age>5m":                   {one(ageCondition{">", 5 * time.Minute})},
		"age<=1d2h":                {one(ageCondition{"<=", 26 * time.Hour})},
		"updated>14:02":            {one(timeCondition{">", time.Date(0, 1, 1, 14, 2, 0, 0, time.UTC), true})},
		"updated<2026-11-22t14:02": {one(timeCondition{"<", time.Date(2026, 11, 22, 14, 2, 0, 0, time.UTC), false})},
		"updated>=2026-11-22":      {one(timeCondition{">=", time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), false})},
	} {
		got, err := ParseQuery(typed)
		if err != nil {
			t.Errorf("%q: %v", typed, err)
		} else if !slices.EqualFunc(got.terms, want, func(a, b term) bool { return reflect.DeepEqual(a, b) }) {
			t.Errorf("%q is %+v, want %+v", typed, got.terms, want)
		}
	}
}

// TestQueryErrors: each error is about the word that it names.
func TestQueryErrors(t *testing.T) {
	const fields = "; fields: party market asset status side size entry upnl rpnl m% age updated"
	for text, want := range map[string][2]string{
		"statis:d":                        {"statis", `unknown field "statis"` + fields},
		"eth !Foo<5 x":                    {"Foo", `unknown field "Foo"` + fields},
		"a:b":                             {"a", `unknown field "a"` + fields},
		"x size:5":                        {"size:5", "size takes < <= > >= = or !=, as in size>1.5k"},
		"x size:":                         {"size:", "size takes < <= > >= = or !=, as in size>1.5k"},
		"é upnl<":                         {"upnl<", "upnl< needs a number, as in upnl>1.5k"},
		"upnl<1e5":                        {"upnl<1e5", "upnl< needs a number, as in upnl>1.5k"},
		"m%<20r":                          {"m%<20r", "m%< needs a number, as in m%<-20"},
		"size>" + strings.Repeat("9", 41): {"size>" + strings.Repeat("9", 41), "size> needs a number, as in size>1.5k"},
		"size>5|7":                        {"7", "size takes < <= > >= = or !=, as in size>1.5k"},
		"party=x":                         {"party=x", "party takes party:text, or party:=text for the whole of it"},
		"market>5":                        {"market>5", "market takes market:text, or market:=text for the whole of it"},
		"side=long":                       {"side=long", "side takes side:long, side:short or side:flat"},
		"side:lang":                       {"lang", `unknown side "lang"; sides: long short flat`},
		"<5":                              {"<5", `"<5": a field must stand before <, as in size<0`},
		"age=5m":                          {"age=5m", "age takes < <= > or >=, as in age>5m"},
		"age>5":                           {"age>5", "age> needs a time such as 30s, 5m, 2h or 3d"},
		"age>-5m":                         {"age>-5m", "age> needs a time such as 30s, 5m, 2h or 3d"},
		"age>999999d":                     {"age>999999d", "age> needs a time such as 30s, 5m, 2h or 3d"},
		"updated>0220-01-01":              {"updated>0220-01-01", "updated> needs a year from 1970 to 2199"},
		"updated<2200-01-01":              {"updated<2200-01-01", "updated< needs a year from 1970 to 2199"},
		"updated>25:00":                   {"updated>25:00", "updated> needs a time such as 14:02, 2026-11-22 or 2026-11-22T14:02"},
		`eth "two words`:                  {`"two words`, `a closing " is missing`},
		`party:"x y eth`:                  {`"x y eth`, `a closing " is missing`},
		strings.Repeat("a ", 64) + "last": {"last", "a filter has at most 64 terms"},
	} {
		_, err := ParseQuery(text)
		var wrong *QueryError
		if !errors.As(err, &wrong) {
			t.Errorf("%q: the error is %v", text, err)
		} else if got := [2]string{text[wrong.Start:wrong.End], wrong.Words}; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// plainMatch reports whether a row matches a filter, with fractions and without any index. A filter that cannot be parsed
// matches every row.
func plainMatch(f Filter, in *Instruments, margins plainMargins, p *Position) bool {
	q, err := ParseQuery(f.Text)
	if err != nil {
		return true
	}
	for _, t := range q.terms {
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
			return plainHolds(c.operator, big.NewRat(int64(p.Number(OpenVolume).Sign()), 1), new(big.Rat))
		}
		if n == nil || decimals < 0 && !c.limit.raw && !isZero || decimals >= 0 && c.limit.raw {
			return false
		}
		return plainHolds(c.operator, new(big.Rat).SetFrac(n, powerOfTen(max(0, decimals))), c.limit.rat())
	case ratioCondition:
		ratio := margins.ratio(in, p)
		return ratio != nil && plainHolds(c.operator, ratio,
			new(big.Rat).SetFrac(bigOf(c.limit.Profit.String()), bigOf(c.limit.Maintenance.String())))
	case ageCondition:
		at, ok := p.Number(UpdatedAt).Time()
		return ok && plainHolds(c.operator, big.NewRat(int64(now.Sub(at)), 1), big.NewRat(int64(c.limit), 1))
	case timeCondition:
		limit := c.limit
		if c.today {
			limit = time.Date(now.Year(), now.Month(), now.Day(), limit.Hour(), limit.Minute(), limit.Second(), 0, now.Location())
		}
		at, ok := p.Number(UpdatedAt).Time()
		return ok && plainHolds(c.operator, big.NewRat(at.UnixNano(), 1), big.NewRat(limit.UnixNano(), 1))
	}
	return false
}

func (d decimal) rat() *big.Rat {
	return new(big.Rat).SetFrac(bigOf(d.integer.String()), powerOfTen(d.decimals))
}

func plainHolds(o operator, x, y *big.Rat) bool {
	orders := map[operator][]int{"<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}, "=": {0}, "!=": {-1, 1}}
	return slices.Contains(orders[o], x.Cmp(y))
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
func (s *sample) anyNow() time.Time { return time.Unix(0, s.Int64N(6)).UTC() }

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
	c := &encoder{instruments: w.instruments, margins: newMargins(maxMargins)}
	levels := make(plainMargins)
	for range 3 * keys {
		record := w.record()
		levels[record.MarginKey] = record
		c.margins.put(&record, c.margins.exact(record.MarginKey), 0)
	}
	filter := Filter{Text: text, Now: w.anyNow()}
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
	c := &encoder{instruments: NewInstruments(nil, nil, nil), margins: newMargins(0)}
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
		view := NewView(s.book(8, 3), Scope{}, Filter{Text: text}, Order{}, s.instruments)
		if got := view.Uncompared(); got != want {
			t.Errorf("%s: %d markets, want %d", text, got, want)
		}
	}
}

func TestUsesTime(t *testing.T) {
	for text, want := range map[string]bool{"": false, "desk size>0": false, "age>5m": true, "x !y|age<5m": true, "updated>14:02": true, "updated>2026-11-22": false} {
		if q, err := ParseQuery(text); err != nil || q.UsesTime() != want {
			t.Errorf("%q: %v, %v", text, q.UsesTime(), err)
		}
	}
}

// TestMatchesLevels: a margin record has a party, a market and an asset of its own.
func TestMatchesLevels(t *testing.T) {
	s := newSample(2, 4, 4)
	eur := s.instruments.Market(s.markets[1]).Asset
	levels := MarginLevels{MarginKey: MarginKey{Key{s.parties[1], s.markets[3]}, eur}}
	for text, want := range map[string]bool{"": true, "desk-1": true, "!desk-1": false, "asset:eur": true, "asset:usdt": false, "party:desk market:c3": true, "c2|c3": true} {
		query, err := ParseQuery(text)
		if got := query.MatchesLevels(&levels, s.instruments); got != want || err != nil || !query.OnlyNames() {
			t.Errorf("%q matches: %v, %v", text, got, err)
		}
	}
	all, _ := ParseQuery("size>0 !desk-3 c1|m%<5 asset:eur")
	if want, _ := ParseQuery("!desk-3 asset:eur"); !reflect.DeepEqual(all.Names(), want) {
		t.Errorf("the terms of names are %+v", all.Names())
	}
	for _, text := range []string{"size>0", "status:new", "desk side:long", "a|m%<5"} {
		if query, err := ParseQuery(text); err != nil || query.OnlyNames() {
			t.Errorf("%q asks only for names: %v", text, err)
		}
	}
}
