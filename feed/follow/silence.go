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

// A stream has no heartbeat: it is silent if nothing happens, if the service is down, and if its node hangs or is
// behind. So two things are done while a stream is silent. A page of one margin record shows whether the service works
// (endpoint.Pool.Verify): one for all streams. And audits verify the rows: one at the first silence after updates, and
// then again and again, those of all streams in turn (endpoint.Pool.AwaitAudit). Hints bring an audit forward: see
// Follower.RequestAudit, lateness.go and news.go.
//
// If the service limits requests, as it says, the rows count as good for limitTrusted. Then the check is a second
// stream: streams can be opened during a ban of pages.

// limitTrusted is for how long rows count as good while the service limits checks.
const limitTrusted = time.Minute

// verification is the result of a check whether the service responds.
type verification struct {
	address  string
	sentAt   time.Time
	err      error
	byStream bool // a second stream was tried
}

// progressed records that a whole message with content came.
func (f *Follower) progressed(now time.Time) {
	if !f.healthy {
		f.healthy = true
		f.lease.Healthy()
		f.refusals.rounds = 0
		clear(f.refusals.by)
	}
	f.link.MessageAt = now
	if f.link.Problem != nil && f.link.Problem.HeldBack {
		f.link.Problem = nil
	}
	if f.link.Phase != model.Live {
		f.alarms.silence = now.Add(f.Times.SnapshotSilence)
	}
	f.confirm(now)
	verifyWhenSilent(f)
}

// confirm records that the service works: the rows of the open stream are up to date.
func (f *Follower) confirm(now time.Time) {
	f.probing.unanswered, f.probing.limitedAt, f.link.PostponedUntil = 0, time.Time{}, time.Time{}
	if f.link.Phase == model.Live {
		f.link.StaleSince, f.link.Problem = time.Time{}, nil
	}
	f.alarms.probe = now.Add(f.Times.ProbeAfter)
}

// verifyWhenSilent sets when an audit verifies the rows if the stream stays silent.
func verifyWhenSilent(f *Follower) {
	if f.schedule.every >= 0 {
		f.alarms.news = f.link.MessageAt.Add(f.Times.ProbeAfter)
		f.alarms.quiet = endpoint.Later(f.link.MessageAt.Add(f.Times.ProbeAfter), f.schedule.quiet(f.audits.readAt, f.audits.ofSilence))
	}
}

// isSilent reports whether no message has come lately.
func isSilent(f *Follower, now time.Time) bool {
	return now.Sub(f.link.MessageAt) >= f.Times.ProbeAfter
}

// verify starts a check whether the service responds. The result comes as a verification.
func (f *Follower) verify(ctx context.Context) {
	now := time.Now()
	if f.probing.underWay || f.link.Phase != model.Live {
		return
	}
	since := now.Add(-f.Times.ProbeEvery / 2) // a newer check of another subscription is used
	since = endpoint.Later(since, f.link.MessageAt)
	if f.probing.unanswered > 0 || f.probing.compare { // the last check failed, or is of no use: begin a new one
		since = now
	}
	f.probing.underWay, f.probing.compare = true, false
	address, key, limitedAt := f.link.Address, f.link.Key, f.probing.limitedAt
	mayUseStream := !limitedAt.IsZero() && !now.Before(limitedAt.Add(limitTrusted-endpoint.StreamProbeTimeout))
	f.Go(func() {
		v := verification{address: address}
		v.sentAt, v.err = f.Pool.Verify(ctx, address, since)
		if v.byStream = mayUseStream && endpoint.IsLimit(v.err); v.byStream {
			v.sentAt, v.err = f.Pool.VerifyByStream(ctx, address, key, endpoint.Later(since, limitedAt))
		}
		select {
		case f.verified <- v:
		case <-ctx.Done():
		}
	})
}

// handleVerification handles the result of a check. It counts only for the address that was checked, and while the
// stream is silent.
func (f *Follower) handleVerification(v verification) {
	f.probing.underWay = false
	f.readClock()
	now := time.Now()
	if f.alarms.probe.IsZero() { // the next check was due while this one was under way
		f.alarms.probe = now
	}
	if f.link.Phase != model.Live || v.address != f.link.Address {
		return
	}
	postponed, isPostponed := errors.AsType[*endpoint.PostponedError](v.err)
	switch {
	case f.link.MessageAt.After(v.sentAt) && !isPostponed: // the stream has sent a message since
		return
	case v.err == nil:
		f.confirm(now)
		f.link.RespondedAt = v.sentAt
		f.alarms.probe = now.Add(f.Times.ProbeEvery)
	case !v.byStream && endpoint.IsLimit(v.err):
		f.handleLimit(now)
	case isPostponed && now.Before(f.trustedUntil()):
		f.alarms.probe = endpoint.Later(postponed.Until, now.Add(time.Second))
		if f.trustedUntil().Before(f.alarms.probe) {
			f.alarms.probe = f.trustedUntil()
		}
	default:
		if isPostponed || v.byStream {
			f.probing.unanswered++
		}
		f.handleSilence(now, v.err)
	}
	f.publish()
}

// trustedUntil returns until when the rows count as good if no message or response of the service comes.
func (f *Follower) trustedUntil() time.Time {
	return endpoint.Later(f.link.LastReceived().Add(f.link.TrustedFor), f.link.PostponedUntil)
}

// handleLimit handles a check that was not sent or was refused because the service limits requests.
func (f *Follower) handleLimit(now time.Time) {
	if f.probing.limitedAt.IsZero() {
		f.probing.limitedAt = now
	}
	f.link.PostponedUntil = f.probing.limitedAt.Add(limitTrusted)
	f.alarms.probe = endpoint.Later(f.link.PostponedUntil.Add(-endpoint.StreamProbeTimeout), now.Add(time.Second))
}

// handleSilence handles a check that failed. The second one in a row makes the rows stale since the last message or
// response of the service; the first one does if it was a second stream, or could not be sent for too long.
func (f *Follower) handleSilence(now time.Time, err error) {
	f.alarms.probe = now.Add(f.Times.ProbeEvery)
	if f.probing.unanswered++; f.probing.unanswered < 2 {
		f.alarms.probe = now.Add(f.Times.ProbeEvery / 3)
		return
	}
	problem := silenceError(err)
	if f.link.StaleSince.IsZero() {
		f.link.StaleSince = f.link.LastReceived()
		f.log(slog.LevelWarn, "positions stream: "+problem.Error())
	}
	f.link.Problem = problemAt(f.link.Address, problem)
	f.link.Problem.Advice = endpoint.Advice(err)
}

// silenceError returns the error of a stream that is silent while the check of the service failed. Whatever the status
// of the check is, it is not that of the stream.
func silenceError(err error) error {
	if status, ok := errors.AsType[*endpoint.StatusError](err); ok {
		return fmt.Errorf("the stream is silent, and the response to the check was %03d: %s", status.Status, status.Words)
	}
	if postponed, ok := errors.AsType[*endpoint.PostponedError](err); ok {
		return errors.New("the stream is silent and the service cannot be checked: " + postponed.Known())
	}
	return errors.New("the stream is silent and the service does not respond: " + endpoint.Describe(err))
}
