package follow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
)

// A stream has no heartbeat: it is silent where nothing happens, and where the service is gone. So the service is asked
// for a page of one margin record while a stream is silent (endpoint.Pool.Verify).

// verification is the answer to the question whether the service is there.
type verification struct {
	address string
	askedAt time.Time
	err     error
}

// progressed records that a whole message with content came.
func (f *Follower) progressed(now time.Time) {
	if f.link.Phase == model.Connecting {
		f.lease.Healthy()
		f.refusals.rounds = 0
		clear(f.refusals.by)
	}
	f.link.HeardAt = now
	if f.link.Phase != model.Live {
		f.alarms.silence = now.Add(f.Times.SnapshotSilence)
	}
	f.confirm(now)
}

// confirm notes that the service is there: what the open stream said is up to date.
func (f *Follower) confirm(now time.Time) {
	f.probing.unanswered, f.link.NotAskedFor = 0, time.Time{}
	if f.link.Phase == model.Live {
		f.link.StaleSince, f.link.Problem = time.Time{}, nil
	}
	f.alarms.probe = now.Add(f.Times.ProbeAfter)
}

// verify asks whether the service is there. The answer comes as a verification.
func (f *Follower) verify(ctx context.Context) {
	now := f.Clock.Now()
	if f.probing.underWay || f.link.Phase != model.Live {
		return
	}
	since := now.Add(-f.Times.ProbeEvery / 2) // a younger answer that another subscription got is as good
	since = later(since, f.link.HeardAt)
	if f.probing.unanswered > 0 { // the last answer was none: another one is wanted
		since = now
	}
	f.probing.underWay = true
	address := f.link.Address
	f.Go(func() {
		askedAt, err := f.Pool.Verify(ctx, address, since)
		select {
		case f.verified <- verification{address, askedAt, err}:
		case <-ctx.Done():
		}
	})
}

// handleVerification handles the result of a check. It counts only for the address that was checked, and while the
// stream is silent.
func (f *Follower) handleVerification(v verification) {
	f.probing.underWay = false
	now := f.Clock.Now()
	if f.link.Phase != model.Live || v.address != f.link.Address {
		return
	}
	notAsked, isNotAsked := errors.AsType[*endpoint.NotAskedError](v.err)
	switch {
	case f.link.HeardAt.After(v.askedAt) && !isNotAsked: // the stream has spoken since
		return
	case v.err == nil:
		f.confirm(now)
		f.link.VerifiedAt = v.askedAt
		f.alarms.probe = now.Add(f.Times.ProbeEvery)
	case isNotAsked:
		f.link.NotAskedFor = later(notAsked.Until, now.Add(time.Second))
		f.alarms.probe = f.link.NotAskedFor
	default:
		f.handleSilence(now, v.err)
	}
	f.publish()
}

// handleSilence handles a check that was not answered. The second one in a row makes the rows stale, since the last
// message or answer of the service.
func (f *Follower) handleSilence(now time.Time, err error) {
	f.alarms.probe = now.Add(f.Times.ProbeEvery)
	if f.probing.unanswered++; f.probing.unanswered < 2 {
		f.alarms.probe = now.Add(f.Times.ProbeEvery * 2 / 5)
		return
	}
	problem := silenceError(err)
	if f.link.StaleSince.IsZero() {
		f.link.StaleSince = f.link.LastWord()
		f.log(slog.LevelWarn, "positions stream: "+problem.Error())
	}
	f.link.Problem = problemAt(f.link.Address, problem)
	f.link.Problem.Advice = endpoint.Advice(err)
}

// silenceError returns the error of a stream that is silent while the check of the service failed. It is
// not an answer to the stream itself, whatever its status is.
func silenceError(err error) error {
	if status, ok := errors.AsType[*endpoint.StatusError](err); ok {
		return fmt.Errorf("the stream is silent, and the check was answered %d: %s", status.Status, status.Words)
	}
	return errors.New("the stream is silent and the service does not answer: " + endpoint.Describe(err))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
