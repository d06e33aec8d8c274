package filter

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/modeltest"
)

func TestParseQuery(t *testing.T) {
	text := func(field Field, text string) Condition { return TextCondition{field, text, false} }
	one := func(conditions ...Condition) Term { return Term{Any: conditions} }
	number := func(field model.Field, o Operator, integer int64, decimals int) Term {
		return one(AmountCondition{field, o, Decimal{model.AmountOf(integer), decimals, false}})
	}
	ratio := func(o Operator, profit, maintenance int64) Term {
		return one(RatioCondition{o, model.MarginRatio{Profit: model.AmountOf(profit), Maintenance: model.AmountOf(maintenance)}})
	}
	for typed, want := range map[string][]Term{
		"":                                  nil,
		" \t ":                              nil,
		"ETH":                               {one(text("", "eth"))},
		"eth  desk":                         {one(text("", "eth")), one(text("", "desk"))},
		"!eth":                              {{true, []Condition{text("", "eth")}}},
		"!!x":                               {{true, []Condition{text("", "!x")}}},
		"eth|BTC":                           {one(text("", "eth"), text("", "btc"))},
		`"Two words" x`:                     {one(text("", "two words")), one(text("", "x"))},
		`"a|b:c>d!=""e"`:                    {one(text("", "a|b:c>d!=e"))},
		`party:"desk 7"|8`:                  {one(text(PartyField, "desk 7"), text(PartyField, "8"))},
		"party:a|market:b|c":                {one(text(PartyField, "a"), text(MarketField, "b"), text(MarketField, "c"))},
		"party:=Desk-77":                    {one(TextCondition{PartyField, "desk-77", true})},
		"=desk !=desk":                      {one(TextCondition{"", "desk", true}), {true, []Condition{TextCondition{"", "desk", true}}}},
		"PARTY:Desk":                        {one(text(PartyField, "desk"))},
		"!status:Distressed":                {{true, []Condition{text(StatusField, "distressed")}}},
		"side:long|s":                       {one(SideCondition{model.Long}, SideCondition{model.Short})},
		"side:=flat asset:usd":              {one(SideCondition{model.Flat}), one(text(AssetField, "usd"))},
		"market:a:b":                        {one(text(MarketField, "a:b"))},
		":x":                                {one(text("", ":x"))},
		"upnl < -1500":                      {number(model.UnrealisedPnl, "<", -1500, 0)},
		"eth  UPNL  <-1500 x":               {one(text("", "eth")), number(model.UnrealisedPnl, "<", -1500, 0), one(text("", "x"))},
		"size>= 5 x":                        {number(model.OpenVolume, ">=", 5, 0), one(text("", "x"))},
		"age x":                             {one(text("", "age")), one(text("", "x"))},
		"m% != -20":                         {ratio("!=", -20, 100)},
		"uPnL/MM<-50%":                      {ratio("<", -50, 100)},
		"pnl/mm < -50":                      {ratio("<", -50, 100)},
		"size>0":                            {number(model.OpenVolume, ">", 0, 0)},
		"entry<=1,500.25":                   {number(model.AverageEntryPrice, "<=", 150025, 2)},
		"UPNL<-1.5k":                        {number(model.UnrealisedPnl, "<", -1500, 0)},
		"upnl>1,234,567.89":                 {number(model.UnrealisedPnl, ">", 123456789, 2)},
		"rpnl!=.5M":                         {number(model.RealisedPnl, "!=", 500_000, 0)},
		"rpnl>=1.2345678M":                  {number(model.RealisedPnl, ">=", 12345678, 1)},
		"size=+5r":                          {one(AmountCondition{model.OpenVolume, "=", Decimal{model.AmountOf(5), 0, true}})},
		"size>5|<-5":                        {one(AmountCondition{model.OpenVolume, ">", Decimal{Integer: model.AmountOf(5)}}, AmountCondition{model.OpenVolume, "<", Decimal{Integer: model.AmountOf(-5)}})},
		"m%<-20":                            {ratio("<", -20, 100)},
		"pnl/mm<-20":                        {ratio("<", -20, 100)},
		"pnl/mm>=12.5%":                     {ratio(">=", 125, 1000)},
		"size>500,000":                      {number(model.OpenVolume, ">", 500_000, 0)},
		"age>0s":                            {one(AgeCondition{">", 0})},
		"m%>=12.5%":                         {ratio(">=", 125, 1000)},
		"status:dist|m%<-50":                {one(text(StatusField, "dist"), ratio("<", -50, 100).Any[0])},
		"age>5m":                            {one(AgeCondition{">", 5 * time.Minute})},
		"age<=1D2H":                         {one(AgeCondition{"<=", 26 * time.Hour})},
		"age<=1d2h":                         {one(AgeCondition{"<=", 26 * time.Hour})},
		"updated>14:02":                     {one(TimeCondition{Operator: ">", Limit: time.Date(0, 1, 1, 14, 2, 0, 0, time.UTC), IsTimeOfDay: true})},
		"updated<2026-11-22t14:02":          {one(TimeCondition{Operator: "<", Limit: time.Date(2026, 11, 22, 14, 2, 0, 0, time.UTC)})},
		"updated>2026-11-22T14:02:30+01:00": {one(TimeCondition{Operator: ">", Limit: time.Date(2026, 11, 22, 14, 2, 30, 0, time.FixedZone("", 3600)), HasZone: true})},
		"updated>=2026-11-22":               {one(TimeCondition{Operator: ">=", Limit: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)})},
	} {
		got, err := Parse(typed)
		if err != nil {
			t.Errorf("%q: %v", typed, err)
		} else if !slices.EqualFunc(got.terms, want, func(a, b Term) bool { return reflect.DeepEqual(a, b) }) {
			t.Errorf("%q is %+v, want %+v", typed, got.terms, want)
		}
	}
}

