package model

import (
	"strings"
	"testing"
)

// TestEachChangeOfARowIsObserved changes a book with the rows b and c in each way, by itself and through a view.
func TestEachChangeOfARowIsObserved(t *testing.T) {
	s := Subscription{Epoch: 1}
	for _, throughView := range []bool{false, true} {
		rows := NewRows()
		for _, p := range positions("b 1 @10", "c 2 @10") {
			rows.Put(&p)
		}
		book := NewBook(4)
		var observed []string
		book.Observe(func(before, after *Position, source ChangeSource) {
			words := changeWords(before, after)
			if source == ChangedByAudit {
				words += " by audit"
			}
			observed = append(observed, words)
		})
		book = book.Replaced(Snapshot{Subscription: s, Rows: rows}).Narrowed([]Subscription{s})
		merge, compare := book.Merge, book.Compare
		var view *View
		if throughView {
			view = NewView(book, Scope{Markets: []ID{MakeID("b"), MakeID("d")}}, Filter{}, Order{}, NewInstruments(nil, nil, nil))
			merge, compare = view.Merge, view.Compare
		}

		merge(&Updates{Subscription: s, Positions: positions("b 3 @11", "d 1 @11", "c 4 @12", "b 5 @12"), NotAfter: notAfter})
		merge(&Updates{Subscription: s, Positions: positions("b 6 @11", "c 7 @13", "f 1 @13"), NotAfter: notAfter, LatePage: true}) // f is not reported
		merge(&Updates{Subscription: s, Positions: positions("e 1 @11"), NotAfter: notAfter})                                       // the book is full
		compare(&AuditPage{Subscription: s, Positions: positions("b 5 @12", "c 8 @14"), NotAfter: notAfter, First: true, Last: true})
		merge(&Updates{Subscription: s, Positions: positions("c 7 @13"), NotAfter: notAfter}) // older than the audit

		want := "b 1 > 3, d - > 1, c 2 > 4, b 3 > 5, c 4 > 7, c 7 > 8 by audit, d 1 > - by audit, f 1 > - by audit"
		if got := strings.Join(observed, ", "); got != want {
			t.Errorf("through a view %t: got %s, want %s", throughView, got, want)
		}
		if throughView && view.Len() != 1 { // the row b; the audit has removed d
			t.Errorf("the view has %d rows", view.Len())
		}
	}
}
