package match

import "testing"

func TestOf(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       Quality
	}{
		{"SOL/USDT", "SOL/USDT", Same},
		{"SOL/USDT", "sol/usdt", AnotherCase},
		{"SOL/USDT", "sol", WholeWord},
		{"solana", "sol", Beginning},
		{"consol", "sol", Inside},
		{"north desk of Oslo", "oslo desk", EveryWord},
		{"sort by trouble", "sbt", Letters},
		{"sort by trouble", "so tr", Letters},
		{"sort by trouble", "tbs", None},
		{"مكتب", "كب", Letters},
		{"", "x", None},
		{"solana", "", Beginning},
		{"solana", " ", EveryWord},
		{"\xff", "\xff\xff", None}, // no text of the service, but it must not panic
	} {
		if got := Of(test.name, test.text); got != test.want {
			t.Errorf("%q in %q: %d, not %d", test.text, test.name, got, test.want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"sort", "sort_by_trouble", "sort_by_size", "back"}
	for mistyped, want := range map[string]string{
		"sort_by_touble": "sort_by_trouble", "srot": "sort", "sorted": "sort", "bak": "back", "zoom": "", "": "",
		"SIZE": "sort_by_size", "trouble": "sort_by_trouble",
	} {
		if got := Nearest(mistyped, known); got != want {
			t.Errorf("%q: %q, not %q", mistyped, got, want)
		}
	}
}
