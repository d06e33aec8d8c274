package book

import (
	"fmt"
	"slices"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestADeltaIsMergedInSteps: an audit that removes very many rows leaves the rest in the Delta, and all corrections are
// passed on, each once.
func TestADeltaIsMergedInSteps(t *testing.T) {
	var of model.Subscription
	rows := NewRows()
	const all = 2*removedAtOnce + removedAtOnce/2
	for i := range all {
		p := modeltest.Position(fmt.Sprint("m", i, " 1 @10"))
		rows.Put(&p)
	}
	changes := 0
	b := New(0).WithSnapshots([]Snapshot{{Subscription: of, Rows: NewRows()}, {Subscription: of, Rows: rows, NotAfter: modeltest.NotAfter}},
		func(before, after *model.Position, source ChangeSource) { changes++ })
	if changes != all || b.Len() != all {
		t.Fatalf("the snapshots have %d changes and %d rows", changes, b.Len())
	}
	delta := Delta{
		Updates: []Updates{{Subscription: of, Positions: modeltest.Positions("new 1 @20"), NotAfter: modeltest.NotAfter}},
		Audits: []AuditPage{
			{Subscription: of, First: true, NotAfter: modeltest.NotAfter},
			{Subscription: of, Positions: modeltest.Positions("new 1 @20"), Last: true, NotAfter: modeltest.NotAfter},
		},
	}
	var left []int
	corrected := 0
	for more := true; more; {
		more = delta.MergeInto(b, func(_ *AuditPage, corrections []Correction, _ bool) { corrected += len(corrections) })
		left = append(left, b.Len())
	}
	want := []int{all + 1 - removedAtOnce, all + 1 - 2*removedAtOnce, 1}
	if !slices.Equal(left, want) || corrected != all || !b.IsAudited(of) {
		t.Errorf("after each step there are %d rows, want %d; %d are corrected; audited: %t", left, want, corrected, b.IsAudited(of))
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
