package modeltest

import "testing"

func TestSampleIsRepeatable(t *testing.T) {
	p, q := NewSample(1, 2, 2), NewSample(1, 2, 2)
	if p.Parties[1] != q.Parties[1] || p.Digits(38) != q.Digits(38) {
		t.Error("two samples of one seed differ")
	}
}
