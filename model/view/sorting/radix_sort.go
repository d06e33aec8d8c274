package sorting

import "math/bits"

// radixSort sorts entries by their ranks, then by their codes. Equal ranks that are not exact do not order entries, so
// it calls sortRest for those. It also calls sortRest for a few entries: it must sort by the ranks first.
//
// It puts the entries in 256 parts by a byte of the rank or of the codes, and sorts each part in the same way. With it
// a view of BenchmarkMillion/view takes 0.6 to 0.8 of the time that it takes with slices.SortFunc alone.
func radixSort(entries []Entry, sortRest func([]Entry)) {
	const few = 24
	if len(entries) <= few {
		sortRest(entries)
		return
	}
	byteOf, isKnown := sortedByte(entries)
	if !isKnown {
		sortRest(entries)
		return
	}
	var next, ends [256]int
	for _, e := range entries {
		ends[byteOf(e)]++
	}
	end := 0
	for i, count := range ends {
		next[i] = end
		end += count
		ends[i] = end
	}
	begins := next
	for part := range next {
		for next[part] < ends[part] {
			e := entries[next[part]]
			for to := byteOf(e); int(to) != part; to = byteOf(e) {
				entries[next[to]], e = e, entries[next[to]]
				next[to]++
			}
			entries[next[part]] = e
			next[part]++
		}
	}
	for part, begin := range begins {
		if ends[part]-begin > 1 {
			radixSort(entries[begin:ends[part]], sortRest)
		}
	}
}

// sortedByte returns the byte that the entries are sorted by: the highest bits of the rank that are not the same in all
// of them, else of the codes. It returns false if neither orders them: the ranks are the same and not exact.
func sortedByte(entries []Entry) (byteOf func(Entry) uint8, isKnown bool) {
	first := entries[0]
	var ranks Rank
	var codes uint64
	for _, e := range entries {
		ranks |= e.Rank ^ first.Rank
		codes |= e.Codes ^ first.Codes
	}
	shift := max(bits.Len64(uint64(ranks)), 8) - 8
	if ranks != 0 {
		return func(e Entry) uint8 { return uint8(e.Rank >> shift) }, true
	}
	shift = max(bits.Len64(codes), 8) - 8
	return func(e Entry) uint8 { return uint8(e.Codes >> shift) }, first.Rank.IsExact() && codes != 0
}
