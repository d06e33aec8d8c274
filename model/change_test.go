package model

import (
	"slices"
	"strings"
	"testing"
)

// changeWords are a change as "b 1 > 5", with - for a row that is not there.
func changeWords(before, after *Position) string {
	size := func(p *Position) string {
		if p == nil {
			return "-"
		}
		return p.Number(OpenVolume).String()
	}
	if before != nil {
		return before.Market.String() + " " + size(before) + " > " + size(after)
	}
	return after.Market.String() + " - > " + size(after)
}

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
		if throughView {
			view := NewView(book, Scope{Markets: []ID{MakeID("b"), MakeID("d")}}, Filter{}, Order{}, NewInstruments(nil, nil, nil))
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
	}
}

// TestChangesOfASnapshot compares snapshots with a book of the rows b and c. An audit has set c.
func TestChangesOfASnapshot(t *testing.T) {
	s := Subscription{Epoch: 1}
	rowsOf := func(texts ...string) *Rows {
		rows := NewRows()
		for _, p := range positions(texts...) {
			rows.Put(&p)
		}
		return rows
	}
	book := NewBook(0).Replaced(Snapshot{Subscription: s, Rows: rowsOf("b 1 @10", "c 1 @10")})
	book.Compare(&AuditPage{Subscription: s, Positions: positions("b 1 @10", "c 2 @20"), NotAfter: notAfter, First: true, Last: true})
	for _, c := range []struct {
		name     string
		snapshot Snapshot
		want     string
	}{
		{"the same rows", Snapshot{Rows: rowsOf("b 1 @10", "c 2 @20")}, ""},
		{"another, a new and a missing row", Snapshot{Rows: rowsOf("b 3 @21", "d 1 @21")}, "b 1 > 3, c 2 > -, d - > 1"},
		{"a partial snapshot", Snapshot{Rows: rowsOf("d 1 @21"), Partial: true}, "d - > 1"},
		{"an empty snapshot", Snapshot{}, "b 1 > -, c 2 > -"},
		{"updates before it", Snapshot{Rows: rowsOf("b 5 @23", "c 2 @20", "d 1 @21"), Superseded: positions("b 3 @21", "d 1 @21", "b 4 @22")},
			"b 1 > 3 by update, b 3 > 4 by update, b 4 > 5, d - > 1 by update"},
		{"updates that an audit was ahead of", Snapshot{Rows: rowsOf("b 1 @10", "c 2 @20"), Superseded: positions("c 9 @19", "c 2 @20")}, ""},
		{"an update of a row that is missing then", Snapshot{Rows: rowsOf("b 1 @10", "c 2 @20"), Superseded: positions("d 1 @21")},
			"d - > 1 by update, d 1 > -"},
		{"the first one of a subscription", Snapshot{Subscription: Subscription{Epoch: 2}, Rows: rowsOf("b 3 @21")}, ""},
		{"the first one that is taken of a subscription", Snapshot{
			Subscription: Subscription{Epoch: 2}, Rows: rowsOf("b 3 @21", "c 4 @21"), Superseded: positions("b 1 @10", "b 2 @11"),
		}, "b 1 > 2 by update, b 2 > 3"},
	} {
		if c.snapshot.Epoch == 0 {
			c.snapshot.Subscription = s
		}
		c.snapshot.NotAfter = notAfter
		var changes []string
		book.SnapshotChanges(&c.snapshot, func(before, after *Position, source ChangeSource) {
			words := changeWords(before, after)
			if source == ChangedByUpdate {
				words += " by update"
			}
			changes = append(changes, words)
		})
		slices.Sort(changes)
		if got := strings.Join(changes, ", "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestNewRowsOfAPartialTableAreNotReported: the service may have had them before, until an audit has ended.
func TestNewRowsOfAPartialTableAreNotReported(t *testing.T) {
	s := Subscription{Epoch: 1}
	for name, book := range map[string]*Book{
		"no snapshot": NewBook(0), "a partial snapshot": NewBook(0).Replaced(Snapshot{Subscription: s, Partial: true}),
	} {
		var observed []string
		book.Observe(func(before, after *Position, _ ChangeSource) { observed = append(observed, changeWords(before, after)) })
		merge := func(texts ...string) {
			book.Merge(&Updates{Subscription: s, Positions: positions(texts...), NotAfter: notAfter})
		}
		merge("b 1 @11", "b 2 @12")
		book.Compare(&AuditPage{Subscription: s, Positions: positions("b 2 @12", "c 1 @11"), NotAfter: notAfter, First: true, Last: true})
		merge("d 1 @13")
		if got, want := strings.Join(observed, ", "), "b 1 > 2, d - > 1"; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
