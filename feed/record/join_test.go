package record

import (
	"testing"

	"blotter/model"
	"blotter/model/book"
)

// TestJoinedMarketsArePartialIfOneIs: a recording has two markets, and the snapshot of one has no last page. Played for
// a party, its rows may be missing until an audit has read that market.
func TestJoinedMarketsArePartialIfOneIs(t *testing.T) {
	held := func(market string, volume int64) model.Position {
		p := model.Position{Key: model.Key{Party: model.MakeID("a1"), Market: model.MakeID(market)}}
		p.SetNumber(model.OpenVolume, model.AmountOf(volume))
		return p
	}
	recorded := func(market string) model.Subscription {
		return model.Subscription{Key: model.Key{Market: model.MakeID(market)}}
	}
	whole, partial := recorded("b1"), recorded("b2")
	links := []model.Link{{Subscription: whole, Committed: true}, {Subscription: partial, Partial: true}}
	rows, p := book.NewRows(), held("b1", 1)
	rows.Put(&p)

	j := newJoined(0)
	watched := []model.Subscription{{Key: model.Key{Party: model.MakeID("a1")}}}
	shown, changes := book.New(0), 0
	shown.Observe(func(_, _ *model.Position, _ book.ChangeSource) { changes++ })
	take := func(delta book.Delta) {
		for _, snapshot := range delta.Snapshots {
			shown = shown.Replaced(snapshot)
		}
		for i := range delta.Updates {
			shown.Merge(&delta.Updates[i])
		}
	}
	play := func(delta book.Delta) []model.Link {
		part := j.part(delta, watched)
		take(part)
		if j.corrected != nil {
			take(*j.corrected)
			j.corrected = nil
		}
		return part.Links
	}
	got := play(book.Delta{
		Links: links, Snapshots: []book.Snapshot{{Subscription: whole, Rows: rows}},
		Updates: []book.Updates{{Subscription: partial, BeginsPartial: true}, {Subscription: partial, Positions: []model.Position{held("b2", 2)}, LatePage: true}},
	})
	if !shown.IsPartial(watched[0]) || shown.Len() != 2 || len(got) != 1 || !got[0].Partial {
		t.Errorf("partial %t, %d rows, the links are %+v", shown.IsPartial(watched[0]), shown.Len(), got)
	}
	play(book.Delta{Updates: []book.Updates{{Subscription: partial, Positions: []model.Position{held("b2", 3)}}}})
	play(book.Delta{Snapshots: []book.Snapshot{{Subscription: whole, Rows: rows}}})
	if !shown.IsPartial(watched[0]) {
		t.Error("the rows are whole after a snapshot of the other market")
	}
	links[1].Partial, links[1].Committed = false, true
	got = play(book.Delta{Links: links, Audits: []book.AuditPage{
		{Subscription: partial, First: true}, {Subscription: partial, Positions: []model.Position{held("b2", 3)}, Last: true},
	}})
	if shown.IsPartial(watched[0]) || shown.Len() != 2 || got[0].Partial {
		t.Errorf("after an audit: partial %t, %d rows, the links are %+v", shown.IsPartial(watched[0]), shown.Len(), got)
	}
	changes = 0
	play(book.Delta{Updates: []book.Updates{{Subscription: partial, Positions: []model.Position{held("b2", 0)}}}})
	if changes != 1 {
		t.Errorf("%d changes are found once all rows have come, want 1", changes)
	}
}
