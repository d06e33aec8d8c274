package endpoint

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/feed/wire"
	"blotter/model"
)

const oneTest = "http://one.test"

func (s *scene) probes() int { return s.requestsTo(wire.MarginPath + "?pagination.first=1") }

func TestConcurrentChecksShareOneRequest(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		since := time.Now()
		s.after(time.Second)
		var group sync.WaitGroup
		for range 50 {
			group.Go(func() {
				if at, err := s.pool.Verify(s.Context(), oneTest, since); err != nil || at.Before(since) {
					t.Errorf("sent at %s, %v", at, err)
				}
			})
		}
		group.Wait()
		if got := s.probes(); got != 1 {
			t.Errorf("%d requests", got)
		}
		s.after(time.Second)
		if _, err := s.pool.Verify(s.Context(), oneTest, since); err != nil || s.probes() != 1 {
			t.Errorf("%d requests, %v", s.probes(), err)
		}
	})
}

// TestOldCheckIsNotReused: a request that was sent before the silence began shows nothing about it.
func TestOldCheckIsNotReused(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		if _, err := s.pool.Verify(s.Context(), oneTest, time.Now()); err != nil {
			t.Fatal(err)
		}
		s.after(time.Second)
		s.node.Silence()
		silent := time.Now()
		if _, err := s.pool.Verify(s.Context(), oneTest, silent); err == nil {
			t.Error("the result of a check from before the silence is used")
		}
		s.node.EndSilence()
		s.after(10 * time.Second)
	})
	// If one is under way when the silence begins, Verify waits for it, and sends another.
	play(t, Config{}, func(s *scene) {
		s.node.SetMarginResponse(1, sim.Response{Status: 200, Body: `{"marginLevels":{}}`, Delay: 2 * time.Second})
		go func() { _, _ = s.pool.Verify(s.Context(), oneTest, time.Now()) }()
		s.after(time.Second)
		since := time.Now()
		if at, err := s.pool.Verify(s.Context(), oneTest, since); err != nil || at.Before(since) || s.probes() != 2 {
			t.Errorf("sent at %s, %d requests, %v", at, s.probes(), err)
		}
	})
}

func TestStatusBelow500ShowsThatTheServiceWorks(t *testing.T) {
	for status, works := range map[int]bool{200: true, 400: true, 401: true, 404: true, 429: false, 500: false, 503: false} {
		play(t, Config{}, func(s *scene) {
			s.node.SetMarginResponse(sim.Always, sim.Response{Status: status, Body: `{"marginLevels":{},"message":"bad day"}`})
			_, err := s.pool.Verify(s.Context(), oneTest, time.Now())
			if (err == nil) != works && status != 200 {
				t.Errorf("%d: %v", status, err)
			}
			if failure, ok := errors.AsType[*StatusError](err); !works && (!ok || failure.Status != status || failure.Words != "bad day") {
				t.Errorf("%d: %v", status, err)
			}
		})
	}
	play(t, Config{}, func(s *scene) {
		s.node.Silence()
		began := time.Now()
		if _, err := s.pool.Verify(s.Context(), oneTest, began); err == nil || OutcomeOf(err) != NoResponse || time.Since(began) != probeTimeout {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		s.node.EndSilence()
	})
}

// TestCheckThatCannotBeSentIsPostponed: drops have used all dials, so that nothing can be sent. The error has
// the time of the next try, and is not an earlier error.
func TestCheckThatCannotBeSentIsPostponed(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.node.SetStreamResponse(1000, sim.Response{Status: 200, Body: emptySnapshot, Cut: true})
		for range 6 {
			s.after(time.Second)
			s.pool.Retry()
			lease, err := s.pool.Acquire(s.Context(), nil, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			lease.Release(s.follow(lease))
		}
		s.pool.addresses[0].established++ // another stream is open, and is silent
		sentAt, err := s.pool.Verify(s.Context(), oneTest, time.Now())
		postponement := postponed(t, err)
		if !sentAt.IsZero() || s.probes() != 0 || time.Until(postponement.Until) < 50*time.Second {
			t.Errorf("sent at %s, %d requests, %+v", sentAt, s.probes(), postponement)
		}
		s.pool.Retry()
		time.Sleep(time.Until(postponement.Until))
		s.pool.Retry() // streams would take the dial that is free now
		lease, _, _, _ := s.pool.tryActive(nil, nil)
		if lease != nil {
			t.Error("a stream took the dial that the check waits for")
		}
		if sentAt, err = s.pool.Verify(s.Context(), oneTest, time.Now()); err != nil || sentAt.Before(postponement.Until) || s.probes() != 1 {
			t.Errorf("sent at %s, %d requests, %v", sentAt, s.probes(), err)
		}
	})
}

// TestEachCheckOfAFailingServiceIsSent: each gets its own response.
func TestEachCheckOfAFailingServiceIsSent(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.node.SetMarginResponse(sim.Always, sim.Response{Status: 500, Body: `{"message":"bad day"}`})
		for n := range 20 {
			_, err := s.pool.Verify(s.Context(), oneTest, time.Now())
			if err == nil || !strings.HasSuffix(err.Error(), "500: bad day") || s.probes() != n+1 {
				t.Fatalf("%d requests, %v", s.probes(), err)
			}
			s.after(6 * time.Second)
		}
	})
}

func TestVerifyEndsWithItsContextAndThePool(t *testing.T) {
	playBefore(t, []http.Handler{respondingAfter(10 * time.Second)}, Config{}, func(s *scene) {
		ctx, cancel := context.WithTimeout(s.Context(), time.Second)
		defer cancel()
		if _, err := s.pool.Verify(ctx, oneTest, time.Now()); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		go s.pool.Close()
		if _, err := s.pool.Verify(s.Context(), oneTest, time.Now()); err != ErrClosed {
			t.Error(err)
		}
		s.after(10 * time.Second)
	})
}

// TestAFailedCheckByAStreamIsAFailure of an audit: the next one waits, and nothing of it remains.
func TestAFailedCheckByAStreamIsAFailure(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.stream()
		s.after(time.Second)
		s.node.SetStreamResponse(sim.Always, sim.Response{Status: 503})
		if _, err := s.pool.VerifyByStream(s.Context(), oneTest, model.Key{}, time.Now()); OutcomeOf(err) != Fault {
			t.Error(err)
		}
		s.after(time.Millisecond)
		_, err := s.pool.VerifyByStream(s.Context(), oneTest, model.Key{}, time.Now())
		if postponement := postponed(t, err); time.Until(postponement.Until) < time.Second || s.requestsTo(wire.StreamPath) != 2 {
			t.Errorf("%d streams were requested, %+v", s.requestsTo(wire.StreamPath), postponement)
		}
	})
}

func TestIsLimit(t *testing.T) {
	limited, named, fault := &StatusError{Status: 429}, &StatusError{Status: 503, RetryAfter: time.Second}, &StatusError{Status: 503}
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, false}, {errTrouble, false}, {fault, false}, {named, true}, {limited, true}, {&PostponedError{Cause: limited}, true},
		{&PostponedError{Cause: fault}, false}, {&PostponedError{Cause: fault, ByService: true}, true},
	} {
		if got := IsLimit(c.err); got != c.want {
			t.Errorf("%v: %t", c.err, got)
		}
	}
}
