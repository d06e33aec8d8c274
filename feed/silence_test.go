package feed

import (
	"strings"
	"testing"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/follow"
	"blotter/feed/sim"
	"blotter/feed/wire"
	"blotter/model"
	"blotter/model/modeltest"
)

// probes returns how many checks the service got.
func (s *trial) probes() (n int) {
	for _, r := range s.node.Requests() {
		if strings.HasSuffix(r.URI, wire.MarginPath+"?pagination.first=1") {
			n++
		}
	}
	return n
}

// unaudited is a configuration without audits.
var unaudited = Config{Times: Times{StreamTimes: follow.StreamTimes{AuditEvery: -1}}}

func TestVerifiedSilence(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.Put(held("network", "b", 5))
		s.watch("network", "")
		s.after(9900 * time.Millisecond)
		s.is(model.Live, model.FreshLive)
		s.after(200 * time.Millisecond)
		s.is(model.Live, model.FreshQuiet)
		if got := s.probes(); got != 1 {
			t.Errorf("%d probes after ten seconds, want 1", got)
		}
		if since := time.Since(s.link().RespondedAt); since > time.Second {
			t.Errorf("response %s ago", since)
		}
		s.after(10 * time.Minute)
		s.is(model.Live, model.FreshQuiet)
		if got := s.probes(); got != 41 {
			t.Errorf("%d probes, want 41: every 15 s", got)
		}
		s.node.Update(held("network", "b", 6))
		s.takeAll()
		s.is(model.Live, model.FreshLive)
		s.rows("network/b 6")
	})
}

func TestNoProbeWhileMessagesCome(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.watch("network", "")
		for i := range 60 {
			if i == 30 {
				s.node.Stamp(func(time.Time) int64 { return sim.NoTime })
			}
			s.after(9 * time.Second)
			s.node.Update(held("network", "b", 6))
		}
		if got := s.probes(); got != 0 {
			t.Errorf("%d probes, want none", got)
		}
	})
}

// TestResyncChecksASilentStreamAtOnce, but not one that has just sent a message.
func TestResyncChecksASilentStreamAtOnce(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.watch("network", "")
		for i := range 2 {
			s.feed.Resync()
			s.takeAll()
			if got := s.probes(); got != i {
				t.Errorf("%d checks, want %d", got, i)
			}
			s.after(5 * time.Second)
		}
	})
}

func TestManySilentStreamsShareOneProbe(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.watchMany(50)
		s.after(10 * time.Minute)
		s.isLive()
		if got := s.probes(); got > 85 {
			t.Errorf("%d probes in ten minutes for 50 subscriptions", got)
		}
	})
}

// TestDeadServiceIsReportedWithinHalfAMinute stops the service at any moment: its connections stay open, and nothing
// comes.
func TestDeadServiceIsReportedWithinHalfAMinute(t *testing.T) {
	for n, tries := range map[int]int{1: 50, 50: 10} {
		for try := range modeltest.Times(tries) {
			after := time.Duration(try) * 30 * time.Second / time.Duration(modeltest.Times(tries))
			play(t, func(s *trial) {
				s.watchMany(n)
				s.after(time.Minute + after)
				s.node.Silence()
				began, before := time.Now(), len(s.Dials())
				s.after(30 * time.Second)
				for i := range s.links {
					if l := &s.links[i]; l.StaleSince.IsZero() || l.Problem == nil || !strings.Contains(l.Problem.Words, "does not respond") && !strings.Contains(l.Problem.Words, "no snapshot") {
						s.t.Fatalf("stopped after %s: half a minute later %s is %s, stale since %s, with %+v", after, l.Party, l.Phase, l.StaleSince, l.Problem)
					}
				}
				s.after(10 * time.Minute)
				minutes := int(time.Since(began)/time.Minute) + 1
				if got := len(s.Dials()) - before; got > 8*minutes {
					s.t.Fatalf("%d tries to connect in %d minutes", got, minutes)
				}
				s.node.EndSilence()
				s.after(40 * time.Second)
				s.isLive()
			})
		}
	}
}

func TestOneFailedProbeDoesNotMakeRowsStale(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.watch("network", "")
		s.node.SetMarginResponse(1, sim.Response{Status: 503})
		s.after(20 * time.Second)
		s.isLive()
		s.node.SetMarginResponse(1, sim.Response{}) // not even headers
		s.after(time.Minute)
		s.isLive()
	})
}

