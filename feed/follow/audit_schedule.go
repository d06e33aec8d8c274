package follow

import (
	"math/rand/v2"
	"time"
)

// How audits are timed. After a hinted audit that was needless, hintedAgain is longer for many rows, and later twice as
// long after each further one.
const (
	smallSnapshot   = 50_000                  // positions
	firstAuditSmall = time.Second             // after a connection with its gap, if no update comes before
	firstAudit      = 10 * time.Second        // the same for larger snapshots, also if updates come
	hintedAgain     = 2500 * time.Millisecond // after the last snapshot or audit
	auditPerRows    = time.Minute             // more between audits for each whole hundred thousand rows
	hintedPerRows   = auditPerRows / 5        // more before a hinted one
	firstAgain      = 2 * time.Second         // after an audit while the rows are in doubt; later half as much more each time
	longestAgain    = 15 * time.Second
	sameAgain       = 5 // audits in a row that were of no use do not make the next one later, of up to quietRows
)

// How the rows of streams are verified while these are silent, and soon after they were opened.
const (
	quietEvery  = 15 * time.Second // while a stream is silent; twice as long after each audit that has found nothing
	quietRows   = 2_000            // positions of which it is never longer; of more it is at most longer in proportion
	sharedQuiet = 7 * time.Second  // while streams are silent whose last audit was shared, and has read few positions
	sharedWrong = 3 * time.Second  // the same, if such an audit has reached a node that is wrong
	sharedSmall = 5_000            // are few
	youngEvery  = 5 * time.Second  // after it was opened: the first audits may have reached a node with other rows
	youngAudits = 3                // are so early, for a small snapshot
)

// auditSchedule is when audits begin.
type auditSchedule struct {
	every    time.Duration // between audits of a small snapshot; negative for none
	rows     int           // positions of the last snapshot or audit
	shared   time.Duration // between audits of a silent stream while these are shared; 0 if the last one was not
	isShared bool          // the last one was, and has read up to sharedRows
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

// next returns when the next audit begins after the given number of audits of an open stream: later, if the snapshot is
// larger.
func (s *auditSchedule) next(now time.Time, audits int) time.Time {
	switch {
	case s.every < 0:
		return time.Time{}
	case 0 < audits && audits < youngAudits && s.rows <= smallSnapshot:
		return now.Add(jittered(min(youngEvery, s.every)))
	}
	return now.Add(jittered(s.every + s.scaled(auditPerRows)))
}

// byRows returns d for up to quietRows, and longer for more.
func (s *auditSchedule) byRows(d time.Duration) time.Duration {
	return d * time.Duration(max(s.rows, quietRows)) / quietRows
}

// quiet returns when the rows of a silent stream are verified by an audit, after the snapshot or audit before, and the
// given number of such audits that have found nothing.
func (s *auditSchedule) quiet(readAt time.Time, needless int) time.Time {
	if s.shared > 0 {
		return readAt.Add(jittered(min(s.shared, s.every)))
	}
	return readAt.Add(jittered(min(quietEvery<<min(needless, 10), s.byRows(quietEvery), s.every)))
}

// hinted returns how long after the last snapshot or audit a hinted one begins at the earliest, after the given number
// of needless ones.
func (s *auditSchedule) hinted(needless int) time.Duration {
	wait := hintedAgain
	if needless > 0 {
		wait = s.byRows(hintedAgain) << min(max(s.slowing(needless)-1, 0), 10)
	}
	return min(wait, s.every) + s.scaled(hintedPerRows)
}

// again returns how long after the last snapshot or audit the next audit begins while the rows are in doubt, after the
// given number of audits that have not ended the doubt. Each reaches another connection, so perhaps another node. It is
// earlier if the last audit was shared, because the next one may be too, and if it was none: it has failed, or its node
// was behind.
func (s *auditSchedule) again(unhelpful int, wasNone bool) time.Duration {
	wait := firstAgain
	if s.isShared {
		wait = joinAgain
	}
	if wasNone {
		unhelpful = s.slowing(unhelpful)
	}
	return jittered(slower(wait, unhelpful)) + s.scaled(hintedPerRows)
}

// slowing returns how many of the audits in a row that were of no use make the next one later. With few rows, the first
// ones do not: all of them may have reached a node that is wrong, by chance.
func (s *auditSchedule) slowing(inRow int) int {
	if s.rows <= quietRows {
		return max(inRow-sameAgain, 0)
	}
	return inRow
}

// slower returns how long the next audit waits while the rows are in doubt, if it waits this long at first.
func slower(first time.Duration, unhelpful int) time.Duration {
	for range min(unhelpful, 10) {
		first += first / 2
	}
	return min(first, longestAgain)
}

// jittered returns a random duration of 90% to 110% of d, so that clients do not begin at the same time.
func jittered(d time.Duration) time.Duration { return d*9/10 + rand.N(d/5+1) }
