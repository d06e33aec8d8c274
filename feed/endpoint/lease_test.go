package endpoint

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// bubble runs a test of leases that are never opened, in a bubble of fake time.
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

// admitted has everybody who may, begin now.
func admitted(p *Pool) (leases []*Lease) {
	for {
		l, _, _, _ := p.tryActive(make([]bool, len(p.addresses)))
		if l == nil {
			return leases
		}
		leases = append(leases, l)
	}
}

// activeOf is the breaker of active streams at the first address.
func activeOf(p *Pool) breaker {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.addresses[0].active
}

// one is the only lease that is given now.
func one(t *testing.T, p *Pool) *Lease {
	t.Helper()
	leases := admitted(p)
	if len(leases) != 1 {
		t.Fatalf("%d leases are given, want 1", len(leases))
	}
	return leases[0]
}

// waitOfOne is why no lease is given.
func waitOfOne(t *testing.T, p *Pool) Wait {
	t.Helper()
	l, wait, _, err := p.tryActive(make([]bool, len(p.addresses)))
	if l != nil || err != nil {
		t.Fatalf("a lease %v is given, or an error %v", l, err)
	}
	return wait
}

func TestANewAddressIsDialledByOneAndThenByTenAtATime(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		first := one(t, p)
		first.connected()
		first.establish()
		if len(admitted(p)) != 0 {
			t.Error("others follow before the first message")
		}
		first.Healthy()
		if len(admitted(p)) != 0 {
			t.Error("others follow at once")
		}
		time.Sleep(freshProbation)
		synctest.Wait()
		leases := admitted(p)
		if len(leases) != dialsAtOnce {
			t.Errorf("%d dial at once", len(leases))
		}
		if wait := waitOfOne(t, p); wait.Cause != nil {
			t.Errorf("%+v, want only a matter of turns", wait)
		}
		leases[0].connected()
		leases[1].Release(nil)
		leases[2].establish()
		if got := len(admitted(p)); got != 3 {
			t.Errorf("%d more dial when three are done", got)
		}
	})
}

// TestManyThatBreakAtOnceAreOneFailure: and one that began before is none at all.
func TestManyThatBreakAtOnceAreOneFailure(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		first := one(t, p)
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
		again := one(t, p)
		again.Healthy()
		time.Sleep(time.Second)
		synctest.Wait()
		all[0].Release(errTrouble) // it is noticed late
		if b = activeOf(p); b.failures != 1 || !b.closed {
			t.Errorf("%+v after a late one", b)
		}
		time.Sleep(DefaultTimes().HealthyAfter)
		synctest.Wait()
		if b = activeOf(p); b.failures != 0 || b.cause != nil {
			t.Errorf("%+v after a minute of health", b)
		}
	})
}

// TestProbationGrowsWithEachDrop: an address whose streams break again and again is trusted ever later.
func TestProbationGrowsWithEachDrop(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		for n, want := range []time.Duration{freshProbation, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second} {
			time.Sleep(time.Minute)
			l := one(t, p)
			l.Healthy()
			time.Sleep(want - time.Millisecond)
			synctest.Wait()
			if len(admitted(p)) > 0 {
				t.Errorf("after %d drops others follow before %s", n, want)
			}
			time.Sleep(time.Millisecond)
			synctest.Wait()
			others := admitted(p)
			if len(others) == 0 {
				t.Errorf("after %d drops others do not follow after %s", n, want)
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
		one(t, p).Healthy()
		time.Sleep(30 * time.Second)
		synctest.Wait()
		admitted(p)[0].Release(errTrouble)
		for after, want := range []int{1, 1, 1, 1, 0} {
			if got := activeOf(p).failures; got != want {
				t.Errorf("%d failures are known %d s after the last", got, after*16)
			}
			time.Sleep(16 * time.Second)
			synctest.Wait()
		}
	})
}

// TestStreamWithoutMessagesDoesNotCloseTheBreaker, however long it stands.
func TestStreamWithoutMessagesDoesNotCloseTheBreaker(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		l := one(t, p)
		l.establish()
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(admitted(p)) > 0 {
			t.Error("others follow a silent stream")
		}
	})
}

func TestAddressesInTurn(t *testing.T) {
	bubble(t, 3, func(t *testing.T, p *Pool) {
		for _, want := range hosts {
			l := one(t, p)
			if l.Address() != "http://"+want {
				t.Errorf("%s is tried, want %s", l.Address(), want)
			}
			l.Release(errors.New("trouble at " + want))
		}
		wait := waitOfOne(t, p)
		if left := time.Until(wait.Until); left > time.Second || wait.Attempt != 1 || wait.Cause == nil || "http://"+wait.Cause.Error()[len("trouble at "):] != wait.Address {
			t.Errorf("%+v: address and cause are of different tries", wait)
		}
	})
}

// TestRetriesAreCountedSinceAStreamWasHealthy: the backoff goes on growing, for the streams are not healthy for long.
func TestRetriesAreCountedSinceAStreamWasHealthy(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		lose := func(healthy bool, want int) {
			t.Helper()
			l := one(t, p)
			if healthy {
				l.Healthy()
				time.Sleep(time.Millisecond)
			}
			l.Release(errTrouble)
			if wait := waitOfOne(t, p); wait.Attempt != want {
				t.Errorf("retry %d comes next, want %d", wait.Attempt, want)
			}
			time.Sleep(DefaultTimes().MaxBackoff)
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

// TestABannedAddressIsLeftAlone, though others are tried. By hand there is one try a minute.
func TestABannedAddressIsLeftAlone(t *testing.T) {
	bubble(t, 2, func(t *testing.T, p *Pool) {
		ban := &StatusError{Status: 403, RetryAfter: maxRetryAfter}
		one(t, p).Release(ban)
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
		one(t, p).Release(ban)
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
		told := 0
		time.AfterFunc(time.Second/2, func() { p.update(func() {}) }) // something else happens, which changes nothing here
		if l, err := p.Acquire(ctx, nil, func(Wait) { told++ }); l != nil || !errors.Is(err, context.DeadlineExceeded) || told != 1 {
			t.Errorf("%v, %v, told %d times", l, err, told)
		}
	})
}

func TestAcquireEndsWithThePool(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		admitted(p)
		ended := make(chan error)
		go func() {
			_, err := p.Acquire(t.Context(), nil, nil)
			ended <- err
		}()
		synctest.Wait()
		p.Close()
		if err := <-ended; err != ErrClosed {
			t.Error(err)
		}
	})
}

// TestSixDialsAMinute, whoever dials: active and standby streams and pages, by hand or not; and none takes them all.
func TestSixDialsAMinute(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		a, now := p.addresses[0], time.Now
		established := one(t, p)
		established.establish()
		var dials []time.Time
		established.Release(errTrouble)
		dials = append(dials, now())
		a.established = 1 // so that audits and pages may go out
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
