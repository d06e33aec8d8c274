package wire

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"blotter/model"
)

func TestReadMarginPage(t *testing.T) {
	const node = `"partyId":"p","marketId":"m","asset":"a","timestamp":"1","maintenanceMargin":"2","searchLevel":"3","initialMargin":"4",` +
		`"collateralReleaseLevel":5,"orderMargin":"6","marginFactor":null,"marginMode":"MARGIN_MODE_CROSS_MARGIN"`
	for _, c := range []struct{ name, body, rows, cursors, more string }{
		{"a page", `{"marginLevels":{"edges":[{"node":{` + node + `},"cursor":"x=="}],"pageInfo":{"hasNextPage":true,"hasPreviousPage":false,"startCursor":"x==","endCursor":"x=="}}}`,
			"[{{{p m} a} 2 3 4 5 1 [MARGIN_MODE_CROSS_MARGIN  6]}]", "x==", "next true previous false"},
		{"unknown members", `{"x":[1],"marginLevels":{"x":{"y":[1]},"edges":[{"x":"y","node":{` + node + `,"x":{}},"y":[]}],"pageInfo":{"x":7,"hasNextPage":true},"y":null}}`,
			"[{{{p m} a} 2 3 4 5 1 [MARGIN_MODE_CROSS_MARGIN  6]}]", "", "next true previous false"},
		{"an empty page", `{"marginLevels":{"edges":[],"pageInfo":{"hasNextPage":"true","hasPreviousPage":true,"startCursor":"","endCursor":""}}}`, "[]", "", "next true previous true"},
		{"cursors in pageInfo alone", `{"marginLevels":{"edges":[{"node":{}},{"node":{}},{}],"pageInfo":{"startCursor":"s","endCursor":"e"}}}`,
			"[{{{ } } 0 0 0 0 0 [  ]} {{{ } } 0 0 0 0 0 [  ]} {{{ } } 0 0 0 0 0 [  ]}]", "s||e", "next false previous false"},
		{"nulls", `{"marginLevels":{"edges":[null,{"node":null,"cursor":null}],"pageInfo":null}}`, "[{{{ } } 0 0 0 0 0 [  ]} {{{ } } 0 0 0 0 0 [  ]}]", "|", "next false previous false"},
		{"null amounts", `{"marginLevels":{"edges":[{"node":{` + node + `}},{"node":{"partyId":"q","marketId":null,"asset":null,"timestamp":null,"maintenanceMargin":null,` +
			`"searchLevel":null,"initialMargin":null,"collateralReleaseLevel":null}}]}}`, "[{{{p m} a} 2 3 4 5 1 [MARGIN_MODE_CROSS_MARGIN  6]} {{{q } } 0 0 0 0 0 [  ]}]", "|", "next false previous false"},
		{"nothing", `{"marginLevels":null}` + " \r\n\t\n", "[]", "", "next false previous false"},
	} {
		page, err := ReadMarginPage(strings.NewReader(c.body), 1<<20)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		more := fmt.Sprintf("next %t previous %t", page.HasNext, page.HasPrevious)
		if rows := textOf(page.Rows); rows != c.rows || strings.Join(page.Cursors, "|") != c.cursors || more != c.more {
			t.Errorf("%s: %s, cursors %q, %s", c.name, rows, page.Cursors, more)
		}
	}
}

// textOf returns some fields of margin records.
func textOf(rows []model.MarginLevels) string {
	var texts []string
	for _, r := range rows {
		texts = append(texts, fmt.Sprintf("{%v %v %v %v %v %v [%s %s %s]}", r.MarginKey, r.Maintenance, r.Search, r.Initial, r.Release,
			r.Timestamp, r.MarginTexts[model.MarginMode], r.MarginTexts[model.MarginFactor], r.MarginTexts[model.OrderMargin]))
	}
	return "[" + strings.Join(texts, " ") + "]"
}

func TestMarginPagesRefused(t *testing.T) {
	for body, want := range map[string]string{
		"":                           "the response is empty",
		" \n":                        "the response is empty",
		`{}`:                         "the response has no marginLevels",
		`{"marginLevels":{}} {}`:     "the response has more data after its end",
		`{"marginLevels":{}} x`:      "the response has more data after its end",
		`{"marginLevels":{"edges":[`: "cut short",
		`{"marginLevels":[]}`:        "an array at /marginLevels; an object",
		`{"marginLevels":{},"error":{"message":"m"}}`:                  "the response is an error: m",
		`{"code":13,"message":"m"}`:                                    "the response is an error: m",
		`{"error":{}}`:                                                 "the response is an error: an error without a text",
		`{"marginLevels":{"edges":[{"node":{"asset":{}}}]}}`:           "an object at /marginLevels/edges/0/node/asset; a text or a number",
		`{"marginLevels":{"pageInfo":{"hasNextPage":7}}}`:              "true or false",
		`{"marginLevels":{"edges":[{"cursor":"a","cursor":"b"}]}}`:     `"cursor" twice`,
		`<html>Log in</html>`:                                          `the response is HTML, not JSON: "Log in"`,
		`{"marginLevels":{"edges":[{"node":{"asset":"` + "\xff\"}}]}}": "invalid UTF-8",
	} {
		if _, err := ReadMarginPage(strings.NewReader(body), 1<<20); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
	if page, err := ReadMarginPage(strings.NewReader(`{"marginLevels":{},"message":"fine"}`), 1<<20); err != nil || !slices.Equal(page.Cursors, nil) {
		t.Errorf("a page with a message: %v", err)
	}
}
