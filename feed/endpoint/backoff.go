package endpoint

import (
	"math/rand/v2"
	"time"
)

// All delays after failures in a row are here. Each is three times as long as the one before, between two limits. Half
// of it is random, so that clients do not all try again at the same time: the first one is from half of the first limit
// up to it.

// backoffClass is how long a breaker is open.
type backoffClass uint8

const (
	unset      backoffClass = iota // a rule that was forgotten; a test finds it
	unchanged                      // the breaker stays as it is
	eachSecond                     // a second at most, and its dials do not count in the budget: they cost nothing
	fast                           // limits: FirstBackoff, MaxBackoff
	medium                         // limits: ten times FirstBackoff, RefusedRetry
	slow                           // limits: two times RefusedRetry, ten times RefusedRetry
)

// delay returns how long the breaker is open after the given number of failures in a row; 0 if it stays as it is.
func (r rule) delay(times *RequestTimes, failures int) time.Duration {
	if failures -= r.ignored; failures <= 0 {
		return 0
	}
	switch r.class {
	case eachSecond:
		return backoff(time.Second, time.Second, failures)
	case fast:
		return backoff(times.FirstBackoff, times.MaxBackoff, failures)
	case medium:
		return backoff(10*times.FirstBackoff, times.RefusedRetry, failures)
	case slow:
		return backoff(2*times.RefusedRetry, 10*times.RefusedRetry, failures)
	}
	return 0
}

// RefusedDelay returns how long a subscription waits after all addresses refused it the given number of times in a row.
func (p *Pool) RefusedDelay(refusals int) time.Duration {
	return rule{class: slow}.delay(&p.config.Times, max(refusals, 1))
}

// The limits of what has no breaker of its own. The breaker of the address can make the next try later.
const (
	firstWalkDelay    = time.Second / 4
	longestWalkDelay  = 2 * time.Second // short, because a person waits for the walk
	firstAuditDelay   = 5 * time.Second
	longestAuditDelay = time.Minute
)

// WalkDelay returns how long a walk through margin levels waits after the given number of failures in a row.
func WalkDelay(failures int) time.Duration {
	return backoff(firstWalkDelay, longestWalkDelay, failures)
}

// AuditDelay returns how long a subscription waits after the given number of audits in a row that did not end.
func AuditDelay(failures int) time.Duration {
	return backoff(firstAuditDelay, longestAuditDelay, failures)
}

// backoff returns how long to wait after the given number of failures in a row.
func backoff(first, longest time.Duration, failures int) time.Duration {
	wait := min(first, longest)
	for range failures - 1 {
		if wait *= 3; wait >= longest {
			wait = longest
			break
		}
	}
	return wait/2 + rand.N(wait/2+1)
}
