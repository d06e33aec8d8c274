package view

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/model/modeltest"
	"blotter/model/view/sorting"
)

// plainMatch reports whether a row matches a filter, by plain loops and with fractions. A filter that cannot be
// parsed matches every row.
func plainMatch(f Filter, in *model.Instruments, margins plainMargins, p *model.Position) bool {
	q, err := filter.Parse(f.Text)
	if err != nil {
		return true
	}
	for _, t := range q.Terms() {
		met := slices.ContainsFunc(t.Any, func(c filter.Condition) bool { return plainCondition(c, f.Now, in, margins, p) })
		if met == t.Negated {
			return false
		}
	}
	return true
}

func plainCondition(c filter.Condition, now time.Time, in *model.Instruments, margins plainMargins, p *model.Position) bool {
	party, market := in.Party(p.Party), in.Market(p.Market)
	asset := in.Asset(market.Asset)
	switch c := c.(type) {
	case filter.TextCondition:
		status := strings.ReplaceAll(strings.ReplaceAll(p.StatusName(), "POSITION_STATUS_", ""), "_", " ")
		texts := map[filter.Field][]string{
			"":       {market.Label(), p.Market.String(), party.Label(), p.Party.String()},
			"party":  {party.Label(), p.Party.String()},
			"market": {market.Label(), p.Market.String()},
			"asset":  {asset.Label(), asset.ID.String()},
			"status": {p.StatusName(), status},
			"group":  plainGroupsOf(in, p.Key),
		}[c.Field]
		return slices.ContainsFunc(texts, func(s string) bool {
			s = strings.ToLower(s)
			return s == c.Text || !c.Whole && strings.Contains(s, c.Text)
		})
	case filter.SideCondition:
		isNumber := modeltest.ValueOf(p.Number(model.OpenVolume).String(), 0) != nil
		return isNumber && p.Number(model.OpenVolume).Sign() == map[model.Side]int{model.Long: +1, model.Short: -1, model.Flat: 0}[c.Side]
	case filter.AmountCondition:
		text, decimals := p.Number(c.Number).String(), in.Decimals(c.Number, p.Market)
		value := modeltest.ValueOf(text, decimals)
		if value != nil && modeltest.IsDecimal(text) {
			return !c.Limit.Raw && modeltest.Holds(string(c.Operator), value, ratOf(c.Limit))
		}
		isZero := c.Limit.Integer.IsZero()
		if value != nil && value.Sign() == 0 && decimals == model.Unscaled && !c.Limit.Raw {
			return modeltest.Holds(string(c.Operator), value, ratOf(c.Limit))
		}
		if value == nil || decimals == model.Unscaled && !c.Limit.Raw && !isZero || decimals != model.Unscaled && c.Limit.Raw {
			return false
		}
		return modeltest.Holds(string(c.Operator), value, ratOf(c.Limit))
	case filter.RatioCondition:
		ratio := margins.ratio(in, p)
		return ratio != nil && modeltest.Holds(string(c.Operator), ratio,
			new(big.Rat).SetFrac(modeltest.BigOf(c.Limit.Profit.String()), modeltest.BigOf(c.Limit.Maintenance.String())))
	case filter.DistanceCondition:
		distance := margins.distance(in, p, c.To)
		limit := new(big.Rat).SetFrac(modeltest.BigOf(c.Limit.Profit.String()), modeltest.BigOf(c.Limit.Maintenance.String()))
		return distance != nil && modeltest.Holds(string(c.Operator), distance, limit)
	case filter.FigureCondition:
		figure := margins.figure(in, p, c.Of)
		limit := new(big.Rat).SetFrac(modeltest.BigOf(c.Limit.Profit.String()), modeltest.BigOf(c.Limit.Maintenance.String()))
		return figure != nil && modeltest.Holds(string(c.Operator), figure, limit)
	case filter.EstimateCondition:
		mark, notional := plainEstimates(in, p)
		of := notional
		if c.OfMark {
			of = mark
		}
		if of != nil && c.Operator == "!=" {
			return !c.Limit.Raw && (of.least.Cmp(ratOf(c.Limit)) > 0 || of.most.Cmp(ratOf(c.Limit)) < 0)
		}
		return of != nil && !c.Limit.Raw && modeltest.Holds(string(c.Operator), of.least, ratOf(c.Limit)) &&
			modeltest.Holds(string(c.Operator), of.most, ratOf(c.Limit))
	case filter.MaintenanceCondition:
		text, decimals := margins.maintenance(in, p), in.Decimals(model.UnrealisedPnl, p.Market)
		value := modeltest.ValueOf(text, decimals)
		isDecimal := value != nil && modeltest.IsDecimal(text)
		isUnknown := decimals == model.Unscaled && !c.Limit.Raw && value != nil && value.Sign() != 0 && !c.Limit.Integer.IsZero()
		if value == nil || !isDecimal && isUnknown || c.Limit.Raw && (isDecimal || decimals != model.Unscaled) {
			return false
		}
		return modeltest.Holds(string(c.Operator), value, ratOf(c.Limit))
	case filter.AgeCondition:
		at, ok := p.Number(model.UpdatedAt).Time()
		return ok && at.Sub(now) <= model.AheadFor && modeltest.Holds(string(c.Operator), big.NewRat(int64(now.Sub(at)), 1), big.NewRat(int64(c.Limit), 1))
	case filter.TimeCondition:
		limit := c.Limit
		if c.IsTimeOfDay {
			limit = time.Date(now.Year(), now.Month(), now.Day(), limit.Hour(), limit.Minute(), limit.Second(), 0, now.Location())
			if limit.After(now) {
				limit = limit.AddDate(0, 0, -1)
			}
		}
		at, ok := p.Number(model.UpdatedAt).Time()
		return ok && modeltest.Holds(string(c.Operator), big.NewRat(at.UnixNano(), 1), big.NewRat(limit.UnixNano(), 1))
	}
	return false
}

