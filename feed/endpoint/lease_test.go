package endpoint

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// bubble runs a test of leases without connections, in fake time.
func bubble(t *testing.T, addresses int, test func(*testing.T, *Pool)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var config Config
		for _, host := range hosts[:addresses] {
			config.BaseURLs = append(config.BaseURLs, "http://"+host)
		}
		test(t, newPool(t, config))
	})
}

// admitted acquires all leases that are given now.
func admitted(p *Pool) (leases []*Lease) {
	for {
		l, _, _, _ := p.tryActive(nil, nil)
		if l == nil {
			return leases
		}
		leases = append(leases, l)
	}
}

// activeOf returns the breaker of active streams at the first address.
func activeOf(p *Pool) breaker {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.addresses[0].active
}

// onlyLease returns the lease that is given now, if it is the only one.
func onlyLease(t *testing.T, p *Pool) *Lease {
	t.Helper()
	leases := admitted(p)
	if len(leases) != 1 {
		t.Fatalf("%d leases are given, want 1", len(leases))
	}
	return leases[0]
}

// reasonToWait returns why no lease is given.
func reasonToWait(t *testing.T, p *Pool) Wait {
	t.Helper()
	l, wait, _, err := p.tryActive(nil, nil)
	if l != nil || err != nil {
		t.Fatalf("a lease %v is given, or an error %v", l, err)
	}
	return wait
}

func TestANewAddressIsDialledByOneAndThenByTenAtATime(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		first := onlyLease(t, p)
		first.connected()
		first.establish()
		if len(admitted(p)) != 0 {
			t.Error("other streams are opened before the first message")
		}
		first.Healthy()
		if len(admitted(p)) != 0 {
			t.Error("other streams are opened at once")
		}
		time.Sleep(freshProbation)
		synctest.Wait()
		leases := admitted(p)
		if len(leases) != DialsAtOnce {
			t.Errorf("%d dial at once", len(leases))
		}
		if wait := reasonToWait(t, p); wait.Cause != nil {
			t.Errorf("%+v, want no cause", wait)
		}
		leases[0].connected()
		leases[1].Release(nil)
		leases[2].establish()
		if got := len(admitted(p)); got != 3 {
			t.Errorf("%d more dial when three are done", got)
		}
	})
}

// TestManyThatBreakAtOnceAreOneFailure. A stream that began before the last failure is not counted again.
func TestManyThatBreakAtOnceAreOneFailure(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		first := onlyLease(t, p)
		first.Healthy()
		time.Sleep(time.Second)
		synctest.Wait()
		all := append(admitted(p), first)
		time.Sleep(time.Minute)
		for _, l := range all[1:] {
			l.Release(errTrouble)
		}
		b := activeOf(p)
		if b.failures != 1 || b.closed || b.cause.Error() != "trouble" {
			t.Errorf("%+v after many broke at once", b)
		}
		time.Sleep(time.Second)
		again := onlyLease(t, p)
		again.Healthy()
		time.Sleep(time.Second)
		synctest.Wait()
		all[0].Release(errTrouble) // later than the others
		if b = activeOf(p); b.failures != 1 || !b.closed {
			t.Errorf("%+v after a late failure", b)
		}
		time.Sleep(testTimes.HealthyAfter)
		synctest.Wait()
		if b = activeOf(p); b.failures != 0 || b.cause != nil {
			t.Errorf("%+v after a minute without a failure", b)
		}
	})
}

// TestProbationGrowsWithEachDrop: after each stream that broke, others wait longer.
func TestProbationGrowsWithEachDrop(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		for n, want := range []time.Duration{freshProbation, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second} {
			time.Sleep(time.Minute)
			l := onlyLease(t, p)
			l.Healthy()
			time.Sleep(want - time.Millisecond)
			synctest.Wait()
			if len(admitted(p)) > 0 {
				t.Errorf("after %d drops others are opened before %s", n, want)
			}
			time.Sleep(time.Millisecond)
			synctest.Wait()
			others := admitted(p)
			if len(others) == 0 {
				t.Errorf("after %d drops others are not opened after %s", n, want)
			}
			for _, other := range others {
				other.Release(nil)
			}
			l.Release(errTrouble)
		}
	})
}

// TestFailuresAreForgottenAfterAMinuteWithoutOne, not a minute after some stream began.
func TestFailuresAreForgottenAfterAMinuteWithoutOne(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		onlyLease(t, p).Healthy()
		time.Sleep(30 * time.Second)
		synctest.Wait()
		admitted(p)[0].Release(errTrouble)
		for after, want := range []int{1, 1, 1, 1, 0} {
			if got := activeOf(p).failures; got != want {
				t.Errorf("%d failures are counted %d s after the last", got, after*16)
			}
			time.Sleep(16 * time.Second)
			synctest.Wait()
		}
	})
}

// TestStreamWithoutMessagesDoesNotCloseTheBreaker, however long it is open.
func TestStreamWithoutMessagesDoesNotCloseTheBreaker(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		l := onlyLease(t, p)
		l.establish()
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(admitted(p)) > 0 {
			t.Error("other streams are opened beside a silent one")
		}
	})
}

func TestAddressesInTurn(t *testing.T) {
	bubble(t, 3, func(t *testing.T, p *Pool) {
		for _, want := range hosts {
			l := onlyLease(t, p)
			if l.Address() != "http://"+want {
				t.Errorf("%s is tried, want %s", l.Address(), want)
			}
			l.Release(errors.New("trouble at " + want))
		}
		wait := reasonToWait(t, p)
		if left := time.Until(wait.Until); left > time.Second || wait.Attempt != 1 || wait.Cause == nil || "http://"+wait.Cause.Error()[len("trouble at "):] != wait.Address {
			t.Errorf("%+v: address and cause are of different tries", wait)
		}
	})
}

