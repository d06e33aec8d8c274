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

// dialBudget holds the dials to an address in the last minute that count: those of streams while the breaker was not
// closed, and those of pages since the last response.
type dialBudget struct {
	dials    []dial
	reserved time.Time // until then the next dial is for a page
}

type dial struct {
	at   time.Time
	kind Kind // UserPage for all kinds of pages
}

func (b *dialBudget) countDial(now time.Time, kind Kind) {
	b.expire(now)
	b.dials = append(b.dials, dial{now, kind})
	if kind == UserPage {
		b.reserved = time.Time{}
	}
}

// giveBack forgets the latest dial of a kind: it has reached nobody.
func (b *dialBudget) giveBack(kind Kind) {
	for i, d := range slices.Backward(b.dials) {
		if d.kind == kind {
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

// freeAt returns when there may be one dial more: for all kinds together, and for this one up to its share. It is zero
// if that is now.
func (b *dialBudget) freeAt(now time.Time, kind Kind, share int) (at time.Time) {
	b.expire(now)
	all := dialsPerMinute
	if kind != UserPage && b.reserved.After(now) {
		all--
	}
	ofAll, ofKind := 0, 0
	for _, d := range slices.Backward(b.dials) {
		ofAll++
		if d.kind == kind {
			ofKind++
		}
		if ofAll == all || d.kind == kind && ofKind == share {
			at = Later(at, d.at.Add(time.Minute))
		}
	}
	return at
}

// reserve reserves the next dial for a page that got none: from when a dial is free, long enough for the page to be
// requested again.
func (b *dialBudget) reserve(free time.Time) {
	b.reserved = Later(b.reserved, free.Add(reservedFor))
}

const reservedFor = 20 * time.Second

func (b *dialBudget) forget(kind Kind) {
	b.dials = slices.DeleteFunc(b.dials, func(d dial) bool { return d.kind == kind })
}