// plainEstimate is between which numbers an estimate is.
type plainEstimate struct{ least, most *big.Rat }

// plainEstimates returns the mark price and the notional of a position; nil if there are none.
func plainEstimates(in *model.Instruments, p *model.Position) (mark, notional *plainEstimate) {
	ofMark, ofNotional, ok := model.MarkAndNotional(p, in)
	if !ok {
		return nil, nil
	}
	of := func(e model.Estimate, unit model.Field) *plainEstimate {
		decimals := in.Decimals(unit, p.Market)
		value, bound := modeltest.ValueOf(e.String(), decimals), modeltest.ValueOf(e.Bound.String(), decimals)
		return &plainEstimate{new(big.Rat).Sub(value, bound), new(big.Rat).Add(value, bound)}
	}
	return of(ofMark, model.AverageEntryPrice), of(ofNotional, model.UnrealisedPnl)
}

// plainGroupsOf returns the names of the own groups that a position is in.
func plainGroupsOf(in *model.Instruments, key model.Key) (names []string) {
	for _, g := range in.Groups() {
		if g.Covers(key) && (!g.IsOfRows() || slices.Contains(g.Positions, key)) {
			names = append(names, g.Name)
		}
	}
	return names
}

func ratOf(d filter.Decimal) *big.Rat {
	return modeltest.Value(modeltest.BigOf(d.Integer.String()), d.Decimals)
}