// TestQueryErrors: each error is about the word that it names.
func TestQueryErrors(t *testing.T) {
	fields := "; fields: " + strings.Join(Fields(), " ")
	for text, want := range map[string][2]string{
		"statis:d":                        {"statis", `unknown field "statis"; did you mean status? as a name: "statis:d"` + fields},
		"eth !Foo<5 x":                    {"Foo", `unknown field "Foo"; as a name: "Foo<5"` + fields},
		"a:b":                             {"a", `unknown field "a"; as a name: "a:b"` + fields},
		"x size:5":                        {"size:5", "size takes < <= > >= = or !=, as in size>1.5k"},
		"x size:":                         {"size:", "size takes < <= > >= = or !=, as in size>1.5k"},
		"é upnl<":                         {"upnl<", "upnl< needs a number, as in upnl>1.5k"},
		"upnl<1e5":                        {"upnl<1e5", "upnl< needs a number, as in upnl>1.5k"},
		"m%<20r":                          {"m%<20r", "upnl/mm< needs a number, as in uPnL/MM<-20%"},
		"size>" + strings.Repeat("9", 41): {"size>" + strings.Repeat("9", 41), "size> needs a number, as in size>1.5k"},
		"m%<-1,5":                         {"m%<-1,5", "upnl/mm<-1,5: a comma stands only before groups of three digits, as in 1,500; decimals have a point, as in 1.5"},
		"size>1500,000":                   {"size>1500,000", "size>1500,000: a comma stands only before groups of three digits, as in 1,500; decimals have a point, as in 1.5"},
		"x entry>,500 y":                  {"entry>,500", "entry>,500: a comma stands only before groups of three digits, as in 1,500; decimals have a point, as in 1.5"},
		"size>5|7":                        {"7", "size takes < <= > >= = or !=, as in size>1.5k"},
		"party=x":                         {"party=x", "party takes party:text, or party:=text for the whole of it"},
		"market>5":                        {"market>5", "market takes market:text, or market:=text for the whole of it"},
		"side=long":                       {"side=long", "side takes side:long, side:short or side:flat"},
		"side:lang":                       {"lang", `unknown side "lang"; sides: long short flat`},
		"<5":                              {"<5", `"<5": a field must stand before <, without a space, as in size<0; as a name: "<5"`},
		"age=5m":                          {"age=5m", "age takes < <= > or >=, as in age>5m"},
		"age!=5m":                         {"age!=5m", "age takes < <= > or >=, as in age>5m"},
		"age>5":                           {"age>5", "age> needs a time such as 30s, 5m, 2h or 3d"},
		"size>1,50.25":                    {"size>1,50.25", "size>1,50.25: a comma stands only before groups of three digits, as in 1,500; decimals have a point, as in 1.5"},
		"age>60000d2000000h":              {"age>60000d2000000h", "age> needs a time such as 30s, 5m, 2h or 3d"},
		"age>-5m":                         {"age>-5m", "age> needs a time such as 30s, 5m, 2h or 3d"},
		"age>999999d":                     {"age>999999d", "age> needs a time such as 30s, 5m, 2h or 3d"},
		"updated>0220-01-01":              {"updated>0220-01-01", "updated> needs a year from 1970 to 2199"},
		"updated<2200-01-01":              {"updated<2200-01-01", "updated< needs a year from 1970 to 2199"},
		"updated>25:00":                   {"updated>25:00", "updated> needs a time such as 14:02, 2026-11-22, 2026-11-22T14:02 or 2026-11-22T14:02Z"},
		`eth "two words`:                  {`"two words`, `a closing " is missing`},
		`party:"x y eth`:                  {`"x y eth`, `a closing " is missing`},
		strings.Repeat("a ", 64) + "last": {"last", "a filter has at most 64 terms"},
	} {
		_, err := Parse(text)
		var wrong *Error
		if !errors.As(err, &wrong) {
			t.Errorf("%q: the error is %v", text, err)
		} else if got := [2]string{text[wrong.Start:wrong.End], wrong.Words}; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestAFilterThatIsNotComplete is an error about the part that has nothing to search for. While it is typed, the rest
// of it is used.
func TestAFilterThatIsNotComplete(t *testing.T) {
	for text, want := range map[string]struct{ part, words, rest string }{
		"party:":                   {"party:", `"party:" is not complete: a text must follow, as in party:desk-1`, ""},
		"status:distressed party:": {"party:", `"party:" is not complete: a text must follow, as in party:desk-1`, "status:distressed"},
		"eth !party:= x":           {"!party:=", `"!party:=" is not complete: a text must follow, as in party:desk-1`, "eth x"},
		"market:":                  {"market:", `"market:" is not complete: a text must follow, as in market:eth`, ""},
		"asset:":                   {"asset:", `"asset:" is not complete: a text must follow, as in asset:usdt`, ""},
		`status:""`:                {`status:""`, `"status:\"\"" is not complete: a text must follow, as in status:distressed`, ""},
		"side:":                    {"side:", `"side:" is not complete: long, short or flat must follow`, ""},
		"side:=":                   {"side:=", `"side:=" is not complete: long, short or flat must follow`, ""},
		"!":                        {"!", `"!" is not complete: a term must follow, as in !eth`, ""},
		`""`:                       {`""`, `"\"\"" is not complete: there is no text to search for`, ""},
		"=":                        {"=", `"=" is not complete: there is no text to search for`, ""},
		"party:a|b|":               {"|", `"party:a|b|" is not complete: a text must follow, as in party:desk-1`, "party:a|b"},
		"eth||btc":                 {"|", `"eth||btc" is not complete: there is no text to search for`, "eth|btc"},
		"eth|party: x":             {"|party:", `"eth|party:" is not complete: a text must follow, as in party:desk-1`, "eth x"},
		"|":                        {"|", `"|" is not complete: there is no text to search for`, ""},
	} {
		_, err := Parse(text)
		var wrong *Error
		if !errors.As(err, &wrong) || !wrong.Unfinished {
			t.Errorf("%q: the error is %v", text, err)
		} else if part := text[wrong.Start:wrong.End]; part != want.part || wrong.Words != want.words {
			t.Errorf("%q: %q, %q, want %q, %q", text, part, wrong.Words, want.part, want.words)
		}
		if rest := ValidPart(Parse, text); rest != want.rest {
			t.Errorf("%q: the rest is %q, want %q", text, rest, want.rest)
		}
	}
	if _, err := ParseEvents("event:"); err == nil || !strings.Contains(err.Error(), "one of these must follow: opened closed") {
		t.Errorf("event: the error is %v", err)
	}
}

// TestTheRestOfAFilterThatIsWrong has all words but those that cannot be understood, whatever space is between them.
func TestTheRestOfAFilterThatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"eth size>x btc":       "eth btc",
		"size>x eth":           "eth",
		"statis:new eth":       "eth",
		"\u3000size>x eth":     "eth",
		`eth x"two words`:      "eth",
		"eth\u00a0size>x":      "eth",
		"size>x\u00a0eth":      "eth",
		"eth\tsize>x\u3000btc": "eth\t\u3000btc",
	} {
		if rest := ValidPart(Parse, text); rest != want {
			t.Errorf("%q: the rest is %q, want %q", text, rest, want)
		}
	}
}

