// Package ordered has entries of any type in order, as the lines of a list: it finds which entry is at a line, and at
// which line an entry is. It uses nothing of blotter.
package ordered

import (
	"iter"
	"slices"
	"sort"
)

// Index keeps the entries of a list in order. An entry takes some lines of the list, none if it is hidden.
// The index finds which entry is at line i, and at which line an entry is.
//
// The entries are in buckets: slices of at most 126 entries, one after the other. Each bucket has the number of lines
// of its entries. So to find line i, whole buckets are skipped by their lines, and only one bucket is searched entry by
// entry. Many buckets are skipped at once, by the lines of a span of buckets: without them a frame of
// BenchmarkMillion/screen of package view takes 12 times as long. To insert or remove an entry, only the entries of one
// bucket move.
//
// A balanced tree would do the same. But a new filter changes which entries are hidden, not their order. With buckets,
// the lines are counted again in one pass through slices; in a tree, as many nodes as entries would have to be visited.
type Index[E any] struct {
	compare func(a, b E) int // no two entries are equal
	Lines   func(E) int      // how many lines an entry takes
	Buckets []Bucket[E]
	firsts  []E   // the first entry of each bucket, so that a search of the buckets reads little memory
	spans   []int // the lines of all entries in each spanBuckets buckets
}

// Bucket is some entries that follow each other in the order. It is never empty.
type Bucket[E any] struct {
	Entries []E
	Lines   int // of all entries
}

const (
	maxBucket  = 127 // entries: 3 KiB, less what the allocator adds. A bucket of this size is split
	fullBucket = 96  // how many entries a new bucket has at most, so that there is room for more
	minBucket  = 32  // a smaller bucket is joined with a neighbour, if they fit in fullBucket together

	spanBuckets = 64 // how many buckets are in a span
)

// New returns an index of entries that are in order. They take no lines until the lines of each bucket are
// set, and SumSpans is called.
func New[E any](entries []E, compare func(a, b E) int) Index[E] {
	x := Index[E]{compare: compare}
	for part := range slices.Chunk(entries, fullBucket) {
		x.Buckets, x.firsts = append(x.Buckets, newBucket(part)), append(x.firsts, part[0])
	}
	return x
}

// WithLines returns an index of the same entries that take other lines, which are not counted yet. Those of x do not
// change.
func (x *Index[E]) WithLines(lines func(E) int) Index[E] {
	return Index[E]{x.compare, lines, slices.Clone(x.Buckets), x.firsts, nil}
}

// Count sets how many lines each entry takes, and counts them all.
func (x *Index[E]) Count(lines func(E) int) {
	x.Lines = lines
	for i := range x.Buckets {
		x.Buckets[i].count(lines)
	}
	x.SumSpans(0)
}

// All yields all entries in order.
func (x *Index[E]) All(yield func(E) bool) { x.From(0, 0)(yield) }

