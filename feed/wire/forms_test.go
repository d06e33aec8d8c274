package wire

import (
	"io"
	"strings"
	"testing"

	"blotter/model"
)

// position returns an update of one position with these members.
func position(members string) string {
	return `{"result":{"updates":{"positions":[{` + members + `}]}}}`
}

func rowLine(text string) string { return "page false last false  updates true [" + text + "]" }

const zeros = "  0 0 0 0 0 0 POSITION_STATUS_UNSPECIFIED"

var forms = []struct{ text, want string }{
	{position(``), rowLine(zeros)},
	{position(`"openVolume":null,"partyId":null,"positionStatus":null`), rowLine(zeros)},
	{position(`"openVolume":"","updatedAt":"soon"`), rowLine("  0 0  0 0 soon POSITION_STATUS_UNSPECIFIED")},
	{position(`"openVolume":"\u0031\u0032"`), rowLine("  0 0 12 0 0 0 POSITION_STATUS_UNSPECIFIED")},
	{position(`"\u006fpenVolume":"12"`), rowLine("  0 0 12 0 0 0 POSITION_STATUS_UNSPECIFIED")},
	{position(`"OPENVOLUME":"12","open_volume":"3"`), rowLine(zeros)},
	{position(`"partyId":7,"marketId":"\"\\\/\b\u00e9\ud83d\ude00"`), rowLine("7 \"\\/\bé😀 0 0 0 0 0 0 POSITION_STATUS_UNSPECIFIED")},
	{position(`"positionStatus":1`), rowLine("  0 0 0 0 0 0 POSITION_STATUS_ORDERS_CLOSED")},
	{position(`"positionStatus":"2"`), rowLine("  0 0 0 0 0 0 POSITION_STATUS_CLOSED_OUT")},
	{position(`"positionStatus":"POSITION_STATUS_DISTRESSED"`), rowLine("  0 0 0 0 0 0 POSITION_STATUS_DISTRESSED")},
	{position(`"positionStatus":3`), rowLine("  0 0 0 0 0 0 3")},
	{position(`"positionStatus":"POSITION_STATUS_NEW"`), rowLine("  0 0 0 0 0 0 POSITION_STATUS_NEW")},
	{position(`"x":{"openVolume":"9","y":[1,[2,{"z":null}],true]},"":"","openVolume":1`), rowLine("  0 0 1 0 0 0 POSITION_STATUS_UNSPECIFIED")},
	{position(`"x" : [ "]}", "\\\"}" , {"\\\\": "{" } ] , "openVolume" : -3 `), rowLine("  0 0 -3 0 0 0 POSITION_STATUS_UNSPECIFIED")},
	{`{}`, "page false last false  updates false "},
	{`null`, "page false last false  updates false "},
	{`{"result":null,"error":null}`, "page false last false  updates false "},
	{`{"result":{"snapshot":null,"updates":null}}`, "page false last false  updates false "},
	{`{"result":{"snapshot":{}}}`, "page true last false  updates false "},
	{`{"result":{"snapshot":{"positions":null,"lastPage":"true"}}}`, "page true last true  updates false "},
	{`{"result":{"snapshot":{"lastPage":null}}}`, "page true last false  updates false "},
	{`{"result":{"updates":{"positions":[]}}}`, "page false last false  updates true "},
	{`{"error":{"message":"m","details":[{"message":"d","inner":"i"},7,null,{"inner":"m"}]}}`, "page false last false  updates false  error m: d: i"},
	{`{"error":"text","result":{"updates":{}}}`, "page false last false  updates true  error text"},
	{`{"error":{}}`, "page false last false  updates false  error an error without a text"},
	{`{"error":{"code":13}}`, "page false last false  updates false  error code 13"},
	{`{"error":{"code":13,"message":"","details":"text"}}`, "page false last false  updates false  error text"},
	{`{"error":{"code":null}}`, "page false last false  updates false  error an error without a text"},
	{`{"error":{"code":[13]}}`, "page false last false  updates false  error an error without a text"},
	{`{"code":5,"error":{"code":13}}`, "page false last false  updates false  error code 5"},
	{`{"error":{"code":{}}}`, "page false last false  updates false  error an error without a text"},
	{`{"code":13,"message":"m","details":[{"inner":"i"}]}`, "page false last false  updates false  error m: i"},
	{`{"code":0,"message":"","details":null}`, "page false last false  updates false "},
	{`{"result":{"snapshot":{}},"message":"fine"}`, "page true last false  updates false "},
	{`{"result":{"updates":{}},"message":"fine"}`, "page false last false  updates true "},
	{`{"error":{"message":"a\u001b[2Jb\u202ec"}}`, "page false last false  updates false  error " + model.Neutralise("a\x1b[2Jb\u202ec")},
}