// filters are texts that match some rows of a modeltest.World, and one that cannot be parsed.
var filters = []string{
	"", "a", "f", "ee", "desk", "DESK-1", "!desk", "c1", "c2 !desk-1", "usdt", "asset:eur", "!asset:d", "asset:f", "asset:(none)",
	"party:desk", "market:usdt", "market:0 party:0", "status:closed", "status:new", "!status:dist", "status:9",
	"side:long", "side:s", "!side:l", "side:f", "eth status:distressed", "nothing", "a b c", "a:b", "!",
	strings.Repeat("a ", 60), strings.Repeat("!z ", 63) + "desk", strings.Repeat("!z ", 63) + "side:long",
	"party:=desk-1", "=c2/dai|desk-3", "desk|c1", "!desk|c1", `status:="closed out"`, "party:desk|side:long",
	"size>0", "size<0 upnl>0", "size!=0 entry>.01", "upnl<-1", "upnl>=0.0000005", "upnl>1r", "rpnl<=-3r", "!upnl<0",
	"size>5|<-5", "entry=0", "m%<-20", "pnl/mm>100", "!m%>0", "upnl/mm<-50%", "m%<0|side:short", "m%=100|m%=50", "m%!=33.3 upnl<0",
	"status:dist|m%<-50 side:long|flat", "age>1ns", "age<=2ns", "to50<30", "to50<=0", "to100>5 side:long", "!to100<40", "to50!=0|m%>0", "updated>1970-01-01", "updated>1970-01-01T01:00+01:00", "updated<=00:00 size>0", "updated>23:50", "updated<23:50", "desk age<2ns m%<50",
	"maintenance>300", "maintenance<=0.0001", "!maintenance>5r", "entry%<0", "entry%>=2.5%|side:long", "leverage>=4", "!leverage<3 c1", "leverage!=5",
	"mark>100", "mark<=0.5 side:long", "!notional<-5k", "notional!=0|mark<7r",
	"group:majors", "group:team !group:=majors", "group:=team|c1 upnl<0", "!group:majors|side:long",
}

// TestFiltersHaveEachField: a field that the matcher does not know would match nothing.
func TestFiltersHaveEachField(t *testing.T) {
	all := " " + strings.Join(filters, " ")
	for f := range model.FieldCount {
		all += " " + f.FilterName() + ">0" // numbers are compared alike
	}
	for _, field := range filter.Fields() {
		if !regexp.MustCompile(`[ |!]` + regexp.QuoteMeta(field) + `[:<>=!]`).MatchString(all) {
			t.Errorf("no filter of the test has the field %s", field)
		}
	}
}

// anyNow returns a time that is later than those of some rows of a modeltest.World.
func anyNow(s *modeltest.Sample) time.Time { return time.Unix(0, s.Int64N(6)).UTC() }

func FuzzFilter(f *testing.F) {
	for i, text := range filters {
		f.Add(text, uint64(i))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		_, err := filter.Parse(text)
		var wrong *filter.Error
		if err != nil && (!errors.As(err, &wrong) || wrong.Start < 0 || wrong.End <= wrong.Start || wrong.End > len(text) || wrong.Words == "") {
			t.Fatalf("%q: the error is %+v", text, err)
		}
		checkMatcher(t, text, seed, 4, 20)
	})
}

// checkMatcher makes random rows, matches them with a matcher one by one and together, and compares the results with
// plainMatch. It returns how many match.
func checkMatcher(t *testing.T, text string, seed uint64, keys, rows int) (matched int) {
	t.Helper()
	w := modeltest.NewWorld(seed, keys, keys)
	c := sorting.NewEncoder(book.New(0), w.Instruments, nil)
	levels := newPlainMargins()
	for range 3 * keys {
		record := w.Record()
		levels.records[record.MarginKey] = record
		putRecord(c.Book.Margins(), record)
	}
	f := Filter{Text: text, Now: anyNow(w.Sample)}
	order := Order{sortable[w.IntN(len(sortable))], w.IntN(2) == 0}
	query, _ := filter.Parse(text)
	m := newMatcher(query, f.Now, order.sorter(), c)
	entries := make([]sorting.Entry, rows)
	for i := range entries {
		p := w.Position(model.Subscription{})
		entries[i] = entryOf(c, i, &p)
	}
	m.matchNew()
	ranks := order.sorter().Sort(entries, c)
	for part := range slices.Chunk(entries, matchedTogether) {
		for i := range part {
			part[i].Rank = ranks.OfStored(part[i], c)
		}
		all := m.matchAll(part)
		for i, e := range part {
			together := all>>i&1 != 0
			p := c.Position(e)
			ratioOf := func(*model.Position) (model.MarginRatio, bool) { return c.MarginRatio(e) }
			want := plainMatch(f, w.Instruments, levels, &p)
			if got := m.matches(e); got != want || together != want {
				t.Fatalf("%q matches %+v: %v, together with others %v, want %v", text, p, got, together, want)
			}
			levelsOf := func(*model.Position) *model.MarginLevels { return c.LevelsOf(e) }
			context := filter.Context{Instruments: w.Instruments, MarginRatio: ratioOf, Levels: levelsOf, Now: f.Now}
			if got := query.Matches(&p, context); got != want {
				t.Fatalf("%q matches %+v by itself: %v, want %v", text, p, got, want)
			}
			if want {
				matched++
			}
		}
	}
	return matched
}