// TestAFailedProbeThatTheStreamHasOvertakenDoesNotCount: the stream has sent a message since the check was sent.
func TestAFailedProbeThatTheStreamHasOvertakenDoesNotCount(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.SetMarginResponse(sim.Always, sim.Response{Status: 503, Delay: 3 * time.Second})
		s.watch("network", "")
		s.after(11 * time.Second) // a check is under way
		s.node.Update(held("network", "b", 6))
		s.after(9 * time.Second)
		if got := s.probes(); got != 1 {
			t.Errorf("%d checks, want 1: the stream has sent a message 9 s ago", got)
		}
		s.after(5 * time.Second) // the second check fails, and is the first that counts
		s.isLive()
		s.after(10 * time.Second)
		s.is(model.Live, model.FreshStale)
	})
}

// TestACheckThatIsDueWhileAnotherIsUnderWay is not lost, also if the stream has sent a message since that was sent.
func TestACheckThatIsDueWhileAnotherIsUnderWay(t *testing.T) {
	config := unaudited
	config.Times.ProbeAfter = time.Second
	playWith(t, sim.Config{}, config, func(s *trial) {
		s.node.SetMarginResponse(1, sim.Response{Status: 404, Delay: 3 * time.Second})
		s.watch("network", "")
		s.after(1500 * time.Millisecond) // a check is under way
		s.node.Update(held("network", "b", 6))
		s.after(10 * time.Minute)
		s.is(model.Live, model.FreshQuiet)
	})
}

// TestProblemOfAFailedProbeHasItsStatus: a response with status 500 is not the same as no response.
func TestProblemOfAFailedProbeHasItsStatus(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.SetMarginResponse(sim.Always, sim.Response{Status: 500, Body: `{"message":"bad day"}`})
		s.watch("network", "")
		s.after(time.Minute)
		s.is(model.Live, model.FreshStale)
		p := s.link().Problem
		if want := "the stream is silent, and the response to the check was 500: bad day"; p.Words != want || !strings.Contains(p.Advice, "a fault of its own") {
			t.Errorf("the problem is %q, want %q; the advice is %q", p.Words, want, p.Advice)
		}
	})
}

func TestRefusedProbeShowsThatTheServiceWorks(t *testing.T) {
	for _, status := range []int{400, 401, 404, 429} {
		playWith(t, sim.Config{}, unaudited, func(s *trial) {
			s.node.SetMarginResponse(sim.Always, sim.Response{Status: status})
			s.watch("network", "")
			s.after(5 * time.Minute)
			s.isLive()
		})
	}
}

// TestNoProbeBeforeTheTimeThatTheServiceNamed: pages are banned, and the stream continues.
func TestNoProbeBeforeTheTimeThatTheServiceNamed(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.SetMarginResponse(1, sim.Response{Status: 403, Header: map[string][]string{"Ratelimit-Retry-After": {"600"}}})
		s.watch("network", "")
		s.after(11 * time.Second)
		s.is(model.Live, model.FreshQuiet)
		s.after(9 * time.Minute)
		if got := s.probes(); got != 1 {
			t.Errorf("%d probes, want 1", got)
		}
		s.is(model.Live, model.FreshQuiet) // the service works, but it limits requests
		s.after(61 * time.Second)
		if l := s.link(); s.probes() != 2 || time.Since(l.RespondedAt) > 2*time.Second || !l.PostponedUntil.IsZero() {
			t.Errorf("%d probes, verified at %s, can be checked at %s", s.probes(), l.RespondedAt, l.PostponedUntil)
		}
		s.node.Update(held("network", "b", 6))
		s.takeAll()
		s.is(model.Live, model.FreshLive)
		s.after(3 * time.Minute)
		s.isLive()
	})
}

// TestALimitKeepsRowsQuietForAMinute: pages are banned for ten minutes. A second stream is opened about once a minute,
// for all subscriptions together, to check the service.
func TestALimitKeepsRowsQuietForAMinute(t *testing.T) {
	for name, limit := range map[string]sim.Response{
		"a ban": {Status: 403, Header: map[string][]string{"Ratelimit-Retry-After": {"600"}}}, "429": {Status: 429},
		"Retry-After": {Status: 503, Header: map[string][]string{"Retry-After": {"600"}}},
	} {
		playWith(t, sim.Config{}, unaudited, func(s *trial) {
			s.node.SetMarginResponse(sim.Always, limit)
			s.watchMany(5)
			for range 9 * 60 {
				s.after(time.Second)
				s.isLive()
			}
			if got := len(s.streams()) - 5; got < 5 || got > 9 {
				t.Errorf("%s: %d streams to check the service in nine minutes", name, got)
			}
			s.node.Silence()
			s.after(2 * time.Minute)
			s.is(model.Live, model.FreshStale)
			if p := s.links[0].Problem; p == nil || !strings.Contains(p.Words, "the stream is silent") {
				t.Errorf("%s: the problem is %+v", name, p)
			}
			s.node.EndSilence()
			s.after(time.Minute)
			s.isLive()
		})
	}
}

