package follow

import (
	"context"
	"errors"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
)

// handleLoss handles the end of the stream. The rows stay, and are stale since the last message or response of the
// service.
func (f *Follower) handleLoss(err error) {
	if (f.link.Committed || f.link.Partial) && f.link.StaleSince.IsZero() {
		f.link.StaleSince = f.link.LastReceived()
	}
	f.link.Problem = problemAt(f.link.Address, err)
	f.logLoss(err)
	f.lease.Release(err)
	if f.link.Problem.Refuse {
		f.refusals.by[f.link.Address] = true
		if status, ok := errors.AsType[*endpoint.StatusError](err); ok {
			f.refusals.wait = max(f.refusals.wait, status.RetryAfter)
		}
	}
	_ = f.apply(broken, nil)
}

// endedWithoutFailure reports whether the connection of a stream was closed, as proxies do, after the stream had sent
// a whole snapshot and was open for some time.
func (f *Follower) endedWithoutFailure(stream *endpoint.Stream, err error) bool {
	return f.isWhole() && stream.IsClosed(err) && time.Since(f.link.ConnectedAt) >= endpoint.EndsFrom
}

// waitRefused waits for a long time, after every address has refused the stream.
func (f *Follower) waitRefused(ctx context.Context) {
	f.refusals.rounds++
	wait := f.Pool.RefusedDelay(f.refusals.rounds)
	_ = f.apply(refused, nil)
	f.link.ByService = f.refusals.wait > wait
	wait = max(wait, f.refusals.wait)
	f.link.RetryAt, f.link.Attempt = time.Now().Add(wait), f.refusals.rounds
	f.publish()
	_ = endpoint.Pause(ctx, f.link.RetryAt, f.resync)
	clear(f.refusals.by)
	f.refusals.wait = 0
}

// publishWait publishes that a connection may not be opened yet.
func (f *Follower) publishWait(w endpoint.Wait) {
	f.link.Attempt, f.link.RetryAt, f.link.ByService = w.Attempt, w.Until, w.ByService
	f.link.Address = w.Address
	if f.link.Problem == nil && w.Cause != nil {
		f.link.Problem = problemAt(w.Address, w.Cause) // it has happened to another subscription
	}
	if w.Cause == nil && w.Until.IsZero() || f.link.Problem == nil {
		f.enter(model.Connecting) // nothing has failed: other connections are being opened
	} else {
		f.enter(model.Waiting)
	}
	f.publish()
}

func (r *refusals) has(address string) bool { return r.by[address] }
