package endpoint

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// healthy makes the stream of a lease a healthy one.
func healthy(l *Lease) *Lease {
	l.establish()
	l.Healthy()
	return l
}

// one acquires one of the leases that are given now.
func one(p *Pool) *Lease {
	l, _, _, _ := p.tryActive(nil, nil)
	return l
}

// closedBy opens one stream and lets its probation pass.
func closedBy(t *testing.T, p *Pool) *Lease {
	t.Helper()
	l := healthy(onlyLease(t, p))
	time.Sleep(firstProbation)
	synctest.Wait()
	return l
}

// TestReopenedStreamsAreHealthyTogether: a proxy cuts each after 25 s, and failures are forgotten after a minute.
func TestReopenedStreamsAreHealthyTogether(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		onlyLease(t, p).Release(errTrouble)
		time.Sleep(time.Second)
		l := closedBy(t, p)
		for range 3 {
			time.Sleep(25 * time.Second)
			again, err := p.Acquire(t.Context(), l.ReleaseEnded(), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			l = healthy(again)
		}
		l.Release(errTrouble)
		if wait := time.Until(reasonToWait(t, p).Until); wait > testTimes.FirstBackoff {
			t.Errorf("the first failure for more than a minute waits %s", wait)
		}
	})
}

// TestAReopenedStreamProvesNothingOfAnotherAddress, and does not wait before it is opened there.
func TestAReopenedStreamProvesNothingOfAnotherAddress(t *testing.T) {
	refusedByOne := func(address string) bool { return address == oneTest }
	for _, fails := range []bool{true, false} {
		bubble(t, 2, func(t *testing.T, p *Pool) {
			if fails {
				onlyLease(t, p).Release(errTrouble)
				onlyLease(t, p).Release(errTrouble)
				time.Sleep(time.Second)
			}
			first := closedBy(t, p)
			if !fails {
				other, _, _, _ := p.tryActive(refusedByOne, nil)
				healthy(other)
			}
			time.Sleep(time.Hour)
			synctest.Wait()
			again := first.ReleaseEnded()
			l, _, _, _ := p.tryActive(refusedByOne, again)
			if l == nil {
				t.Fatal("the stream is not opened at once at another address")
			}
			healthy(l)
			if other, _, _, _ := p.tryActive(refusedByOne, nil); (other == nil) != fails {
				t.Errorf("the address fails %t: another stream is opened %t", fails, other != nil)
			}
		})
	}
}

// TestAReopenedStreamForgetsNoFailureOfAnotherAddress: they count until a stream has been healthy there for a minute.
func TestAReopenedStreamForgetsNoFailureOfAnotherAddress(t *testing.T) {
	bubble(t, 2, func(t *testing.T, p *Pool) {
		atTwo := func(again *Reopening) (*Lease, Wait) {
			l, wait, _, _ := p.tryActive(func(address string) bool { return address == oneTest }, again)
			return l, wait
		}
		first := closedBy(t, p)
		for range 4 {
			l, _ := atTwo(nil)
			l.Release(errTrouble)
			time.Sleep(time.Minute)
		}
		l, _ := atTwo(nil)
		healthy(l)
		time.Sleep(firstProbation)
		synctest.Wait()
		moved, _ := atTwo(first.ReleaseEnded())
		healthy(moved)
		l.Release(errTrouble)
		_, wait := atTwo(nil)
		if left := time.Until(wait.Until); left < testTimes.MaxBackoff/2 {
			t.Errorf("after five failures the next try comes in %s", left)
		}
	})
}

// TestAnEndedStreamShowsThatTheAddressWorks, also before its probation has passed; but it ends no time that the service
// named, and it shows nothing if another stream has just failed.
func TestAnEndedStreamShowsThatTheAddressWorks(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		for range 5 {
			healthy(onlyLease(t, p)).Release(errTrouble)
			time.Sleep(time.Minute)
		}
		l := healthy(onlyLease(t, p))
		time.Sleep(12 * time.Second)
		if len(admitted(p)) > 0 {
			t.Fatal("the probation has passed")
		}
		l.ReleaseEnded()
		if got := len(admitted(p)); got != DialsAtOnce {
			t.Errorf("%d streams may be opened", got)
		}
	})
	bubble(t, 1, func(t *testing.T, p *Pool) {
		l := closedBy(t, p)
		time.Sleep(time.Hour)
		standby, err := p.TryStandby(oneTest)
		if err != nil {
			t.Fatal(err)
		}
		standby.Release(&StatusError{Status: 503, RetryAfter: time.Minute})
		l.ReleaseEnded()
		if wait := reasonToWait(t, p); !wait.ByService || time.Until(wait.Until) != time.Minute {
			t.Errorf("%+v, want the time that the service named", wait)
		}
	})
	bubble(t, 1, func(t *testing.T, p *Pool) {
		l := closedBy(t, p)
		time.Sleep(time.Hour)
		one(p).Release(errTrouble)
		time.Sleep(time.Second)
		l.ReleaseEnded()
		onlyLease(t, p)
	})
}

// TestStreamsThatEndTogetherAreReopenedOneAfterTheOther, also if they come late, and old times are not kept.
func TestStreamsThatEndTogetherAreReopenedOneAfterTheOther(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		streams := []*Lease{closedBy(t, p)}
		for range 3 {
			for _, l := range admitted(p) {
				streams = append(streams, healthy(l))
			}
		}
		time.Sleep(time.Minute)
		var again []*Reopening
		for _, l := range streams {
			again = append(again, l.ReleaseEnded())
		}
		slices.SortFunc(again, func(a, b *Reopening) int { return a.at.Compare(b.at) })
		for i, r := range again[1:] {
			if gap := r.at.Sub(again[i].at); gap < reopenEvery {
				t.Errorf("streams are reopened within %s", gap)
			}
		}
		if last := time.Until(again[len(again)-1].at); last > reopenWithin+time.Duration(2*len(again))*reopenEvery {
			t.Errorf("the last of %d streams waits %s", len(again), last)
		}
		time.Sleep(time.Minute)
		if l, _, _, _ := p.tryActive(nil, again[0]); l == nil {
			t.Error("a stream that comes late has to wait")
		}
		if _, wait, _, _ := p.tryActive(nil, again[1]); time.Until(wait.Until) != reopenEvery {
			t.Errorf("the next one waits until %s", wait.Until)
		}
		for range 100 {
			time.Sleep(time.Second)
			one(p).ReleaseEnded()
		}
		if got := len(p.addresses[0].reopenings); got > 20 {
			t.Errorf("%d times are kept", got)
		}
	})
}
