package filter

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// marketNames are names of markets as venues write them, and the same with more of the characters that filters use.
var marketNames = []string{
	"xyz:GOLD", "flx:TSLA", "EURUSD=X", "GC=F", "BTC>100K-DEC", "ETH<2K-31JAN", "BTC>=100K", "FED!=CUT", "BTC/USDT:USDT", "BTC/USD:BTC-260327",
	"BTC/USD:BTC-260327-110000-C", "BTC-USD-260327-110000-C", "NYSE:BRK.B", "CME_MINI:ES1!", "INDEX:^GSPC", "PURR/USDC", "@107", "ETH_USDC-PERP",
	"BTC?", "Will BTC be > 100K?", "S&P 500: UP", "A|B", "EUR:USD|X", "no\u00a0break:x", "ΔBTC:1", "ÉTÉ=X", "100%>50%", ":X", "=X", "==X", "<5", "!X", "!X:Y", "X:",
	"X=", `12" PIPE:1`, `"x:y"`, "size", "size:5", "size>5", "party:x", "side:long", "m%<5", "age>1m",
}

func namesOf(names ...string) Names {
	return func(field Field) []string {
		if field == MarketField {
			return names
		}
		return nil
	}
}

// TestNamesWithOperators are understood as they are, if what stands before the operator is no field.
func TestNamesWithOperators(t *testing.T) {
	known := namesOf(marketNames...)
	for _, name := range []string{
		"xyz:GOLD", "flx:TSLA", "EURUSD=X", "GC=F", "BTC>100K-DEC", "ETH<2K-31JAN", "BTC>=100K", "FED!=CUT", "BTC/USDT:USDT", "BTC/USD:BTC-260327",
		"BTC/USD:BTC-260327-110000-C", "BTC-USD-260327-110000-C", "NYSE:BRK.B", "CME_MINI:ES1!", "INDEX:^GSPC", "PURR/USDC", "@107", "ETH_USDC-PERP",
		"BTC?", "ΔBTC:1", "ÉTÉ=X", "100%>50%", ":X", "<5", "X:", "X=",
	} {
		for text, want := range map[string]TextCondition{
			name: {Text: compared(name)}, name[:len(name)-1]: {Text: compared(name[:len(name)-1])}, "market:" + name: {Field: MarketField, Text: compared(name)},
			"!" + strings.ToLower(name): {Text: compared(name)}, "party:x|market:x|" + name: {Field: MarketField, Text: compared(name)},
		} {
			query, err := known.Parse(text)
			if strings.HasSuffix(text, "|<5") { // a comparison of market: with 5
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			term := query.terms[0]
			if got := term.Any[len(term.Any)-1]; got != want || len(query.terms) != 1 || term.Negated != strings.HasPrefix(text, "!") {
				t.Errorf("%s is %+v, want %+v", text, got, want)
			}
			quoted := Quoted(known.Parse, text+" eth size>5")
			if again, err := Parse(quoted); err != nil || !reflect.DeepEqual(again.terms[0], term) || len(again.terms) != 3 {
				t.Errorf("%s with quotes is %s: %+v, %v", text, quoted, again, err)
			}
		}
	}
}

// TestUnknownNamesAreErrors that say how a name is written. A field is never a name.
func TestUnknownNamesAreErrors(t *testing.T) {
	fields := "; fields: " + strings.Join(Fields(), " ")
	known := namesOf("xyz:GOLD", "size>five", "party=x", "BTC")
	for text, want := range map[string]string{
		"xyz:SILVER":           `unknown field "xyz"; as a name: "xyz:SILVER"` + fields,
		"party:xyz|abc:GOLD":   `unknown field "abc"; did you mean age? as a name: "abc:GOLD"` + fields,
		`EURUSD="X Y"`:         `unknown field "EURUSD"; as a name: "EURUSD=X Y"` + fields,
		"status:new|xyz:GOLD":  `unknown field "xyz"; as a name: "xyz:GOLD"` + fields, // no status has it
		">100K":                `">100K": a field must stand before >, without a space, as in size>0; as a name: ">100K"`,
		"size>five":            "size> needs a number, as in size>1.5k",
		"party=x":              "party takes party:text, or party:=text for the whole of it",
		"BTC upnl<five":        "upnl< needs a number, as in upnl>1.5k",
		"xyz:GOLD xyz:SILVER ": `unknown field "xyz"; as a name: "xyz:SILVER"` + fields,
	} {
		for _, parse := range []Parser{known.Parse, known.ParseEvents} {
			if wrong := FirstError(parse, text); wrong == nil || !strings.HasPrefix(wrong.Words, strings.TrimSuffix(want, fields)) {
				t.Errorf("%s: %v, want %s", text, wrong, want)
			}
			if got := Quoted(parse, text); got != text {
				t.Errorf("%s becomes %s although it is wrong", text, got)
			}
		}
	}
	if _, err := known.Parse("xyz:SILVER"); err.Error() != `unknown field "xyz"; as a name: "xyz:SILVER"`+fields {
		t.Error(err)
	}
}

// TestCompletedNames: whatever a name has in it, a filter with its completion searches for exactly this name.
func TestCompletedNames(t *testing.T) {
	names := slices.Clone(marketNames)
	random := rand.New(rand.NewPCG(1, 2))
	letters := []rune("aB1:<>=!|\"  \u00a0\u2003\t-/.^%é\u202eשm")
	for range 1000 {
		var name []rune
		for range 1 + random.IntN(6) {
			name = append(name, letters[random.IntN(len(letters))])
		}
		names = append(names, string(name))
	}
	for _, name := range names {
		want := TextCondition{Field: MarketField, Text: compared(name)}
		if want.Text == "" { // nothing of it can be typed
			continue
		}
		for _, before := range []string{"market:", "size>5 !market:", "market:=", "party:a|market:"} {
			for _, begun := range []string{"", `"`, `"` + string([]rune(typeable(name))[:1])} {
				start, candidates := Complete(before+begun, namesOf(name))
				if len(candidates) != 1 || start != len(before) {
					t.Fatalf("%s%s: %q has the completions %q from %d", before, begun, name, candidates, start)
				}
				query, err := Parse(before + candidates[0])
				if err != nil {
					t.Fatalf("%q is completed to %s: %v", name, candidates[0], err)
				}
				term := query.terms[len(query.terms)-1]
				want.Whole = strings.HasSuffix(before, "=")
				if got := term.Any[len(term.Any)-1]; got != want {
					t.Fatalf("%q is completed to %s, which is %+v", name, candidates[0], got)
				}
			}
		}
	}
}

// TestNamesAreCompletedWithoutAField, if no field begins with the text.
func TestNamesAreCompletedWithoutAField(t *testing.T) {
	known := namesOf("xyz:GOLD", "xyz:SILVER", "EURUSD=X", "BTC>100K-DEC", "sixty", "plain")
	for text, want := range map[string]struct {
		start      int
		candidates []string
	}{
		"x":            {0, []string{`"xyz:GOLD"`, `"xyz:SILVER"`}},
		"!XYZ:g":       {1, []string{`"xyz:GOLD"`}},
		"=eur":         {1, []string{`"EURUSD=X"`}},
		"a|EURUSD=":    {2, []string{`"EURUSD=X"`}},
		"size>5 btc>1": {7, []string{`"BTC>100K-DEC"`}},
		`"btc`:         {0, []string{`"BTC>100K-DEC"`}},
		"pl":           {0, []string{"plain"}},
		"p":            {0, []string{"party:"}},
		"si":           {0, []string{"side:", "size"}},
		"size>":        {5, nil},
	} {
		if start, got := Complete(text, known); start != want.start || !slices.Equal(got, want.candidates) {
			t.Errorf("%s: %q from %d, want %q from %d", text, got, start, want.candidates, want.start)
		}
	}
}
