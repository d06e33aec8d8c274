package feed

import (
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// busy changes a row of the stream each second, so that it is not silent.
func (s *trial) busy(seconds int) {
	for volume := range int64(seconds) {
		s.node.Update(held("network", "busy", volume))
		s.after(time.Second)
	}
}

// TestTheFirstSilenceBringsAnAudit at once: what the stream has not sent is found then, and no page shows it.
func TestTheFirstSilenceBringsAnAudit(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "b", 1))
		s.watch("network", "")
		s.busy(60)
		s.node.Put(held("network", "b", 2)) // is not sent
		s.after(8 * time.Second)
		s.hasRow("b", "1")
		s.is(model.Live, model.FreshLive)
		s.after(3 * time.Second)
		s.hasRow("b", "2")
		s.is(model.Live, model.FreshQuiet)
		if since := time.Since(s.link().VerifiedAt); since > 2*time.Second {
			t.Errorf("verified %s ago", since)
		}
	})
}

// TestTheFirstSilenceOfALargeStream brings an audit soon: only the next ones are seldom.
func TestTheFirstSilenceOfALargeStream(t *testing.T) {
	play(t, func(s *trial) {
		s.fill(20_000)
		s.watch("network", "")
		s.busy(60)
		lost := held("network", "0001", 7)
		s.node.Put(lost) // is not sent
		s.after(11 * time.Second)
		s.hasRow("0001", "7")
	})
}

// TestASilentStreamIsVerifiedByAudits again and again, and pages do not verify it.
func TestASilentStreamIsVerifiedByAudits(t *testing.T) {
	play(t, func(s *trial) {
		s.fill(2000)
		s.watch("network", "")
		s.after(time.Minute)
		for range 10 * 60 {
			if s.after(time.Second); time.Since(s.link().VerifiedAt) > 18*time.Second {
				t.Fatalf("verified %s ago", time.Since(s.link().VerifiedAt))
			}
		}
		s.node.SetStreamResponse(sim.Always, sim.Response{Status: 503})
		last := s.link().VerifiedAt
		s.after(time.Minute)
		s.is(model.Live, model.FreshQuiet)
		if l := s.link(); !l.VerifiedAt.Equal(last) || time.Since(l.RespondedAt) > 20*time.Second {
			t.Errorf("verified %s ago, a response %s ago", time.Since(l.VerifiedAt), time.Since(l.RespondedAt))
		}
	})
}

// TestALargeSilentStreamIsVerifiedLessOften: its audits cost more.
func TestALargeSilentStreamIsVerifiedLessOften(t *testing.T) {
	play(t, func(s *trial) {
		s.fill(20_000)
		s.watch("network", "")
		s.after(5 * time.Minute)
		before := s.link().Audits
		s.after(15 * time.Minute)
		if got := s.link().Audits - before; got < 5 || got > 7 {
			t.Errorf("%d audits in a quarter of an hour, want one each 150 s", got)
		}
	})
}

// TestManySilentStreamsAreVerifiedInTurn, two in a second: sixty each half a minute or so, and no stream is forgotten.
func TestManySilentStreamsAreVerifiedInTurn(t *testing.T) {
	play(t, func(s *trial) {
		s.watchMany(60)
		s.after(3 * time.Minute)
		for range 3 * 60 {
			before := len(s.streams())
			s.after(time.Second)
			if got := len(s.streams()) - before; got > 2 {
				t.Errorf("%d audits in a second", got)
			}
			for i := range s.links {
				if since := time.Since(s.links[i].VerifiedAt); since > 40*time.Second {
					t.Fatalf("%s was verified %s ago", s.links[i].Party, since)
				}
			}
		}
	})
}
