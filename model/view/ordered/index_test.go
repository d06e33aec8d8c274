package ordered

import (
	"cmp"
	"slices"
	"testing"

	"blotter/model/modeltest"
)

// plainIndex is an Index of numbers, and the sorted slice that it must agree with.
type plainIndex struct {
	Index[int64]
	rows []int64
}

func (x *plainIndex) check(t *testing.T) {
	t.Helper()
	var visible []int64
	for _, row := range x.rows {
		if x.Lines(row) > 0 {
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
		if got, line, ok := x.At(i); got != want || line != 0 || ok != (i < len(visible)) {
			t.Fatalf("at %d of %d is %v, want %v", i, len(visible), got, want)
		}
	}
	if _, _, ok := x.At(-1); ok {
		t.Fatal("there is a row before the first")
	}
	all, sum := 0, 0
	if len(x.firsts) != len(x.Buckets) {
		t.Fatalf("there are %d first rows of %d buckets", len(x.firsts), len(x.Buckets))
	}
	for n, b := range x.Buckets {
		if len(b.Entries) > 0 && x.firsts[n] != b.Entries[0] {
			t.Fatalf("bucket %d begins with %v, not with %v", n, b.Entries[0], x.firsts[n])
		}
		if len(b.Entries) == 0 || len(b.Entries) >= maxBucket || cap(b.Entries) != maxBucket {
			t.Fatalf("there is a bucket of %d with room for %d", len(b.Entries), cap(b.Entries))
		}
		all, sum = all+len(b.Entries), sum+b.Lines
	}
	spans := slices.Clone(x.spans)
	if x.SumSpans(0); !slices.Equal(spans, x.spans) {
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
		if before < row && x.Lines(before) > 0 {
			place++
		}
	}
	_, isThere := slices.BinarySearch(x.rows, row)
	want := isThere && x.Lines(row) > 0
	if got, isShown := x.Place(row); got != place || isShown != want {
		t.Fatalf("the row is at %d, shown %v; want %d, %v", got, isShown, place, want)
	}
}

func (x *plainIndex) put(row int64) {
	x.Insert(row, x.Lines(row))
	i, _ := slices.BinarySearch(x.rows, row)
	x.rows = slices.Insert(x.rows, i, row)
}

func (x *plainIndex) drop(i int) {
	x.Remove(x.rows[i], x.Lines(x.rows[i]))
	x.rows = slices.Delete(x.rows, i, i+1)
}

// move replaces row i by another one.
func (x *plainIndex) move(i int, row int64) {
	before := x.rows[i]
	n, at := x.Find(before)
	x.Index.Move(n, at, row, x.Lines(before), x.Lines(row))
	x.rows = slices.Delete(x.rows, i, i+1)
	i, _ = slices.BinarySearch(x.rows, row)
	x.rows = slices.Insert(x.rows, i, row)
}

func (x *plainIndex) show(lines func(int64) int) {
	x.Count(lines)
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

// TestIndexAgreesWithASortedSlice loads, fills and empties indexes, at both ends and in the middle.
func TestIndexAgreesWithASortedSlice(t *testing.T) {
	for seed, size := range []int{0, 1, fullBucket, fullBucket + 1, 3000} {
		s := modeltest.NewSample(uint64(seed), 0, 0)
		x := plainIndex{}
		for n := range size {
			x.rows = append(x.rows, int64(4*n))
		}
		x.Index = New(x.rows, cmp.Compare)
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

// TestIndexMovesEntries moves entries over short and long distances, also from and to both ends.
func TestIndexMovesEntries(t *testing.T) {
	for seed, size := range []int{1, 2, fullBucket + 1, 3000} {
		s := modeltest.NewSample(uint64(seed), 0, 0)
		x := plainIndex{}
		for n := range size {
			x.rows = append(x.rows, int64(n)<<20)
		}
		x.Index = New(x.rows, cmp.Compare)
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

func TestIndexJoinsSmallBuckets(t *testing.T) {
	x := plainIndex{Index: Index[int64]{compare: cmp.Compare[int64], Lines: everyThird}}
	for n := range 20 * fullBucket {
		x.put(int64(n))
	}
	for n := len(x.rows) - 1; n >= 0; n-- {
		if n%50 != 0 {
			x.drop(n)
		}
	}
	x.check(t)
	if buckets, most := len(x.Buckets), 2+2*len(x.rows)/fullBucket*2; buckets > most {
		t.Errorf("%d rows are in %d buckets", len(x.rows), buckets)
	}
	if !slices.IsSortedFunc(x.Buckets, func(a, b Bucket[int64]) int {
		return cmp.Compare(a.Entries[0], b.Entries[0])
	}) {
		t.Error("the buckets are out of order")
	}
}
