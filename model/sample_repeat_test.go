package model

import "testing"

func TestSampleIsRepeatable(t *testing.T) {
	p, q := newSample(1, 2, 2), newSample(1, 2, 2)
	if p.parties[1] != q.parties[1] || p.digits(38) != q.digits(38) {
		t.Error("two samples of one seed differ")
	}
}
