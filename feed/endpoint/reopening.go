package endpoint

import (
	"math/rand/v2"
	"slices"
	"time"
)

// Proxies close streams that are silent, or that are open for long: nginx does after 60 s of silence by default. That
// is no failure of the address. Such a stream is opened again at once, but not together with all others that a proxy
// has closed at the same moment.
const (
	// EndsFrom is how long a stream must have been open for its end to be no failure.
	EndsFrom = 10 * time.Second

	reopenWithin = time.Second
	reopenEvery  = time.Second / 5 // at one address
)

// Reopening is when a stream may be opened again that has ended without a failure. A nil Reopening is no stream.
type Reopening struct {
	address   *address
	healthyAt time.Time // since when this stream and those before it were healthy
	ended     time.Time // when this stream ended
	at        time.Time // when it may be opened
}

// ReleaseEnded ends the lease of a stream that has ended without a failure of the address.
func (l *Lease) ReleaseEnded() *Reopening {
	var again *Reopening
	l.pool.update(func() {
		now, b := time.Now(), &l.address.active
		if !b.isOpen(now) && now.Sub(Later(l.healthyAt, b.failedAt)) >= EndsFrom {
			b.close()
		}
		again = &Reopening{address: l.address, healthyAt: l.healthyAt, ended: now,
			at: l.address.reserveReopening(now, l.pool.config.Times.MaxBackoff)}
	})
	l.Release(nil)
	return again
}

// reserveReopening returns a time within a second or, if there are many others, soon afterwards. No delay is longer
// than most.
func (a *address) reserveReopening(now time.Time, most time.Duration) time.Time {
	every := min(reopenEvery, most)
	a.reopenings = slices.DeleteFunc(a.reopenings, func(at time.Time) bool { return now.Sub(at) >= every })
	at, place := now.Add(rand.N(min(reopenWithin, most))), 0
	for place < len(a.reopenings) && a.reopenings[place].Before(at.Add(every)) {
		at = Later(at, a.reopenings[place].Add(every))
		place++
	}
	a.reopenings = slices.Insert(a.reopenings, place, at)
	return at
}

// waitsFor returns until when the stream waits before it is opened at the address; zero if it is opened now. If the
// address has failed since the end of the stream, the circuit breaker decides alone.
func (r *Reopening) waitsFor(a *address, now time.Time, most time.Duration) time.Time {
	if r == nil || r.address != a || a.active.failedAt.After(r.ended) {
		return time.Time{}
	}
	if at := Later(r.at, a.reopenedAt.Add(min(reopenEvery, most))); now.Before(at) {
		return at
	}
	a.reopenedAt = now
	return time.Time{}
}

// continues makes the stream count as healthy for as long as the one before, if nothing has failed in between.
func (l *Lease) continues(r *Reopening) {
	if r != nil && r.address == l.address {
		l.healthyFrom = r.healthyAt
	}
}
