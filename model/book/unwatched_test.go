package book

import (
	"fmt"
	"testing"

	"blotter/model"
	"blotter/model/book/pairs"
	"blotter/model/modeltest"
)

// TestRowsThatAreNotWatchedHaveALimit, whatever a recording says.
func TestRowsThatAreNotWatchedHaveALimit(t *testing.T) {
	b := New(0)
	for i := range pairs.MaxUnwatched + 1000 {
		b.RestoreSizeChange(&pairs.SizeChange{Key: model.Key{Party: model.MakeID("p"), Market: model.MakeID(fmt.Sprint(i))}, At: 1})
	}
	remembered := 0
	for range b.SizeChanges {
		remembered++
	}
	if remembered != pairs.MaxUnwatched {
		t.Errorf("%d rows are remembered, want %d", remembered, pairs.MaxUnwatched)
	}
}

// TestARowThatIsWatchedAgainWaitsForRecordsThatAreOlderThanItsSize: a record in one asset is newer meanwhile, one is
// not, and one that is not newer comes for the first time.
func TestARowThatIsWatchedAgainWaitsForRecordsThatAreOlderThanItsSize(t *testing.T) {
	of := model.Subscription{Key: model.Key{Party: model.MakeID("a")}, Epoch: 1}
	key := modeltest.Position("m 1").Key
	watched := func(b *Book, text string) *Book {
		rows := NewRows()
		rows.PutPage(modeltest.Positions(text), modeltest.NotAfter)
		return b.Replaced(Snapshot{Subscription: of, Rows: rows, NotAfter: modeltest.NotAfter})
	}
	b := watched(New(0), "m 1 @10")
	read := func(asset string, at int64) {
		levels := model.MarginLevels{MarginKey: model.MarginKey{Key: key, Asset: model.MakeID(asset)}, Maintenance: model.AmountOf(5), Timestamp: model.AmountOf(at)}
		b.MergeMargins(&model.Page{Rows: []model.MarginLevels{levels}})
	}
	read("newer", 12)
	read("older", 12)
	b.Merge(&Updates{Subscription: of, Positions: modeltest.Positions("m 2 @20"), NotAfter: modeltest.NotAfter})
	b = b.Narrowed(nil)
	read("newer", 25)
	read("first", 15)
	b = watched(b, "m 3 @30")
	row := modeltest.Position("m 3 @30")
	for asset, want := range map[string]struct {
		has     bool
		endedAt int64
	}{"newer": {true, 0}, "older": {true, 20}, "first": {false, 20}} {
		if ratio, has := b.RatioOf(&row, model.MakeID(asset)); has != want.has || ratio.EndedAt != want.endedAt {
			t.Errorf("%s: the ratio is %+v, %v", asset, ratio, has)
		}
	}
}
