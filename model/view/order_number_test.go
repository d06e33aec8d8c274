package view

import (
	"slices"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// TestOrderByChange keeps a view sorted by each change while rows change, in known and in unknown decimals.
func TestOrderByChange(t *testing.T) {
	for seed := range uint64(10) {
		w := modeltest.NewWorld(seed, 12, 8)
		rows := book.NewRows()
		make(modeltest.PlainBook).Replace(w, model.Subscription{}, 100, rows.Put)
		b := book.New(0).Replaced(book.Snapshot{AsIs: true, Rows: rows})
		b.Baselines().Take(takenAt)
		for _, column := range []Column{SizeChangeColumn, UnrealisedChangeColumn, RealisedChangeColumn} {
			order := Order{column, seed%2 == 0}
			view := New(b, model.Scope{}, Filter{ShowClosed: true}, order, w.Instruments)
			open := openOfAssets(w.Instruments, view.InScope)
			for range 200 {
				merge(view, updateOf(model.Subscription{}, w.Position(model.Subscription{})))
			}
			checkOrderByChange(t, view, open, columns[column].ordering.(numberOrdering).field)
		}
	}
}

// checkOrderByChange compares the order of a view with that of positions whose field is set to its change.
func checkOrderByChange(t *testing.T, view *View, open plainAssets, field model.Field) {
	t.Helper()
	by := map[model.Field]Column{model.OpenVolume: SizeColumn, model.UnrealisedPnl: UnrealisedColumn, model.RealisedPnl: RealisedColumn}[field]
	var changes []*model.Position
	for p := range view.Shown {
		row, _ := view.Book().Baselines().Current().Row(p.Key)
		change, ok := row.Change(&p, field, view.Instruments().Decimals(field, p.Market))
		if !ok || !change.IsNumber() {
			change = model.TextAmount("")
		}
		changed := model.Position{Key: p.Key}
		changed.SetNumber(field, change)
		changes = append(changes, &changed)
		if place, shown := view.Place(p.Key); !shown || place != len(changes)-1 {
			t.Fatalf("%v is at place %d, %v; want %d", p.Key, place, shown, len(changes)-1)
		}
	}
	order := Order{by, view.Order.Descending}
	compare := func(p, q *model.Position) int {
		return plainCompare(order, view.Instruments(), open, plainMargins{}, p, q)
	}
	if len(changes) < 50 || !slices.IsSortedFunc(changes, compare) {
		t.Fatalf("%d rows are not sorted by %s", len(changes), view.Order.Column.Key())
	}
}
