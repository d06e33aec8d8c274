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
