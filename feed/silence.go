package feed

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"blotter/model"
)

// A stream without a heartbeat is silent for many reasons: nothing happens, there is no such position, the
// service is dead. This is how a subscription tells which.

// patience is how long the service may say nothing where something must come. Only where a pair is asked for,
// and not a byte came, does silence say something: that there is no such position.
func (s *subscription) patience() time.Duration {
	if s.link.Pair() && s.link.Phase == model.Connecting {
		return s.feed.config.Times.PairSilence
	}
	return s.feed.config.Times.SnapshotSilence
}

// heard takes note that the service spoke.
func (s *subscription) heard(now time.Time) {
	if s.link.Phase == model.Connecting {
		s.open(now)
	}
	s.link.HeardAt, s.link.Silent = now, false
	s.vouch(now)
}

// open takes note that the stream stands.
func (s *subscription) open(now time.Time) {
	s.pass.opened()
	s.refusals = 0
	s.prove(now)
}

// vouch takes note that the service is there: the stream that stands can be trusted.
func (s *subscription) vouch(now time.Time) {
	s.unanswered, s.link.AskableAt = 0, time.Time{}
	if s.link.Phase == model.Live {
		s.link.StaleSince, s.link.Problem = time.Time{}, nil
	}
	s.clock.probe = now.Add(s.feed.config.Times.ProbeAfter)
}

var errNoSnapshot = errors.New("the service sends no snapshot")

// stopped says how far a snapshot came that does not go on.
func (s *session) stopped(positions int) error {
	switch {
	case positions > 0:
		return fmt.Errorf("the snapshot stopped after %s", counted(positions, "position"))
	case s.isHalfway():
		return fmt.Errorf("the snapshot stopped after %s", counted(int(s.bytes.Load()), "byte"))
	}
	return errNoSnapshot
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// fallSilent deals with a stream on which something should have come. Half a message is a promise of the other half,
// and one that is kept as long as bytes come, however slowly. A pair's stream is silent only where not a byte came.
func (s *subscription) fallSilent(now time.Time, session *session) error {
	patience := s.feed.config.Times.SnapshotSilence
	rest, latest := session.rest(patience), s.connectedAt.Add(patience)
	switch {
	case now.Before(rest):
		s.clock.silence = rest
		return nil
	case !s.link.Pair() || s.link.Phase != model.Connecting:
		return session.stopped(s.link.StagedRows)
	case session.bytes.Load() > 0 && now.Before(latest):
		s.clock.silence = latest
		return nil
	case session.bytes.Load() > 0:
		return session.stopped(s.link.StagedRows)
	case s.link.Committed:
		s.doubt = true // rows are not given up on the silence of a service that may be dead
		s.feed.verifier.ask(s.pass.base, s.verified)
		return nil
	}
	s.beSilent(now)
	return nil
}

// beSilent takes the silence of a pair's stream for word that there is no such position.
func (s *subscription) beSilent(now time.Time) {
	s.open(now)
	s.apply(silent, nil)
	s.link.Silent, s.link.HeardAt = true, now
	s.vouch(now)
	s.tell()
}

// verify takes the verifier's answer.
func (s *subscription) verify(err error) error {
	now, times := time.Now(), &s.feed.config.Times
	switch {
	case s.audit.inDoubt() && isUnasked(err):
		s.endAudit() // nothing was found out, and that is no fault of the address
		s.clock.audit = now.Add(max(times.RefusedRetry, askedToWait(err)))
		s.tell()
		return nil
	case s.audit.inDoubt() && err != nil:
		s.failAudit(unanswered(err))
		return nil
	case s.audit.inDoubt():
		s.audit.pass.opened()
		s.audit.ripeAt = now
		return nil
	case s.doubt && s.link.Phase == model.Connecting && err != nil:
		return unanswered(err)
	case s.doubt && s.link.Phase == model.Connecting:
		s.beSilent(now)
		return nil
	case s.link.Phase != model.Live || now.Sub(s.link.HeardAt) < times.ProbeAfter:
		return nil // the stream has spoken since, or there is nothing yet to vouch for
	}
	s.vouchOrDoubt(now, err)
	s.tell()
	return nil
}

// unanswered says that the verifier's question had no good answer, or could not be asked. It is not an answer to the
// stream itself, whatever it was.
func unanswered(err error) error {
	if isUnasked(err) {
		return errors.New("the stream is silent, and the service limits requests, so it cannot be asked whether it is there")
	}
	if status, ok := asStatus(err); ok && status.Status > 0 {
		return fmt.Errorf("the stream is silent, and the check was answered %d: %s", status.Status, status.Words)
	}
	return errors.New("the stream is silent and the service does not answer: " + words(err))
}

// vouchOrDoubt is what comes of an answer where the stream is silent, or of none. Where the service could not be asked,
// that is told, and it is asked as soon as it can be.
func (s *subscription) vouchOrDoubt(now time.Time, err error) {
	times := &s.feed.config.Times
	if err == nil {
		s.vouch(now)
		s.link.VerifiedAt = now
		s.clock.probe = now.Add(times.ProbeEvery)
		return
	}
	if isUnasked(err) {
		s.link.AskableAt = now.Add(askedToWait(err))
		s.clock.probe = s.link.AskableAt
		return
	}
	s.unanswered++
	if s.unanswered == 1 {
		s.clock.probe = now.Add(times.probeAgain()) // a dead service must be told soon
	}
	if s.unanswered >= 2 {
		if s.link.StaleSince.IsZero() {
			s.link.StaleSince = now
			s.log(slog.LevelWarn, "positions stream: "+unanswered(err).Error())
		}
		s.link.Problem = problemOf(unanswered(err))
	}
}
