package sim

import (
	"net/http"
	"strconv"
	"time"
)

// limiter counts the requests for margin levels of all clients together.
type limiter struct {
	limits Limits

	// due is when a client that asked at an even pace would have asked for
	// the last time; it may run ahead of the clock by a burst.
	due time.Time

	refused int
	banned  time.Time // until then
}

// take decides on one request: nil admits it.
func (l *limiter) take(now time.Time) *refusal {
	if l.limits.Requests == 0 {
		return nil
	}
	if now.Before(l.banned) {
		return l.ban(now)
	}
	pace := time.Second / time.Duration(l.limits.Requests)
	if l.due.Before(now) {
		l.due = now
	}
	if next := l.due.Add(pace); next.Sub(now) <= pace*time.Duration(l.limits.Burst) {
		l.due, l.refused = next, 0
		return nil
	}
	if l.refused++; l.refused <= l.limits.BanAfter {
		return &tooManyRequests
	}
	l.refused = 0
	l.banned = now.Add(l.limits.Ban)
	return l.ban(now)
}

// ban refuses with the seconds that are left.
func (l *limiter) ban(now time.Time) *refusal {
	left := (l.banned.Sub(now) + time.Second - 1) / time.Second
	return &refusal{
		status: http.StatusForbidden,
		header: http.Header{"Ratelimit-Retry-After": {strconv.Itoa(int(left))}},
		body:   errorBody{7, "temporarily banned for continuing to request while rate limited", []errorDetail{}},
	}
}

// admit counts one request, and refuses it if there were too many.
func (n *Node) admit() *refusal {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.limiter.take(time.Now())
}
