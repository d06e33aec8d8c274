package replay

import (
	"testing"
	"time"
)

// TestTheTimeThatATextMeans is relative to the time that is shown, or the last such time of day.
func TestTheTimeThatATextMeans(t *testing.T) {
	now := time.Date(2026, 3, 2, 14, 2, 7, 0, time.UTC)
	shown := now.Add(-time.Hour)
	for text, want := range map[string]time.Time{
		"":         now,
		"5m ago":   shown.Add(-5 * time.Minute),
		"-5m":      shown.Add(-5 * time.Minute),
		"+5m":      shown.Add(5 * time.Minute),
		"9":        time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC),
		"23:00:01": time.Date(2026, 3, 1, 23, 0, 1, 0, time.UTC),
		" ago":     {},
		"+":        {},
		"noon":     {},
	} {
		got, err := TimeOf(text, shown, now)
		if !got.Equal(want) || (err != nil) != want.IsZero() {
			t.Errorf("%q means %v, %v; want %v", text, got, err, want)
		}
	}
}
