package model

import "testing"

func TestMarginKeyCompare(t *testing.T) {
	a, b := MakeID("a"), MakeID("b")
	keys := []MarginKey{{Key{a, a}, a}, {Key{a, a}, b}, {Key{a, b}, a}, {Key{b, a}, a}}
	for i, k := range keys {
		for j, l := range keys {
			if got := k.Compare(l); got != min(1, max(-1, i-j)) {
				t.Errorf("%v and %v compare as %d", k, l, got)
			}
		}
	}
}
