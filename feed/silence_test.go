package feed

import (
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// probes is how often the service was asked whether it is there.
func (s *trial) probes() (n int) {
	for _, r := range s.node.Requests() {
		if strings.HasSuffix(r.URI, marginPath+"?pagination.first=1") {
			n++
		}
	}
	return n
}

// unaudited has no audits come between.
var unaudited = Config{Times: Times{AuditEvery: -1}}

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
		if since := time.Since(s.link().VerifiedAt); since > time.Second {
			t.Errorf("verified %s ago", since)
		}
		s.after(10 * time.Minute)
		s.is(model.Live, model.FreshQuiet)
		if got := s.probes(); got != 41 {
			t.Errorf("%d probes, want 41: every 15 s", got)
		}
		s.node.Update(held("network", "b", 6))
		s.settle()
		s.is(model.Live, model.FreshLive)
		s.rows("network/b 6")
	})
}

func TestNothingIsProbedWhileTheStreamSpeaks(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.watch("network", "")
		for range 60 {
			s.after(9 * time.Second)
			s.node.Update(held("network", "b", 6))
		}
		if got := s.probes(); got != 0 {
			t.Errorf("%d probes, want none", got)
		}
	})
}

func TestManySilentStreamsShareOneProbe(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.watchMany(50)
		s.after(10 * time.Minute)
		s.well()
		if got := s.probes(); got > 85 {
			t.Errorf("%d probes in ten minutes for 50 subscriptions", got)
		}
	})
}

// TestDeadServiceIsToldWithinHalfAMinute stops the service at any moment, so that its connections stand and
// nothing comes.
func TestDeadServiceIsToldWithinHalfAMinute(t *testing.T) {
	for n, step := range map[int]time.Duration{1: 700 * time.Millisecond, 50: 4 * time.Second} {
		for after := time.Duration(0); after < 30*time.Second; after += step {
			play(t, func(s *trial) {
				s.watchMany(n)
				s.after(time.Minute + after)
				s.node.Silence()
				began, before := time.Now(), len(s.dials())
				s.after(30 * time.Second)
				for i := range s.links {
					if l := &s.links[i]; l.StaleSince.IsZero() || l.Problem == nil || !strings.Contains(l.Problem.Words, "does not answer") && !strings.Contains(l.Problem.Words, "no snapshot") {
						s.t.Fatalf("stopped after %s: half a minute later %s is %s, stale since %s, with %+v", after, l.Party, l.Phase, l.StaleSince, l.Problem)
					}
				}
				s.after(10 * time.Minute)
				minutes := int(time.Since(began)/time.Minute) + 1
				if got := len(s.dials()) - before; got > 8*minutes {
					s.t.Fatalf("%d tries to connect in %d minutes", got, minutes)
				}
				s.node.Speak()
				s.after(40 * time.Second)
				s.well()
			})
		}
	}
}

func TestOneProbeThatFailsIsNoDeath(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.watch("network", "")
		s.node.AnswerMargins(1, sim.Answer{Status: 503})
		s.after(20 * time.Second)
		s.well()
		s.node.AnswerMargins(1, sim.Answer{}) // not even headers
		s.after(time.Minute)
		s.well()
	})
}

// TestAnAnswerToTheProbeIsNotCalledNone: a service that says 500 is not one that does not answer.
func TestAnAnswerToTheProbeIsNotCalledNone(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.AnswerMargins(sim.Always, sim.Answer{Status: 500, Body: `{"message":"bad day"}`})
		s.watch("network", "")
		s.after(time.Minute)
		s.is(model.Live, model.FreshStale)
		if got, want := s.link().Problem.Words, "the stream is silent, and the check was answered 500: bad day"; got != want {
			t.Errorf("the problem is %q, want %q", got, want)
		}
	})
}

func TestServiceThatDislikesTheProbeIsThere(t *testing.T) {
	for _, status := range []int{400, 401, 404, 429} {
		playWith(t, sim.Config{}, unaudited, func(s *trial) {
			s.node.AnswerMargins(sim.Always, sim.Answer{Status: status})
			s.watch("network", "")
			s.after(5 * time.Minute)
			s.well()
		})
	}
}

