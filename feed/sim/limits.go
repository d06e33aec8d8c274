package sim

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"blotter/feed/sim/market"
)

// Limits are how much one service allows to all of its clients together, because all clients behind a gateway share
// its address.
type Limits struct {
	// Streams is how many streams may be open at once; 0 means 250, the public service's own limit.
	Streams int

	// Backlog is how many blocks of updates may wait for a slow reader; 0 means 10, and 100 of the many small ones that
	// a fast market makes. A stream that still has more after BacklogTime is dropped.
	Backlog int

	// BacklogTime is how long a stream may stay above Backlog; 0 means 40 ms.
	BacklogTime time.Duration

	// Requests is how many requests for margin levels are allowed each second, after a first Burst of them; 0 does not
	// limit. The public service allows 20, and a burst of 100.
	Requests, Burst int

	// BanAfter is how many refused requests in a row lead to a ban; 0 means 100.
	BanAfter int
}

const banTime = 10 * time.Minute

func (l Limits) withDefaults(rate int) Limits {
	backlog := 10
	if rate >= market.FastRate {
		backlog = 100
	}
	l.Streams = cmp.Or(l.Streams, 250)
	l.Backlog = cmp.Or(l.Backlog, backlog)
	l.BacklogTime = cmp.Or(l.BacklogTime, 40*time.Millisecond)
	l.Burst = cmp.Or(l.Burst, 1)
	l.BanAfter = cmp.Or(l.BanAfter, 100)
	return l
}

// limiter counts the requests for margin levels of all clients together.
type limiter struct {
	limits Limits

	// last is when the last request would have come at an even pace. It may be ahead of the clock by a burst.
	last time.Time

	refused     int // in a row
	bannedUntil time.Time
}

// check decides on one request: nil admits it.
func (l *limiter) check(now time.Time) *refusal {
	if l.limits.Requests == 0 {
		return nil
	}
	if now.Before(l.bannedUntil) {
		return l.ban(now)
	}
	pace := time.Second / time.Duration(l.limits.Requests)
	if l.last.Before(now) {
		l.last = now
	}
	if next := l.last.Add(pace); next.Sub(now) <= pace*time.Duration(l.limits.Burst) {
		l.last, l.refused = next, 0
		return nil
	}
	if l.refused++; l.refused <= l.limits.BanAfter {
		return tooManyRequests
	}
	l.refused = 0
	l.bannedUntil = now.Add(banTime)
	return l.ban(now)
}

// addHeaders adds what is left to all clients: how many requests a second there are, how many may follow at once, and
// after how many seconds there are more.
func (l *limiter) addHeaders(header http.Header, now time.Time) {
	if l.limits.Requests == 0 {
		return
	}
	pace := time.Second / time.Duration(l.limits.Requests)
	left := l.limits.Burst - int((max(0, l.last.Sub(now))+pace-1)/pace)
	header.Set("Ratelimit-Limit", strconv.Itoa(l.limits.Requests))
	header.Set("Ratelimit-Remaining", strconv.Itoa(max(0, left)))
	header.Set("Ratelimit-Reset", "1")
}

// ban refuses with the seconds that are left.
func (l *limiter) ban(now time.Time) *refusal {
	left := (l.bannedUntil.Sub(now) + time.Second - 1) / time.Second
	return &refusal{
		status: http.StatusForbidden,
		header: http.Header{"Ratelimit-Retry-After": {strconv.Itoa(int(left))}},
		body:   errorBody{7, "temporarily banned for continuing to request while rate limited", []errorDetail{}},
	}
}
