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
				if wait := waitAfter(t, p, errTrouble); wait > DefaultTimes().MaxBackoff {
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
			if least := DefaultTimes().MaxBackoff / 2; limited < max(named, least) || next < least {
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
		time.Sleep(2 * DefaultTimes().HealthyAfter)
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