// TestPagesThatHangAreNoLimit: rows of a silent stream are stale after 45 seconds, however the next checks are
// postponed.
func TestPagesThatHangAreNoLimit(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.SetMarginResponse(sim.Always, sim.Response{Delay: time.Hour})
		s.watch("network", "")
		for range 10 * 60 { // the failures of pages open the circuit breaker for pages
			go func() { _, _ = s.feed.Page(s.t.Context(), model.PageRequest{Size: 1}) }()
			s.after(time.Second)
			if time.Since(s.link().MessageAt) > 45*time.Second {
				s.is(model.Live, model.FreshStale)
			}
		}
		if p := s.link().Problem; p == nil || !strings.Contains(p.Words, "the stream is silent") {
			t.Errorf("the problem is %+v", p)
		}
		s.node.Update(held("network", "b", 1))
		s.takeAll()
		s.is(model.Live, model.FreshLive)
	})
}

func TestHalfASnapshotThenSilence(t *testing.T) {
	for _, c := range []struct{ name, half, words string }{
		{"in the first message", `{"result":{"snap`, "the snapshot stopped in the middle of its first message"},
		{"between pages", pageText(false, rowText("network", "b", 1, 1)), "the snapshot stopped after 1 position"},
	} {
		t.Run(c.name, func(t *testing.T) {
			play(t, func(s *trial) {
				s.node.SetStreamResponse(1, openResponse(c.half))
				s.watch("network", "")
				s.after(29 * time.Second)
				s.rows()
				if l := s.link(); l.Committed || l.Phase == model.Waiting {
					t.Errorf("the link is %+v", l)
				}
				s.after(1010 * time.Millisecond)
				s.is(model.Waiting, model.FreshConnecting)
				s.problemIs(c.words)
			})
		})
	}
}

// TestSnapshotWithoutProgressIsClosed: white space, empty pages and bytes of one message are no progress.
func TestSnapshotWithoutProgressIsClosed(t *testing.T) {
	for _, piece := range []string{" ", "{}\n", pageText(false), "x"} {
		play(t, func(s *trial) {
			began := `{"result":{}}`
			if piece == "x" {
				began += `{"x":"`
			}
			s.node.SetStreamResponse(1, openResponse(began))
			s.watch("network", "")
			for range 15 {
				s.after(2 * time.Second)
				s.node.Raw([]byte(piece))
			}
			s.after(10 * time.Millisecond)
			s.is(model.Waiting, model.FreshConnecting)
		})
	}
}

// TestStreamWithHalfAMessageIsClosedInTheEnd: no later message can be read before the end of that one.
func TestStreamWithHalfAMessageIsClosedInTheEnd(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.Put(held("network", "b", 5))
		s.watch("network", "")
		s.node.Raw([]byte(`{"result":{"`))
		for range 5 {
			s.after(5 * time.Second)
			s.node.Raw([]byte(strings.Repeat("x", 2000)))
		}
		s.isLive()
		s.after(10 * time.Second)
		if s.link().ConnectedAt.Before(time.Now().Add(-20*time.Second)) && s.link().Phase == model.Live {
			t.Error("the stream is not closed")
		}
		if got := s.link().Bytes; got < 10_000 {
			t.Errorf("%d bytes are counted", got)
		}
	})
}

func TestStreamWithEmptyMessagesIsQuiet(t *testing.T) {
	for _, piece := range []string{"{}", " \n", `{"result":{}}`, updateText()} {
		playWith(t, sim.Config{}, unaudited, func(s *trial) {
			s.node.Put(held("network", "b", 5))
			s.watch("network", "")
			for range 30 {
				s.after(2 * time.Second)
				s.node.Raw([]byte(piece))
			}
			s.takeAll()
			s.is(model.Live, model.FreshQuiet)
			if l := s.link(); time.Since(l.MessageAt) < 50*time.Second || time.Since(l.RespondedAt) > 20*time.Second {
				t.Errorf("after %q: message %s ago, verified %s ago", piece, time.Since(l.MessageAt), time.Since(l.RespondedAt))
			}
		})
	}
}

