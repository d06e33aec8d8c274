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
		record.SetClock(&options, clock)
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
