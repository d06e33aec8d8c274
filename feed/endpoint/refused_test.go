package endpoint

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestRefusedStreamIsTriedAtTheNextAddress, and after some refusals other streams are too.
func TestRefusedStreamIsTriedAtTheNextAddress(t *testing.T) {
	refusedByOne := func(address string) bool { return address == "http://one.test" }
	for status, othersStay := range map[int]bool{400: true, 404: false, 425: false, 401: false, 403: false, 302: false} {
		bubble(t, 2, func(t *testing.T, p *Pool) {
			onlyLease(t, p).Release(&StatusError{Status: status, Words: "no"})
			l, err := p.Acquire(t.Context(), nil, refusedByOne, nil)
			if err != nil || l.Address() != "http://two.test" {
				t.Fatalf("%d: %v, %v", status, l, err)
			}
			l.Healthy()
			time.Sleep(time.Second)
			synctest.Wait()
			other, err := p.Acquire(t.Context(), nil, nil, nil)
			if err != nil || (other.Address() == "http://one.test") != othersStay {
				t.Errorf("%d: another is sent to %s, %v", status, other.Address(), err)
			}
			if _, err := p.Acquire(t.Context(), nil, func(string) bool { return true }, nil); err != errRefusedEverywhere {
				t.Errorf("%d: refused everywhere: %v", status, err)
			}
		})
	}
}

// TestBadCredentialsOpenTheBreaker for RefusedRetry, also at an address that has worked. A missing operation does not,
// because it may be missing for one subscription only.
func TestBadCredentialsOpenTheBreaker(t *testing.T) {
	for status, keeps := range map[int]bool{401: true, 403: true, 404: false, 400: false} {
		bubble(t, 1, func(t *testing.T, p *Pool) {
			onlyLease(t, p).Healthy()
			time.Sleep(2 * time.Minute)
			synctest.Wait()
			l, _ := p.Acquire(t.Context(), nil, nil, nil)
			l.Release(&StatusError{Status: status, Words: "no"})
			others := admitted(p)
			if (len(others) == 0) != keeps {
				t.Errorf("%d: %d others try at once", status, len(others))
			}
			if keeps {
				wait := reasonToWait(t, p)
				if left := time.Until(wait.Until); left < time.Minute || left > 2*time.Minute || wait.Cause.Error() != (&StatusError{Status: status, Words: "no"}).Error() {
					t.Errorf("%d: %+v", status, wait)
				}
				p.Retry()
				onlyLease(t, p)
			}
		})
	}
}

// TestBadRequestDoesNotOpenTheBreaker: the first of many is refused for its parameters, and the others need not wait.
func TestBadRequestDoesNotOpenTheBreaker(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		onlyLease(t, p).Release(&StatusError{Status: 400, Words: "no such party"})
		if got := len(admitted(p)); got != DialsAtOnce {
			t.Errorf("%d others begin", got)
		}
	})
}
