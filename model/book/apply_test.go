package book

import (
	"fmt"
	"slices"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestADeltaIsAppliedInSteps: updates come before audits, a list has no row twice, and no more than some rows. Each
// state of a row is in a list of its own, in order.
func TestADeltaIsAppliedInSteps(t *testing.T) {
	var of model.Subscription
	b := New(0).Replaced(Snapshot{Subscription: of, Rows: NewRows(), NotAfter: modeltest.NotAfter})
	updates := Updates{Subscription: of, NotAfter: modeltest.NotAfter}
	const rows = MaxChanges + 10
	for i := range rows {
		updates.Positions = append(updates.Positions, modeltest.Position(fmt.Sprint("m", i, " 1 @10")))
	}
	updates.Positions = append(updates.Positions, modeltest.Positions("m1 2 @11", "m2 2 @11", "m1 3 @12")...)
	delta := Delta{
		Updates: []Updates{updates},
		Audits: []AuditPage{
			{Subscription: of, First: true, NotAfter: modeltest.NotAfter},
			{Subscription: of, Positions: modeltest.Positions("m1 3 @12"), Last: true, IsBelieved: true, NotAfter: modeltest.NotAfter},
		},
	}
	var sizes []int
	var words []string
	for changes, ok := delta.ApplyTo(b); ok; changes, ok = delta.ApplyTo(b) {
		sizes, words = append(sizes, len(changes.Rows)), appendWords(words, changes.Rows)
	}
	want := []int{MaxChanges, 10 + 2, 1, 0, MaxChanges, rows - 1 - MaxChanges}
	if !slices.Equal(sizes, want) || b.Len() != 1 || !b.IsAudited(of) {
		t.Errorf("the lists have %d changes, want %d; there are %d rows; audited: %t", sizes, want, b.Len(), b.IsAudited(of))
	}
	if got, want := words[rows:rows+3], []string{"m1 1 > 2 by update", "m2 1 > 2 by update", "m1 2 > 3 by update"}; !slices.Equal(got, want) {
		t.Errorf("the last changes are %q, want %q", got, want)
	}
}

// TestADeltaIsKeptOnlyOfWhatIsWatched: what comes late for a subscription that has ended is dropped.
func TestADeltaIsKeptOnlyOfWhatIsWatched(t *testing.T) {
	kept := model.Subscription{Key: model.Key{Party: model.MakeID("p")}}
	ended := model.Subscription{Key: kept.Key, Epoch: 1}
	delta := Delta{
		Updates: []Updates{{Subscription: ended}, {Subscription: kept}},
		Audits:  []AuditPage{{Subscription: kept}, {Subscription: ended}},
	}
	delta.KeepOnly(func(of model.Subscription) bool { return of == kept })
	if len(delta.Updates) != 1 || delta.Updates[0].Subscription != kept || len(delta.Audits) != 1 || delta.Audits[0].Subscription != kept {
		t.Errorf("%d updates and %d audits are left", len(delta.Updates), len(delta.Audits))
	}
}
