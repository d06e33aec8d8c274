package follow

import "time"

// The updates of a stream can come late although it is not behind by as much as judgement.go needs: its node lags a
// little, or a proxy collects them. Such a proxy sends many at once, of which the last ones are new. So updates are
// late from lateMessages messages in a row, and no longer late after as many that are in time and lateApart from each
// other.

const (
	lateSaidFrom = 5 * time.Second // how old the newest change of a message is at least, if it is late
	lateApart    = time.Second
)

// lateness is how late the updates of a stream come, by the clock of the service.
type lateness struct {
	by       time.Duration // 0 if they are not late
	late     int           // messages in a row
	oldest   time.Duration // the age of the first of those that came at the same time
	lateAt   time.Time     // when the last of them came
	inTime   int           // messages in a row, each lateApart from the one before
	inTimeAt time.Time     // when the last of them came
}

// add judges a message that came at now, by the age of its newest change and of the newest one that is a change for
// certain. An age is negative if it is not known. Ages up to excused are those of a service whose times are always
// late.
func (l *lateness) add(newest, changed, excused time.Duration, now time.Time) {
	limit := lateSaidFrom + excused
	switch {
	case newest >= 0 && newest < limit:
		l.late = 0
		if now.Sub(l.inTimeAt) >= lateApart {
			l.inTime, l.inTimeAt = l.inTime+1, now
		}
		if l.inTime >= lateMessages {
			l.by = 0
		}
	case changed >= limit:
		if now.Sub(l.lateAt) >= lateApart || changed > l.oldest {
			l.oldest = changed
		}
		l.late, l.lateAt, l.inTime = l.late+1, now, 0
		if l.late >= lateMessages {
			l.by = l.oldest
		}
	}
}