func TestSecondAddressIsTriedWhereTheFirstMakesNoProgress(t *testing.T) {
	playWith(t, sim.Config{}, Config{Service: endpoint.Service{BaseURLs: []string{"http://one.test", "http://two.test"}}}, func(s *trial) {
		s.node.Put(held("network", "b", 5))
		s.node.SetStreamResponse(1, openResponse(" "))
		s.watch("network", "")
		s.after(31 * time.Second)
		s.is(model.Live, model.FreshLive)
		if got := s.link().Address; got != "http://two.test" {
			t.Errorf("connected to %s", got)
		}
	})
}

func TestSlowPagesAreWaitedFor(t *testing.T) {
	play(t, func(s *trial) {
		s.node.SetStreamResponse(1, openResponse(""))
		s.watch("network", "")
		for i, market := range []string{"a", "b", "c", "d"} {
			s.after(20 * time.Second)
			s.node.Raw([]byte(pageText(market == "d", rowText("network", market, i, 1))))
		}
		s.takeAll()
		s.is(model.Live, model.FreshLive)
		s.rows("network/a 0", "network/b 1", "network/c 2", "network/d 3")
	})
}

// TestHeadersThenSilence: headers alone are no snapshot.
func TestHeadersThenSilence(t *testing.T) {
	play(t, func(s *trial) {
		s.node.SetStreamResponse(1, openResponse(""))
		s.watch("network", "")
		s.after(30*time.Second + 10*time.Millisecond)
		s.is(model.Waiting, model.FreshConnecting)
	})
}

// TestRowsStayWhileTheServiceIsSilent: rows are not dropped because nothing comes.
func TestRowsStayWhileTheServiceIsSilent(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "bb", 5))
		s.watch("network", "bb")
		s.node.Silence()
		s.after(time.Hour) // audits and probes
		s.is(model.Live, model.FreshStale)
		s.rows("network/bb 5")
		s.node.Cut()
		s.after(time.Hour) // reconnects
		s.rows("network/bb 5")
		if freshness, _ := s.link().Freshness(time.Now()); freshness != model.FreshStale {
			t.Errorf("the link is %s", freshness)
		}
		s.node.EndSilence()
		s.after(3 * time.Minute)
		s.isLive()
		s.sameAsService()
		s.node.Remove(held("network", "bb", 5).Key())
		s.node.Cut()
		s.after(5 * time.Second)
		s.isLive()
		s.rows()
	})
}

// TestStatusWithAnEndlessBodyIsReported: the status comes, and the text of the error never does.
func TestStatusWithAnEndlessBodyIsReported(t *testing.T) {
	play(t, func(s *trial) {
		s.node.SetStreamResponse(1, sim.Response{Status: 503, Body: "{", Open: true})
		s.watch("network", "bb")
		s.after(1100 * time.Millisecond)
		s.is(model.Waiting, model.FreshConnecting)
	})
}

// TestStaleSinceTheLastMessageOrCheck: not since the loss was found.
func TestStaleSinceTheLastMessageOrCheck(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.Put(held("network", "b", 5))
		s.watch("network", "")
		s.after(25 * time.Second) // verified after 10 s
		last := s.link().RespondedAt
		s.node.Silence()
		s.after(40 * time.Second)
		if l := s.link(); !l.StaleSince.Equal(last) && l.StaleSince.Sub(last) > 15*time.Second || l.StaleSince.After(l.LastReceived()) {
			t.Errorf("stale since %s, and the last message or response came at %s", l.StaleSince, l.LastReceived())
		}
		s.node.EndSilence()
		s.after(time.Minute)
		s.isLive()
		s.node.Update(held("network", "b", 6))
		s.takeAll()
		last = time.Now()
		s.after(5 * time.Second)
		s.listener.Kill()
		s.takeAll()
		if since := s.link().StaleSince; !since.Equal(last) {
			t.Errorf("stale since %s, and the last message or response came at %s", since, last)
		}
		s.node.SetStreamResponse(sim.Always, sim.Response{Status: 200, Body: pageText(false, rowText("network", "b", 7, 1)), Cut: true})
		s.listener.Revive()
		s.after(2 * time.Second) // streams that break before their snapshots are whole
		if since := s.link().StaleSince; s.link().Tries < 2 || !since.Equal(last) {
			t.Errorf("stale since %s, not since %s, after %d streams", since, last, s.link().Tries)
		}
	})
}
