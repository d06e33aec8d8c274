package endpoint

import (
	"slices"
	"time"
)

// DialsAtOnce is how many connections may be opened at once to an address whose breaker is closed.
const DialsAtOnce = 10

// How many connections may be opened in a minute.
const (
	dialsPerMinute = 6 // to any other address, for everything together
	dialsShared    = 3 // of those, for pages, and for standby streams, if active streams need the address too
)

// use is what a connection is for: each has a share of the dials.
type use uint8

const (
	activeUse use = iota
	standbyUse
	pageUse
)

// dialBudget holds the dials to an address in the last minute that count: those of streams while the breaker was not
// closed, and those of pages since the last response.
type dialBudget struct {
	dials    []dial
	reserved time.Time // until then the next dial is for a page
}

type dial struct {
	at  time.Time
	use use
}

// take counts a dial.
func (b *dialBudget) take(now time.Time, u use) {
	b.expire(now)
	b.dials = append(b.dials, dial{now, u})
	if u == pageUse {
		b.reserved = time.Time{}
	}
}

// giveBack forgets the latest dial for a use: it has reached nobody.
func (b *dialBudget) giveBack(u use) {
	for i, d := range slices.Backward(b.dials) {
		if d.use == u {
			b.dials = slices.Delete(b.dials, i, i+1)
			return
		}
	}
}

// expire forgets dials that are older than a minute, and all but the newest ones: pages may dial freely while nothing
// fails.
func (b *dialBudget) expire(now time.Time) {
	for len(b.dials) > 0 && (len(b.dials) > 4*dialsPerMinute || now.Sub(b.dials[0].at) >= time.Minute) {
		b.dials = b.dials[1:]
	}
}

// freeAt returns when there may be one dial more: for all uses together, and for this one up to its share.
func (b *dialBudget) freeAt(now time.Time, u use, share int) time.Time {
	b.expire(now)
	all := dialsPerMinute
	if u != pageUse && b.reserved.After(now) {
		all--
	}
	own := make([]time.Time, 0, len(b.dials))
	every := make([]time.Time, 0, len(b.dials))
	for _, d := range b.dials {
		every = append(every, d.at)
		if d.use == u {
			own = append(own, d.at)
		}
	}
	return Later(freed(every, all), freed(own, share))
}

// freed returns when one more dial is allowed after these, at most this many in a minute; zero if one is allowed
// now.
func freed(dials []time.Time, most int) time.Time {
	if len(dials) < most {
		return time.Time{}
	}
	return dials[len(dials)-most].Add(time.Minute)
}

// reserve reserves the next dial for a page that got none: from when a dial is free, long enough for the page to be
// requested again.
func (b *dialBudget) reserve(free time.Time) {
	b.reserved = Later(b.reserved, free.Add(reservedFor))
}

const reservedFor = 20 * time.Second

// forget forgets the dials for a use.
func (b *dialBudget) forget(u use) {
	kept := b.dials[:0]
	for _, d := range b.dials {
		if d.use != u {
			kept = append(kept, d)
		}
	}
	b.dials = kept
}

// earlier returns the earlier of two times.
func earlier(one, other time.Time) time.Time {
	if other.Before(one) {
		return other
	}
	return one
}
