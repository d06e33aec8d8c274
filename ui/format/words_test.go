package format

import "testing"

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 rows", 1: "1 row", 2: "2 rows", 12_000: "12,000 rows"} {
		if got := Counted(n, "row"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