// TestTimes: a time of day is the last one before now, in the zone of the trader, as is a date and time without a zone.
func TestTimes(t *testing.T) {
	zurich := time.FixedZone("", 3600)
	in := model.NewInstruments(nil, nil, nil)
	for _, c := range []struct {
		now, text, changed string
		want               bool
	}{
		{"2026-11-23T00:00:30", "updated>23:50", "2026-11-22T23:55:00", true},
		{"2026-11-23T00:00:30", "updated>23:50", "2026-11-22T23:45:00", false},
		{"2026-11-23T00:00:30", "updated<23:50", "2026-11-22T23:45:00", true},
		{"2026-11-23T15:00:00", "updated>14:02", "2026-11-23T14:03:00", true},
		{"2026-11-23T15:00:00", "updated>14:02", "2026-11-23T14:01:00", false},
		{"2026-11-23T14:02:00", "updated>=14:02", "2026-11-23T14:02:00", true},
		{"2026-11-23T15:00:00", "updated>2026-11-23T14:02", "2026-11-23T14:03:00", true},
		{"2026-11-23T15:00:00", "updated>2026-11-23T14:02", "2026-11-23T14:01:00", false},
		{"2026-11-23T15:00:00", "updated>2026-11-23T14:02Z", "2026-11-23T15:01:00", false},
		{"2026-11-23T15:00:00", "updated>2026-11-23T14:02Z", "2026-11-23T15:03:00", true},
		{"2026-11-23T15:00:00", "updated>2026-11-23T14:02:00+01:00", "2026-11-23T14:03:00", true},
	} {
		at := func(text string) time.Time {
			parsed, err := time.ParseInLocation("2006-01-02T15:04:05", text, zurich)
			if err != nil {
				t.Fatal(err)
			}
			return parsed
		}
		query, err := Parse(c.text)
		var p model.Position
		p.SetNumber(model.UpdatedAt, model.AmountOf(at(c.changed).UnixNano()))
		if got := query.Matches(&p, Context{Instruments: in, Now: at(c.now)}); got != c.want || err != nil {
			t.Errorf("at %s, %s matches a change at %s: %v, %v", c.now, c.text, c.changed, got, err)
		}
	}
}

