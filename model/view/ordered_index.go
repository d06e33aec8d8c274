package view

import (
	"slices"
	"sort"
)

// orderedIndex keeps the entries of a list in order. An entry takes some lines of the list, none if it is hidden.
// The index finds which entry is at line i, and at which line an entry is.
//
// The entries are in buckets: slices of at most 126 entries, one after the other. Each bucket has the number of lines
// of its entries. So to find line i, whole buckets are skipped by their lines, and only one bucket is searched entry by
// entry. Many buckets are skipped at once, by the lines of a span of buckets: without them a frame of
// BenchmarkMillion/screen takes 12 times as long. To insert or remove an entry, only the entries of one bucket move.
//
// A balanced tree would do the same. But a new filter changes which entries are hidden, not their order. With buckets,
// the lines are counted again in one pass through slices; in a tree, as many nodes as entries would have to be visited.
type orderedIndex[E any] struct {
	compare func(a, b E) int // no two entries are equal
	lines   func(E) int
	buckets []bucket[E]
	firsts  []E   // the first entry of each bucket, so that a search of the buckets reads little memory
	spans   []int // the lines of all entries in each spanBuckets buckets
}

// bucket is some entries that follow each other in the order. It is never empty.
type bucket[E any] struct {
	entries []E
	lines   int // of all entries
}

const (
	maxBucket  = 127 // entries: 3 KiB, less what the allocator adds. A bucket of this size is split
	fullBucket = 96  // how many entries a new bucket has at most, so that there is room for more
	minBucket  = 32  // a smaller bucket is joined with a neighbour, if they fit in fullBucket together

	spanBuckets = 64 // how many buckets are in a span
)

// newOrderedIndex returns an index of entries that are in order. They take no lines until the lines of each bucket are
// set, and sumSpans is called.
func newOrderedIndex[E any](entries []E, compare func(a, b E) int) orderedIndex[E] {
	x := orderedIndex[E]{compare: compare}
	for part := range slices.Chunk(entries, fullBucket) {
		x.buckets, x.firsts = append(x.buckets, newBucket(part)), append(x.firsts, part[0])
	}
	return x
}

func newBucket[E any](entries []E) bucket[E] {
	return bucket[E]{entries: append(make([]E, 0, maxBucket), entries...)}
}

// count counts the lines again.
func (b *bucket[E]) count(lines func(E) int) {
	b.lines = 0
	for _, e := range b.entries {
		b.lines += lines(e)
	}
}

// at returns the entry at line i, which of its lines that is, and false if there is no such line.
func (x *orderedIndex[E]) at(i int) (e E, line int, ok bool) { return x.after(0, 0, i) }

// after returns the entry that is the given number of lines after the first line of entry i of bucket n, which of its
// lines that is, and false if there is no such line.
func (x *orderedIndex[E]) after(n, i, lines int) (e E, line int, ok bool) {
	if lines < 0 {
		return e, 0, false
	}
	for ; n < len(x.buckets); n, i = n+1, 0 {
		if i == 0 && n%spanBuckets == 0 {
			for ; n/spanBuckets < len(x.spans) && lines >= x.spans[n/spanBuckets]; n += spanBuckets {
				lines -= x.spans[n/spanBuckets]
			}
			if n >= len(x.buckets) {
				break
			}
		}
		b := &x.buckets[n]
		if i == 0 && lines >= b.lines {
			lines -= b.lines
			continue
		}
		for _, e := range b.entries[i:] {
			taken := x.lines(e)
			if lines < taken {
				return e, lines, true
			}
			lines -= taken
		}
	}
	return e, 0, false
}

// place returns how many lines are before the entry, and whether it is in the index and not hidden.
func (x *orderedIndex[E]) place(e E) (place int, isShown bool) {
	n, i := x.find(e)
	isShown = n < len(x.buckets) && i < len(x.buckets[n].entries)
	if isShown {
		found := x.buckets[n].entries[i]
		isShown = x.compare(found, e) == 0 && x.lines(found) > 0
	}
	return x.linesBefore(n, i), isShown
}

// linesBefore returns how many lines are before entry i of bucket n; of all entries, if there is no bucket n.
func (x *orderedIndex[E]) linesBefore(n, i int) (lines int) {
	span := n / spanBuckets
	for _, before := range x.spans[:span] {
		lines += before
	}
	for _, before := range x.buckets[span*spanBuckets : n] {
		lines += before.lines
	}
	if n < len(x.buckets) {
		for _, before := range x.buckets[n].entries[:i] {
			lines += x.lines(before)
		}
	}
	return lines
}

// find returns the number of the bucket that the entry belongs to, and the entry's place in it.
func (x *orderedIndex[E]) find(e E) (n, i int) {
	return x.search(func(other E) bool { return x.compare(other, e) >= 0 })
}

// search returns the first entry that is not before a place in the order, by its bucket and its place there. If
// there is none, that is the place after the last entry.
func (x *orderedIndex[E]) search(isNotBefore func(E) bool) (n, i int) {
	next := sort.Search(len(x.firsts), func(n int) bool { return isNotBefore(x.firsts[n]) })
	if next == 0 {
		return 0, 0
	}
	entries := x.buckets[next-1].entries
	i = sort.Search(len(entries), func(i int) bool { return isNotBefore(entries[i]) })
	if i == len(entries) && next < len(x.buckets) {
		return next, 0
	}
	return next - 1, i
}

