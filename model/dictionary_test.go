package model

import (
	"cmp"
	"slices"
	"sync"
	"testing"
)

// TestClonesOfADictionary: what is added to a clone or sorted in it is not in others, whichever is changed first, and
// clones can be taken and changed by several goroutines.
func TestClonesOfADictionary(t *testing.T) {
	var first Dictionary[string]
	for _, v := range []string{"c", "a", "b"} {
		first.Code(v)
	}
	var tasks sync.WaitGroup
	for _, own := range []string{"d", "e", "f"} {
		tasks.Go(func() {
			clone := first.Clone()
			of := clone.Clone()
			if code := clone.Code(own); code != 3 {
				t.Errorf("%s has code %d in a clone", own, code)
			}
			clone.Sort(cmp.Compare)
			of.Code("x")
			of.Code("y")
			if want := []string{"a", "b", "c", own}; !slices.Equal(clone.Values(), want) {
				t.Errorf("a clone has %q, want %q", clone.Values(), want)
			}
			if _, ok := of.Find(own); ok || !slices.Equal(of.Values(), []string{"c", "a", "b", "x", "y"}) {
				t.Errorf("a clone of a clone has %q", of.Values())
			}
		})
	}
	tasks.Wait()
	late := first.Clone()
	if first.Code("z") != 3 || late.Code("w") != 3 || first.Code("v") != 4 {
		t.Errorf("there are %q and %q", first.Values(), late.Values())
	}
	for code, v := range []string{"c", "a", "b", "z", "v"} {
		if got, ok := first.Find(v); !ok || got != uint32(code) {
			t.Errorf("%s has code %d, want %d", v, got, code)
		}
	}
	if _, ok := late.Find("z"); ok {
		t.Error("a clone has a value that was added later")
	}
	var empty Dictionary[string]
	clone := empty.Clone()
	if clone.Code("a"); len(empty.Values()) != 0 || empty.Sort(cmp.Compare) == nil {
		t.Errorf("an empty dictionary has %q", empty.Values())
	}
}

// TestCodesOfADictionary: codes count from 0, and stay in clones of each size.
func TestCodesOfADictionary(t *testing.T) {
	var d Dictionary[int]
	clones := make([]Dictionary[int], 300)
	for v := range clones {
		clones[v] = d.Clone()
		if code := d.Code(-v); code != uint32(v) || d.Code(-v) != code {
			t.Fatalf("value %d has code %d", v, code)
		}
	}
	for size := range clones {
		clone := &clones[size]
		for v := range clones {
			if code, ok := clone.Find(-v); ok != (v < size) || ok && code != uint32(v) {
				t.Fatalf("in a clone of %d values, value %d has code %d, %v", size, v, code, ok)
			}
		}
		if code := clone.Code(1); code != uint32(size) || len(clone.Values()) != size+1 {
			t.Fatalf("a clone of %d values has %d after one more, with code %d", size, len(clone.Values()), code)
		}
	}
	if len(d.Values()) != len(clones) {
		t.Errorf("there are %d values", len(d.Values()))
	}
}
