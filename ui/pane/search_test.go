package pane

import (
	"strings"
	"testing"
)

func TestMarkAll(t *testing.T) {
	const dim, off = "\x1b[2m", "\x1b[m"
	for _, test := range []struct{ line, text, want string }{
		{"an eth and ETH/USDT", "eth", "an " + off + "<eth" + off + " and " + off + "<ETH" + off + "/USDT"},
		{"東京 desk", "desk", "東京 " + off + "<desk" + off},
		{"İstanbul desk", "desk", "İstanbul desk"}, // a letter of which the small one has another length
		{"nothing", "eth", "nothing"},
	} {
		got := markAll(test.line, test.text, "<")
		for strings.Contains(got, off+off) {
			got = strings.ReplaceAll(got, off+off, off)
		}
		if got != test.want {
			t.Errorf("%q: %q, not %q", test.line, got, test.want)
		}
	}
	if got, want := markAll(dim+"one two"+off, "one", "<"), off+"<one"+off+dim+" two"+off; got[len(got)-len(want):] != want {
		t.Errorf("the style after the text is lost: %q", got)
	}
}

// TestMarkAllOfManyPlaces: each place adds the same number of bytes, whatever styles the line has.
func TestMarkAllOfManyPlaces(t *testing.T) {
	const styled, places = "\x1b[1m\x1b[2md1\x1b[m", 16
	line := strings.Repeat(styled, places)
	marked := markAll(line, "d1", "<")
	if got := strings.Count(marked, "<d1"); got != places {
		t.Errorf("%d places are marked: %q", got, marked)
	}
	if most := places * len(styled) * 3; len(marked) > most {
		t.Errorf("%d bytes became %d, more than %d", len(line), len(marked), most)
	}
}