// TestARowInTheFutureHasNoAge, unless it is ahead only by as much as clocks differ.
func TestARowInTheFutureHasNoAge(t *testing.T) {
	now, in := time.Unix(1_800_000_000, 0), model.NewInstruments(nil, nil, nil)
	for ahead, want := range map[time.Duration]bool{-2 * time.Minute: false, -time.Second: true, time.Second: true, model.AheadFor: true, 6 * time.Second: false, time.Hour: false} {
		var p model.Position
		p.SetNumber(model.UpdatedAt, model.AmountOf(now.Add(ahead).UnixNano()))
		query, err := Parse("age<1m")
		if got := query.Matches(&p, Context{Instruments: in, Now: now}); got != want || err != nil {
			t.Errorf("a row that is %s ahead matches: %v, %v", ahead, got, err)
		}
	}
}

// TestWithoutTheTime: while the time of the service is not known, ages and times of day match no row, and dates do.
func TestWithoutTheTime(t *testing.T) {
	var p model.Position
	p.SetNumber(model.UpdatedAt, model.AmountOf(time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC).UnixNano()))
	for text, want := range map[string]bool{
		"age>1m": false, "age<1m": false, "updated>00:00": false, "updated<23:59": false, "updated>2026-11-21": true, "updated<2026-11-23T14:02Z": true,
	} {
		query, err := Parse(text)
		if got := query.Matches(&p, Context{Instruments: model.NewInstruments(nil, nil, nil)}); got != want || err != nil {
			t.Errorf("%s matches: %v, %v", text, got, err)
		}
	}
}