// TestMatcherAgreesWithPlainMatch also checks that most filters match some of the rows, and not all.
func TestMatcherAgreesWithPlainMatch(t *testing.T) {
	useful, tries := 0, modeltest.Times(5)
	for seed, text := range filters {
		for more := range tries {
			if n := checkMatcher(t, text, uint64(tries*seed+more), 6, 400); n > 0 && n < 400 {
				useful++
			}
		}
	}
	if useful < tries*len(filters)*2/3 {
		t.Errorf("only %d of %d tries matched some rows and not others", useful, tries*len(filters))
	}
}

// TestAFilterOfNumbersAfterAnAuditRemovedARow with an amount that is only text. The rows are more than one bucket, and
// most of them are compared.
func TestAFilterOfNumbersAfterAnAuditRemovedARow(t *testing.T) {
	s := modeltest.NewSample(1, 8, 8)
	b := bookOf(s, 64, 3)
	page := book.AuditPage{First: true, Last: true, IsBelieved: true}
	for p := range b.All {
		page.Positions = append(page.Positions, p)
	}
	removed := page.Positions[0]
	removed.SetNumber(model.UnrealisedPnl, model.ParseAmount("unknown"))
	removed.SetNumber(model.UpdatedAt, model.Amount{})
	page.Positions = page.Positions[1:]
	v := New(b, model.Scope{}, Filter{}, Order{}, s.Instruments)
	merge(v, updateOf(model.Subscription{}, removed))
	if corrected := compare(v, &page); corrected != 1 {
		t.Fatalf("the audit made %d corrections", corrected)
	}
	all := v.Rows()
	v = v.Refiltered(Filter{Text: "upnl<0|>=0|<=0r|>0r", ShowClosed: true})
	if all != 63 || v.Len() != all {
		t.Errorf("%d of %d rows match", v.Len(), all)
	}
}

// TestAFilterOfAgesLeavesOutRowsInTheFuture.
func TestAFilterOfAgesLeavesOutRowsInTheFuture(t *testing.T) {
	s := modeltest.NewSample(1, 3, 3)
	now := time.Unix(1_800_000_000, 0)
	b := book.New(0)
	for i, key := range s.Pairs(3) {
		p := s.State(key, 3)
		ahead := []time.Duration{-time.Second, time.Second, time.Hour}[i]
		p.SetNumber(model.UpdatedAt, model.AmountOf(now.Add(ahead).UnixNano()))
		b.Merge(updateOf(model.Subscription{}, p))
	}
	for text, want := range map[string]int{"age<1m": 2, "age>1m": 0} {
		v := New(b, model.Scope{}, Filter{Text: text, ShowClosed: true, Now: now}, Order{}, s.Instruments)
		if v.Len() != want {
			t.Errorf("%s: %d rows match, want %d", text, v.Len(), want)
		}
	}
}