// TestRetriesAreCountedSinceAStreamWasHealthy: the backoff still grows, because no stream stays healthy for long.
func TestRetriesAreCountedSinceAStreamWasHealthy(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		lose := func(healthy bool, want int) {
			t.Helper()
			l := onlyLease(t, p)
			if healthy {
				l.Healthy()
				time.Sleep(time.Millisecond)
			}
			l.Release(errTrouble)
			if wait := reasonToWait(t, p); wait.Attempt != want {
				t.Errorf("retry %d comes next, want %d", wait.Attempt, want)
			}
			time.Sleep(testTimes.MaxBackoff)
		}
		for _, want := range []int{1, 2, 3} {
			lose(false, want)
		}
		for range 2 {
			lose(true, 1)
		}
		lose(false, 2)
		if failures := activeOf(p).failures; failures != 6 {
			t.Errorf("the backoff is that of %d failures, want 6", failures)
		}
	})
}

// TestABannedAddressIsNotTried, but others are. Retries by hand try it once a minute.
func TestABannedAddressIsNotTried(t *testing.T) {
	bubble(t, 2, func(t *testing.T, p *Pool) {
		ban := &StatusError{Status: 403, RetryAfter: maxRetryAfter}
		onlyLease(t, p).Release(ban)
		began, tries := time.Now(), 0
		for time.Since(began) < 14*time.Minute {
			for _, l := range admitted(p) {
				if l.Address() == "http://one.test" {
					t.Fatalf("the banned address is tried after %s", time.Since(began))
				}
				l.Release(errTrouble)
			}
			time.Sleep(7 * time.Second)
		}
		time.Sleep(time.Minute)
		onlyLease(t, p).Release(ban)
		for began := time.Now(); time.Since(began) < 10*time.Minute; time.Sleep(time.Second) {
			p.Retry()
			for _, l := range admitted(p) {
				if l.Address() == "http://one.test" {
					tries++
					l.Release(ban)
				} else {
					l.Release(errTrouble)
				}
			}
		}
		if tries < 9 || tries > 11 {
			t.Errorf("%d tries by hand in ten minutes, want one a minute", tries)
		}
	})
}

func TestAcquireEndsWithItsContext(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		admitted(p)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		reports := 0
		time.AfterFunc(time.Second/2, func() { p.update(func() {}) }) // another change, which is not reported
		if l, err := p.Acquire(ctx, nil, nil, func(Wait) { reports++ }); l != nil || !errors.Is(err, context.DeadlineExceeded) || reports != 1 {
			t.Errorf("%v, %v, %d reports", l, err, reports)
		}
	})
}

func TestAcquireEndsWithThePool(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		admitted(p)
		ended := make(chan error)
		go func() {
			_, err := p.Acquire(t.Context(), nil, nil, nil)
			ended <- err
		}()
		synctest.Wait()
		p.Close()
		if err := <-ended; err != ErrClosed {
			t.Error(err)
		}
	})
}

// TestSixDialsAMinute: active streams, standby streams and pages together, with retries by hand too. No kind takes all.
func TestSixDialsAMinute(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		a, now := p.addresses[0], time.Now
		established := onlyLease(t, p)
		established.establish()
		var dials []time.Time
		established.Release(errTrouble)
		dials = append(dials, now())
		a.established = 1 // so that audits and pages are allowed
		pages := 0
		for began := now(); time.Since(began) < 10*time.Minute; time.Sleep(100 * time.Millisecond) {
			p.Retry()
			page := &pageLease{pool: p, address: a, kind: UserPage, at: now()}
			if page.countDial() == nil {
				pages++
				dials = append(dials, now())
			}
			for _, l := range admitted(p) {
				dials = append(dials, now())
				l.Release(errTrouble)
			}
			if l, err := p.TryStandby(a.name); err == nil {
				dials = append(dials, now())
				l.Release(errTrouble)
			}
		}
		for i := 6; i < len(dials); i++ {
			if dials[i].Sub(dials[i-6]) < time.Minute {
				t.Fatalf("seven dials within %s", dials[i].Sub(dials[i-6]))
			}
		}
		if len(dials) < 55 || pages < 10 || pages > 31 {
			t.Errorf("%d dials in ten minutes, %d of them for pages", len(dials), pages)
		}
	})
}

// TestAServiceOfThisMachineIsTriedEachSecond: while nothing listens there, a try costs nothing, and so it does not
// count in the budget of dials.
func TestAServiceOfThisMachineIsTriedEachSecond(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		refused := dialing("127.0.0.1:8080", syscall.ECONNREFUSED)
		for try := range 120 {
			onlyLease(t, p).Release(refused)
			if wait := time.Until(reasonToWait(t, p).Until); wait > time.Second {
				t.Fatalf("after %d tries the next one comes in %s", try+1, wait)
			}
			time.Sleep(time.Second)
		}
		// As soon as something else goes wrong, the tries count again.
		for range dialsPerMinute {
			onlyLease(t, p).Release(errTrouble)
			time.Sleep(5 * time.Second)
			p.Retry()
		}
		if wait := time.Until(reasonToWait(t, p).Until); wait < 20*time.Second {
			t.Errorf("after six tries in half a minute the next one comes in %s", wait)
		}
	})
}
