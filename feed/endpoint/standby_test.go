package endpoint

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestStandbyStreams: they are opened while an active stream is open, and their failures do not count for active ones.
func TestStandbyStreams(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		const here = "http://one.test"
		_, err := p.TryStandby(here)
		postponed(t, err)
		for range 5 { // drops, so that the probation is long
			time.Sleep(time.Minute)
			l := onlyLease(t, p)
			l.establish()
			l.Healthy()
			l.Release(errTrouble)
		}
		time.Sleep(time.Minute)
		active := onlyLease(t, p)
		active.establish()
		active.Healthy()
		before := activeOf(p)
		standby, err := p.TryStandby(here)
		if err != nil {
			t.Fatalf("an active stream is open, and no audit may begin: %v", err)
		}
		standby.Release(errTrouble)
		for range 2 { // one of several nodes may hang
			time.Sleep(time.Second)
			if standby, err = p.TryStandby(here); err != nil {
				t.Fatal(err)
			}
			standby.Release(errTrouble)
		}
		if after := activeOf(p); after.failures != before.failures || after.openUntil != before.openUntil || after.closed != before.closed {
			t.Errorf("a standby stream broke, and active ones have %+v, before %+v", after, before)
		}
		time.Sleep(5 * time.Second)
		standby, err = p.TryStandby(here)
		if err != nil {
			t.Fatal(err)
		}
		standby.Healthy()
		standby.Release(&StatusError{Status: 503, RetryAfter: 10 * time.Minute}) // a time that the service names counts for all streams
		active.Release(errTrouble)
		if wait := reasonToWait(t, p); !wait.ByService || time.Until(wait.Until) != 10*time.Minute {
			t.Errorf("%+v, want the time that the service named", wait)
		}
		time.Sleep(10 * time.Minute)
		active = onlyLease(t, p)
		active.establish()
		if _, err = p.TryStandby(here); err != nil {
			t.Error(err)
		}
	})
}

// TestAnExtraAudit: once in ten seconds an audit may begin although the dials of the minute are used. Only it finds
// what the new stream has missed.
func TestAnExtraAudit(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		var active *Lease
		for range 6 {
			if active != nil {
				active.Release(errTrouble)
				time.Sleep(time.Second)
				p.Retry()
			}
			active = onlyLease(t, p)
			active.establish()
		}
		_, err := p.TryStandby(oneTest)
		if postponement := postponed(t, err); time.Until(postponement.Until) < 50*time.Second {
			t.Errorf("before the first message of the stream: %+v", postponement)
		}
		active.Healthy()
		standby, err := p.TryStandby(oneTest)
		if err != nil {
			t.Fatalf("the stream is open, and no audit may begin: %v", err)
		}
		standby.Release(nil)
		_, err = p.TryStandby(oneTest)
		postponement := postponed(t, err)
		if left := time.Until(postponement.Until); left != extraAuditEvery {
			t.Errorf("the next audit may begin in %s", left)
		}
		time.Sleep(extraAuditEvery)
		if _, err = p.TryStandby(oneTest); err != nil {
			t.Error(err)
		}
	})
}

// standbyOf returns a lease for a standby stream.
func standbyOf(t *testing.T, p *Pool) *Lease {
	t.Helper()
	l, err := p.TryStandby(oneTest)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestAStandbyStreamIsNoActiveOne: while only a standby stream is open, no other audit begins. One active stream is
// enough, also just after another one has failed.
func TestAStandbyStreamIsNoActiveOne(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		active := closedBy(t, p)
		standbyOf(t, p).establish()
		healthy(one(p)).Release(errTrouble)
		standbyOf(t, p)
		active.Release(errTrouble)
		_, err := p.TryStandby(oneTest)
		postponed(t, err)
	})
}

// TestFailuresOfAudits use no dials of active streams, and are forgotten when an audit has got a message.
func TestFailuresOfAudits(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		active := closedBy(t, p)
		time.Sleep(time.Minute)
		for range 3 {
			for range 6 {
				time.Sleep(time.Second)
				standbyOf(t, p).Release(errTrouble)
			}
			_, err := p.TryStandby(oneTest)
			if wait := time.Until(postponed(t, err).Until); wait > 5*time.Second {
				t.Errorf("the sixth failure waits %s", wait)
			}
			time.Sleep(5 * time.Second)
			healthy(standbyOf(t, p)).Release(nil)
		}
		active.Release(errTrouble)
		for range dialsPerMinute {
			time.Sleep(time.Second)
			p.Retry()
			onlyLease(t, p).Release(errTrouble)
		}
	})
}

// TestAStreamForManyAuditsTriesTheAddress although several audits have got no message, but not if one was refused.
func TestAStreamForManyAuditsTriesTheAddress(t *testing.T) {
	for _, c := range []struct {
		failure error
		mayTry  bool
	}{{errTrouble, true}, {&StatusError{Status: 403}, false}} {
		bubble(t, 1, func(t *testing.T, p *Pool) {
			closedBy(t, p)
			time.Sleep(time.Minute)
			for range 6 {
				time.Sleep(time.Second)
				if l, err := p.TryStandby(oneTest); err == nil {
					l.Release(c.failure)
				}
			}
			_, err := p.TryStandby(oneTest)
			postponed(t, err)
			l, err := p.TryWhole(oneTest)
			if (err == nil) != c.mayTry {
				t.Errorf("after %v: %v", c.failure, err)
			}
			if err == nil {
				l.Release(errTrouble)
			}
		})
	}
}

func TestNoAuditBeginsWhileTenStreamsAreOpened(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		closedBy(t, p)
		admitted(p)
		_, err := p.TryStandby(oneTest)
		if want := "too many connections are being opened; next try in 1s"; postponed(t, err).Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	})
}

// TestPromote: the standby stream is the active one, and the address is tried by it.
func TestPromote(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		onlyLease(t, p).Release(errTrouble)
		time.Sleep(time.Second)
		before := onlyLease(t, p)
		before.establish()
		l := healthy(standbyOf(t, p))
		l.Promote(before)
		if got := len(admitted(p)); got != 0 {
			t.Errorf("%d others are opened at once", got)
		}
		standbyOf(t, p).Release(nil)
		time.Sleep(firstProbation)
		synctest.Wait()
		others := admitted(p)
		if len(others) != DialsAtOnce {
			t.Errorf("%d others are opened after the probation", len(others))
		}
		for _, other := range others {
			other.Release(nil)
		}
		time.Sleep(time.Minute)
		l.Release(errTrouble)
		if wait := reasonToWait(t, p); wait.Cause == nil || wait.Attempt != 1 {
			t.Errorf("the stream broke, and the next one has %+v", wait)
		}
		_, err := p.TryStandby(oneTest)
		postponed(t, err)
	})
}