// From returns the entries from entry i of bucket n on, in order.
func (x *Index[E]) From(n, i int) iter.Seq[E] {
	return func(yield func(E) bool) {
		for ; n < len(x.Buckets); n, i = n+1, 0 {
			for _, e := range x.Buckets[n].Entries[i:] {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// Len returns how many entries there are.
func (x *Index[E]) Len() (n int) {
	for i := range x.Buckets {
		n += len(x.Buckets[i].Entries)
	}
	return n
}

// AllLines returns how many lines all entries take.
func (x *Index[E]) AllLines() int { return x.LinesBefore(len(x.Buckets), 0) }

func newBucket[E any](entries []E) Bucket[E] {
	return Bucket[E]{Entries: append(make([]E, 0, maxBucket), entries...)}
}

func (b *Bucket[E]) count(lines func(E) int) {
	b.Lines = 0
	for _, e := range b.Entries {
		b.Lines += lines(e)
	}
}

// At returns the entry at line i, which of its lines that is, and false if there is no such line.
func (x *Index[E]) At(i int) (e E, line int, ok bool) { return x.After(0, 0, i) }

// After returns the entry that is the given number of lines after the first line of entry i of bucket n, which of its
// lines that is, and false if there is no such line.
func (x *Index[E]) After(n, i, lines int) (e E, line int, ok bool) {
	if lines < 0 {
		return e, 0, false
	}
	for ; n < len(x.Buckets); n, i = n+1, 0 {
		if i == 0 && n%spanBuckets == 0 {
			for ; n/spanBuckets < len(x.spans) && lines >= x.spans[n/spanBuckets]; n += spanBuckets {
				lines -= x.spans[n/spanBuckets]
			}
			if n >= len(x.Buckets) {
				break
			}
		}
		b := &x.Buckets[n]
		if i == 0 && lines >= b.Lines {
			lines -= b.Lines
			continue
		}
		for _, e := range b.Entries[i:] {
			taken := x.Lines(e)
			if lines < taken {
				return e, lines, true
			}
			lines -= taken
		}
	}
	return e, 0, false
}

// Place returns how many lines are before the entry, and whether it is in the index and not hidden.
func (x *Index[E]) Place(e E) (place int, isShown bool) {
	n, i := x.Find(e)
	isShown = n < len(x.Buckets) && i < len(x.Buckets[n].Entries)
	if isShown {
		found := x.Buckets[n].Entries[i]
		isShown = x.compare(found, e) == 0 && x.Lines(found) > 0
	}
	return x.LinesBefore(n, i), isShown
}

// LinesBefore returns how many lines are before entry i of bucket n; of all entries, if there is no bucket n.
func (x *Index[E]) LinesBefore(n, i int) (lines int) {
	span := n / spanBuckets
	for _, before := range x.spans[:span] {
		lines += before
	}
	for _, before := range x.Buckets[span*spanBuckets : n] {
		lines += before.Lines
	}
	if n < len(x.Buckets) {
		for _, before := range x.Buckets[n].Entries[:i] {
			lines += x.Lines(before)
		}
	}
	return lines
}

// Find returns the number of the bucket that the entry belongs to, and the entry's place in it.
func (x *Index[E]) Find(e E) (n, i int) {
	return x.Search(func(other E) bool { return x.compare(other, e) >= 0 })
}

// Search returns the first entry that is not before a place in the order, by its bucket and its place there. If
// there is none, that is the place after the last entry.
func (x *Index[E]) Search(isNotBefore func(E) bool) (n, i int) {
	next := sort.Search(len(x.firsts), func(n int) bool { return isNotBefore(x.firsts[n]) })
	if next == 0 {
		return 0, 0
	}
	entries := x.Buckets[next-1].Entries
	i = sort.Search(len(entries), func(i int) bool { return isNotBefore(entries[i]) })
	if i == len(entries) && next < len(x.Buckets) {
		return next, 0
	}
	return next - 1, i
}

// Insert adds an entry that takes the given number of lines. It must not be in the index.
func (x *Index[E]) Insert(e E, lines int) {
	if len(x.Buckets) == 0 {
		x.Buckets, x.firsts, x.spans = append(x.Buckets, newBucket[E](nil)), append(x.firsts, e), append(x.spans, 0)
	}
	n, i := x.Find(e)
	b := &x.Buckets[n]
	b.Entries = slices.Insert(b.Entries, i, e)
	x.addLinesTo(n, lines)
	if i == 0 {
		x.firsts[n] = e
	}
	if len(b.Entries) < maxBucket {
		return
	}
	half := len(b.Entries) / 2
	upper := newBucket(b.Entries[half:])
	b.Entries = slices.Delete(b.Entries, half, len(b.Entries))
	b.count(x.Lines)
	upper.count(x.Lines)
	x.Buckets, x.firsts = slices.Insert(x.Buckets, n+1, upper), slices.Insert(x.firsts, n+1, upper.Entries[0])
	x.SumSpans(n)
}

// Remove removes an entry that takes the given number of lines. It must still compare as when it was inserted.
func (x *Index[E]) Remove(e E, lines int) {
	n, i := x.Find(e)
	x.removeAt(n, i, lines)
}

func (x *Index[E]) removeAt(n, i, lines int) {
	b := &x.Buckets[n]
	b.Entries = slices.Delete(b.Entries, i, i+1)
	x.addLinesTo(n, -lines)
	switch {
	case len(b.Entries) == 0:
		x.deleteBucket(n)
		x.SumSpans(n)
		return
	case i == 0:
		x.firsts[n] = b.Entries[0]
	}
	if len(b.Entries) < minBucket && !x.join(n) {
		x.join(n - 1)
	}
}

// deleteBucket deletes bucket n. The spans must be summed after it.
func (x *Index[E]) deleteBucket(n int) {
	x.Buckets, x.firsts = slices.Delete(x.Buckets, n, n+1), slices.Delete(x.firsts, n, n+1)
}

// addLinesTo adds to the number of lines that the entries of a bucket take.
func (x *Index[E]) addLinesTo(n, lines int) {
	x.Buckets[n].Lines += lines
	x.spans[n/spanBuckets] += lines
}

// SumSpans adds up the lines of the spans again, from that of a bucket on.
func (x *Index[E]) SumSpans(from int) {
	span := from / spanBuckets
	x.spans = x.spans[:span]
	for part := range slices.Chunk(x.Buckets[span*spanBuckets:], spanBuckets) {
		lines := 0
		for i := range part {
			lines += part[i].Lines
		}
		x.spans = append(x.spans, lines)
	}
}

// Move replaces entry i of bucket n, which takes the given number of lines, by e, which takes linesAfter and may have
// another place. The old entry is not compared any more.
func (x *Index[E]) Move(n, i int, e E, lines, linesAfter int) {
	b := &x.Buckets[n]
	isAfterFirst := n == 0 || i > 0 && x.compare(x.firsts[n], e) < 0
	isBeforeNext := n+1 == len(x.Buckets) || x.compare(x.firsts[n+1], e) > 0
	if isAfterFirst && isBeforeNext {
		x.addLinesTo(n, linesAfter-lines)
		if to := b.move(i, e, x.compare); min(i, to) == 0 {
			x.firsts[n] = b.Entries[0]
		}
		return
	}
	x.removeAt(n, i, lines)
	x.Insert(e, linesAfter)
}

// AddLines adds to the number of lines that an entry of the index takes.
func (x *Index[E]) AddLines(e E, lines int) {
	n, _ := x.Find(e)
	x.addLinesTo(n, lines)
}

// join makes one bucket of buckets n and n+1. It returns false if bucket n+1 does not exist or they are too large
// together.
func (x *Index[E]) join(n int) bool {
	if n < 0 || n+1 >= len(x.Buckets) || len(x.Buckets[n].Entries)+len(x.Buckets[n+1].Entries) > fullBucket {
		return false
	}
	x.Buckets[n].Entries = append(x.Buckets[n].Entries, x.Buckets[n+1].Entries...)
	x.Buckets[n].Lines += x.Buckets[n+1].Lines
	x.deleteBucket(n + 1)
	x.SumSpans(n)
	return true
}

// move replaces entry i by another one, which is put in its place, and returns that place.
func (b *Bucket[E]) move(i int, e E, compare func(a, b E) int) (to int) {
	place := func(others []E) int {
		return sort.Search(len(others), func(j int) bool { return compare(others[j], e) >= 0 })
	}
	if i > 0 && compare(b.Entries[i-1], e) > 0 {
		to = place(b.Entries[:i])
		copy(b.Entries[to+1:i+1], b.Entries[to:])
	} else {
		to = i + place(b.Entries[i+1:])
		copy(b.Entries[i:to], b.Entries[i+1:])
	}
	b.Entries[to] = e
	return to
}
