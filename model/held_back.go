package model

import "time"

// silentFor is how long a stream may have sent nothing before that counts as held back together with others.
const silentFor = 10 * time.Second

// AreHeldBack reports whether a proxy seems to hold back all of these streams: since it was opened, none has sent a
// whole message, and the bytes of at least one show it. Of a small snapshot, a proxy passes on nothing at all. Streams
// that were not opened yet do not count: they wait until one works.
func AreHeldBack(links []Link, now time.Time) bool {
	held := 0
	for i := range links {
		l := &links[i]
		switch {
		case !l.MessageAt.IsZero() && !l.MessageAt.Before(l.ConnectedAt):
			return false
		case l.Problem != nil && l.Problem.HeldBack:
			held++
		case l.Tries == 1 && Elapsed(now, l.ConnectedAt) < silentFor:
			return false
		}
	}
	return held > 0
}
