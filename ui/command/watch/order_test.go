package watch

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"blotter/model"
)

// TestRowsAreSortedByKey, as their keys compare.
func TestRowsAreSortedByKey(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var rows []*model.Position
	for range 1000 {
		id := func(n int) model.ID { return model.MakeID(strconv.Itoa(random.IntN(n))) }
		rows = append(rows, &model.Position{Key: model.Key{Party: id(20), Market: id(300)}})
	}
	want := slices.SortedFunc(slices.Values(rows), func(p, q *model.Position) int { return p.Key.Compare(q.Key) })
	sortByKey(rows)
	for i := range rows {
		if rows[i].Key != want[i].Key {
			t.Fatalf("row %d is %v, want %v", i, rows[i].Key, want[i].Key)
		}
	}
}
