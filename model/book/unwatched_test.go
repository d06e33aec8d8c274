package book

import (
	"fmt"
	"testing"

	"blotter/model"
)

// TestRowsThatAreNotWatchedHaveALimit, whatever a recording says.
func TestRowsThatAreNotWatchedHaveALimit(t *testing.T) {
	b := New(0)
	for i := range maxUnwatched + 1000 {
		b.RestoreSizeChange(&SizeChange{Key: model.Key{Party: model.MakeID("p"), Market: model.MakeID(fmt.Sprint(i))}, At: 1})
	}
	remembered := 0
	for range b.SizeChanges {
		remembered++
	}
	if remembered != maxUnwatched {
		t.Errorf("%d rows are remembered, want %d", remembered, maxUnwatched)
	}
}
