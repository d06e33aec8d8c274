package record

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// TestAMemoryThatIsTooSmallForTheRowsIsOff, and says so: its positions and margin records alone would take more than
// was allowed.
func TestAMemoryThatIsTooSmallForTheRowsIsOff(t *testing.T) {
	for _, c := range []struct {
		rows, records int // 320 bytes each
		tooSmall      bool
	}{{2000, 0, false}, {3000, 0, true}, {2000, 400, false}, {2000, 1000, true}} {
		m := memoryToDrain(t, time.Second, 1<<20)
		all := book.NewRows()
		key := func(i int) model.Key {
			return model.Key{Party: model.MakeID(fmt.Sprint(i)), Market: model.MakeID("b1")}
		}
		for i := range c.rows {
			all.Put(&model.Position{Key: key(i)})
		}
		page := &model.Page{ReadAt: time.Now()}
		for i := range c.records {
			page.Rows = append(page.Rows, model.MarginLevels{MarginKey: model.MarginKey{Key: key(i)}})
		}
		of := model.Subscription{Epoch: 1}
		links := []model.Link{{Subscription: of, Phase: model.Live, Committed: true}}
		m.Delta(&book.Delta{Links: links, Snapshots: []book.Snapshot{{AsIs: true, Subscription: of, Rows: all}}})
		m.Delta(&book.Delta{Margins: []book.MarginsRead{{Page: page}}})
		m.drain()
		for m.seal(); len(m.blocks) > 0; {
			if err := m.applyOldest(); err != nil {
				t.Fatal(err)
			}
		}
		m.drain()
		if _, ok := m.Oldest(); m.IsTooSmall() != c.tooSmall || ok == c.tooSmall {
			t.Errorf("%d rows and %d margin records: too small %v, something is kept %v", c.rows, c.records, m.IsTooSmall(), ok)
		}
	}
}

// TestRowsThatAreNotWatchedAnyMoreDoNotTurnAMemoryOff: only those of the present scope count.
func TestRowsThatAreNotWatchedAnyMoreDoNotTurnAMemoryOff(t *testing.T) {
	m := memoryToDrain(t, time.Hour, 1<<20)
	for epoch := range uint64(5) {
		of, rows := model.Subscription{Epoch: epoch + 1}, book.NewRows()
		for i := range 1000 {
			rows.Put(&model.Position{Key: model.Key{Party: model.MakeID(fmt.Sprint(epoch)), Market: model.MakeID(fmt.Sprint(i))}})
		}
		m.Delta(&book.Delta{Links: []model.Link{{Subscription: of}}, Snapshots: []book.Snapshot{{AsIs: true, Subscription: of, Rows: rows}}})
		if m.drain(); m.IsTooSmall() {
			t.Fatalf("it is off in scope %d", epoch+1)
		}
	}
}

// TestBlocksOfAMemoryTakeWhatTheyCountAs: if a block kept the room that compressing it needs, everything would take
// several times as much memory as was allowed.
func TestBlocksOfAMemoryTakeWhatTheyCountAs(t *testing.T) {
	m := memoryToDrain(t, time.Hour, 16<<20)
	of := model.Subscription{Epoch: 1}
	m.Delta(&book.Delta{Links: []model.Link{{Subscription: of, Phase: model.Live, Committed: true}}})
	rows := make([]model.Position, 10_000)
	for i := range rows {
		rows[i].Key = model.Key{Party: model.MakeID("a1"), Market: model.MakeID(fmt.Sprint(i))}
	}
	record := func(blocks int) {
		for len(m.blocks) < blocks {
			m.Delta(&book.Delta{Updates: []book.Updates{{Subscription: of, Positions: slices.Clone(rows)}}})
			m.drain()
		}
	}
	live := func() int {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return int(stats.HeapAlloc)
	}
	record(10)
	before, counted := live(), m.size
	record(30)
	if takes, counts := live()-before, m.size-counted; takes > counts/2*3 {
		t.Errorf("%d bytes count as %d", takes, counts)
	}
	runtime.KeepAlive(m)
}

// TestAMemoryKeepsTheLastLinks: links that wait to be recorded are not lost if changes are missed after them, and what
// is known of the sizes of snapshots neither.
func TestAMemoryKeepsTheLastLinks(t *testing.T) {
	m := memoryToDrain(t, time.Hour, 1<<20)
	of := model.Subscription{Epoch: 1}
	all := book.NewRows()
	all.Put(&model.Position{Key: model.Key{Party: model.MakeID("a1"), Market: model.MakeID("b1")}})
	links := func(messages int64) []model.Link {
		return []model.Link{{Subscription: of, Phase: model.Live, Committed: true, Messages: messages}}
	}
	m.Delta(&book.Delta{Links: links(1), Snapshots: []book.Snapshot{{AsIs: true, Subscription: of, Rows: all}}})
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
	m := memoryToDrain(t, time.Hour, 1<<20)
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
	player := playerOf(t, m)
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

// TestAMemoryIsSavedOnceAtATime: each file reads everything, and a trader who sees none yet may ask for another.
func TestAMemoryIsSavedOnceAtATime(t *testing.T) {
	m, err := NewMemory(MemoryOptions{Duration: time.Hour, Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	m.Delta(&book.Delta{Links: []model.Link{{Subscription: model.Subscription{Epoch: 1}}}})
	folder := t.TempDir()
	m.saving.Lock()
	if err := m.Save(filepath.Join(folder, "second.zst")); !errors.Is(err, errSaving) {
		t.Errorf("a second file at the same time: %v", err)
	}
	m.saving.Unlock()
	if err := m.Save(filepath.Join(folder, "first.zst")); err != nil {
		t.Error(err)
	}
	if files, _ := filepath.Glob(filepath.Join(folder, "*")); len(files) != 1 {
		t.Errorf("the files are %v", files)
	}
}

// memoryToDrain returns a Memory that only the test drains.
func memoryToDrain(t testing.TB, duration time.Duration, bytes int) *Memory {
	t.Helper()
	m, err := NewMemory(MemoryOptions{Duration: duration, Bytes: bytes})
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
	m.queue.isClosed = false
	return m
}

// playerOf returns a player of a memory, which is closed at the end of the test.
func playerOf(t testing.TB, m *Memory) *Player {
	t.Helper()
	player, err := m.Play()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(player.Close)
	return player
}
