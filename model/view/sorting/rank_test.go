package sorting

import (
	"cmp"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

func TestRanksAreInTheOrderOfValues(t *testing.T) {
	s := modeltest.NewSample(4, 0, 0)
	for range 50_000 {
		x, y := s.Text(), s.Text()
		m, n := s.Decimals(), s.Decimals()
		p, q := rankScaled(model.ParseAmount(x), m), rankScaled(model.ParseAmount(y), n)
		got, want := cmp.Compare(p, q), modeltest.CompareTexts(x, m, y, n)
		if got != want && (got != 0 || p.IsExact()) {
			t.Fatalf("%q of %d decimals ranks %v and %q of %d ranks %v, but they compare as %d", x, m, p, y, n, q, want)
		}
		if r := p.Reversed(); cmp.Compare(r, q.Reversed()) != -got || r.IsExact() != p.IsExact() {
			t.Fatalf("%v and %v are not reversed", p, q)
		}
	}
}

func TestRanksOfSomeDigitsAreExact(t *testing.T) {
	for _, text := range []string{"0", "-0", "1", "-1", "1234567890123456", "-9999999999999999", "1795240360702446000"} {
		if !rankScaled(model.ParseAmount(text), 5).IsExact() {
			t.Errorf("the rank of %s is not exact", text)
		}
	}
}

func TestRankAll(t *testing.T) {
	ranks := rankDistinct([]string{"c", "a", "b"}, strings.Compare)
	for i, want := range []Rank{5, 1, 3} {
		if ranks[i] != want || !ranks[i].IsExact() || !ranks[i].Reversed().IsExact() {
			t.Errorf("rank %d is %v, want %d", i, ranks[i], want)
		}
	}
}
