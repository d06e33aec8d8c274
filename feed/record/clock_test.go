package record_test

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/record"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// TestAClockThatIsSetBackWhileItRecords: the clock of the machine was an hour ahead, and is set right. What comes
// afterwards has times of its own in the recording, and is as fresh there as it was.
func TestAClockThatIsSetBackWhileItRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set")
	synctest.Test(t, func(t *testing.T) {
		set := time.Duration(0)
		clock := func() time.Time { return modeltest.Set(time.Now(), set) }
		of, key := model.Subscription{Epoch: 1}, model.Key{Party: model.MakeID("p"), Market: model.MakeID("m")}
		options := record.Options{Path: path}
		record.SetClock(&options, new(record.MemoryOptions), clock)
		recorder, err := record.Create(options)
		if err != nil {
			t.Fatal(err)
		}
		connectedAt := clock()
		tell := func(offset time.Duration, minute int) {
			row := model.Position{Key: key}
			row.SetNumber(model.OpenVolume, model.AmountOf(int64(minute)))
			row.SetNumber(model.UpdatedAt, model.AmountOf(clock().Add(offset).UnixNano()))
			recorder.Delta(&book.Delta{
				Links: []model.Link{{
					Subscription: of, Phase: model.Live, Committed: true, ConnectedAt: connectedAt, MessageAt: clock(), ClockOffset: offset,
				}},
				Updates: []book.Updates{{Subscription: of, Positions: []model.Position{row}, NotAfter: clock().Add(offset + model.AheadFor).UnixNano()}},
			})
			levels := model.MarginLevels{MarginKey: model.MarginKey{Key: key}, Timestamp: row.Number(model.UpdatedAt)}
			recorder.Delta(&book.Delta{Margins: []book.MarginsRead{{Page: &model.Page{
				Rows: []model.MarginLevels{levels}, ReadAt: clock(), ServedAt: clock().Add(offset),
			}}}})
		}
		tell(-time.Hour, 0)
		set = -time.Hour
		for minute := 1; minute <= 10; minute++ {
			time.Sleep(time.Minute)
			tell(0, minute)
		}
		if err := recorder.Close(); err != nil {
			t.Fatal(err)
		}
		player := open(t, path, model.Scope{})
		for minute := range 11 {
			now := connectedAt.Round(0).Add(time.Duration(minute)*time.Minute + time.Second)
			shown := at(t, player, now)
			row, _ := shown.book.Find(key)
			updated, _ := row.Number(model.UpdatedAt).Time()
			link := &shown.links[0]
			how, age := link.Freshness(now)
			old := model.ServiceTime(shown.links, now).Sub(updated)
			_, readAt, _ := player.Margins()
			if got, _ := row.Number(model.OpenVolume).Int64(); got != int64(minute) || how != model.FreshLive || age > 2*time.Second || old > 2*time.Second ||
				now.Sub(readAt) > 2*time.Second || !link.ConnectedAt.Equal(connectedAt) {
				t.Errorf("minute %d: size %d, %s for %s, row %s old, connected at %s, margin levels read %s ago", minute, got, how, age, old, link.ConnectedAt, now.Sub(readAt))
			}
		}
	})
}

// TestClocksThatPartWhileItRecords: the machine sleeps, which stops its monotonic clock, or its wall clock is set back.
// What comes afterwards is as fresh as it was, so it has events, and the ages of the recording are right.
func TestClocksThatPartWhileItRecords(t *testing.T) {
	for name, c := range map[string]struct {
		set        time.Duration // how far the wall clock is then ahead of the monotonic clock
		ahead, ago time.Duration // how far the recording is ahead of the wall clock, and how long ago it began
	}{"sleep": {8 * time.Hour, 0, 8*time.Hour + 2*time.Minute}, "set back": {-time.Hour, time.Hour, 2 * time.Minute}} {
		path := filepath.Join(t.TempDir(), name)
		synctest.Test(t, func(t *testing.T) {
			set := time.Duration(0)
			clock := func() time.Time { return modeltest.Set(time.Now(), set) }
			options, inMemory := record.Options{Path: path}, record.MemoryOptions{Duration: 24 * time.Hour, Bytes: 1 << 20}
			record.SetClock(&options, &inMemory, clock)
			recorder, err := record.Create(options)
			if err != nil {
				t.Fatal(err)
			}
			memory, err := record.NewMemory(inMemory)
			if err != nil {
				t.Fatal(err)
			}
			defer memory.Close()
			row := model.Position{Key: model.Key{Party: model.MakeID("p"), Market: model.MakeID("m")}}
			for size := range int64(2) {
				row.SetNumber(model.OpenVolume, model.AmountOf(size+1))
				behind := model.Lag{By: 10 * time.Second, Shown: model.LagOfBlock, Since: clock()}
				delta := book.Delta{
					Links:   []model.Link{{Phase: model.Live, Committed: true, MessageAt: clock(), Lag: behind}},
					Updates: []book.Updates{{Positions: []model.Position{row}, NotAfter: clock().UnixNano()}},
				}
				recorder.Delta(&delta)
				memory.Delta(&delta)
				set = c.set
				time.Sleep(time.Minute)
			}
			if err := recorder.Close(); err != nil {
				t.Fatal(err)
			}
			rewound, err := memory.Play()
			if err != nil {
				t.Fatal(err)
			}
			defer rewound.Close()
			for of, player := range map[string]*record.Player{"file": open(t, path, model.Scope{}), "memory": rewound} {
				_, newest := player.Range()
				ahead, events := newest.Sub(clock().Add(-time.Minute)).Round(time.Second), len(player.Events(newest))
				if ahead != c.ahead || events != 1 {
					t.Errorf("%s, %s: it is ahead by %s and has %d events, want %s and 1", name, of, ahead, events, c.ahead)
				}
			}
			if oldest, _ := memory.Oldest(); model.Elapsed(clock(), oldest).Round(time.Second) != c.ago {
				t.Errorf("%s: it began %s ago, want %s", name, model.Elapsed(clock(), oldest), c.ago)
			}
		})
	}
}

// TestARecordingStaysAtItsEnd, also when it was played for months at the highest speed.
func TestARecordingStaysAtItsEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "end")
	synctest.Test(t, func(t *testing.T) {
		recorder, err := record.Create(record.Options{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		recorder.Delta(&book.Delta{Links: []model.Link{{Phase: model.Live, MessageAt: time.Now()}}})
		if err := recorder.Close(); err != nil {
			t.Fatal(err)
		}
		player := open(t, path, model.Scope{})
		player.SetSpeed(record.MaxSpeed)
		newScreen().follow(t, player, time.Minute)
		_, newest := player.Range()
		for range 12 {
			if _, _, ended, _ := player.State(); !ended || !player.Now().Equal(newest) {
				t.Fatalf("it is at %s, want the end, %s", player.Now(), newest)
			}
			time.Sleep(30 * 24 * time.Hour)
		}
	})
}
