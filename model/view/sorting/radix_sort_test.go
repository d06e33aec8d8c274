package sorting

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
	inOrder := func(a, b Entry) int {
		order := cmp.Compare(a.Rank, b.Rank)
		if order == 0 && !a.Rank.IsExact() {
			order = cmp.Compare(a.Row, b.Row)
		}
		return cmp.Or(order, cmp.Compare(a.Codes, b.Codes))
	}
	for range 2000 {
		entries := make([]Entry, random.IntN(500))
		rankBits, codeBits := random.IntN(65), random.IntN(65) // that differ
		ranks, codes := random.Uint64(), random.Uint64()       // what all have in common
		for i := range entries {
			entries[i] = Entry{
				Row:   uint32(i),
				Rank:  Rank(ranks ^ random.Uint64()>>(64-rankBits)),
				Codes: codes ^ random.Uint64()>>(64-codeBits),
			}
		}
		random.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		want := slices.Clone(entries)
		slices.SortFunc(want, inOrder)
		radixSort(entries, func(some []Entry) { slices.SortFunc(some, inOrder) })
		sameKeys := func(a, b Entry) bool {
			return a.Rank == b.Rank && a.Codes == b.Codes && (a.Rank.IsExact() || a.Row == b.Row)
		}
		if !slices.EqualFunc(entries, want, sameKeys) {
			t.Fatalf("%d entries with ranks of %d bits and codes of %d are not in order", len(entries), rankBits, codeBits)
		}
	}
}
