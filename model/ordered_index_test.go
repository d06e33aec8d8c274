package model

import (
	"cmp"
	"slices"
	"testing"
)

// plainIndex is an orderedIndex and the sorted slice that it must agree with.
type plainIndex struct {
	orderedIndex
	rows []*Position
}

func compareVolumes(p, q *Position) int { return p.Number(OpenVolume).Compare(q.Number(OpenVolume)) }

func volume(n int64) *Position {
	p := new(Position)
	p.SetNumber(OpenVolume, AmountOf(n))
	return p
}

func (x *plainIndex) check(t *testing.T) {
	t.Helper()
	var visible []*Position
	for _, row := range x.rows {
		if x.isShown(entry{row: row}) {
			visible = append(visible, row)
		}
	}
	for i := range len(visible) + 1 {
		if i%37 != 0 && i < len(visible)-2 {
			continue // at counts row by row: some places are enough
		}
		var want *Position
		if i < len(visible) {
			want = visible[i]
		}
		if got := x.at(i); got != want {
			t.Fatalf("at %d of %d is %v, want %v", i, len(visible), got, want)
		}
	}
	if x.at(-1) != nil {
		t.Fatal("there is a row before the first")
	}
	all, sum := 0, 0
	for _, b := range x.buckets {
		if len(b.entries) == 0 || len(b.entries) >= maxBucket || cap(b.entries) != maxBucket {
			t.Fatalf("there is a bucket of %d with room for %d", len(b.entries), cap(b.entries))
		}
		all, sum = all+len(b.entries), sum+b.shown
	}
	if all != len(x.rows) || sum != len(visible) {
		t.Fatalf("there are %d rows, %d of them shown; want %d and %d", all, sum, len(x.rows), len(visible))
	}
}

func (x *plainIndex) checkPlace(t *testing.T, row *Position) {
	t.Helper()
	place := 0
	for _, before := range x.rows {
		if compareVolumes(before, row) < 0 && x.isShown(entry{row: before}) {
			place++
		}
	}
	want := slices.Contains(x.rows, row) && x.isShown(entry{row: row})
	if got, isShown := x.place(entry{row: row}); got != place || isShown != want {
		t.Fatalf("the row is at %d, shown %v; want %d, %v", got, isShown, place, want)
	}
}

func (x *plainIndex) put(row *Position) {
	x.insert(entry{row: row})
	i, _ := slices.BinarySearchFunc(x.rows, row, compareVolumes)
	x.rows = slices.Insert(x.rows, i, row)
}

func (x *plainIndex) drop(i int) {
	x.remove(entry{row: x.rows[i]})
	x.rows = slices.Delete(x.rows, i, i+1)
}

func (x *plainIndex) show(isShown func(entry) bool) {
	x.isShown = isShown
	for i := range x.buckets {
		x.buckets[i].count(isShown)
	}
}

// everyThird and others report whether a row is shown.
func everyThird(e entry) bool { return e.row.numbers[OpenVolume].low%3 == 0 }
func others(e entry) bool     { return !everyThird(e) }

// TestOrderedIndexIsASortedSlice loads, fills and empties indexes, at both ends and in the middle.
func TestOrderedIndexIsASortedSlice(t *testing.T) {
	for seed, size := range []int{0, 1, fullBucket, fullBucket + 1, 3000} {
		s := newSample(uint64(seed), 0, 0)
		var entries []entry
		x := plainIndex{}
		for n := range size {
			row := volume(int64(4 * n))
			x.rows, entries = append(x.rows, row), append(entries, entry{row: row})
		}
		x.orderedIndex = newOrderedIndex(entries, compareVolumes)
		x.show(everyThird)
		x.check(t)
		next := int64(4 * size)
		for step := range 4000 {
			filling := step%2000 < 1000 || len(x.rows) == 0
			switch {
			case filling && step < 2000:
				x.put(volume(4*s.Int64N(4000) + int64(1+step%3) + 16000*int64(step)))
			case filling: // at the end
				x.put(volume(next))
				next += 1 << 40
			case step < 2000: // from the front
				x.drop(0)
			default:
				x.drop(s.IntN(len(x.rows)))
			}
			if step%500 == 0 {
				x.show([]func(entry) bool{everyThird, others}[s.IntN(2)])
			}
			if step%100 == 0 {
				x.check(t)
				x.checkPlace(t, volume(s.Int64N(1<<20)))
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

func TestOrderedIndexJoinsSmallBuckets(t *testing.T) {
	x := plainIndex{orderedIndex: orderedIndex{compare: compareVolumes, isShown: everyThird}}
	for n := range 20 * fullBucket {
		x.put(volume(int64(n)))
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
	if !slices.IsSortedFunc(x.buckets, func(a, b bucket) int {
		return cmp.Or(compareVolumes(a.entries[0].row, b.entries[0].row))
	}) {
		t.Error("the buckets are out of order")
	}
}
