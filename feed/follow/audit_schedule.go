package follow

import (
	"math/rand/v2"
	"time"
)

// How audits are timed.
const (
	smallSnapshot    = 50_000           // positions
	firstAuditSmall  = time.Second      // after a connection with its gap, if no update comes before
	firstAudit       = 10 * time.Second // the same for larger snapshots, also if updates come
	hintedAuditAfter = time.Minute      // after the last snapshot or audit, or AuditEvery if that is less
	auditPerRows     = time.Minute      // more between audits for each whole hundred thousand rows
	hintedPerRows    = auditPerRows / 5 // more before a hinted one
	firstAgain       = 2 * time.Second  // after an audit while the rows are in doubt; half as much more each time
	longestAgain     = 15 * time.Second
)

// auditSchedule is when audits begin.
type auditSchedule struct {
	every time.Duration // between audits of a small snapshot; negative for none
	rows  int           // positions of the last snapshot
}

// scaled returns d times the hundred thousands of positions in the last snapshot.
func (s *auditSchedule) scaled(d time.Duration) time.Duration {
	return d * time.Duration(s.rows/100_000)
}

// first returns when the first audit after a snapshot begins: soon, because each connection has a gap. It reports
// whether an update brings it forward: the gap has ended then.
func (s *auditSchedule) first(now time.Time) (at time.Time, byUpdate bool) {
	switch {
	case s.every < 0:
		return time.Time{}, false
	case s.rows <= smallSnapshot:
		return now.Add(min(s.every, firstAuditSmall)), true
	}
	return now.Add(jittered(min(s.every, firstAudit))), false
}

// next returns when the next audit begins after an audit: later, if the snapshot is larger.
func (s *auditSchedule) next(now time.Time) time.Time {
	if s.every < 0 {
		return time.Time{}
	}
	return now.Add(jittered(s.every + s.scaled(auditPerRows)))
}

// hinted returns how long after the last snapshot or audit a hinted one begins at the earliest.
func (s *auditSchedule) hinted() time.Duration {
	return min(hintedAuditAfter, s.every) + s.scaled(hintedPerRows)
}

// again returns how long after the last snapshot or audit the next audit begins while the rows are in doubt, after so
// many audits that have not ended the doubt. Each reaches another connection, so perhaps another node.
func (s *auditSchedule) again(unhelpful int) time.Duration {
	wait := firstAgain
	for range min(unhelpful, 10) {
		wait += wait / 2
	}
	return jittered(min(wait, longestAgain)) + s.scaled(hintedPerRows)
}

// jittered returns a random duration of 90% to 110% of d, so that clients do not begin at the same time.
func jittered(d time.Duration) time.Duration { return d*9/10 + rand.N(d/5+1) }
