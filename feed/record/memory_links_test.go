package record

import (
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// TestAMemoryHasLinksWithTheRowsThatCameWithThem, also if the links of the same second that come next differ only in
// counts: rows that came when the node was no longer behind are current, and their changes have events.
func TestAMemoryHasLinksWithTheRowsThatCameWithThem(t *testing.T) {
	m := memoryToDrain(t, time.Hour, 1<<20)
	of, rows := model.Subscription{Epoch: 1}, book.NewRows()
	rows.PutPage(modeltest.Positions("b 5 @10"), modeltest.NotAfter)
	messages := int64(0)
	send := func(behind time.Duration, snapshots []book.Snapshot, texts ...string) {
		messages++
		link := model.Link{Subscription: of, Phase: model.Live, Committed: true, Messages: messages, MessageAt: time.Now()}
		if behind > 0 {
			link.Lag = model.Lag{By: behind, Shown: model.LagOfRows}
		}
		delta := book.Delta{Links: []model.Link{link}, Snapshots: snapshots}
		if len(texts) > 0 {
			delta.Updates = []book.Updates{{Subscription: of, Positions: modeltest.Positions(texts...), NotAfter: modeltest.NotAfter}}
		}
		m.Delta(&delta)
	}
	send(time.Hour, []book.Snapshot{{Subscription: of, Rows: rows}})
	m.drain()
	send(0, nil, "b 8 @11")
	send(0, nil, "b 6 @12")
	send(0, nil, "b 5 @13")
	m.drain()
	player, err := m.Play()
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close()
	_, newest := player.Range()
	if events := player.Events(newest); len(events) != 3 {
		t.Errorf("%d changes have events, want 3", len(events))
	}
}

// TestAMemoryHasTheFirstStateAfterOneThatIsNoNumber, also if the row had the size before that.
func TestAMemoryHasTheFirstStateAfterOneThatIsNoNumber(t *testing.T) {
	m := memoryToDrain(t, time.Hour, 1<<20)
	of := model.Subscription{Epoch: 1}
	for _, second := range [][]string{{"b 5 @10"}, {"b 1x @11"}, {"b 5 @12", "b 5 @13"}} {
		m.Delta(&book.Delta{
			Links:   []model.Link{{Subscription: of, Phase: model.Live, Committed: true}},
			Updates: []book.Updates{{Subscription: of, Positions: modeltest.Positions(second...), NotAfter: modeltest.NotAfter}},
		})
		m.drain()
	}
	player, err := m.Play()
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close()
	_, newest := player.Range()
	events := player.Events(newest)
	if at, _ := events[len(events)-1].At(); at.UnixNano() != 12 {
		t.Errorf("the size has changed at %d, want 12", at.UnixNano())
	}
}

// TestAMemoryHasTheStateAfterAnAudit, also if the states that come then are older than what the audit has shown, but
// one has no time: it is taken, and so is what comes after it.
func TestAMemoryHasTheStateAfterAnAudit(t *testing.T) {
	m, shown := memoryToDrain(t, time.Hour, 1<<20), book.New(0)
	of, links := model.Subscription{Epoch: 1}, []model.Link{{Subscription: model.Subscription{Epoch: 1}, Phase: model.Live, Committed: true}}
	page := book.AuditPage{Subscription: of, Positions: modeltest.Positions("b 1 @20"), NotAfter: modeltest.NotAfter, First: true, Last: true}
	updates := func(texts ...string) []book.Updates {
		return []book.Updates{{Subscription: of, Positions: modeltest.Positions(texts...), NotAfter: modeltest.NotAfter}}
	}
	for _, delta := range []book.Delta{
		{Links: links, Updates: updates("b 2 @5"), Audits: []book.AuditPage{page}},
		{Updates: updates("b 5 @10", "b 5", "b 7 @11")},
	} {
		m.Delta(&delta)
		delta.MergeInto(shown, nil)
	}
	player, err := m.Play()
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close()
	player.Watch([]model.Subscription{of})
	_, newest := player.Range()
	delta, err := player.At(newest)
	if err != nil {
		t.Fatal(err)
	}
	want := modeltest.Position("b 7 @11")
	for _, rows := range []func(func(model.Position) bool){shown.All, delta.Snapshots[0].Rows.All} {
		for p := range rows {
			if !p.Equal(&want) {
				t.Errorf("the row is %s at %s, want 7 at 11", p.Number(model.OpenVolume), p.Number(model.UpdatedAt))
			}
		}
	}
}
