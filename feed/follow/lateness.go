package follow

import "time"

// The updates of a stream can come late although it is not behind by as much as judgement.go needs: its node lags a
// little, or a proxy collects them. Such a proxy sends many at once, of which the last ones are new. So updates are
// late from lateMessages messages in a row, and no longer late after as many that are in time and lateApart from each
// other.
//
// A stream of few open rows sends few messages, so it is late from fewLateMessages in a row, or from one that is
// surelyLate and is not the first one after a pause. This is over with one message in time, lateApart after the last
// late one.

const (
	lateSaidFrom = 5 * time.Second // how old the newest change of a message is at least, if it is late
	lateApart    = time.Second

	fewRows         = 50 // of a stream, all of which one message can have
	fewLateMessages = 2
	surelyLate      = 10 * time.Second
)

// lateness is how late the updates of a stream come, by the clock of the service.
type lateness struct {
	by       time.Duration // 0 if they are not late
	late     int           // messages in a row
	oldest   time.Duration // the age of the first of those that came at the same time
	lateAt   time.Time     // when the last of them came
	inTime   int           // messages in a row, each lateApart from the one before
	inTimeAt time.Time     // when the last of them came
	isSure   bool          // lateMessages in a row were late
	resumed  bool          // a message came since the connection, or since this program has paused
}

// add judges a message that came at now, by the age of its newest change and of the newest one that is a change for
// certain. An age is negative if it is not known. Ages up to excused are those of a service whose times are always
// late. The stream has the given number of open rows.
func (l *lateness) add(newest, changed, excused time.Duration, now time.Time, rows int) {
	limit, isFirst := lateSaidFrom+excused, !l.resumed
	l.resumed = true
	switch {
	case newest >= 0 && newest < limit:
		l.late = 0
		if now.Sub(l.inTimeAt) >= lateApart {
			l.inTime, l.inTimeAt = l.inTime+1, now
		}
		if l.inTime >= lateMessages || !l.isSure && now.Sub(l.lateAt) >= lateApart {
			l.by, l.isSure = 0, false
		}
	case changed >= limit:
		if now.Sub(l.lateAt) >= lateApart || changed > l.oldest {
			l.oldest = changed
		}
		l.late, l.lateAt, l.inTime = l.late+1, now, 0
		l.isSure = l.isSure || l.late >= lateMessages
		isLate := l.late >= fewLateMessages || changed >= surelyLate+excused && !isFirst
		if l.late >= lateMessages || isLate && rows <= fewRows {
			l.by = l.oldest
		}
	}
}
