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

// sizesOfService are the sizes that positions of a simulated service have had.
type sizesOfService map[model.Key][]sizeFrom

type sizeFrom struct {
	at   int64 // UpdatedAt
	size int64
}

// note notes the present sizes.
func (s sizesOfService) note(node *sim.Node) {
	for _, p := range node.Positions() {
		key := model.Key{Party: model.MakeID(p.Party), Market: model.MakeID(p.Market)}
		sizes := s[key]
		if n := len(sizes); n == 0 || sizes[n-1].size != p.OpenVolume {
			s[key] = append(sizes, sizeFrom{p.UpdatedAt, p.OpenVolume})
		}
	}
}

// had reports whether a position had a size at a time.
func (s sizesOfService) had(key model.Key, size model.Amount, at int64) bool {
	sizes := s[key]
	for i, from := range sizes {
		if from.at <= at && (i+1 == len(sizes) || sizes[i+1].at > at) && model.AmountOf(from.size) == size {
			return true
		}
	}
	return false
}

// TestAlertsOnRatiosOfASimulatedService: for three minutes no alert begins or ends with a margin record of another size
// than the position has, and no position waits for its record for as long as three seconds. The second service is that
// of --demo.
func TestAlertsOnRatiosOfASimulatedService(t *testing.T) {
	for _, service := range []sim.Config{{Seed: 1, Parties: 20, Markets: 10, Rate: 50}, {Seed: 1, Parties: 8, Markets: 8, Rate: 20}} {
		alertsOnRatios(t, service)
	}
}

func alertsOnRatios(t *testing.T, service sim.Config) {
	playWith(t, service, Config{}, func(s *trial) {
		query, err := filter.Parse("m%<-30")
		if err != nil {
			t.Fatal(err)
		}
		truth := make(sizesOfService)
		alerts := view.NewAlerts([]view.AlertRule{{Name: "margin", Filter: query}})
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
		for step := range int(3 * time.Minute / (50 * time.Millisecond)) {
			time.Sleep(50 * time.Millisecond)
			synctest.Wait()
			truth.note(s.node)
			for step%10 == 0 { // margin records often come before the updates of their time
				delta, _, ok := s.feed.mailbox.take(batch)
				if !ok {
					break
				}
				for changes, ok := delta.ApplyTo(v.Book()); ok; changes, ok = delta.ApplyTo(v.Book()) {
					v.Apply(changes)
				}
			}
			select {
			case read := <-reads:
				if read.Page != nil {
					v.MergeMargins(read.Page)
				}
			default:
			}
			waiting := v.Margins().Waiting(time.Now().Add(-3 * time.Second))
			s.feed.HurryMargins(waiting.Parties)
			waited = max(waited, waiting.Rows)
			if waiting.Overdue > 0 {
				t.Errorf("%d positions wait for three seconds", waiting.Overdue)
			}
			for _, c := range alerts.Evaluate(v, func(int, model.Key) view.Decides { return view.DecidesAll }, time.Now()).Changes {
				changes++
				levels, _, _ := v.Margins().Levels(&c.Position)
				size := c.Position.Number(model.OpenVolume)
				if at, _ := levels.Timestamp.Int64(); c.Position.IsOpen() && c.HasRatio && !truth.had(c.Position.Key, size, at) {
					t.Errorf("the rule begins (%t) at %s with the size %s, which the position did not have at the time of the record", c.Begins, c.Ratio, size)
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
