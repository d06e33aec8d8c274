package feed

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/sim"
	"blotter/feed/wire"
	"blotter/model"
	"blotter/model/modeltest"
)

func TestRefusedWithTheTextOfTheService(t *testing.T) {
	for _, c := range []struct {
		status    int
		body      string
		words     string
		redirects int
	}{
		{400, `{"error":{"code":3,"message":"InvalidArgument error","details":[{"message":"failed to send positions snapshot","inner":"not a valid hex id"}]}}`,
			"InvalidArgument error: failed to send positions snapshot: not a valid hex id", 0},
		{400, `{"code":3,"message":"parsing field \"x\": invalid syntax"}`, `parsing field "x": invalid syntax`, 0},
		{401, `{"code":16,"message":"no credentials","details":[]}`, "no credentials", 0},
		{403, `{"code":7,"message":"not for you"}`, "not for you", 0},
		{404, `{"code":5,"message":"Not Found","details":[]}`, "Not Found", 0},
		{404, "", "not found", 0},
		{405, "<html>\n<h1>Nope</h1>", "Nope", 0},
		{302, "", "it redirects to", 5},
	} {
		t.Run(fmt.Sprint(c.status), func(t *testing.T) {
			play(t, func(s *trial) {
				s.node.SetStreamResponse(sim.Always, sim.Response{Status: c.status, Body: c.body, Header: location(c.status)})
				s.watch("network", "")
				s.is(model.Refused, model.FreshConnecting)
				s.problemIs(c.words)
				if p := s.link().Problem; p.Status != c.status || !p.Refuse {
					t.Errorf("the problem is %+v, want status %d, refused", p, c.status)
				}
				s.after(time.Hour)
				if got := len(s.streams()); got < 5 || got > 20*(1+c.redirects) {
					t.Errorf("%d requests in an hour, want a few", got)
				}
				s.node.SetStreamResponse(0, sim.Response{})
				s.feed.Resync()
				s.takeAll()
				s.is(model.Live, model.FreshLive)
				s.problemIs("")
			})
		})
	}
}

// location returns the header of a redirect that leads to itself.
func location(status int) http.Header {
	if status != http.StatusFound {
		return nil
	}
	return http.Header{"Location": {"http://sim.test" + wire.StreamPath}}
}

func TestRefusedWithRowsOnTheScreen(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "b", 5))
		s.watch("network", "")
		s.node.SetStreamResponse(sim.Always, sim.Response{Status: 401, Body: `{"message":"expired"}`})
		s.node.Cut()
		s.after(time.Second)
		s.is(model.Refused, model.FreshStale)
		s.problemIs("expired")
		if advice := s.link().Problem.Advice; !strings.Contains(advice, "token") {
			t.Errorf("the advice is %q, want one about the token", advice)
		}
		s.rows("network/b 5")
	})
}

func TestRefusedSubscriptionsRespectTheLimitOfDials(t *testing.T) {
	for _, status := range []int{401, 404} {
		play(t, func(s *trial) {
			s.node.SetStreamResponse(sim.Always, sim.Response{Status: status, Body: `{"message":"no"}`})
			s.watchMany(50)
			s.CheckDialLimit(s.t, time.Time{})
			s.after(10 * time.Minute)
			s.CheckDialLimit(s.t, time.Time{})
			for i := range s.links {
				if p := s.links[i].Problem; p == nil || p.Words != "no" {
					s.t.Fatalf("%s: the problem is %+v, want the text of the service", s.links[i].Party, p)
				}
			}
		})
	}
}

// TestOneBadRequestDoesNotDelayTheOthers: the first subscriptions are refused because of their parameters.
func TestOneBadRequestDoesNotDelayTheOthers(t *testing.T) {
	play(t, func(s *trial) {
		s.node.SetStreamResponse(7, sim.Response{Status: 400, Body: `{"message":"no such party"}`})
		s.watchMany(50)
		phases := make(map[model.Phase]int)
		for i := range s.links {
			phases[s.links[i].Phase]++
		}
		if phases[model.Refused] != 7 || phases[model.Live] != 43 {
			t.Errorf("the phases are %v, want 7 refused and 43 live", phases)
		}
	})
}

// watchMany watches the given number of parties.
func (s *trial) watchMany(n int) {
	parties := make([]string, n)
	for i := range parties {
		parties[i] = fmt.Sprintf("%04x", i)
	}
	s.watch(strings.Join(parties, " "), "")
}

