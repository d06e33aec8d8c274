package view

import (
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// TestEachChangeOfARowIsObserved changes a book with the rows b and c in each possible way, directly and through a
// view.
func TestEachChangeOfARowIsObserved(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	for _, throughView := range []bool{false, true} {
		rows := book.NewRows()
		for _, p := range modeltest.Positions("b 1 @10", "c 2 @10") {
			rows.Put(&p)
		}
		b := book.New(4)
		var observed []string
		b.Observe(func(before, after *model.Position, source book.ChangeSource) {
			words := modeltest.ChangeWords(before, after)
			if source == book.ChangedByAudit {
				words += " by audit"
			}
			observed = append(observed, words)
		})
		b = b.Replaced(book.Snapshot{Subscription: s, Rows: rows}).Narrowed([]model.Subscription{s})
		merge, compare := b.Merge, b.Compare
		var view *View
		if throughView {
			view = New(b, model.Scope{Markets: []model.ID{model.MakeID("b"), model.MakeID("d")}}, Filter{}, Order{}, model.NewInstruments(nil, nil, nil))
			merge, compare = view.Merge, view.Compare
		}

		merge(&book.Updates{Subscription: s, Positions: modeltest.Positions("b 3 @11", "d 1 @11", "c 4 @12", "b 5 @12"), NotAfter: modeltest.NotAfter})
		merge(&book.Updates{Subscription: s, Positions: modeltest.Positions("b 6 @11", "c 7 @13", "f 1 @13"), NotAfter: modeltest.NotAfter, LatePage: true})
		merge(&book.Updates{Subscription: s, Positions: modeltest.Positions("e 1 @11"), NotAfter: modeltest.NotAfter}) // the book is full
		compare(&book.AuditPage{Subscription: s, Positions: modeltest.Positions("b 5 @12", "c 8 @14"), NotAfter: modeltest.NotAfter, First: true, Last: true})
		merge(&book.Updates{Subscription: s, Positions: modeltest.Positions("c 7 @13"), NotAfter: modeltest.NotAfter}) // older than the audit

		want := "b 1 > 3, d - > 1, c 2 > 4, b 3 > 5, c 4 > 7, f - > 1, c 7 > 8 by audit, d 1 > - by audit, f 1 > - by audit"
		if got := strings.Join(observed, ", "); got != want {
			t.Errorf("through a view (%t): got %s, want %s", throughView, got, want)
		}
		if throughView && view.Len() != 1 { // the row b; the audit has removed d
			t.Errorf("the view has %d rows", view.Len())
		}
	}
}
