package follow

import (
	"testing"
	"time"
)

// TestHowLongAnAuditWaitsForItsFirstMessage, by how many before it have failed.
func TestHowLongAnAuditWaitsForItsFirstMessage(t *testing.T) {
	const longest, s = 30 * time.Second, time.Second
	for _, c := range []struct {
		name   string
		audits audits
		want   []time.Duration
	}{
		{"none has compared all", audits{}, []time.Duration{5 * s, 5 * s, 5 * s, longest, longest, longest, longest, longest, longest}},
		{"the last one was quick", audits{compared: 1, areQuick: true}, []time.Duration{s, s, s, s, s, s, 5 * s, s, s, s, s, s, s, longest, s}},
		{"the last one was slow", audits{compared: 1}, []time.Duration{5 * s, 5 * s, 5 * s, longest, longest, longest, longest, longest, longest}},
	} {
		for failed, want := range c.want {
			if c.audits.failed = failed; c.audits.beginWithin(longest) != want {
				t.Errorf("%s, and %d have failed: %s, want %s", c.name, failed, c.audits.beginWithin(longest), want)
			}
		}
		if got := c.audits.beginWithin(s / 2); got != s/2 {
			t.Errorf("%s: longer than other snapshots: %s", c.name, got)
		}
	}
}