func TestTooManyAndBans(t *testing.T) {
	after := func(name, value string) http.Header { return http.Header{name: {value}} }
	for _, c := range []struct {
		name   string
		status int
		header http.Header
		wait   time.Duration // that the service names; 0 if it names none
	}{
		{"429", 429, nil, 0},
		{"429 with a time", 429, after("Retry-After", "97"), 97 * time.Second},
		{"503 with a time", 503, after("Retry-After", "41"), 41 * time.Second},
		{"403 with a time", 403, after("Retry-After", "600"), 600 * time.Second},
		{"403 with the other header", 403, after("Ratelimit-Retry-After", "600"), 600 * time.Second},
		{"403 with a date", 403, after("Retry-After", "Sat, 01 Jan 2000 00:05:00 GMT"), 300 * time.Second},
		{"400 with a time", 400, after("Retry-After", "1200"), 15 * time.Minute}, // the longest wait
	} {
		for _, n := range []int{1, 50} {
			t.Run(fmt.Sprintf("%s, %d subscriptions", c.name, n), func(t *testing.T) {
				play(t, func(s *trial) {
					s.node.SetStreamResponse(1, sim.Response{Status: c.status, Header: c.header, Body: `{"message":"too many requests"}`})
					began := time.Now()
					s.watchMany(n)
					if n == 1 {
						s.problemIs("too many requests")
						if got := s.link().ByService; got != (c.wait > 0) {
							t.Errorf("banned is %t", got)
						}
					}
					s.after(max(c.wait, time.Second) + time.Minute)
					if c.status != 400 {
						s.is(model.Live, model.FreshQuiet)
					}
					again := s.Dials()[1].Sub(began)
					switch {
					case c.status == 400 && n > 1: // concerns only one of them
					case again < c.wait:
						t.Errorf("tried again after %s, before %s had passed", again, c.wait)
					case again > c.wait+time.Second && c.status != 400:
						t.Errorf("tried again after %s, long after %s", again, c.wait)
					}
				})
			})
		}
	}
}

// TestConnectThenDrop: every connection breaks as soon as it is open, a thousand times; if the tests are not
// thorough, 200 times, and that of one subscription only.
func TestConnectThenDrop(t *testing.T) {
	snapshot := pageText(true, rowText("network", "b", 1, 1))
	for _, c := range []struct {
		name string
		how  sim.Response
	}{
		{"before a byte", sim.Response{Status: 200, Cut: true}},
		{"after a snapshot", sim.Response{Status: 200, Body: snapshot, Cut: true}},
		{"after a snapshot, cleanly", sim.Response{Status: 200, Body: snapshot}},
		{"with an error", sim.Response{Status: 500, Body: `{"error":{"code":13}}`}},
	} {
		for _, n := range []int{1, 50}[:modeltest.Times(2)] {
			t.Run(fmt.Sprintf("%s, %d subscriptions", c.name, n), func(t *testing.T) {
				drops := modeltest.Times(1000)
				play(t, func(s *trial) {
					s.node.SetStreamResponse(drops, c.how)
					s.watchMany(n)
					s.after(20 * time.Minute)
					s.CheckDialLimit(s.t, time.Time{})
					dials := s.Dials()
					if first := dials[1].Sub(dials[0]); first > time.Second {
						t.Errorf("the first retry came after %s", first)
					}
					last := len(dials) - 1
					for i := last - 10; i < last; i++ {
						if gap := dials[i+1].Sub(dials[i]); gap < DefaultTimes().MaxBackoff/2 {
							t.Errorf("a retry came after %s: the backoff was reset", gap)
						}
					}
					for len(s.streams()) < drops {
						s.after(10 * time.Second)
					}
					s.CheckDialLimit(s.t, time.Time{})
					s.after(2 * time.Minute)
					for i := range s.links {
						if s.links[i].Phase != model.Live {
							s.t.Fatalf("%s is %s two minutes after the service works again", s.links[i].Party, s.links[i].Phase)
						}
					}
				})
			})
		}
	}
}

// TestDropsAfterAWhile: many streams break every few seconds. They must not all be opened again each time.
func TestDropsAfterAWhile(t *testing.T) {
	play(t, func(s *trial) {
		s.watchMany(50)
		for range 300 {
			s.after(3 * time.Second)
			s.node.Cut()
		}
		dials := s.Dials()
		recent := slices.DeleteFunc(dials, func(at time.Time) bool { return time.Since(at) > 10*time.Minute })
		if len(recent) > 90 { // audits may begin although the dials are used, if others have just worked
			t.Errorf("%d tries to connect in the last ten minutes, want six a minute and some audits", len(recent))
		}
	})
}

