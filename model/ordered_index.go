package model

import (
	"slices"
	"sort"
)

// orderedIndex keeps all rows of a view in order, those that the filter hides too. It answers two questions of the
// screen: which row is shown at place i, and at which place is this row shown?
//
// The rows are in buckets: slices of at most 511 entries, one after the other. Each bucket knows how many of its rows
// are shown. So to find place i, whole buckets are skipped by their counts, and only one bucket is searched row by row.
// To insert or remove a row, only the entries of one bucket move.
//
// A balanced tree would do the same. But a new filter changes which rows are shown, not their order. With buckets that
// is a pass through slices that counts again; a tree would have to visit as many nodes as there are rows.
type orderedIndex struct {
	compare func(p, q *Position) int // by the whole order: no two rows are equal
	isShown func(entry) bool
	buckets []bucket
}

// bucket is some rows that follow each other in the order. It is never empty.
type bucket struct {
	entries   []entry
	firstRank rank // the rank of entries[0]; kept here to search buckets without a look into each of them
	shown     int  // how many entries are shown
}

const (
	maxBucket  = 511 // entries: 12 KiB, less what the allocator adds. A bucket of this size is split
	fullBucket = 384 // how far a bucket is filled at first, so that there is room for more
	minBucket  = 128 // a smaller bucket is joined with a neighbour, if both fit in fullBucket
)

// newOrderedIndex returns an index of entries that are in order. None of them counts as shown until count is called for
// each bucket.
func newOrderedIndex(entries []entry, compare func(p, q *Position) int) orderedIndex {
	x := orderedIndex{compare: compare}
	for part := range slices.Chunk(entries, fullBucket) {
		x.buckets = append(x.buckets, newBucket(part))
	}
	return x
}

func newBucket(entries []entry) bucket {
	b := bucket{entries: append(make([]entry, 0, maxBucket), entries...)}
	if len(entries) > 0 {
		b.firstRank = entries[0].rank
	}
	return b
}

// count counts again how many entries are shown.
func (b *bucket) count(isShown func(entry) bool) {
	n := 0
	for _, e := range b.entries {
		if isShown(e) {
			n++
		}
	}
	b.shown = n
}

// at returns the row at place i of the rows shown, and nil where there is none.
func (x *orderedIndex) at(i int) *Position {
	if i < 0 {
		return nil
	}
	for n := range x.buckets {
		if i >= x.buckets[n].shown {
			i -= x.buckets[n].shown
			continue
		}
		for _, e := range x.buckets[n].entries {
			if !x.isShown(e) {
				continue
			}
			if i == 0 {
				return e.row
			}
			i--
		}
	}
	return nil
}

// place returns how many rows are shown before the row of the entry, and whether that row is in the index and shown.
func (x *orderedIndex) place(e entry) (place int, isShown bool) {
	if len(x.buckets) == 0 {
		return 0, false
	}
	n, i := x.find(e)
	for _, before := range x.buckets[:n] {
		place += before.shown
	}
	entries := x.buckets[n].entries
	for _, e := range entries[:i] {
		if x.isShown(e) {
			place++
		}
	}
	return place, i < len(entries) && entries[i].row == e.row && x.isShown(entries[i])
}

// find returns the number of the bucket that the entry belongs to, and the entry's place in it. It compares ranks, and
// rows only where ranks are equal: see rank.
func (x *orderedIndex) find(e entry) (n, i int) {
	next := sort.Search(len(x.buckets), func(n int) bool {
		if first := x.buckets[n].firstRank; first != e.rank {
			return first > e.rank
		}
		return x.compare(x.buckets[n].entries[0].row, e.row) > 0
	})
	n = max(0, next-1)
	entries := x.buckets[n].entries
	return n, sort.Search(len(entries), func(i int) bool {
		if rank := entries[i].rank; rank != e.rank {
			return rank > e.rank
		}
		return x.compare(entries[i].row, e.row) >= 0
	})
}

// insert adds an entry, whose row must not be in the index.
func (x *orderedIndex) insert(e entry) {
	if len(x.buckets) == 0 {
		x.buckets = append(x.buckets, newBucket(nil))
		x.buckets[0].insert(0, e, x.isShown(e))
		return
	}
	n, i := x.find(e)
	b := &x.buckets[n]
	b.insert(i, e, x.isShown(e))
	if len(b.entries) < maxBucket {
		return
	}
	half := len(b.entries) / 2
	upper := newBucket(b.entries[half:])
	b.entries = slices.Delete(b.entries, half, len(b.entries))
	b.count(x.isShown)
	upper.count(x.isShown)
	x.buckets = slices.Insert(x.buckets, n+1, upper)
}

// remove removes an entry. Its row must still be what it was when it was inserted.
func (x *orderedIndex) remove(e entry) {
	n, i := x.find(e)
	b := &x.buckets[n]
	b.remove(i, x.isShown(b.entries[i]))
	switch {
	case len(b.entries) == 0:
		x.buckets = slices.Delete(x.buckets, n, n+1)
	case len(b.entries) < minBucket && !x.join(n):
		x.join(n - 1)
	}
}

// join makes one bucket of buckets n and n+1. It reports false where there are not both or they are too large together.
func (x *orderedIndex) join(n int) bool {
	if n < 0 || n+1 >= len(x.buckets) || len(x.buckets[n].entries)+len(x.buckets[n+1].entries) > fullBucket {
		return false
	}
	x.buckets[n].entries = append(x.buckets[n].entries, x.buckets[n+1].entries...)
	x.buckets[n].shown += x.buckets[n+1].shown
	x.buckets = slices.Delete(x.buckets, n+1, n+2)
	return true
}

func (b *bucket) insert(i int, e entry, isShown bool) {
	b.entries = slices.Insert(b.entries, i, e)
	b.firstRank = b.entries[0].rank
	if isShown {
		b.shown++
	}
}

func (b *bucket) remove(i int, isShown bool) {
	b.entries = slices.Delete(b.entries, i, i+1)
	if len(b.entries) > 0 {
		b.firstRank = b.entries[0].rank
	}
	if isShown {
		b.shown--
	}
}