func TestForms(t *testing.T) {
	for _, c := range forms {
		if got, err := messages(strings.NewReader(c.text)); err != io.EOF || len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %q, %v, want %q", c.text, got, err, c.want)
		}
	}
}

var refusedForms = []struct{ text, words string }{
	{position(`"x":1,"a\"b":2},{"x":1,"a"b":2`), "invalid character 'b'"}, // the name that came before had an escape
	{position(`"partyId":{}`), "an object"},
	{`{"result":{"updates":{"positions":["x"]}}}`, "a text at /result/updates/positions/0; a position"},
	{`{"result":{"updates":{"positions":[null]}}}`, "; a position"},
	{`{"result":{"updates":{"positions":{}}}}`, "an object at /result/updates/positions; an array"},
	{`{"result":{"updates":7}}`, "a number at /result/updates; an object"},
	{`{"result":[]}`, "an array at /result; an object"},
	{`[]`, "an array"},
	{`7`, "a number"},
	{`{"result":{"snapshot":{"lastPage":1}}}`, "a number at /result/snapshot/lastPage; true or false"},
	{position(`"openVolume":"1","openVolume":"2"`), `"openVolume" twice`},
	{position(`"openVolume":"1","\u006fpenVolume":"2"`), `"openVolume" twice`},
	{`{"result":{},"result":{}}`, `"result" twice`},
	{`{"result":{"updates":{},"updates":{}}}`, `"updates" twice`},
	{position(`"partyId":"` + "\xff" + `"`), "invalid UTF-8"},
	{position(`"x` + "\xc0\x80" + `":1`), "invalid UTF-8"},
	{position(`"partyId":"\ud800"`), "surrogate"},
	{position(`"partyId":"\udc00\ud800"`), "surrogate"},
	{position(`"x":"\ud800"`), "surrogate"},
	{position(`"partyId":"` + "a\nb" + `"`), "invalid character"},
	{`<html><body>Log in</body></html>`, `the response is HTML, not JSON: "Log in"`},
	{`<html>`, `the response is not JSON; it begins with "<html>"`},
	{"\x1b[2J{}", "not JSON"},
	{`{"result":{}}]`, "not JSON"},
	{`{"result":{}}, {"result":{}}`, "not JSON"},
	{strings.Repeat("[", 100_000), "an array"},
	{`{"x":` + strings.Repeat("[", 100_000), "depth"},
	{`{"x":` + strings.Repeat(`{"x":`, 100_000), "depth"},
	{position(`"x":` + strings.Repeat(`[`, 100_000)), "depth"},
	{`{"error":{"details":` + strings.Repeat(`[`, 100_000), "depth"},
}

// TestRefusedForms: ambiguous or wrong text is refused, and the error has what is wrong, and where.
func TestRefusedForms(t *testing.T) {
	for _, c := range refusedForms {
		_, err := messages(strings.NewReader(c.text))
		if err == io.EOF || err == nil || !strings.Contains(err.Error(), c.words) || strings.ContainsAny(err.Error(), "\x1b\n") {
			t.Errorf("%.80s: %v, want %q", c.text, err, c.words)
		}
	}
}

// TestKnownNamesHaveBits: a known name without a bit could come twice in an object.
func TestKnownNamesHaveBits(t *testing.T) {
	if n := len(knownNames); n > maxKnown {
		t.Errorf("there are %d known names, and bits for %d", n, maxKnown)
	}
}
