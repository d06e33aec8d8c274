package watch

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"blotter/model"
	"blotter/model/book"
)

// TestRowsAreSortedByKey, as their keys compare.
func TestRowsAreSortedByKey(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	table := book.NewRows()
	for range 1000 {
		id := func(n int) model.ID { return model.MakeID(strconv.Itoa(random.IntN(n))) }
		table.Put(&model.Position{Key: model.Key{Party: id(20), Market: id(300)}})
	}
	var rows []book.Row
	for number := range table.AllNumbers {
		rows = append(rows, table.Row(number))
	}
	want := slices.SortedFunc(slices.Values(rows), func(a, b book.Row) int { return a.Key().Compare(b.Key()) })
	if sortByKey(rows); !slices.Equal(rows, want) {
		t.Errorf("the rows are %v, want %v", rows, want)
	}
}
