package model

import (
	"slices"
	"strings"
	"testing"
)

func TestParseTerms(t *testing.T) {
	for text, want := range map[string][]term{
		"":                    nil,
		" \t ":                nil,
		"ETH":                 {{word: "eth"}},
		"eth  desk":           {{word: "eth"}, {word: "desk"}},
		"!eth":                {{word: "eth", not: true}},
		"party:Desk":          {{field: "party", word: "desk"}},
		"!status:Distressed":  {{field: "status", word: "distressed", not: true}},
		"side:long asset:usd": {{field: "side", word: "long"}, {field: "asset", word: "usd"}},
		"market:a:b":          {{field: "market", word: "a:b"}},
		"party: ! !party:":    nil,
		"size:1 :x a:":        {{word: "size:1"}, {word: ":x"}, {word: "a:"}},
		"!!x":                 {{word: "!x", not: true}},
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

// plainMatch tells whether all words of a filter match a row, each looked for where it says.
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
		found := slices.ContainsFunc(places[t.field], func(s string) bool { return strings.Contains(strings.ToLower(s), t.word) })
		if t.field == "side" {
			sign := p.Number(OpenVolume).Sign()
			found = sign > 0 && strings.HasPrefix("long", t.word) || sign < 0 && strings.HasPrefix("short", t.word)
		}
		if found == t.not {
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
		d := &directory{instruments: w.instruments}
		m := newMatcher(parseTerms(text), d)
		for range 20 {
			p := w.position(Subscription{})
			e := d.entry(&p)
			m.learn()
			if got, want := m.matches(e), plainMatch(text, w.instruments, &p); got != want {
				t.Fatalf("%q matches %+v: %v, want %v", text, p, got, want)
			}
		}
	})
}
