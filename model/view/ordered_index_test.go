package view

import (
	"cmp"
	"slices"
	"testing"

	"blotter/model/modeltest"
)

// plainIndex is an orderedIndex of numbers, and the sorted slice that it must agree with.
type plainIndex struct {
	orderedIndex[int64]
	rows []int64
}

func (x *plainIndex) check(t *testing.T) {
	t.Helper()
	var visible []int64
	for _, row := range x.rows {
		if x.lines(row) > 0 {
			visible = append(visible, row)
		}
	}
	for i := range len(visible) + 1 {
		if i%37 != 0 && i < len(visible)-2 {
			continue // at counts row by row: a few places are enough
		}
		var want int64
		if i < len(visible) {
			want = visible[i]
		}
		if got, line, ok := x.at(i); got != want || line != 0 || ok != (i < len(visible)) {
			t.Fatalf("at %d of %d is %v, want %v", i, len(visible), got, want)
		}
	}
	if _, _, ok := x.at(-1); ok {
		t.Fatal("there is a row before the first")
	}
	all, sum := 0, 0
	if len(x.firsts) != len(x.buckets) {
		t.Fatalf("there are %d first rows of %d buckets", len(x.firsts), len(x.buckets))
	}
	for n, b := range x.buckets {
		if len(b.entries) > 0 && x.firsts[n] != b.entries[0] {
			t.Fatalf("bucket %d begins with %v, not with %v", n, b.entries[0], x.firsts[n])
		}
		if len(b.entries) == 0 || len(b.entries) >= maxBucket || cap(b.entries) != maxBucket {
			t.Fatalf("there is a bucket of %d with room for %d", len(b.entries), cap(b.entries))
		}
		all, sum = all+len(b.entries), sum+b.lines
	}
	spans := slices.Clone(x.spans)
	if x.sumSpans(0); !slices.Equal(spans, x.spans) {
		t.Fatalf("the spans have %v lines, and should have %v", spans, x.spans)
	}
	if all != len(x.rows) || sum != len(visible) {
		t.Fatalf("there are %d rows, %d of them shown; want %d and %d", all, sum, len(x.rows), len(visible))
	}
}

func (x *plainIndex) checkPlace(t *testing.T, row int64) {
	t.Helper()
	place := 0
	for _, before := range x.rows {
		if before < row && x.lines(before) > 0 {
			place++
		}
	}
	_, isThere := slices.BinarySearch(x.rows, row)
	want := isThere && x.lines(row) > 0
	if got, isShown := x.place(row); got != place || isShown != want {
		t.Fatalf("the row is at %d, shown %v; want %d, %v", got, isShown, place, want)
	}
}

func (x *plainIndex) put(row int64) {
	x.insert(row, x.lines(row))
	i, _ := slices.BinarySearch(x.rows, row)
	x.rows = slices.Insert(x.rows, i, row)
}

func (x *plainIndex) drop(i int) {
	x.remove(x.rows[i], x.lines(x.rows[i]))
	x.rows = slices.Delete(x.rows, i, i+1)
}

// move replaces row i by another one.
func (x *plainIndex) move(i int, row int64) {
	before := x.rows[i]
	n, at := x.find(before)
	x.orderedIndex.move(n, at, row, x.lines(before), x.lines(row))
	x.rows = slices.Delete(x.rows, i, i+1)
	i, _ = slices.BinarySearch(x.rows, row)
	x.rows = slices.Insert(x.rows, i, row)
}

func (x *plainIndex) show(lines func(int64) int) {
	x.lines = lines
	for i := range x.buckets {
		x.buckets[i].count(lines)
	}
	x.sumSpans(0)
}

// everyThird returns 1 line for every third row, and 0 for others.
func everyThird(row int64) int {
	if row%3 == 0 {
		return 1
	}
	return 0
}

// allButEveryThird returns 0 lines for every third row, and 1 for others.
func allButEveryThird(row int64) int { return 1 - everyThird(row) }

// TestOrderedIndexAgreesWithASortedSlice loads, fills and empties indexes, at both ends and in the middle.
func TestOrderedIndexAgreesWithASortedSlice(t *testing.T) {
	for seed, size := range []int{0, 1, fullBucket, fullBucket + 1, 3000} {
		s := modeltest.NewSample(uint64(seed), 0, 0)
		x := plainIndex{}
		for n := range size {
			x.rows = append(x.rows, int64(4*n))
		}
		x.orderedIndex = newOrderedIndex(x.rows, cmp.Compare)
		x.show(everyThird)
		x.check(t)
		next := int64(4 * size)
		for step := range 4000 {
			filling := step%2000 < 1000 || len(x.rows) == 0
			switch {
			case filling && step < 2000:
				x.put(4*s.Int64N(4000) + int64(1+step%3) + 16000*int64(step))
			case filling: // at the end
				x.put(next)
				next += 1 << 40
			case step < 2000: // from the front
				x.drop(0)
			default:
				x.drop(s.IntN(len(x.rows)))
			}
			if step%500 == 0 {
				x.show([]func(int64) int{everyThird, allButEveryThird}[s.IntN(2)])
			}
			if step%100 == 0 {
				x.check(t)
				x.checkPlace(t, s.Int64N(1<<20))
				if len(x.rows) > 0 {
					x.checkPlace(t, x.rows[s.IntN(len(x.rows))])
				}
			}
		}
		for len(x.rows) > 0 {
			x.drop(s.IntN(len(x.rows)))
			if len(x.rows)%100 == 0 {
				x.check(t)
			}
		}
	}
}

// TestOrderedIndexMovesEntries moves entries over short and long distances, also from and to both ends.
func TestOrderedIndexMovesEntries(t *testing.T) {
	for seed, size := range []int{1, 2, fullBucket + 1, 3000} {
		s := modeltest.NewSample(uint64(seed), 0, 0)
		x := plainIndex{}
		for n := range size {
			x.rows = append(x.rows, int64(n)<<20)
		}
		x.orderedIndex = newOrderedIndex(x.rows, cmp.Compare)
		x.show(everyThird)
		for step := range 20_000 {
			far := int64(1) << []int{1, 22, 28, 33}[s.IntN(4)]
			i := s.IntN(size)
			to := x.rows[i] + s.Int64N(2*far+1) - far
			if _, exists := slices.BinarySearch(x.rows, to); !exists {
				x.move(i, to)
			}
			if step%500 == 0 {
				x.check(t)
				x.checkPlace(t, x.rows[s.IntN(size)])
			}
		}
		x.check(t)
	}
}

func TestOrderedIndexJoinsSmallBuckets(t *testing.T) {
	x := plainIndex{orderedIndex: orderedIndex[int64]{compare: cmp.Compare[int64], lines: everyThird}}
	for n := range 20 * fullBucket {
		x.put(int64(n))
	}
	for n := len(x.rows) - 1; n >= 0; n-- {
		if n%50 != 0 {
			x.drop(n)
		}
	}
	x.check(t)
	if buckets, most := len(x.buckets), 2+2*len(x.rows)/fullBucket*2; buckets > most {
		t.Errorf("%d rows are in %d buckets", len(x.rows), buckets)
	}
	if !slices.IsSortedFunc(x.buckets, func(a, b bucket[int64]) int {
		return cmp.Compare(a.entries[0], b.entries[0])
	}) {
		t.Error("the buckets are out of order")
	}
}
