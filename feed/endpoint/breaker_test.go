package endpoint

import (
	"testing"
	"testing/synctest"
	"time"
)

// waitAfter lets the next stream fail, as soon as it may be opened, and returns how long the address waits then.
func waitAfter(t *testing.T, p *Pool, err error) time.Duration {
	t.Helper()
	onlyLease(t, p).Release(err)
	wait := time.Until(reasonToWait(t, p).Until)
	time.Sleep(max(wait, time.Minute)) // dials of the last minute count
	return wait
}

// TestARefusalAfterLostConnectionsIsTheFirstOne, and one after others waits longer.
func TestARefusalAfterLostConnectionsIsTheFirstOne(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		denied := &StatusError{Status: 401}
		for round := range 2 {
			for range 5 {
				if wait := waitAfter(t, p, errTrouble); wait > testTimes.MaxBackoff {
					t.Errorf("a lost connection waits %s", wait)
				}
			}
			first, second := waitAfter(t, p, denied), waitAfter(t, p, denied)
			if first < time.Minute || first > 2*time.Minute || second <= 2*time.Minute {
				t.Errorf("round %d: the first refusal waits %s, the second one %s", round, first, second)
			}
		}
	})
}

// TestATimeThatTheServiceNamedMakesNoWaitShorter: neither of this failure, nor of the next one.
func TestATimeThatTheServiceNamedMakesNoWaitShorter(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		for range 5 {
			waitAfter(t, p, errTrouble)
		}
		for _, named := range []time.Duration{time.Second, time.Minute} {
			limited := waitAfter(t, p, &StatusError{Status: 429, RetryAfter: named})
			next := waitAfter(t, p, errTrouble)
			if least := testTimes.MaxBackoff / 2; limited < max(named, least) || next < least {
				t.Errorf("%s is named: it waits %s, and %s after the next failure", named, limited, next)
			}
		}
	})
}

// TestAStreamOfBeforeTheLastFailureCounts if that failure is forgotten.
func TestAStreamOfBeforeTheLastFailureCounts(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		first := onlyLease(t, p)
		first.Healthy()
		time.Sleep(time.Second)
		synctest.Wait()
		onlyOne := admitted(p)[0]
		time.Sleep(time.Second)
		onlyOne.Release(errTrouble)
		time.Sleep(time.Second)
		onlyLease(t, p).Healthy()
		time.Sleep(2 * testTimes.HealthyAfter)
		synctest.Wait()
		first.Release(errTrouble)
		if b := activeOf(p); b.failures != 1 || b.closed {
			t.Errorf("%+v after a failure", b)
		}
	})
}

// TestPagesFollowTheStreamsToTheNextAddress as soon as a stream is lost.
func TestPagesFollowTheStreamsToTheNextAddress(t *testing.T) {
	playMany(t, 2, Config{}, func(s *scene) {
		lease, stream := s.stream()
		s.page()
		stream.Close()
		lease.Release(errTrouble)
		s.page()
		for i, node := range s.nodes {
			if got := node.Counters().MarginPages; got != 1 {
				t.Errorf("%d pages of address %d, want 1", got, i+1)
			}
		}
	})
}

// TestABusyStreamEndsItsProbation: its first message counts, not its last one.
func TestABusyStreamEndsItsProbation(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		onlyLease(t, p).Release(errTrouble)
		time.Sleep(time.Second)
		l := onlyLease(t, p)
		l.establish()
		for range 30 {
			l.Healthy()
			time.Sleep(firstProbation / 20)
			synctest.Wait()
		}
		if got := len(admitted(p)); got != DialsAtOnce {
			t.Errorf("%d others are opened", got)
		}
	})
}

// TestAMessageOfALostStreamProvesNothing about the address: it has come too late, as its response has.
func TestAMessageOfALostStreamProvesNothing(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		l := onlyLease(t, p)
		l.Release(errTrouble)
		l.establish()
		_, err := p.TryStandby(oneTest) // no stream is open, so no audit may begin
		postponed(t, err)
		l.Healthy()
		if wait := reasonToWait(t, p); wait.Attempt != 1 {
			t.Errorf("retry %d comes next", wait.Attempt)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		onlyLease(t, p)
	})
}

