package follow

import (
	"context"
	"fmt"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
)

// alarms are the times at which a Follower acts by itself; zero if it does not.
type alarms struct {
	silence time.Time // a snapshot has made no progress for too long
	page    time.Time // no page has followed the updates that came before the last page
	held    time.Time // check whether a proxy seems to hold back the snapshot
	half    time.Time // check whether a message has been half read for too long
	probe   time.Time // the stream is silent: check whether the service responds
	quiet   time.Time // the stream is silent: begin an audit, which verifies its rows
	news    time.Time // the stream is silent: look whether others have sent something newer
	audit   time.Time // begin an audit; zero while one waits for its turn or is running
	shared  time.Time // an audit waits for its turn: it may be a shared one from now on, whose turn is next
	missing time.Time // check whether the stream has now sent what an audit has seen
	doubts  time.Time // say which rows are marked because they are in doubt
}

// next returns the earliest alarm, zero if there is none.
func (a *alarms) next() (next time.Time) {
	for _, at := range []time.Time{a.silence, a.page, a.held, a.half, a.probe, a.quiet, a.news, a.audit, a.shared, a.missing, a.doubts} {
		if next.IsZero() || !at.IsZero() && at.Before(next) {
			next = at
		}
	}
	return next
}

// due reports whether the time of an alarm has come, and clears it.
func due(alarm *time.Time, now time.Time) bool {
	if alarm.IsZero() || alarm.After(now) {
		return false
	}
	*alarm = time.Time{}
	return true
}

// act does what is due. An error means that the stream is to be closed.
func (f *Follower) act(ctx context.Context, session *session) error {
	now := time.Now()
	if due(&f.alarms.silence, now) {
		return newStoppedError(session.stream.Load(), f.link.StagedRows)
	}
	if due(&f.alarms.held, now) {
		f.checkHeldBack(session, now)
	}
	if due(&f.alarms.page, now) {
		if err := f.apply(unended, nil); err != nil {
			return err
		}
		f.alarms.silence = time.Time{}
		f.publish()
	}
	if due(&f.alarms.half, now) {
		if err := f.checkHalf(session, now); err != nil {
			return err
		}
	}
	if due(&f.alarms.missing, now) {
		if err := f.judged.checkMissing(now); err != nil {
			return err
		}
	}
	if due(&f.alarms.doubts, now) {
		f.judged.sayDoubts(ctx, now)
	}
	if due(&f.alarms.probe, now) {
		f.probing.verify(ctx)
	}
	if due(&f.alarms.quiet, now) && f.link.Phase == model.Live && !f.link.Auditing && f.audits.turn == nil {
		f.alarms.audit = now
	}
	if due(&f.alarms.news, now) && f.link.Phase == model.Live {
		f.alarms.news = now.Add(newsEvery)
		if f.News.isNewerThan(f.judged.sent, f.notAfter(now)) {
			f.audits.bringForward(now, ofOthers)
		}
	}
	if due(&f.alarms.audit, now) {
		if f.audits.byTrader {
			f.audits.begin(ctx, f.probing.unanswered == 0)
		} else {
			f.audits.await(ctx, f.audits.nextUrgency(&f.link, f.isSilent(now)))
			f.alarms.shared = f.Shared.mayBegin(&f.audits)
		}
	}
	if due(&f.alarms.shared, now) && f.audits.turn != nil && !needsStream(&f.link) {
		f.audits.await(ctx, endpoint.ForMany)
	}
	return nil
}

// heldChecks is the time between two checks whether a proxy seems to hold back the snapshot.
const heldChecks = time.Second

// checkHeldBack publishes it as a problem if a proxy seems to hold back the snapshot. The stream stays open: the rest
// may come.
func (f *Follower) checkHeldBack(session *session, now time.Time) {
	if f.link.Phase == model.Live {
		return
	}
	f.alarms.held = now.Add(heldChecks)
	stream := session.stream.Load()
	if stream == nil || f.link.Problem != nil && f.link.Problem.HeldBack {
		return
	}
	if held := stream.HeldBack(); held != nil {
		f.link.Problem = problemAt(f.link.Address, held)
		f.publish()
	}
}

// halfChecks is how many checks are made in the time for which a message may be half read.
const halfChecks = 6

// checkHalf returns an error if half a message came and the rest did not come in time: no later message can be read
// before its end.
func (f *Follower) checkHalf(session *session, now time.Time) error {
	f.alarms.half = now.Add(f.Times.SnapshotSilence / halfChecks)
	if since := session.partialSince(); !since.IsZero() && now.Sub(since) >= f.Times.SnapshotSilence {
		if held := session.stream.Load().HeldBack(); held != nil {
			return held
		}
		return fmt.Errorf("half a message came, and not the rest of it within %s", f.Times.SnapshotSilence)
	}
	return nil
}

// clockGap is how far the wall clock is at least ahead of the monotonic clock after a machine has slept.
const clockGap = 2 * time.Second

// hasPaused reports whether the machine has slept, or this program was stopped, since the loop ran last: then an alarm
// is overdue.
func (f *Follower) hasPaused() bool {
	next := f.alarms.next()
	return f.hasSlept(f.Now()) || !next.IsZero() && time.Since(next) > clockGap
}

// hasSlept reports whether the machine has slept, or its clock was set, since the loop ran last.
func (f *Follower) hasSlept(now time.Time) bool {
	byWall, monotonic := now.Round(0).Sub(f.wokenAt.Round(0)), now.Sub(f.wokenAt)
	return (byWall - monotonic).Abs() > clockGap
}

// detectSleep checks everything again after the machine has slept, or its clock was set: the connection may be lost
// without an error, and the clocks are to be compared again.
func (f *Follower) detectSleep() {
	now := f.Now()
	slept := f.hasSlept(now)
	if f.wokenAt = now; slept {
		f.probing.compare = true
		f.verifyAndAudit()
	}
}

// verifyAndAudit checks at once whether the service responds, and begins an audit.
func (f *Follower) verifyAndAudit() {
	now := time.Now()
	if f.link.Phase != model.Live {
		return
	}
	if !f.link.Auditing {
		f.alarms.audit = now
	}
	if now.Round(0).Sub(f.link.MessageAt.Round(0)).Abs() >= time.Second {
		f.alarms.probe = now
	}
}
