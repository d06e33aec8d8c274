package book

import (
	"slices"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestChangesOfASnapshot compares snapshots with a book of the rows b and c. An audit has set c.
func TestChangesOfASnapshot(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	rowsOf := func(texts ...string) *Rows {
		rows := NewRows()
		for _, p := range modeltest.Positions(texts...) {
			rows.Put(&p)
		}
		return rows
	}
	book := New(0).Replaced(Snapshot{Subscription: s, Rows: rowsOf("b 1 @10", "c 1 @10")})
	book.Compare(&AuditPage{Subscription: s, Positions: modeltest.Positions("b 1 @10", "c 2 @20"), NotAfter: modeltest.NotAfter, First: true, Last: true})
	for _, c := range []struct {
		name     string
		snapshot Snapshot
		want     string
	}{
		{"the same rows", Snapshot{Rows: rowsOf("b 1 @10", "c 2 @20")}, ""},
		{"another, a new and a missing row", Snapshot{Rows: rowsOf("b 3 @21", "d 1 @21")}, "b 1 > 3, d - > 1"},
		{"an older, a flat and a missing row", Snapshot{Rows: rowsOf("b 0 @21", "c 1 @19")}, "b 1 > 0"},
		{"the same in a copy", Snapshot{AsIs: true, Rows: rowsOf("c 1 @19")}, "b 1 > -, c 2 > 1"},
		{"an empty one that is believed", Snapshot{AsIs: true}, "b 1 > -, c 2 > -"},
		{"updates before it", Snapshot{Rows: rowsOf("b 5 @23", "c 2 @20", "d 1 @21"), Superseded: modeltest.Positions("b 3 @21", "d 1 @21", "b 4 @22")},
			"b 1 > 3 by update, b 3 > 4 by update, b 4 > 5, d - > 1 by update"},
		{"updates that an audit was ahead of", Snapshot{Rows: rowsOf("b 1 @10", "c 2 @20"), Superseded: modeltest.Positions("c 9 @19", "c 2 @20")}, ""},
		{"updates after an audit", Snapshot{Rows: rowsOf("b 3 @9", "c 8 @19"), Superseded: modeltest.Positions("b 3 @9", "c 9 @21", "c 8 @19")},
			"c 2 > 9 by update, c 9 > 8 by update"},
		{"an update of a known row that is missing then", Snapshot{Rows: rowsOf("c 2 @20"), Superseded: modeltest.Positions("b 3 @21")},
			"b 1 > 3 by update"},
		{"an update that has closed a row that is missing then", Snapshot{Rows: rowsOf("c 2 @20"), Superseded: modeltest.Positions("b 0 @21")},
			"b 0 > -, b 1 > 0 by update"},
		{"a snapshot that is older than the update that has closed a row", Snapshot{Rows: rowsOf("b 1 @10", "c 2 @20"), Superseded: modeltest.Positions("b 0 @21")},
			"b 1 > 0 by update"},
		{"an update of a row that is missing then", Snapshot{Rows: rowsOf("b 1 @10", "c 2 @20"), Superseded: modeltest.Positions("d 1 @21")},
			"d - > 1 by update"},
		{"the first one of a subscription", Snapshot{Subscription: model.Subscription{Epoch: 2}, Rows: rowsOf("b 3 @21")}, ""},
		{"the first one that is taken of a subscription", Snapshot{
			Subscription: model.Subscription{Epoch: 2}, Rows: rowsOf("b 3 @21", "c 4 @21"), Superseded: modeltest.Positions("b 1 @10", "b 2 @11"),
		}, "b 1 > 2 by update, b 2 > 3"},
	} {
		if c.snapshot.Epoch == 0 {
			c.snapshot.Subscription = s
		}
		c.snapshot.NotAfter = modeltest.NotAfter
		var changes []string
		for change := range book.SnapshotChanges(&c.snapshot) {
			words := modeltest.ChangeWords(change.Before, change.After)
			if change.Source == ChangedByUpdate {
				words += " by update"
			}
			changes = append(changes, words)
		}
		slices.Sort(changes)
		if got := strings.Join(changes, ", "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestNewRowsOfAPartialTableAreNotReported: the service may have had them before, until an audit has ended. What the
// audit corrects is reported.
func TestNewRowsOfAPartialTableAreNotReported(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	whole := New(0).Replaced(Snapshot{Subscription: s})
	for name, book := range map[string]*Book{"no snapshot": New(0), "after a whole snapshot": whole} {
		book.Merge(&Updates{Subscription: s, BeginsPartial: true})
		var observed []string
		merge := func(texts ...string) {
			u := Updates{Subscription: s, Positions: modeltest.Positions(texts...), NotAfter: modeltest.NotAfter}
			observed = append(observed, merged(book, &u)...)
		}
		merge("b 1 @11", "b 2 @12")
		page := AuditPage{Subscription: s, Positions: modeltest.Positions("b 3 @13", "c 1 @11"), NotAfter: modeltest.NotAfter, First: true, Last: true}
		observed = appendWords(observed, book.ApplyAudit(&page).Rows)
		merge("d 1 @13")
		if got, want := strings.Join(observed, ", "), "b 1 > 2 by update, b 2 > 3 by audit, d - > 1 by update"; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestRowsOfAnEarlierStreamChangeByTheSnapshot of a stream, although its last page has not come: in a page or in an
// update, which may wait when another snapshot is whole. What the stream has sent before changes by updates only.
func TestRowsOfAnEarlierStreamChangeByTheSnapshot(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	for name, supersedes := range map[string]bool{"merged": false, "superseded": true} {
		rows := NewRows()
		for _, p := range modeltest.Positions("b 1 @10", "c 1 @10", "d 1 @10") {
			rows.Put(&p)
		}
		book := New(0).Replaced(Snapshot{Subscription: s, Rows: rows, NotAfter: modeltest.NotAfter})
		var observed []string
		merge := func(isPage bool, texts ...string) {
			u := Updates{Subscription: s, Positions: modeltest.Positions(texts...), NotAfter: modeltest.NotAfter, LatePage: isPage}
			observed = append(observed, merged(book, &u)...)
		}
		book.Merge(&Updates{Subscription: s, BeginsPartial: true})
		merge(true, "b 2 @11", "c 1 @10", "b 3 @12")
		if updates := []string{"b 4 @13", "d 5 @13", "d 6 @14"}; supersedes {
			snapshot := Snapshot{Subscription: s, Rows: NewRows(), Superseded: modeltest.Positions(updates...), NotAfter: modeltest.NotAfter}
			for _, p := range modeltest.Positions("b 4 @13", "c 1 @10", "d 6 @14") {
				snapshot.Rows.Put(&p)
			}
			for change := range book.SnapshotChanges(&snapshot) {
				observed = appendWords(observed, []Change{*change})
			}
		} else {
			merge(false, updates...)
		}
		want := "b 1 > 2 by snapshot, b 3 > 4 by update, d 1 > 5 by snapshot, d 5 > 6 by update"
		if got := strings.Join(observed, ", "); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
