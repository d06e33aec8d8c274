package history

import (
	"strconv"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
)

// TestTrendsAreBounded adds more rows than are kept.
func TestTrendsAreBounded(t *testing.T) {
	var updates book.Updates
	for i := range 3 * maxTrends {
		p := model.Position{Key: model.Key{Market: model.MakeID(strconv.Itoa(i))}}
		p.SetNumber(model.OpenVolume, model.AmountOf(1))
		p.SetNumber(model.UnrealisedPnl, model.AmountOf(int64(i)))
		updates.Positions = append(updates.Positions, p)
	}
	b := book.New(0)
	b.Merge(&updates)
	order := view.Order{Column: view.UnrealisedColumn}
	v := view.New(b, model.Scope{}, view.Filter{}, order, model.NewInstruments(nil, nil, nil))
	never := func(model.Key) bool { return false }

	var trends Trends
	now := time.Now()
	trends.Add(v, nil, never, now)
	if n := len(trends.rows); n != topRows {
		t.Errorf("trends of %d rows are kept, want those of the %d at the top", n, topRows)
	}
	for i := range v.Len() {
		selected, _ := v.At(i)
		now = now.Add(time.Second)
		trends.Add(v, &selected, never, now)
		if trends.Of(selected.Key) == nil {
			t.Fatalf("the selected row %d has no trend", i)
		}
	}
	if n := len(trends.rows); n != maxTrends {
		t.Errorf("trends of %d rows are kept, want at most %d", n, maxTrends)
	}
}
