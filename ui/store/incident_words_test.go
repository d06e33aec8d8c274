package store_test

import (
	"testing"
	"time"

	"blotter/model"
	"blotter/ui/format"
	"blotter/ui/store"
)

// TestIncidentOfTwoDays: times of another day have their day. The minute is left out only after the same minute.
func TestIncidentOfTwoDays(t *testing.T) {
	midnight := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	in := model.NewInstruments(nil, nil, nil)
	f := format.New(in, time.UTC, func(model.ID) int { return 2 }, false)
	of := &store.Incident{Steps: []store.Step{
		{Status: model.StatusDistressed, At: midnight.Add(-5 * time.Second), IsExact: true},
		{Status: model.StatusOrdersClosed, At: midnight.Add(3 * time.Second), IsExact: true},
		{Status: model.StatusClosedOut, At: midnight.Add(8 * time.Second)},
	}}
	for now, want := range map[time.Time]string{
		midnight.Add(time.Minute):    "2026-11-27 23:59:55 DISTRESSED → 00:00:03 ORDERS CLOSED → ≤ :08 CLOSED OUT",
		midnight.Add(-time.Second):   "23:59:55 DISTRESSED → 2026-11-28 00:00:03 ORDERS CLOSED → ≤ :08 CLOSED OUT",
		midnight.Add(24 * time.Hour): "2026-11-27 23:59:55 DISTRESSED → 2026-11-28 00:00:03 ORDERS CLOSED → ≤ :08 CLOSED OUT",
	} {
		if got := store.IncidentWords(of, f, now, false); got != want {
			t.Errorf("at %s: %s, want %s", now, got, want)
		}
	}
}