// insert adds an entry that takes the given number of lines. It must not be in the index.
func (x *orderedIndex[E]) insert(e E, lines int) {
	if len(x.buckets) == 0 {
		x.buckets, x.firsts, x.spans = append(x.buckets, newBucket[E](nil)), append(x.firsts, e), append(x.spans, 0)
	}
	n, i := x.find(e)
	b := &x.buckets[n]
	b.entries = slices.Insert(b.entries, i, e)
	x.addLinesTo(n, lines)
	if i == 0 {
		x.firsts[n] = e
	}
	if len(b.entries) < maxBucket {
		return
	}
	half := len(b.entries) / 2
	upper := newBucket(b.entries[half:])
	b.entries = slices.Delete(b.entries, half, len(b.entries))
	b.count(x.lines)
	upper.count(x.lines)
	x.buckets, x.firsts = slices.Insert(x.buckets, n+1, upper), slices.Insert(x.firsts, n+1, upper.entries[0])
	x.sumSpans(n)
}

// remove removes an entry that takes the given number of lines. It must still compare as when it was inserted.
func (x *orderedIndex[E]) remove(e E, lines int) {
	n, i := x.find(e)
	x.removeAt(n, i, lines)
}

func (x *orderedIndex[E]) removeAt(n, i, lines int) {
	b := &x.buckets[n]
	b.entries = slices.Delete(b.entries, i, i+1)
	x.addLinesTo(n, -lines)
	switch {
	case len(b.entries) == 0:
		x.deleteBucket(n)
		x.sumSpans(n)
		return
	case i == 0:
		x.firsts[n] = b.entries[0]
	}
	if len(b.entries) < minBucket && !x.join(n) {
		x.join(n - 1)
	}
}

// deleteBucket deletes bucket n. The spans must be summed after it.
func (x *orderedIndex[E]) deleteBucket(n int) {
	x.buckets, x.firsts = slices.Delete(x.buckets, n, n+1), slices.Delete(x.firsts, n, n+1)
}

// addLinesTo adds to the number of lines that the entries of a bucket take.
func (x *orderedIndex[E]) addLinesTo(n, lines int) {
	x.buckets[n].lines += lines
	x.spans[n/spanBuckets] += lines
}

// sumSpans adds up the lines of the spans again, from that of a bucket on.
func (x *orderedIndex[E]) sumSpans(from int) {
	span := from / spanBuckets
	x.spans = x.spans[:span]
	for part := range slices.Chunk(x.buckets[span*spanBuckets:], spanBuckets) {
		lines := 0
		for i := range part {
			lines += part[i].lines
		}
		x.spans = append(x.spans, lines)
	}
}

// move replaces entry i of bucket n, which takes the given number of lines, by e, which takes linesAfter and may have
// another place. The old entry is not compared any more.
func (x *orderedIndex[E]) move(n, i int, e E, lines, linesAfter int) {
	b := &x.buckets[n]
	isAfterFirst := n == 0 || i > 0 && x.compare(x.firsts[n], e) < 0
	isBeforeNext := n+1 == len(x.buckets) || x.compare(x.firsts[n+1], e) > 0
	if isAfterFirst && isBeforeNext {
		x.addLinesTo(n, linesAfter-lines)
		if to := b.move(i, e, x.compare); min(i, to) == 0 {
			x.firsts[n] = b.entries[0]
		}
		return
	}
	x.removeAt(n, i, lines)
	x.insert(e, linesAfter)
}

// addLines adds to the number of lines that an entry of the index takes.
func (x *orderedIndex[E]) addLines(e E, lines int) {
	n, _ := x.find(e)
	x.addLinesTo(n, lines)
}

// join makes one bucket of buckets n and n+1. It returns false if bucket n+1 does not exist or they are too large
// together.
func (x *orderedIndex[E]) join(n int) bool {
	if n < 0 || n+1 >= len(x.buckets) || len(x.buckets[n].entries)+len(x.buckets[n+1].entries) > fullBucket {
		return false
	}
	x.buckets[n].entries = append(x.buckets[n].entries, x.buckets[n+1].entries...)
	x.buckets[n].lines += x.buckets[n+1].lines
	x.deleteBucket(n + 1)
	x.sumSpans(n)
	return true
}

// move replaces entry i by another one, which is put in its place, and returns that place.
func (b *bucket[E]) move(i int, e E, compare func(a, b E) int) (to int) {
	place := func(others []E) int {
		return sort.Search(len(others), func(j int) bool { return compare(others[j], e) >= 0 })
	}
	if i > 0 && compare(b.entries[i-1], e) > 0 {
		to = place(b.entries[:i])
		copy(b.entries[to+1:i+1], b.entries[to:])
	} else {
		to = i + place(b.entries[i+1:])
		copy(b.entries[i:to], b.entries[i+1:])
	}
	b.entries[to] = e
	return to
}
