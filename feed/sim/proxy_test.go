package sim_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
)

func TestProxyCutsSilentStreams(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		s.SetProxy(sim.Proxy{CutSilent: 60 * time.Second})
		idle, busy := s.stream("?partyId="+alice), s.stream("?partyId="+bruno)
		want(t, "idle", idle.lines(), empty) // each call takes a second
		want(t, "busy", busy.lines(), empty)
		time.Sleep(40 * time.Second)
		p := position(bruno, gold, 1)
		s.Update(p)
		want(t, "busy, after its update", busy.lines(), updates(p))
		time.Sleep(18 * time.Second)
		want(t, "idle, after a minute", idle.lines(), "[cut]")
		time.Sleep(38500 * time.Millisecond)
		want(t, "busy, 58 seconds after its update", busy.lines(), "")
		s.SetProxy(sim.Proxy{CutSilent: 60 * time.Second, Clean: true})
		want(t, "busy, 59 seconds after it", busy.lines(), "")
		want(t, "busy, a minute after it", busy.lines(), "[end]")
	})
}

func TestProxyRespondsForASilentService(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		s.SetProxy(sim.Proxy{CutSilent: 5 * time.Second})
		if response, _ := s.get(streams + "?partyId=" + alice + "&marketId=" + gold); response.StatusCode != http.StatusGatewayTimeout {
			t.Errorf("status %d", response.StatusCode)
		}
	})
}

func TestProxyCutsAllStreams(t *testing.T) {
	bubble(t, sim.Config{Seed: 1, Parties: 5, Markets: 5, Rate: 20}, func(t *testing.T, s *service) {
		s.SetProxy(sim.Proxy{CutAfter: 10500 * time.Millisecond})
		stream := s.stream("")
		for second := 1; second <= 10; second++ {
			if text := stream.lines(); strings.Contains(text, "[cut]") {
				t.Fatalf("cut in second %d", second)
			}
		}
		if text := stream.lines(); !strings.HasSuffix(text, "[cut]") {
			t.Errorf("not cut: %.100q", text)
		}
	})
}

func TestProxyHoldsBack(t *testing.T) {
	for _, encoding := range []string{"identity", "gzip"} {
		bubble(t, sim.Config{}, func(t *testing.T, s *service) {
			s.SetProxy(sim.Proxy{Hold: 25 * time.Second})
			sent := time.Now()
			small := s.send(streams, "Accept-Encoding: "+encoding)
			for range 24 {
				want(t, "held back", small.read(), "")
			}
			s.Update(position(alice, gold, 1))
			time.Sleep(500 * time.Millisecond)
			head, _, _ := strings.Cut(small.read(), "\r\n\r\n")
			if date := "Date: " + sent.UTC().Format(http.TimeFormat); !strings.Contains(head, date) {
				t.Errorf("%s: no %q in %q", encoding, date, head)
			}
			if text := small.read(); text != "" {
				t.Errorf("%s: more than was sent: %q", encoding, text)
			}
		})
	}
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		s.SetProxy(sim.Proxy{Hold: 25 * time.Second})
		stream := s.stream("")
		time.Sleep(23500 * time.Millisecond)
		one, two := position(alice, gold, 1), position(alice, gold, 2)
		s.Update(one)
		want(t, "before it is time", stream.lines(), "")
		want(t, "everything so far at once", stream.lines(), empty+updates(one))
		s.Update(two)
		want(t, "an update is held back too", stream.lines(), "")
		s.SetProxy(sim.Proxy{})
		want(t, "without the proxy", stream.lines(), updates(two))
		s.SetProxy(sim.Proxy{Hold: 25 * time.Second})
		s.Put(many(49)...)
		if got := strings.Count(s.stream("").lines(), "partyId"); got != 50 {
			t.Errorf("%d positions of a snapshot that is larger than what a proxy holds", got)
		}
	})
}