// TestNoProbeBeforeTheTimeThatTheServiceNamed has the pages banned while the stream goes on.
func TestNoProbeBeforeTheTimeThatTheServiceNamed(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.AnswerMargins(1, sim.Answer{Status: 403, Header: map[string][]string{"Ratelimit-Retry-After": {"600"}}})
		s.watch("network", "")
		s.after(11 * time.Second)
		s.is(model.Live, model.FreshQuiet)
		s.after(9 * time.Minute)
		if got := s.probes(); got != 1 {
			t.Errorf("%d probes, want 1", got)
		}
		s.is(model.Live, model.FreshQuiet) // that it limits requests does not make it dead
		if left := time.Until(s.link().AskableAt); left < 58*time.Second || left > time.Minute {
			t.Errorf("it can be asked in %s", left) // nor is it said that it was asked
		}
		s.after(61 * time.Second)
		if l := s.link(); s.probes() != 2 || time.Since(l.VerifiedAt) > 2*time.Second || !l.AskableAt.IsZero() {
			t.Errorf("%d probes, verified at %s, can be asked at %s", s.probes(), l.VerifiedAt, l.AskableAt)
		}
		s.node.Update(held("network", "b", 6))
		s.settle()
		s.is(model.Live, model.FreshLive)
		s.after(3 * time.Minute)
		s.well()
	})
}

// TestAnAuditThatCannotBeJudgedBlamesNobody: the second stream of a pair without a position is as silent as a dead
// service, and while requests are limited nobody can ask which it is.
func TestAnAuditThatCannotBeJudgedBlamesNobody(t *testing.T) {
	play(t, func(s *trial) {
		s.watch("network", "bb")
		s.node.AnswerMargins(1, sim.Answer{Status: 403, Header: map[string][]string{"Retry-After": {"300"}}})
		_, _ = s.feed.Margins(s.t.Context(), model.PageRequest{Size: 1})
		s.after(4 * time.Minute)
		s.well()
		if l := s.link(); l.Audits != 0 || !l.VerifiedAt.IsZero() || l.AskableAt.IsZero() || s.feed.addresses.list[0].failures != 0 {
			t.Errorf("%+v, and %d failures", l, s.feed.addresses.list[0].failures)
		}
		s.after(3 * time.Minute)
		if l := s.link(); l.Audits == 0 || l.VerifiedAt.IsZero() || !l.AskableAt.IsZero() {
			t.Errorf("%+v after the ban", l)
		}
	})
}

// TestRowsAreNotGivenUpWhereNobodyCanAsk: a pair whose stream broke is silent when it is back, while requests are limited.
func TestRowsAreNotGivenUpWhereNobodyCanAsk(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.Put(held("network", "bb", 5))
		s.watch("network", "bb")
		s.node.AnswerMargins(1, sim.Answer{Status: 403, Header: map[string][]string{"Retry-After": {"300"}}})
		_, _ = s.feed.Margins(s.t.Context(), model.PageRequest{Size: 1})
		s.node.Silence()
		s.node.Cut()
		s.after(time.Minute)
		s.rows("network/bb 5")
		if freshness, _ := s.link().Freshness(time.Now()); freshness != model.FreshStale {
			t.Errorf("the link is %s", freshness)
		}
		s.says("the service limits requests, so it cannot be asked whether it is there")
		s.node.Speak()
	})
}

func TestHalfAMessageThenSilence(t *testing.T) {
	for _, c := range []struct{ name, markets, half, words string }{
		{"of a party's snapshot", "", `{"result":{"snap`, "the snapshot stopped after 16 bytes"},
		{"of a pair's", "bb", `{"result":{"snap`, "the snapshot stopped after 16 bytes"},
		{"between pages", "", pageText(false, rowText("network", "b", 1, 1)), "the snapshot stopped after 1 position"},
	} {
		t.Run(c.name, func(t *testing.T) {
			play(t, func(s *trial) {
				s.node.AnswerStreams(1, saying(c.half))
				s.watch("network", c.markets)
				s.after(29 * time.Second)
				s.rows()
				if l := s.link(); l.Committed || l.Phase == model.Waiting {
					t.Errorf("the link is %+v", l)
				}
				s.after(1010 * time.Millisecond)
				s.is(model.Waiting, model.FreshConnecting)
				s.says(c.words)
			})
		})
	}
}

