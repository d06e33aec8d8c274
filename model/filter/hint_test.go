package filter

import "testing"

func TestHint(t *testing.T) {
	for text, want := range map[string]string{
		"eth or btc":        `"or" is searched as a text; eth|btc finds one of the two`,
		"x party:a OR eth":  `"OR" is searched as a text; party:a|eth finds one of the two`,
		"eth and btc":       `"and" is searched as a text; without it, eth btc finds what matches both`,
		"x not eth":         `"not" is searched as a text; !eth leaves out what matches`,
		"(eth|btc) x":       `"(eth|btc)" is searched as a text; filters have no parentheses`,
		"eth,btc":           `"eth,btc" is searched as a text; a|b finds one of the two`,
		"desk-1, desk-2":    `"desk-1," is searched as a text; a|b finds one of the two`,
		"size>1,000 (none)": "",
		`party:a,b "c,d"`:   "",
		"-desk-2":           `"-desk-2" is searched as a text; !desk-2 leaves out what matches`,
		"eth -btc":          `"-btc" is searched as a text; !btc leaves out what matches`,
		"status:distresed":  `no known status has "distresed"; known: unspecified, "orders closed", "closed out", distressed`,
		"x !status:=closed": `no known status has "closed"; known: unspecified, "orders closed", "closed out", distressed`,
		`status:"closed o"`: "",
		"status:dis|orders": "",
		"status:":           "",
		"eth\tor\u00a0btc":  `"or" is searched as a text; eth|btc finds one of the two`,
		"or":                "",
		"eth Short":         `"Short" is searched as a text; side:short finds these positions`,
		"distressed":        `"distressed" is searched as a text; status:distressed finds these positions`,
		"shorts side:short": "",
		"or eth":            "",
		"and eth":           "",
		"eth or":            "",
		"oracle -":          "",
		"upnl<-5 !desk-2":   "",
		`"-desk" party:-x`:  "",
		`eth "or" btc "two`: "",
	} {
		if got := Hint(text); got != want {
			t.Errorf("%q: the hint is %q, want %q", text, got, want)
		}
	}
}
