package record

import (
	"fmt"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// TestAMemoryThatIsTooSmallForTheRowsIsOff, and says so: its rows alone would take more than was allowed.
func TestAMemoryThatIsTooSmallForTheRowsIsOff(t *testing.T) {
	for rows, tooSmall := range map[int]bool{2000: false, 3000: true} { // 320 bytes each
		m, err := NewMemory(MemoryOptions{Duration: time.Second, Bytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		m.Close() // it is drained here
		m.queue.isClosed = false
		all := book.NewRows()
		for i := range rows {
			all.Put(&model.Position{Key: model.Key{Party: model.MakeID(fmt.Sprint(i)), Market: model.MakeID("b1")}})
		}
		of := model.Subscription{Epoch: 1}
		links := []model.Link{{Subscription: of, Phase: model.Live, Committed: true}}
		m.Delta(&book.Delta{Links: links, Snapshots: []book.Snapshot{{Subscription: of, Rows: all}}})
		m.drain()
		if _, ok := m.Oldest(); m.IsTooSmall() != tooSmall || ok == tooSmall {
			t.Errorf("%d rows: too small %v, something is kept %v", rows, m.IsTooSmall(), ok)
		}
	}
}

// TestAMemoryKeepsTheLastLinks: links that wait to be recorded are not lost if changes are missed after them, and what
// is known of the sizes of snapshots neither.
func TestAMemoryKeepsTheLastLinks(t *testing.T) {
	m, err := NewMemory(MemoryOptions{Duration: time.Hour, Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	m.Close() // it is drained here
	m.queue.isClosed = false
	of := model.Subscription{Epoch: 1}
	all := book.NewRows()
	all.Put(&model.Position{Key: model.Key{Party: model.MakeID("a1"), Market: model.MakeID("b1")}})
	links := func(messages int64) []model.Link {
		return []model.Link{{Subscription: of, Phase: model.Live, Committed: true, Messages: messages}}
	}
	m.Delta(&book.Delta{Links: links(1), Snapshots: []book.Snapshot{{Subscription: of, Rows: all}}})
	m.Delta(&book.Delta{Links: links(2)})
	m.Delta(&book.Delta{Missed: 1})
	m.drain()
	m.seal()
	if err := m.applyOldest(); err != nil {
		t.Fatal(err)
	}
	if len(m.base.links) != 1 || m.base.links[0].Messages != 2 || m.lastSnapshotRows[of] != 1 {
		t.Errorf("the links are %+v, the sizes %v", m.base.links, m.lastSnapshotRows)
	}
}

// TestAMemoryKeepsAScopeThatLastsLessThanASecond: the links of two scopes differ in nothing but their subscriptions.
func TestAMemoryKeepsAScopeThatLastsLessThanASecond(t *testing.T) {
	m, err := NewMemory(MemoryOptions{Duration: time.Hour, Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	m.Close() // it is drained by Play
	m.queue.isClosed = false
	var first model.Subscription
	for epoch, party := range []string{"a", "b"} {
		of := model.Subscription{Key: model.Key{Party: model.MakeID(party)}, Epoch: uint64(epoch + 1)}
		if epoch == 0 {
			first = of
		}
		row := model.Position{Key: model.Key{Party: of.Party, Market: model.MakeID("m")}}
		m.Delta(&book.Delta{
			Links:   []model.Link{{Subscription: of, Phase: model.Live, Committed: true}},
			Updates: []book.Updates{{Subscription: of, Positions: []model.Position{row}}},
		})
	}
	player, err := m.Play()
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close()
	player.Watch([]model.Subscription{first})
	oldest, _ := player.Range()
	delta, err := player.At(oldest)
	if err != nil {
		t.Fatal(err)
	}
	if len(delta.Snapshots) != 1 || delta.Snapshots[0].Rows.Len() != 1 || !delta.Links[0].Committed {
		t.Errorf("the first scope is %+v", delta)
	}
}