func TestSlowPagesAreWaitedFor(t *testing.T) {
	play(t, func(s *trial) {
		s.node.AnswerStreams(1, saying(""))
		s.watch("network", "")
		for i, market := range []string{"a", "b", "c", "d"} {
			s.after(20 * time.Second)
			s.node.Raw([]byte(pageText(market == "d", rowText("network", market, i, 1))))
		}
		s.settle()
		s.is(model.Live, model.FreshLive)
		s.rows("network/a 0", "network/b 1", "network/c 2", "network/d 3")
	})
}

// TestASlowMessageIsWaitedFor has one message come in pieces that take minutes, on the first stream or on an audit's.
func TestASlowMessageIsWaitedFor(t *testing.T) {
	for _, markets := range []string{"", "bb"} {
		text := pageText(true, rowText("network", "bb", 7, 1))
		pieces := func(s *trial, say func(piece string)) {
			for at := 0; at < len(text); at += 30 {
				say(text[at:min(at+30, len(text))])
				s.after(25 * time.Second)
			}
		}
		playWith(t, sim.Config{}, unaudited, func(s *trial) {
			s.node.AnswerStreams(1, saying(""))
			s.watch("network", markets)
			pieces(s, func(piece string) { s.node.Raw([]byte(piece)) })
			s.rows("network/bb 7")
			if got := len(s.streams()); got != 1 {
				t.Errorf("%d streams, want 1", got)
			}
		})
		audited(t, markets, func(s *trial, streams *lines) {
			pieces(s, func(piece string) { streams.at(1).texts <- piece })
			if got := s.link().Audits; got != 1 {
				t.Errorf("%d audits, want 1", got)
			}
			s.rows("network/bb 7")
		})
	}
}

func TestSlowSnapshotOfAPairIsWaitedFor(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.Put(held("network", "bb", 5))
		s.node.Trickle(20, 500*time.Millisecond)
		s.watch("network", "bb")
		s.after(20 * time.Second)
		s.is(model.Live, model.FreshLive)
		s.rows("network/bb 5")
		if got := len(s.streams()); got != 1 {
			t.Errorf("%d streams, want 1", got)
		}
	})
}

// TestHeadersThenSilence: headers alone say nothing of positions.
func TestHeadersThenSilence(t *testing.T) {
	play(t, func(s *trial) {
		s.node.AnswerStreams(1, saying(""))
		s.watch("network", "")
		s.after(30*time.Second + 10*time.Millisecond)
		s.is(model.Waiting, model.FreshConnecting)
	})
	play(t, func(s *trial) {
		s.node.AnswerStreams(1, saying(""))
		s.watch("network", "bb")
		s.after(4 * time.Second)
		s.is(model.Live, model.FreshQuiet)
	})
}

// TestSilenceOfAStoppedServiceDoesNotEmptyAPair: a connection to a stopped service stands, and is as silent as
// that for a pair without a position.
func TestSilenceOfAStoppedServiceDoesNotEmptyAPair(t *testing.T) {
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
		s.node.Speak()
		s.after(3 * time.Minute)
		s.well()
		s.truth()
		s.node.Remove(held("network", "bb", 5).Key())
		s.node.Cut()
		s.after(5 * time.Second)
		s.well()
		s.rows()
		if !s.link().Silent {
			t.Error("the link is not silent")
		}
	})
}

// TestAnErrorThatIsSlowToSayItselfIsNoSilence: the status is there, and the words never come.
func TestAnErrorThatIsSlowToSayItselfIsNoSilence(t *testing.T) {
	play(t, func(s *trial) {
		s.node.AnswerStreams(1, sim.Answer{Status: 503, Body: "{", Open: true})
		s.watch("network", "bb")
		s.after(1100 * time.Millisecond)
		s.is(model.Waiting, model.FreshConnecting)
	})
}
