package endpoint

import (
	"testing"
	"time"
)

// TestStandbyStreams go out while an active stream stands, and how they end is nothing to the active ones.
func TestStandbyStreams(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		const here = "http://one.test"
		_, err := p.TryStandby(here)
		postponed(t, err)
		for range 5 { // drops, so that the probation is long
			time.Sleep(time.Minute)
			l := one(t, p)
			l.establish()
			l.Healthy()
			l.Release(errTrouble)
		}
		time.Sleep(time.Minute)
		active := one(t, p)
		active.establish()
		active.Healthy()
		before := activeOf(p)
		standby, err := p.TryStandby(here)
		if err != nil {
			t.Fatalf("an active stream stands, and no audit goes out: %v", err)
		}
		standby.Release(errTrouble)
		if after := activeOf(p); after.failures != before.failures || after.openUntil != before.openUntil || after.closed != before.closed {
			t.Errorf("a standby stream broke, and active ones have %+v, before %+v", after, before)
		}
		_, err = p.TryStandby(here)
		not := postponed(t, err)
		if left := time.Until(not.Until); left <= 0 || left > 5*time.Second || not.Cause.Error() != "trouble" {
			t.Errorf("the next audit: %+v", not)
		}
		time.Sleep(time.Until(not.Until))
		standby, err = p.TryStandby(here)
		if err != nil {
			t.Fatal(err)
		}
		standby.Healthy()
		standby.Release(&StatusError{Status: 503, RetryAfter: 10 * time.Minute}) // it names a time, and that is for all streams
		active.Release(errTrouble)
		if wait := waitOfOne(t, p); !wait.ByService || time.Until(wait.Until) != 10*time.Minute {
			t.Errorf("%+v, want the time that the service named", wait)
		}
		time.Sleep(10 * time.Minute)
		active = one(t, p)
		active.establish()
		if _, err = p.TryStandby(here); err != nil {
			t.Error(err)
		}
	})
}

// TestAnExtraAudit goes out although the dials of the minute are spent, once in ten seconds: the stream that stands
// again has a gap that nothing else finds.
func TestAnExtraAudit(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		var active *Lease
		for range 6 {
			if active != nil {
				active.Release(errTrouble)
				time.Sleep(time.Second)
				p.Retry()
			}
			active = one(t, p)
			active.establish()
		}
		_, err := p.TryStandby(oneTest)
		if not := postponed(t, err); time.Until(not.Until) < 50*time.Second {
			t.Errorf("before the stream carried anything: %+v", not)
		}
		active.Healthy()
		standby, err := p.TryStandby(oneTest)
		if err != nil {
			t.Fatalf("the stream stands, and no audit goes out: %v", err)
		}
		standby.Release(nil)
		_, err = p.TryStandby(oneTest)
		not := postponed(t, err)
		if left := time.Until(not.Until); left != extraAuditEvery {
			t.Errorf("the next audit goes out in %s", left)
		}
		time.Sleep(extraAuditEvery)
		if _, err = p.TryStandby(oneTest); err != nil {
			t.Error(err)
		}
	})
}