// TestABadRequestEndsNoBackoff, and no time that the service named.
func TestABadRequestEndsNoBackoff(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		onlyLease(t, p).Release(errTrouble)
		time.Sleep(time.Second)
		onlyLease(t, p).Release(&StatusError{Status: 400})
		onlyLease(t, p)
	})
	bubble(t, 1, func(t *testing.T, p *Pool) {
		closedBy(t, p)
		late := one(p)
		standby, err := p.TryStandby(oneTest)
		if err != nil {
			t.Fatal(err)
		}
		standby.Release(&StatusError{Status: 503, RetryAfter: 10 * time.Minute})
		late.Release(&StatusError{Status: 400})
		if wait := reasonToWait(t, p); !wait.ByService || time.Until(wait.Until) != 10*time.Minute {
			t.Errorf("%+v, want the time that the service named", wait)
		}
	})
}

// TestOthersFollowAsSoonAsTheNamedTimeHasPassed, if a stream has become healthy before.
func TestOthersFollowAsSoonAsTheNamedTimeHasPassed(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		l := onlyLease(t, p)
		l.establish()
		standby, err := p.TryStandby(oneTest)
		if err != nil {
			t.Fatal(err)
		}
		standby.Release(&StatusError{Status: 503, RetryAfter: 5 * time.Second})
		time.Sleep(time.Second)
		l.Healthy()
		time.Sleep(4*time.Second - time.Nanosecond)
		if got := len(admitted(p)); got != 0 {
			t.Errorf("%d others are opened before the time", got)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if got := len(admitted(p)); got != DialsAtOnce {
			t.Errorf("%d others are opened", got)
		}
	})
}

// TestARetryByHandAfterANamedTimeIgnoresNone, so the next one ignores the next time that the service names.
func TestARetryByHandAfterANamedTimeIgnoresNone(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		for _, named := range []time.Duration{5 * time.Second, 10 * time.Minute} {
			onlyLease(t, p).Release(&StatusError{Status: 429, RetryAfter: named})
			time.Sleep(6 * time.Second)
			p.Retry()
		}
		onlyLease(t, p)
	})
}

// TestTheAddressThatIsFreeFirstIsWaitedFor, whatever the order of the addresses is.
func TestTheAddressThatIsFreeFirstIsWaitedFor(t *testing.T) {
	limited := &StatusError{Status: 429, RetryAfter: 10 * time.Minute}
	for want, failures := range map[string][]error{oneTest: {errTrouble, limited}, "http://two.test": {limited, errTrouble}} {
		bubble(t, 2, func(t *testing.T, p *Pool) {
			for _, err := range failures {
				onlyLease(t, p).Release(err)
			}
			began := time.Now()
			l, err := p.Acquire(t.Context(), nil, nil, nil)
			if err != nil || l.Address() != want || time.Since(began) > time.Second {
				t.Errorf("after %s: %+v, %v, want %s", time.Since(began), l, err, want)
			}
		})
	}
}

// TestNothingIsWrongWhileTenStreamsAreOpened, although a stream has failed shortly before.
func TestNothingIsWrongWhileTenStreamsAreOpened(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		onlyLease(t, p).Release(errTrouble)
		time.Sleep(time.Second)
		closedBy(t, p)
		admitted(p)
		if wait := reasonToWait(t, p); wait.Cause != nil || !wait.Until.IsZero() {
			t.Errorf("%+v", wait)
		}
	})
}

// TestAStreamEndsTheBackoffOfPagesWithoutAResponse when it has a response, and with its first message. A fault of pages
// is not mended by that.
func TestAStreamEndsTheBackoffOfPagesWithoutAResponse(t *testing.T) {
	for _, c := range []struct {
		name   string
		failed error // of the pages
		ends   bool
		before func(*Lease) // the pages fail
		after  func(*Lease)
	}{
		{"response", errTrouble, true, func(*Lease) {}, (*Lease).establish},
		{"first message", errTrouble, true, (*Lease).establish, (*Lease).Healthy},
		{"fault", &StatusError{Status: 500}, false, func(*Lease) {}, func(l *Lease) { healthy(l) }},
	} {
		bubble(t, 1, func(t *testing.T, p *Pool) {
			l := onlyLease(t, p)
			c.before(l)
			for range 5 {
				time.Sleep(time.Millisecond)
				p.Retry()
				r, _, err := p.tryPage(UserPage, nil)
				if err != nil {
					t.Fatal(err)
				}
				r.release(c.failed)
			}
			_, _, err := p.tryPage(UserPage, nil)
			postponed(t, err)
			c.after(l)
			if _, _, err = p.tryPage(UserPage, nil); (err == nil) != c.ends {
				t.Errorf("%s: %v", c.name, err)
			}
		})
	}
}
