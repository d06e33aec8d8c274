package sorting

import (
	"cmp"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

func TestRankOfRawNumbers(t *testing.T) {
	s := modeltest.NewSample(5, 0, 0)
	text, decimals := rankScaled(model.ParseAmount("12x"), 0), 3
	for range 50_000 {
		x, y := s.Digits(1+s.IntN(12)), s.Digits(1+s.IntN(model.MaxDigits))
		if s.IntN(3) == 0 {
			y = x
		}
		if a := model.ParseAmount(s.Text()); a.IsNumber() {
			y = a
		}
		m, n := uint32(s.IntN(3)), uint32(s.IntN(3))
		if s.IntN(3) == 0 {
			n = 1<<idBits - 1
		}
		p, q := rankRaw(x, decimals, m), rankRaw(y, decimals, n)
		got, want := cmp.Compare(p, q), cmp.Or(cmp.Compare(m, n), modeltest.CompareTexts(x.String(), decimals, y.String(), decimals))
		if got != want && (got != 0 || p.IsExact()) {
			t.Fatalf("%s in group %d ranks %x and %s in %d ranks %x, but they compare as %d", x, m, p, y, n, q, want)
		}
		if scaled := rankScaled(y, 0); p <= scaled || q >= text {
			t.Fatalf("%x is not between %x and %x", p, scaled, text)
		}
	}
}