// TestMarginRatios: a row without one matches no comparison.
func TestMarginRatios(t *testing.T) {
	ratio, known := model.MarginRatio{Profit: model.AmountOf(-30), Maintenance: model.AmountOf(100)}, true
	in := Context{MarginRatio: func(*model.Position) (model.MarginRatio, bool) { return ratio, known }}
	matches := func(text string) bool {
		query, err := Parse(text)
		return query.Matches(new(model.Position), in) && err == nil
	}
	if !matches("m%<-20") || matches("m%>-20") || matches("m%<-30") {
		t.Error("a ratio of -30% is not below -20%, or below -30%")
	}
	if known = false; matches("m%<-20") || matches("m%>-20") {
		t.Error("an unknown ratio is compared")
	}
	if in.MarginRatio = nil; matches("m%<-20") || !matches("!m%<-20") {
		t.Error("without margin records, a ratio is compared")
	}
}

// TestCanCompare: the decimals of integers must be known, those of 0 and of a number with a point need not.
func TestCanCompare(t *testing.T) {
	known, unknown := model.MakeID("known"), model.MakeID("unknown")
	in := model.NewInstruments(nil, []model.Market{{ID: known, SizeDecimals: 2}}, nil)
	for text, want := range map[string][]model.ID{"": nil, "eth m%<5": nil, "size>0": nil, "size>5": {unknown}, "x|size>5r": {known}, "upnl>5": {known, unknown}} {
		query, err := Parse(text)
		for number, isRaw := range map[string]bool{"7": true, "007": true, "0": false, "-1.5": false, "1e3": false, "x": false} {
			var got []model.ID
			for _, market := range []model.ID{known, unknown} {
				p := model.Position{Key: model.Key{Market: market}}
				for f := range model.FieldCount {
					p.SetNumber(f, model.ParseAmount(number))
				}
				if !query.CanCompare(&p, in) {
					got = append(got, market)
				}
			}
			if isRaw && !slices.Equal(got, want) || !isRaw && got != nil && text != "x|size>5r" || err != nil {
				t.Errorf("%q and %s: %v, %v", text, number, got, err)
			}
		}
	}
}

// TestRawNumbers are compared only with those whose decimals are not known, also with 0.
func TestRawNumbers(t *testing.T) {
	known, unknown := model.MakeID("known"), model.MakeID("unknown")
	in := model.NewInstruments(nil, []model.Market{{ID: known, SizeDecimals: 2}}, nil)
	for text, want := range map[string][2]bool{"size>0": {true, true}, "size>0r": {false, true}, "size=50r": {false, true}, "size=0.5": {true, false}} {
		query, err := Parse(text)
		for i, market := range []model.ID{known, unknown} {
			p := model.Position{Key: model.Key{Market: market}}
			p.SetNumber(model.OpenVolume, model.AmountOf(50))
			if got := query.Matches(&p, Context{Instruments: in}); got != want[i] || err != nil {
				t.Errorf("%s matches in a market whose decimals are %s: %v, %v", text, market, got, err)
			}
		}
	}
}

func TestUsesTime(t *testing.T) {
	for text, want := range map[string]bool{"": false, "desk size>0": false, "age>5m": true, "x !y|age<5m": true, "updated>14:02": true, "updated>2026-11-22": false} {
		if q, err := Parse(text); err != nil || q.UsesTime() != want {
			t.Errorf("%q: %v, %v", text, q.UsesTime(), err)
		}
	}
}

// TestMatchesLevels: a margin record has a party, a market and an asset of its own.
func TestMatchesLevels(t *testing.T) {
	s := modeltest.NewSample(2, 4, 4)
	eur := s.Instruments.Market(s.Markets[1]).Asset
	levels := model.MarginLevels{MarginKey: model.MarginKey{Key: model.Key{Party: s.Parties[1], Market: s.Markets[3]}, Asset: eur}}
	for text, want := range map[string]bool{"": true, "desk-1": true, "!desk-1": false, "asset:eur": true, "asset:usdt": false, "party:desk market:c3": true, "c2|c3": true} {
		query, err := Parse(text)
		if got := query.MatchesLevels(&levels, s.Instruments); got != want || err != nil || !query.OnlyNames() {
			t.Errorf("%q matches: %v, %v", text, got, err)
		}
	}
	all, _ := Parse("size>0 !desk-3 c1|m%<5 asset:eur")
	if want, _ := Parse("!desk-3 asset:eur"); !reflect.DeepEqual(all.Names(), want) {
		t.Errorf("the terms of names are %+v", all.Names())
	}
	for _, text := range []string{"size>0", "status:new", "desk side:long", "a|m%<5"} {
		if query, err := Parse(text); err != nil || query.OnlyNames() {
			t.Errorf("%q uses only names: %v", text, err)
		}
	}
}
