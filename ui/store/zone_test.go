package store

import (
	"slices"
	"testing"
	"time"

	"blotter/model/filter"
)

// TestTimesOfDayAreInTheZoneOfTheTrader: in the filter at first, after a change and as time passes, and in those of
// alerts and events. It is 5:30 there and 0:00 UTC.
func TestTimesOfDayAreInTheZoneOfTheTrader(t *testing.T) {
	inIndia := func(o *Options) {
		withAlert(t, "updated>05:00")(o)
		o.Location = time.FixedZone("IST", 5*3600+1800)
		o.Settings.Filter = "updated>05:00"
	}
	onStore(t, inIndia, func(s *shown) {
		wants := func(when string) {
			t.Helper()
			if rows := s.rows(); !slices.Equal(rows, []string{"btc 0"}) {
				t.Errorf("%s the rows are %v", when, rows)
			}
		}
		s.publish(s.snapshot(heldSize("btc", 1, 10*time.Minute), heldSize("eth", 1, time.Hour)))
		wants("at first")
		s.pass(2 * time.Second)
		wants("as time passes")
		if words, _ := s.Alerts().Words(); words != "ALERT loss 1, 1 new" {
			t.Errorf("the alerts are %q", words)
		}
		settings := s.Settings()
		settings.Filter = "updated>05:01"
		s.do(s.Set(settings))
		wants("with another filter")
		query, err := filter.ParseEvents("updated>05:00")
		old, recent := heldSize("eth", 1, time.Hour), heldSize("btc", 1, 10*time.Minute)
		if err != nil || query.Matches(&old, s.FilterContext()) || !query.Matches(&recent, s.FilterContext()) {
			t.Errorf("the filter of events matches what it should not: %v", err)
		}
	})
}
