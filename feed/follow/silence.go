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

// probing is the check whether the service responds.
type probing struct {
	*subscription
	verified   chan verification
	underWay   bool
	unanswered int       // in a row
	limitedAt  time.Time // since when the service has limited checks; zero if it does not
	compare    bool      // the clocks are to be compared: a check that was sent before is not used
	comparedAt time.Time // when that was last so because of the time of a row
}

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
	f.probing.confirm(now)
	f.audits.verifyWhenSilent()
}

// confirm records that the service works: the rows of the open stream are up to date.
func (p *probing) confirm(now time.Time) {
	p.unanswered, p.limitedAt, p.link.PostponedUntil = 0, time.Time{}, time.Time{}
	if p.link.Phase == model.Live {
		p.link.StaleSince, p.link.Problem = time.Time{}, nil
	}
	p.alarms.probe = now.Add(p.Times.ProbeAfter)
}

// verify starts a check whether the service responds. The result comes as a verification.
func (p *probing) verify(ctx context.Context) {
	now := time.Now()
	if p.underWay || p.link.Phase != model.Live {
		return
	}
	since := now.Add(-p.Times.ProbeEvery / 2) // a newer check of another subscription is used
	since = endpoint.Later(since, p.link.MessageAt)
	if p.unanswered > 0 || p.compare { // the last check failed, or is of no use: begin a new one
		since = now
	}
	p.underWay, p.compare = true, false
	address, key, limitedAt := p.link.Address, p.link.Key, p.limitedAt
	mayUseStream := !limitedAt.IsZero() && !now.Before(limitedAt.Add(limitTrusted-endpoint.StreamProbeTimeout))
	p.Go(func() {
		v := verification{address: address}
		v.sentAt, v.err = p.Pool.Verify(ctx, address, since)
		if v.byStream = mayUseStream && endpoint.IsLimit(v.err); v.byStream {
			v.sentAt, v.err = p.Pool.VerifyByStream(ctx, address, key, endpoint.Later(since, limitedAt))
		}
		select {
		case p.verified <- v:
		case <-ctx.Done():
		}
	})
}

// handle handles the result of a check. It counts only for the address that was checked, and while the stream is
// silent.
func (p *probing) handle(v verification) {
	p.underWay = false
	p.readClock()
	now := time.Now()
	if p.alarms.probe.IsZero() { // the next check was due while this one was under way
		p.alarms.probe = now
	}
	if p.link.Phase != model.Live || v.address != p.link.Address {
		return
	}
	postponed, isPostponed := errors.AsType[*endpoint.PostponedError](v.err)
	switch {
	case p.link.MessageAt.After(v.sentAt) && !isPostponed: // the stream has sent a message since
		return
	case v.err == nil:
		p.confirm(now)
		p.link.RespondedAt = v.sentAt
		p.alarms.probe = now.Add(p.Times.ProbeEvery)
	case !v.byStream && endpoint.IsLimit(v.err):
		p.handleLimit(now)
	case isPostponed && now.Before(p.trustedUntil()):
		p.alarms.probe = endpoint.Later(postponed.Until, now.Add(time.Second))
		if p.trustedUntil().Before(p.alarms.probe) {
			p.alarms.probe = p.trustedUntil()
		}
	default:
		if isPostponed || v.byStream {
			p.unanswered++
		}
		p.handleSilence(now, v.err)
	}
	p.publish()
}

// trustedUntil returns until when the rows count as good if no message or response of the service comes.
func (p *probing) trustedUntil() time.Time {
	return endpoint.Later(p.link.LastReceived().Add(p.link.TrustedFor), p.link.PostponedUntil)
}

// handleLimit handles a check that was not sent or was refused because the service limits requests.
func (p *probing) handleLimit(now time.Time) {
	if p.limitedAt.IsZero() {
		p.limitedAt = now
	}
	p.link.PostponedUntil = p.limitedAt.Add(limitTrusted)
	p.alarms.probe = endpoint.Later(p.link.PostponedUntil.Add(-endpoint.StreamProbeTimeout), now.Add(time.Second))
}

// handleSilence handles a check that failed. The second one in a row makes the rows stale since the last message or
// response of the service; the first one does if it was a second stream, or could not be sent for too long.
func (p *probing) handleSilence(now time.Time, err error) {
	p.alarms.probe = now.Add(p.Times.ProbeEvery)
	if p.unanswered++; p.unanswered < 2 {
		p.alarms.probe = now.Add(p.Times.ProbeEvery / 3)
		return
	}
	problem := silenceError(err)
	if p.link.StaleSince.IsZero() {
		p.link.StaleSince = p.link.LastReceived()
		p.log(slog.LevelWarn, "positions stream: "+problem.Error())
	}
	p.link.Problem = problemAt(p.link.Address, problem)
	p.link.Problem.Advice = endpoint.Advice(err)
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
