package view

import (
	"slices"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
	"blotter/model/view/sorting"
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
			field := columns[column].ordering.(sorting.ByNumber).Field
			checkOrderByChange(t, view, open, field, func(p *model.Position) model.Amount {
				row, _ := b.Baselines().Current().Row(p.Key)
				if change, ok := row.Change(p, field, w.Instruments.Decimals(field, p.Market)); ok {
					return change
				}
				return model.TextAmount("")
			})
		}
	}
}

// TestOrderByDay does the same with the change of the PnL since the day began, of which the service has no number.
func TestOrderByDay(t *testing.T) {
	for seed := range uint64(10) {
		w := modeltest.NewWorld(seed, 12, 8)
		rows := book.NewRows()
		make(modeltest.PlainBook).Replace(w, model.Subscription{}, 100, rows.Put)
		b := book.New(0).Replaced(book.Snapshot{AsIs: true, Rows: rows})
		b.Baselines().BeginDay()
		b.Baselines().Extend(func(model.Subscription) bool { return true }, takenAt)
		view := New(b, model.Scope{}, Filter{ShowClosed: true}, Order{DayColumn, seed%2 == 0}, w.Instruments)
		open := openOfAssets(w.Instruments, view.InScope)
		for range 200 {
			merge(view, updateOf(model.Subscription{}, w.Position(model.Subscription{})))
			realised, _ := view.At(w.IntN(view.Len())) // alone
			realised.SetNumber(model.RealisedPnl, model.AmountOf(w.Int64N(2_000_000)-1_000_000))
			merge(view, updateOf(model.Subscription{}, realised))
		}
		checkOrderByChange(t, view, open, model.UnrealisedPnl, func(p *model.Position) model.Amount {
			row, _ := b.Baselines().Day().Row(p.Key)
			decimals := w.Instruments.Decimals(model.UnrealisedPnl, p.Market)
			pnl, _, ok := row.PnLChange(p, decimals)
			if !ok {
				return model.TextAmount("")
			}
			return pnl.Amount(decimals)
		})
	}
}

// checkOrderByChange compares the order of a view with that of positions whose field is set to its change.
func checkOrderByChange(t *testing.T, view *View, open plainAssets, field model.Field, changeOf func(*model.Position) model.Amount) {
	t.Helper()
	by := map[model.Field]Column{model.OpenVolume: SizeColumn, model.UnrealisedPnl: UnrealisedColumn, model.RealisedPnl: RealisedColumn}[field]
	var changes []*model.Position
	for p := range view.Shown {
		change := changeOf(&p)
		if !change.IsNumber() {
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
