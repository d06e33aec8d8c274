package follow

import (
	"testing"
	"time"
)

// TestWhenAuditsBegin, by the number of rows.
func TestWhenAuditsBegin(t *testing.T) {
	const s = time.Second
	now := time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		rows int
		want time.Duration
		when string
		is   func(*auditSchedule) time.Time
	}{
		{20, 7 * s, "silent, and shared", sharedAfter(now, 9)},
		{20, 15 * s, "silent", quietAfter(now, 0)},
		{20, 15 * s, "silent for long", quietAfter(now, 9)},
		{5_000, 15 * s, "silent", quietAfter(now, 0)},
		{5_000, 30 * s, "silent for longer", quietAfter(now, 1)},
		{5_000, 37500 * time.Millisecond, "silent for long", quietAfter(now, 2)},
		{50_000, 15 * s, "silent", quietAfter(now, 0)},
		{50_000, 120 * s, "silent for longer", quietAfter(now, 3)},
		{50_000, 300 * s, "silent for long", quietAfter(now, 70)},
		{50_000, 5 * s, "after the first one", nextAfter(now, 1)},
		{50_000, 5 * s, "after the second one", nextAfter(now, 2)},
		{50_000, 300 * s, "after the third one", nextAfter(now, 3)},
		{50_001, 300 * s, "after the first one", nextAfter(now, 1)},
		{300_000, 480 * s, "after the first one", nextAfter(now, 1)},
		{20, 2 * s, "in doubt", againAfter(now, false, 0, false)},
		{20, 4500 * time.Millisecond, "in doubt for longer", againAfter(now, false, 2, false)},
		{20, 600 * time.Millisecond, "in doubt, and shared", againAfter(now, true, 0, false)},
		{2_000, 2 * s, "after some that were none", againAfter(now, false, 5, true)},
		{2_000, 4500 * time.Millisecond, "after many that were none", againAfter(now, false, 7, true)},
		{2_001, 4500 * time.Millisecond, "after two that were none", againAfter(now, false, 2, true)},
		{20, 2500 * time.Millisecond, "after a hint", hintedAfter(now, 0)},
		{2_000, 2500 * time.Millisecond, "after needless hints", hintedAfter(now, 6)},
		{2_000, 10 * s, "after many needless hints", hintedAfter(now, 8)},
		{50_000, 2500 * time.Millisecond, "after a hint", hintedAfter(now, 0)},
		{50_000, 62500 * time.Millisecond, "after a needless hint", hintedAfter(now, 1)},
		{50_000, 125 * s, "after needless hints", hintedAfter(now, 2)},
	} {
		schedule := auditSchedule{every: 5 * time.Minute, rows: c.rows}
		if got := c.is(&schedule).Sub(now); got < c.want*9/10 || got > c.want*11/10+1 {
			t.Errorf("%d rows, %s: %s, want about %s", c.rows, c.when, got, c.want)
		}
	}
}

func quietAfter(now time.Time, needless int) func(*auditSchedule) time.Time {
	return func(s *auditSchedule) time.Time { return s.quiet(now, needless) }
}

func sharedAfter(now time.Time, needless int) func(*auditSchedule) time.Time {
	return func(s *auditSchedule) time.Time {
		s.shared = sharedQuiet
		return s.quiet(now, needless)
	}
}

func nextAfter(now time.Time, audits int) func(*auditSchedule) time.Time {
	return func(s *auditSchedule) time.Time { return s.next(now, audits) }
}

func againAfter(now time.Time, isShared bool, unhelpful int, wasNone bool) func(*auditSchedule) time.Time {
	return func(s *auditSchedule) time.Time {
		s.isShared = isShared
		return now.Add(s.again(unhelpful, wasNone))
	}
}

func hintedAfter(now time.Time, needless int) func(*auditSchedule) time.Time {
	return func(s *auditSchedule) time.Time { return now.Add(s.hinted(needless)) }
}

// TestAuditsOfASilentStreamAreCounted in a row, until one finds something or is none.
func TestAuditsOfASilentStreamAreCounted(t *testing.T) {
	var a audits
	for _, c := range []struct {
		hasFound, wasNone, isSilent bool
		want                        int
	}{
		{isSilent: true, want: 1}, {isSilent: true, want: 2}, {want: 2}, {isSilent: true, hasFound: true},
		{isSilent: true, want: 1}, {isSilent: true, wasNone: true}, {isSilent: true, want: 1},
	} {
		a.wasNone = c.wasNone
		if a.count(c.hasFound, c.isSilent); a.ofSilence != c.want {
			t.Errorf("%d are counted, want %d: %+v", a.ofSilence, c.want, c)
		}
	}
}
