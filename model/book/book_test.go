package book

import (
	"slices"
	"strconv"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestBookIsLikePlainMaps makes the same random changes to a book and to plain maps.
func TestBookIsLikePlainMaps(t *testing.T) {
	for seed := range uint64(12) {
		w := modeltest.NewWorld(seed, 4, 3)
		book, plain := New(0), make(modeltest.PlainBook)
		for range 200 {
			s := w.Subscription()
			switch w.IntN(12) {
			case 0:
				rows := NewRows()
				plain.Replace(w, s, 8, rows.Put)
				book = book.Replaced(Snapshot{Subscription: s, Rows: rows, AsIs: true})
			case 1:
				to := w.Subscriptions[:w.IntN(len(w.Subscriptions)+1)]
				book = book.Narrowed(slices.Concat(to, to))
				plain.Narrow(to)
			default:
				p := w.Position(s)
				update := updateOf(s, p)
				update.AsIs = true
				book.Merge(update)
				plain.Put(s, p)
			}
			checkBook(t, w, book, plain)
		}
	}
}

func checkBook(t *testing.T, w *modeltest.World, book *Book, plain modeltest.PlainBook) {
	t.Helper()
	for _, s := range w.Subscriptions {
		if _, ok := plain[s]; book.Has(s) != ok {
			t.Fatalf("the book has %v: %v", s, book.Has(s))
		}
	}
	for _, party := range w.Parties {
		for _, market := range w.Markets {
			key := model.Key{Party: party, Market: market}
			var source model.Subscription
			var want *model.Position
			for s, rows := range plain {
				if p, ok := rows[key]; ok {
					source, want = s, &p
				}
			}
			if found, ok := book.Find(key); ok != (want != nil) || want != nil && !found.Equal(want) {
				t.Fatalf("%v is %+v, want %+v", key, found, want)
			}
			if got, ok := book.Source(key); ok != (want != nil) || got != source {
				t.Fatalf("%v comes from %v, want %v", key, got, source)
			}
		}
	}
	all, n := plain.All(), 0
	for row := range book.All {
		if want, ok := all[row.Key]; !ok || !row.Equal(&want) {
			t.Fatalf("%+v is in the book, want %+v", row, want)
		}
		n++
	}
	if n != len(all) || book.Len() != n {
		t.Fatalf("the book yields %d positions and has the length %d, want %d", n, book.Len(), len(all))
	}
}

func TestReplacedByNoRowsTakesUpdates(t *testing.T) {
	s := model.Subscription{Key: model.Key{Party: model.MakeID("p")}, Epoch: 1}
	book := New(0).Replaced(Snapshot{Subscription: s})
	if !book.Has(s) || book.Len() != 0 {
		t.Errorf("there are %d positions", book.Len())
	}
	book.Merge(updateOf(s, model.Position{Key: s.Key}))
	if _, ok := book.Find(s.Key); !ok {
		t.Error("the book does not have the update")
	}
}

// TestAFullBookTakesNoNewPositions, but the positions that it has still change.
func TestAFullBookTakesNoNewPositions(t *testing.T) {
	position := func(market string, volume int64) model.Position {
		p := model.Position{Key: model.Key{Party: model.MakeID("a"), Market: model.MakeID(market)}}
		p.SetNumber(model.OpenVolume, model.AmountOf(volume))
		return p
	}
	book := New(2)
	book.Merge(updateOf(model.Subscription{}, position("x", 1), position("y", 2), position("z", 3), position("x", 4)))
	if _, ok := book.Find(position("z", 0).Key); ok || book.Len() != 2 || !book.LeftOut() {
		t.Errorf("there are %d positions; some are left out: %t", book.Len(), book.LeftOut())
	}
	if x, _ := book.Find(position("x", 0).Key); x.Number(model.OpenVolume) != model.AmountOf(4) {
		t.Errorf("x is %s, want 4", x.Number(model.OpenVolume))
	}
}

// TestUpdatesOfAnEndedSubscriptionChangeNothing: it may have been started again with another epoch.
func TestUpdatesOfAnEndedSubscriptionChangeNothing(t *testing.T) {
	key := model.Key{Party: model.MakeID("p")}
	book := New(0).Replaced(Snapshot{Subscription: model.Subscription{Key: key, Epoch: 2}})
	book.Merge(updateOf(model.Subscription{Key: key, Epoch: 1}, model.Position{Key: key}))
	if book.Len() != 0 {
		t.Error("there is a position")
	}
}

// TestIdentifiersOfRemovedRowsAreBounded: each audit shows other markets. A snapshot makes room again.
func TestIdentifiersOfRemovedRowsAreBounded(t *testing.T) {
	const limit = 10
	position := func(market int) model.Position {
		return model.Position{Key: model.Key{Market: model.MakeID(strconv.Itoa(market))}}
	}
	book := New(limit).Replaced(Snapshot{})
	for first := 0; first < 3*extraIdentifiers; first += limit {
		page := AuditPage{First: true, Last: true}
		for i := range limit / 2 {
			page.Positions = append(page.Positions, position(first+i))
		}
		book.Compare(&page)
	}
	if n := book.tables.byNumber[0].rows.identifiers(); n != limit+extraIdentifiers || book.Len() > limit {
		t.Errorf("%d identifiers of %d rows", n, book.Len())
	}
	book = book.Replaced(Snapshot{})
	if book.Merge(updateOf(model.Subscription{}, position(-1))); book.Len() != 1 {
		t.Error("there is no room after a snapshot")
	}
}