// TestMatcherOfManyStatuses: a service sends more statuses than there are codes.
func TestMatcherOfManyStatuses(t *testing.T) {
	c := sorting.NewEncoder(book.New(0), model.NewInstruments(nil, nil, nil), nil)
	query, _ := filter.Parse("status:x7")
	m := newMatcher(query, time.Time{}, sorting.Sorter{}, c)
	for i := range 3 * sorting.NoStatusCode {
		var p model.Position
		p.SetStatus(fmt.Appendf(nil, "X%d", i))
		e := entryOf(c, i, &p)
		m.matchNew()
		if got, want := m.matches(e), plainMatch(Filter{Text: "status:x7"}, c.Instruments, plainMargins{}, &p); got != want {
			t.Fatalf("%s matches: %v", p.StatusName(), got)
		}
	}
	if len(c.Statuses.Values()) > sorting.NoStatusCode {
		t.Errorf("%d statuses have codes", len(c.Statuses.Values()))
	}
}

// TestUncompared counts the markets whose numbers a filter cannot compare.
func TestUncompared(t *testing.T) {
	s := modeltest.NewSample(1, 2, 4) // one of the markets has no decimals
	for text, want := range map[string]int{"size>5": 1, "size>0": 0, "upnl<0": 0, "size>5r": 3, "desk": 0, "m%<5": 0} {
		view := New(bookOf(s, 8, 3), model.Scope{}, Filter{Text: text}, Order{}, s.Instruments)
		if got := view.Uncompared(); got != want {
			t.Errorf("%s: %d markets, want %d", text, got, want)
		}
	}
}

// TestRatiosAtTheLimitOfAFilter are decided exactly, also in the orders in which rows are matched by their ranks:
// several ratios have the rank of the limit.
func TestRatiosAtTheLimitOfAFilter(t *testing.T) {
	b, ratios := book.New(0), make(map[model.Key]*big.Rat)
	for _, profit := range []int64{0, 5e17, 5e17 + 1, 5e17 - 1, 333e15, 333e15 + 1, 333e15 - 1} {
		for _, sign := range []int64{-1, 1} {
			p := model.Position{Key: model.Key{Market: model.MakeID(fmt.Sprint(sign, profit))}}
			p.SetNumber(model.OpenVolume, model.AmountOf(1))
			p.SetNumber(model.UnrealisedPnl, model.AmountOf(sign*profit))
			b.Merge(updateOf(model.Subscription{}, p))
			putRecord(b.Margins(), model.MarginLevels{MarginKey: model.MarginKey{Key: p.Key}, Maintenance: model.AmountOf(1e18)})
			ratios[p.Key] = big.NewRat(sign*profit, 1e18)
		}
	}
	limits := map[string]*big.Rat{
		"50": big.NewRat(1, 2), "-50": big.NewRat(-1, 2), "33.3": big.NewRat(333, 1000), "-33.3": big.NewRat(-333, 1000), "0": new(big.Rat),
	}
	for _, order := range []Order{{}, {MarginRatioColumn, false}, {MarginRatioColumn, true}, {TroubleColumn, false}, {TroubleColumn, true}} {
		v := New(b, model.Scope{}, Filter{}, order, model.NewInstruments(nil, nil, nil))
		for _, operator := range []string{"<", "<=", "=", "!=", ">=", ">"} {
			for text, limit := range limits {
				want := 0
				for _, ratio := range ratios {
					if modeltest.Holds(operator, ratio, limit) {
						want++
					}
				}
				found := v.Refiltered(Filter{Text: "m%" + operator + text})
				for p := range found.Shown {
					if !modeltest.Holds(operator, ratios[p.Key], limit) {
						t.Errorf("%+v: %s matches %s", order, found.Filter.Text, p.Market)
					}
				}
				if found.Len() != want {
					t.Errorf("%+v: %s matches %d rows, want %d", order, found.Filter.Text, found.Len(), want)
				}
			}
		}
	}
}