func TestOnlyAHealthyStreamResetsTheBackoff(t *testing.T) {
	for _, c := range []struct {
		stays time.Duration
		quick bool
	}{{50 * time.Second, false}, {61 * time.Second, true}} {
		play(t, func(s *trial) {
			s.listener.Kill()
			s.watch("network", "")
			s.after(10 * time.Minute)
			s.listener.Revive()
			for s.link().Phase != model.Live {
				s.after(100 * time.Millisecond)
			}
			s.after(c.stays)
			s.listener.Kill()
			for s.link().Attempt == 0 { // it is opened once more at once
				s.after(10 * time.Millisecond)
			}
			if wait := time.Until(s.link().RetryAt); wait <= time.Second != c.quick {
				t.Errorf("after a healthy stream of %s the next try comes in %s", c.stays, wait)
			}
		})
	}
}

func TestManyRecoverQuickly(t *testing.T) {
	for _, c := range []struct{ outage, within time.Duration }{
		{time.Second, 4 * time.Second}, {5 * time.Second, 20 * time.Second}, {10 * time.Minute, DefaultTimes().MaxBackoff + 4*time.Second},
	} {
		t.Run(c.outage.String(), func(t *testing.T) {
			play(t, func(s *trial) {
				for i := range 50 {
					s.node.Put(held(fmt.Sprintf("%04x", i), "b", 1))
				}
				s.watchMany(50)
				s.after(time.Second)
				s.sameAsService()
				s.after(10 * time.Minute)
				s.listener.Kill()
				s.after(c.outage)
				s.is(model.Waiting, model.FreshStale)
				for i := range s.links {
					if p := s.links[i].Problem; p == nil || p.Words == "" {
						s.t.Fatalf("the problem is %+v, want words", p)
					}
				}
				s.listener.Revive()
				s.after(c.within)
				s.isLive()
				s.sameAsService()
			})
		})
	}
}

func TestAllSubscriptionsShowWhyOneFails(t *testing.T) {
	play(t, func(s *trial) {
		s.listener.Kill()
		s.watchMany(50)
		s.is(model.Waiting, model.FreshConnecting)
		for i := range s.links {
			if p := s.links[i].Problem; p == nil || p.Words != "connection refused: nothing listens there" {
				t.Errorf("the problem of %s is %+v, want the refused connection", s.links[i].Party, p)
			}
		}
		s.CheckDialLimit(s.t, time.Time{})
	})
}

func TestResyncTriesAtOnceButNoMoreThanSixTimes(t *testing.T) {
	play(t, func(s *trial) {
		s.watch("network", "")
		s.after(10 * time.Minute)
		s.listener.Kill()
		before := len(s.Dials())
		for range 100 {
			s.feed.Resync()
			s.after(100 * time.Millisecond)
		}
		if got := len(s.Dials()) - before; got != 6 {
			t.Errorf("%d tries, want 6", got)
		}
		s.is(model.Waiting, model.FreshStale)
		s.listener.Revive()
		s.after(time.Minute)
		s.sameAsService()
		s.problemIs("")
	})
}

// TestStreamsThatWaitForOthers: they are connecting, also if they were lost, while ten others are being opened. While
// one tries an address that has failed, they wait.
func TestStreamsThatWaitForOthers(t *testing.T) {
	phases := func(s *trial) map[model.Phase]int {
		counts := make(map[model.Phase]int)
		for i := range s.links {
			counts[s.links[i].Phase]++
		}
		return counts
	}
	config := unaudited
	var hangs atomic.Bool
	config.Token, config.InsecureToken = func(ctx context.Context) (string, error) {
		if hangs.Load() {
			<-ctx.Done()
		}
		return "the-token-itself", ctx.Err()
	}, true
	playWith(t, sim.Config{}, config, func(s *trial) {
		s.watchMany(12)
		s.after(endpoint.EndsFrom + time.Second)
		hangs.Store(true)
		s.node.End()
		s.after(5 * time.Second)
		if got := phases(s); got[model.Connecting] != 12 {
			t.Errorf("while ten are being opened, there are %v", got)
		}
	})
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.watchMany(3)
		s.after(time.Second)
		s.node.HoldSnapshot(0)
		s.node.Drop()
		s.after(2 * time.Second)
		if got := phases(s); got[model.Connecting] != 1 || got[model.Waiting] != 2 {
			t.Errorf("while one is tried, there are %v", got)
		}
		s.node.Release()
	})
}

