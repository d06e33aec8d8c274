package endpoint

import (
	"blotter/feed/sim"
	"blotter/model/modeltest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestManyStreamsRecoverQuickly: how long a trader waits after an outage, with the dials that are allowed in it.
func TestManyStreamsRecoverQuickly(t *testing.T) {
	for _, c := range []struct{ outage, within time.Duration }{
		{time.Second, 4 * time.Second}, {5 * time.Second, 20 * time.Second}, {10 * time.Minute, 24 * time.Second},
	} {
		play(t, Config{}, func(s *scene) {
			s.streams(50)
			s.after(time.Hour)
			s.listener.Kill()
			killed := time.Now()
			s.after(c.outage)
			s.CheckDialLimit(s, killed)
			if s.open() != 0 {
				t.Fatal("streams are open in an outage")
			}
			s.listener.Revive()
			s.after(c.within)
			if s.open() != 50 {
				t.Errorf("%d of 50 streams are back %s after an outage of %s", s.open(), c.within, c.outage)
			}
		})
	}
}

// TestConnectThenDrop: for a long time, every connection breaks as soon as it is open.
func TestConnectThenDrop(t *testing.T) {
	for name, how := range map[string]sim.Response{
		"before a byte":             {Status: 200, Cut: true},
		"after a snapshot":          {Status: 200, Body: emptySnapshot, Cut: true},
		"after a snapshot, cleanly": {Status: 200, Body: emptySnapshot},
		"with an error":             {Status: 500, Body: `{"error":{"code":13}}`},
		"refused":                   {Status: 404},
		"bad credentials":           {Status: 401},
	} {
		for _, n := range []int{1, 50} {
			play(t, Config{}, func(s *scene) {
				began := time.Now()
				s.node.SetStreamResponse(sim.Always, how)
				s.streams(n)
				s.after(20 * time.Minute)
				s.CheckDialLimit(s, began)
				dials := s.Dials()
				for i := max(1, len(dials)-5); i < len(dials); i++ {
					if gap := dials[i].Sub(dials[i-1]); gap < testTimes.MaxBackoff/2 {
						t.Errorf("%s: a retry came after %s: the backoff was reset", name, gap)
					}
				}
				s.node.SetStreamResponse(0, sim.Response{})
				s.pool.Retry()
				s.after(2 * time.Minute)
				if s.open() != int64(n) {
					t.Errorf("%s: %d of %d streams two minutes after the service works again", name, s.open(), n)
				}
			})
		}
	}
}

// TestDropsAfterAWhile: many streams break every few seconds. They must not all be opened again each time.
func TestDropsAfterAWhile(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.streams(50)
		for range 300 {
			s.after(3 * time.Second)
			s.node.Cut()
		}
		recent := 0
		for _, at := range s.Dials() {
			if time.Since(at) <= 10*time.Minute {
				recent++
			}
		}
		if recent > 60 {
			t.Errorf("%d tries to connect in the last ten minutes, want no more than six a minute", recent)
		}
	})
}

// TestPageKeysAtAServiceThatFails: however it fails, page keys dial no more often than streams may, the error is
// returned at once, and once the service works again, everything is as before.
func TestPageKeysAtAServiceThatFails(t *testing.T) {
	refuse := func(s *scene) {
		s.RefuseConnections(true)
		s.pool.client.close()
	}
	for _, c := range []struct {
		name       string
		fail, mend func(*scene)
		words      string
	}{
		{"its host is gone", func(s *scene) { s.listener.Kill() }, func(s *scene) { s.listener.Revive() }, "connection refused: nothing listens there; next try in "},
		{"it takes no connections", refuse, func(s *scene) { s.RefuseConnections(false) }, "connection refused: nothing listens there; next try in "},
		{"it is silent", func(s *scene) { s.node.Silence() }, func(s *scene) { s.node.EndSilence() }, "no response within 15s; next try in "},
		{"it responds with 503", func(s *scene) {
			s.node.SetMarginResponse(sim.Always, sim.Response{Status: 503, Body: `{"message":"bad day"}`})
		},
			func(s *scene) { s.node.SetMarginResponse(0, sim.Response{}) }, "the service responded with 503: bad day; next try in "},
		{"it breaks off", func(s *scene) { s.node.SetMarginResponse(sim.Always, sim.Response{Status: 200, Body: "{", Cut: true}) },
			func(s *scene) { s.node.SetMarginResponse(0, sim.Response{}) }, "connection lost (the response was cut short); next try in "},
		{"it responds with 503 to streams", func(s *scene) {
			s.node.SetStreamResponse(sim.Always, sim.Response{Status: 503})
			s.node.Cut()
		}, func(s *scene) { s.node.SetStreamResponse(0, sim.Response{}) }, ""},
	} {
		for _, streams := range []int{1, 0, 6}[:modeltest.Times(3)] {
			if streams == 0 && c.words == "" {
				continue
			}
			play(t, Config{}, func(s *scene) {
				s.streams(streams)
				s.page()
				s.after(time.Minute)
				if pages, failures := s.pressing(10 * time.Second); pages != 100 {
					t.Fatalf("%s, before: %d pages and %v", c.name, pages, failures)
				}
				c.fail(s)
				began := time.Now()
				synctest.Wait()
				pages, failures := s.pressing(2 * time.Minute)
				s.CheckDialLimit(s, began)
				returned := slices.ContainsFunc(failures, func(err error) bool { return strings.HasPrefix(err.Error(), c.words) })
				if c.words == "" && pages != 1200 || c.words != "" && (!returned || pages > 1) {
					t.Errorf("%s, %d streams: %d pages and %d failures, the last %v", c.name, streams, pages, len(failures), failures[max(0, len(failures)-1):])
				}
				c.mend(s)
				s.after(40 * time.Second)
				if pages, failures := s.pressing(10 * time.Second); pages != 100 {
					t.Errorf("%s, afterwards: %d pages and %v", c.name, pages, failures)
				}
				if s.open() != int64(streams) {
					t.Errorf("%s: %d streams, want %d", c.name, s.open(), streams)
				}
			})
		}
	}
}

// TestPageKeysDoNotDelayStreams: a service that works again is found as soon as without pressed keys.
func TestPageKeysDoNotDelayStreams(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.streams(1)
		s.after(time.Minute)
		s.page()
		s.listener.Kill()
		s.pressing(12 * time.Second)
		s.listener.Revive()
		s.after(25 * time.Second)
		if s.open() != 1 {
			t.Error("the stream is not open again")
		}
	})
}
