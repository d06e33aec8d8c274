package model

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestParseTerms(t *testing.T) {
	for text, want := range map[string][]term{
		"":                    nil,
		" \t ":                nil,
		"ETH":                 {{text: "eth"}},
		"eth  desk":           {{text: "eth"}, {text: "desk"}},
		"!eth":                {{text: "eth", negated: true}},
		"party:Desk":          {{field: "party", text: "desk"}},
		"!status:Distressed":  {{field: "status", text: "distressed", negated: true}},
		"side:long asset:usd": {{field: "side", text: "long"}, {field: "asset", text: "usd"}},
		"market:a:b":          {{field: "market", text: "a:b"}},
		"party: ! !party:":    nil,
		"size:1 :x a:":        {{text: "size:1"}, {text: ":x"}, {text: "a:"}},
		"!!x":                 {{text: "!x", negated: true}},
	} {
		if got := parseTerms(text); !slices.Equal(got, want) {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
}

func TestUnknownField(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "eth desk": "", "party:a market:b asset:c side:d status:e": "", "!PARTY:x": "", ":x": "", "foo": "",
		"foo:bar": "foo", "eth !size:1": "size", "part:a": "part", "market:a:b": "",
	} {
		if got := (Filter{Text: text}).UnknownField(); got != want {
			t.Errorf("%q has the unknown field %q, want %q", text, got, want)
		}
	}
}

// plainMatch reports whether a row matches all terms of a filter, without any index.
func plainMatch(text string, in *Instruments, p *Position) bool {
	market := in.Market(p.Market)
	asset := in.Asset(market.Asset)
	places := map[string][]string{
		"":       {market.Name, p.Market.String(), in.Party(p.Party).Name, p.Party.String()},
		"party":  {in.Party(p.Party).Name, p.Party.String()},
		"market": {market.Name, p.Market.String()},
		"asset":  {asset.Symbol, asset.ID.String()},
		"status": {p.StatusName()},
	}
	for _, t := range parseTerms(text) {
		found := slices.ContainsFunc(places[t.field], func(s string) bool { return strings.Contains(strings.ToLower(s), t.text) })
		if t.field == "side" {
			sign := p.Number(OpenVolume).Sign()
			found = sign > 0 && strings.HasPrefix("long", t.text) || sign < 0 && strings.HasPrefix("short", t.text)
		}
		if found == t.negated {
			return false
		}
	}
	return true
}

// filters are texts that match some rows of a world.
var filters = []string{
	"", "a", "f", "ee", "desk", "DESK-1", "!desk", "c1", "c2 !desk-1", "usdt", "asset:eur", "!asset:d", "asset:f",
	"party:desk", "market:usdt", "market:0 party:0", "status:closed", "status:new", "!status:dist", "status:9",
	"side:long", "side:s", "!side:l", "side:x", "eth status:distressed", "nothing", "a b c", "a:b", "!",
	strings.Repeat("a ", 70), strings.Repeat("a ", 63) + "b !nothing", strings.Repeat("!z ", 64) + "desk", strings.Repeat("!z ", 200) + "side:long",
}

func FuzzFilter(f *testing.F) {
	for i, text := range filters {
		f.Add(text, uint64(i))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		w := newWorld(seed, 4, 4)
		c := &encoder{instruments: w.instruments}
		m := newMatcher(parseTerms(text), c)
		for range 20 {
			p := w.position(Subscription{})
			e := c.entry(&p)
			m.matchNew()
			if got, want := m.matches(e), plainMatch(text, w.instruments, &p); got != want {
				t.Fatalf("%q matches %+v: %v, want %v", text, p, got, want)
			}
		}
	})
}

func TestMatcherAgreesWithEachRow(t *testing.T) {
	for seed, text := range filters {
		w := newWorld(uint64(seed), 6, 6)
		c := &encoder{instruments: w.instruments}
		m := newMatcher(parseTerms(text), c)
		matched := 0
		for range 500 {
			p := w.position(Subscription{})
			e := c.entry(&p)
			m.matchNew()
			got := m.matches(e)
			if want := plainMatch(text, w.instruments, &p); got != want {
				t.Fatalf("%q matches %+v: %v, want %v", text, p, got, want)
			}
			if got {
				matched++
			}
		}
		if matched == 0 && text == "" {
			t.Error("an empty filter matches nothing")
		}
	}
}

// TestMatcherOfEndlessStatuses: a service invents more statuses than there are codes.
func TestMatcherOfEndlessStatuses(t *testing.T) {
	c := &encoder{instruments: NewInstruments(nil, nil, nil)}
	m := newMatcher(parseTerms("status:x7"), c)
	for i := range 3 * noStatusCode {
		var p Position
		p.SetStatus(fmt.Appendf(nil, "X%d", i))
		e := c.entry(&p)
		m.matchNew()
		if got, want := m.matches(e), plainMatch("status:x7", c.instruments, &p); got != want {
			t.Fatalf("%s matches: %v", p.StatusName(), got)
		}
	}
	if len(c.statuses.values) > noStatusCode {
		t.Errorf("%d statuses have codes", len(c.statuses.values))
	}
}
