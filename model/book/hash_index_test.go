package book

import (
	"fmt"
	"maps"
	"testing"

	"blotter/model"
)

// FuzzRecords adds, finds and deletes records in any order, also numbers that no record has: these are refused, every
// search ends, and what is found is what a map has.
func FuzzRecords(f *testing.F) {
	f.Add([]byte{0, 1, 0, 2, 1, 1, 1, 1, 2, 0, 2, 255})
	f.Add([]byte("many records, and some of them are deleted again: \x02\x00\x02\x01\x02\x02\x02\x03"))
	f.Fuzz(func(t *testing.T, steps []byte) {
		r, want := newRecords(), make(map[model.Key]uint32)
		for ; len(steps) >= 2; steps = steps[2:] {
			key := model.Key{Party: model.MakeID(fmt.Sprint(steps[1] % 16)), Market: model.MakeID(fmt.Sprint(steps[1] / 16))}
			switch steps[0] % 3 {
			case 0:
				if want[key] == 0 {
					want[key] = r.addRecord(key)
				}
			case 1:
				if number := want[key]; refuses(func() { r.delete(number) }) != (number == 0) {
					t.Fatalf("deleting record %d of %v: refused %t", number, want, number != 0)
				}
				delete(want, key)
			case 2:
				number := uint32(steps[1]) << (steps[0] % 32)
				isKnown := false
				for of := range want {
					isKnown = isKnown || want[of] == number
				}
				if !isKnown && !refuses(func() { r.delete(number) }) {
					t.Fatalf("record %d of %v is deleted", number, want)
				}
				if !r.has(number) && len(r.index.slots) > 0 && !refuses(func() { r.index.remove(codes{}, number, r.codesOf) }) {
					t.Fatalf("number %d of %v is removed", number, want)
				}
			}
			got := make(map[model.Key]uint32)
			for number := range r.all {
				for found := range r.withKey(r.key(number)) {
					got[r.key(number)] = found
				}
			}
			if !maps.Equal(got, want) {
				t.Fatalf("the records are %v, want %v", got, want)
			}
		}
	})
}

// refuses reports whether a function panics.
func refuses(function func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	function()
	return false
}

// TestIndexWithoutRoom refuses numbers, and its searches end.
func TestIndexWithoutRoom(t *testing.T) {
	x := newHashIndex()
	x.grow()
	for i := range uint32(fewSlots) - 1 {
		x.addTogether([]codes{{i, i}}, []uint32{i + 1})
	}
	for _, number := range []uint32{0, fewSlots, 1 << 31} {
		if !refuses(func() { x.addTogether([]codes{{7, 7}}, []uint32{number}) }) {
			t.Errorf("number %d is added", number)
		}
	}
	x.addTogether([]codes{{7, 7}}, []uint32{1}) // the last slot
	if !refuses(func() { x.addTogether([]codes{{7, 7}}, []uint32{2}) }) {
		t.Error("a number is added to a full index")
	}
	if !refuses(func() { x.remove(codes{7, 7}, 9, func(uint32) codes { return codes{} }) }) {
		t.Error("a number that is not there is removed from a full index")
	}
}
