package feed

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/model/view"
)

// TestAlertsOnRatiosOfASimulatedService: for three minutes no alert begins or ends because of a margin record that is
// older than the size of its position, and no position waits for its record for as long as three seconds.
func TestAlertsOnRatiosOfASimulatedService(t *testing.T) {
	playWith(t, sim.Config{Seed: 1, Parties: 20, Markets: 10, Rate: 50}, Config{}, func(s *trial) {
		query, err := filter.Parse("m%<-30")
		if err != nil {
			t.Fatal(err)
		}
		alerts := view.NewAlerts([]view.AlertRule{{Name: "margin", Filter: query}})
		sizedAt := make(map[model.Key]int64)
		s.book.Observe(func(before, after *model.Position, _ book.ChangeSource) {
			if after != nil && (before == nil || before.Number(model.OpenVolume) != after.Number(model.OpenVolume)) {
				sizedAt[after.Key], _ = after.Number(model.UpdatedAt).Int64()
			}
		})
		s.watch("", "")
		v := view.New(s.book, s.scope, view.Filter{}, view.Order{Column: view.TroubleColumn}, model.NewInstruments(nil, nil, nil))
		v.WatchAlerts(alerts, time.Now())
		s.feed.WatchMargins(s.scope)
		ctx, stop := context.WithCancel(s.t.Context())
		reads := make(chan book.MarginsRead)
		go func() {
			for {
				read, err := s.feed.NextMargins(ctx)
				if err != nil {
					return
				}
				reads <- read
			}
		}()
		waited, changes := 0, 0
		for began := time.Now(); time.Since(began) < 3*time.Minute; {
			time.Sleep(50 * time.Millisecond)
			synctest.Wait()
			for {
				delta, _, ok := s.feed.mailbox.take(false, batch)
				if !ok {
					break
				}
				for i := range delta.Updates {
					v.Merge(&delta.Updates[i])
				}
			}
			select {
			case read := <-reads:
				if read.Page != nil {
					v.MergeMargins(read.Page)
				}
			default:
			}
			waiting := v.WaitingRows(time.Now().Add(-3 * time.Second))
			s.feed.HurryMargins(waiting.Parties)
			waited = max(waited, waiting.Rows)
			if waiting.Overdue > 0 {
				t.Errorf("%d positions wait for three seconds", waiting.Overdue)
			}
			for _, c := range alerts.Evaluate(v, func(model.Key) bool { return false }, time.Now()).Changes {
				changes++
				levels, _, _ := v.MarginLevels(&c.Position)
				if at, _ := levels.Timestamp.Int64(); c.Position.IsOpen() && c.HasRatio && at < sizedAt[c.Position.Key] {
					t.Errorf("with a record of an earlier size the rule begins (%t) at %s", c.Begins, c.Ratio)
				}
			}
		}
		t.Logf("at most %d positions waited at once; %d alerts began or ended", waited, changes)
		if waited == 0 {
			t.Error("no size has changed before its margin record")
		}
		stop()
		select { // what it has read
		case <-reads:
		case <-time.After(time.Second):
		}
	})
}
