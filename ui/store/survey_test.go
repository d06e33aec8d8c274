package store

import (
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
)

// TestASurveyIsMadeAgainOnlyIfSomethingHasChanged that it reads. Its time is that of the latest look in any case.
func TestASurveyIsMadeAgainOnlyIfSomethingHasChanged(t *testing.T) {
	set := func(o *Options) {
		withAlert(t, "upnl<0")(o)
		o.Instruments = settling("m", "eth")
	}
	onStore(t, set, func(s *shown) {
		made := func() (n int) {
			for range 10 {
				was := s.surveys.beganAt
				time.Sleep(time.Second)
				s.do(s.Tick(nil, SurveysOfHeadline))
				if !s.surveys.beganAt.Equal(was) {
					n++
				}
			}
			return n
		}
		all := s.Subscriptions()[0]
		send := func(rows ...model.Position) func() { return func() { s.publish(updates(all, rows...)) } }
		record := func(maintenance int64) func() {
			page := levels(maintenance)
			page.Rows[0].Asset = usdt
			page.Rows[0].Timestamp = model.AmountOf(time.Now().UnixNano() + maintenance)
			return func() {
				s.source.margins <- book.MarginsRead{Page: page, Ended: true, Whole: true}
				s.do(nil)
			}
		}
		freeze := func(is bool) func() { return func() { s.Freeze(is); s.do(nil) } }
		filter := func(to *view.Settings) { to.Filter = "side:long" }
		for _, step := range []struct {
			name string
			do   func()
			want int
		}{
			{"a snapshot", func() { s.publish(snapshot(all, holding("p", "m", 1), holding("p", "eth", 1))) }, 1},
			{"nothing", func() {}, 0},
			{"an update", send(holding("p", "m", 2)), 1},
			{"a margin record", record(50), 1},
			{"the same margin record", record(50), 0},
			{"a filter", func() { s.do(s.Set(changed(s.Settings(), filter))) }, 1},
			{"a baseline", func() { s.do(s.Baseline().Take()) }, 1},
			{"a freeze", freeze(true), 1}, // its view is another one
			{"an update of frozen rows", send(holding("p", "m", 3)), 0},
			{"a margin record of frozen rows", record(60), 0},
			{"a release", freeze(false), 1},
			{"a row that is kept", func() { s.View().Keep(holding("p", "m", 3).Key, true) }, 1},
		} {
			step.do()
			if n := made(); n != step.want {
				t.Errorf("after %s, %d surveys are made, want %d", step.name, n, step.want)
			}
			if latest, _ := s.Surveys().Latest(); latest == nil || time.Since(latest.At) > surveyEvery {
				t.Errorf("after %s the survey is %+v", step.name, latest)
			}
		}
	})
}

// changed returns settings with a change.
func changed(settings view.Settings, change func(*view.Settings)) view.Settings {
	change(&settings)
	return settings
}