// TestRefusalsOfBeforeAHealthyStreamDoNotCount: the address that refused it is tried again, and the waits begin with
// the first one.
func TestRefusalsOfBeforeAHealthyStreamDoNotCount(t *testing.T) {
	playWith(t, sim.Config{}, Config{Service: endpoint.Service{BaseURLs: []string{"http://one.test", "http://two.test"}}}, func(s *trial) {
		s.node.SetStreamResponse(1, sim.Response{Status: 400})
		s.watch("network", "")
		s.is(model.Live, model.FreshLive)
		s.node.SetStreamResponse(1, sim.Response{Status: 503, Header: http.Header{"Retry-After": {"60"}}})
		s.node.Cut()
		s.after(5 * time.Second)
		s.isLive()
	})
	play(t, func(s *trial) {
		refusal := sim.Response{Status: 401}
		s.node.SetStreamResponse(2, refusal)
		s.watch("network", "")
		for _, attempt := range []int{1, 2} {
			if got := s.link().Attempt; got != attempt {
				t.Errorf("retry %d, want %d", got, attempt)
			}
			s.feed.Resync()
			s.takeAll()
		}
		s.is(model.Live, model.FreshLive)
		s.node.SetStreamResponse(1, refusal)
		s.node.Cut()
		s.after(time.Second)
		if got := s.link(); got.Phase != model.Refused || got.Attempt != 1 {
			t.Errorf("%s, retry %d, want the first", got.Phase, got.Attempt)
		}
	})
}

// TestTheTimeOfOneRefusalIsNotThatOfTheNext, which names none.
func TestTheTimeOfOneRefusalIsNotThatOfTheNext(t *testing.T) {
	play(t, func(s *trial) {
		s.node.SetStreamResponse(1, sim.Response{Status: 400, Header: http.Header{"Retry-After": {"900"}}})
		s.node.SetStreamResponse(1, sim.Response{Status: 400})
		s.watch("network", "")
		for _, byService := range []bool{true, false} {
			if got := s.link(); got.Phase != model.Refused || got.ByService != byService {
				t.Errorf("%s, the service named the time: %t, want %t", got.Phase, got.ByService, byService)
			}
			s.after(time.Until(s.link().RetryAt))
		}
		s.isLive()
	})
}

// TestTheAddressThatIsTriedNextIsShown while a stream waits, and what happened at the last one.
func TestTheAddressThatIsTriedNextIsShown(t *testing.T) {
	playWith(t, sim.Config{}, Config{Service: endpoint.Service{BaseURLs: []string{"http://one.test", "http://two.test"}}}, func(s *trial) {
		for _, wait := range []string{"20", "60"} {
			s.node.SetStreamResponse(1, sim.Response{Status: 503, Header: http.Header{"Retry-After": {wait}}})
		}
		s.watch("network", "")
		s.is(model.Waiting, model.FreshConnecting)
		if l := s.link(); l.Address != "http://one.test" || l.Problem.Address != "http://two.test" {
			t.Errorf("%s is next, after a problem at %s", l.Address, l.Problem.Address)
		}
	})
}

// TestARefusalOfOneAddressIsNotTheEnd: another address may accept what the first refuses, and the error names the
// address that refused.
func TestARefusalOfOneAddressIsNotTheEnd(t *testing.T) {
	for _, status := range []int{401, 404, 425} {
		playWith(t, sim.Config{}, Config{Service: endpoint.Service{BaseURLs: []string{"http://one.test", "http://two.test"}}}, func(s *trial) {
			s.node.Put(held("network", "b", 5))
			s.node.SetStreamResponse(1, sim.Response{Status: status, Body: `{"message":"not here"}`})
			s.watch("network", "")
			s.after(2 * time.Second)
			s.rows("network/b 5")
			if got := s.link(); got.Phase != model.Live || got.Address != "http://two.test" {
				t.Errorf("%d: %s at %s", status, got.Phase, got.Address)
			}
		})
		playWith(t, sim.Config{}, Config{Service: endpoint.Service{BaseURLs: []string{"http://one.test", "http://two.test"}}}, func(s *trial) {
			s.node.SetStreamResponse(sim.Always, sim.Response{Status: status, Body: `{"message":"not here"}`})
			s.watch("network", "")
			s.after(2 * time.Second)
			if got := s.link(); got.Phase != model.Refused || got.Problem.Address != "http://two.test" || got.Problem.Status != status {
				t.Errorf("%d: %s with %+v", status, got.Phase, got.Problem)
			}
		})
	}
}

// TestStreamsOverTheLimitOfDialsAreConnecting: they are opened later, but nothing has failed.
func TestStreamsOverTheLimitOfDialsAreConnecting(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		for range 7 { // in turn, so that none stays open long enough to show that the service works
			s.watchAgain()
			s.watch("network", "")
		}
		s.is(model.Connecting, model.FreshConnecting)
		s.after(time.Minute)
		s.isLive()
	})
}
