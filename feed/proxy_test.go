package feed

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/modeltest"
)

// TestStreamsBehindAProxyThatCutsThem: 60 parties for an hour, silent or with updates all the time. Each stream that
// ends is opened again at once, so that its rows are stale for a small part of the time only.
func TestStreamsBehindAProxyThatCutsThem(t *testing.T) {
	const parties, step = 60, 3 * time.Second
	lasts := 10 * time.Minute
	if modeltest.IsThorough {
		lasts = time.Hour
	}
	for _, c := range []struct {
		name  string
		proxy sim.Proxy
		busy  bool
		most  float64 // of the time
	}{
		{"silent, cut after 60s", sim.Proxy{CutSilent: time.Minute}, false, 0.02},
		{"silent, ended after 30s", sim.Proxy{CutSilent: 30 * time.Second, Clean: true}, false, 0.05},
		{"busy, cut after 60s", sim.Proxy{CutAfter: time.Minute}, true, 0.02},
		{"busy, ended after 30s", sim.Proxy{CutAfter: 30 * time.Second, Clean: true}, true, 0.05},
	} {
		t.Run(c.name, func(t *testing.T) {
			playWith(t, sim.Config{}, unaudited, func(s *trial) {
				s.node.SetProxy(c.proxy)
				for i := range parties {
					s.node.Put(held(fmt.Sprintf("%04x", i), "b", 1))
				}
				s.watchMany(parties)
				stale, looks := 0, 0
				for at := range lasts / step {
					if c.busy {
						s.node.Update(held(fmt.Sprintf("%04x", int(at)%parties), "b", int64(at)))
					}
					time.Sleep(step)
					s.takeAll()
					for i := range s.links {
						looks++
						if how, _ := s.links[i].Freshness(time.Now()); how == model.FreshStale {
							stale++
						}
					}
				}
				part := float64(stale) / float64(looks)
				if looks != parties*int(lasts/step) || part > c.most {
					t.Errorf("the rows were stale for %.1f%% of the time, want at most %.0f%%", 100*part, 100*c.most)
				}
			})
		})
	}
}

// TestManyStreamsThatAreCutOften are opened again at most five times a second, however many they are.
func TestManyStreamsThatAreCutOften(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.SetProxy(sim.Proxy{CutAfter: 12 * time.Second})
		s.watchMany(225)
		s.after(12 * time.Second)
		began := time.Now()
		minutes := modeltest.Times(5)
		s.after(time.Duration(minutes) * time.Minute)
		var dials []time.Time
		for _, at := range s.Dials() {
			if at.After(began) {
				dials = append(dials, at)
			}
		}
		slices.SortFunc(dials, time.Time.Compare)
		for i := range dials[5:] {
			if took := dials[i+5].Sub(dials[i]); took < time.Second {
				t.Fatalf("six streams were opened within %s", took)
			}
		}
		if len(dials) < 4*60*minutes {
			t.Errorf("%d streams were opened in %d minutes", len(dials), minutes)
		}
	})
}
