package view

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRadixSort sorts entries with many equal ranks and codes. The order of equal ranks that are not exact is that of
// the row numbers here.
func TestRadixSort(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	inOrder := func(a, b entry) int {
		order := cmp.Compare(a.rank, b.rank)
		if order == 0 && !a.rank.isExact() {
			order = cmp.Compare(a.row, b.row)
		}
		return cmp.Or(order, cmp.Compare(a.codes, b.codes))
	}
	for range 2000 {
		entries := make([]entry, random.IntN(500))
		rankBits, codeBits := random.IntN(65), random.IntN(65) // that differ
		ranks, codes := random.Uint64(), random.Uint64()       // what all have in common
		for i := range entries {
			entries[i] = entry{
				row:   uint32(i),
				rank:  rank(ranks ^ random.Uint64()>>(64-rankBits)),
				codes: codes ^ random.Uint64()>>(64-codeBits),
			}
		}
		random.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		want := slices.Clone(entries)
		slices.SortFunc(want, inOrder)
		radixSort(entries, func(some []entry) { slices.SortFunc(some, inOrder) })
		sameKeys := func(a, b entry) bool {
			return a.rank == b.rank && a.codes == b.codes && (a.rank.isExact() || a.row == b.row)
		}
		if !slices.EqualFunc(entries, want, sameKeys) {
			t.Fatalf("%d entries with ranks of %d bits and codes of %d are not in order", len(entries), rankBits, codeBits)
		}
	}
}
