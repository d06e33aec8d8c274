package follow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"blotter/feed/clock"
	"blotter/feed/endpoint"
	"blotter/feed/wire"
	"blotter/model"
	"blotter/model/book"
)

// A service reads its snapshot first and begins to send updates afterwards, without sequence numbers: what changes in
// between is lost on a stream that looks healthy. Only a second snapshot can show it. An audit opens a second stream,
// the standby stream, beside the active one, and each page of its snapshot is compared with the rows that are shown
// (model/book/audit.go has the rules). The active stream continues: its updates are never lost, so an audit causes no
// gap.

// How audits are timed.
const (
	smallSnapshot    = 5_000            // positions
	firstAuditSmall  = 2 * time.Second  // after a connection with its gap: a small snapshot costs little
	firstAudit       = 10 * time.Second // the same for larger ones
	hintedAuditAfter = time.Minute      // after the last snapshot or audit, or AuditEvery where that is less
	auditPerRows     = time.Minute      // more between audits for each whole hundred thousand rows
	hintedPerRows    = auditPerRows / 5 // more before a hinted one
	auditRetry       = 5 * time.Second  // after an audit that did not end; three times as long each time
	maxAuditRetry    = time.Minute
	auditTurn        = time.Second / 10 // a random time of up to this, so that many do not begin at once
)

// How a stream is detected that no longer sends all updates.
const (
	gapAllowance     = 5 * time.Second // changes of the first seconds of a connection may be lost in its gap
	catchUpWithin    = 5 * time.Second // a stream that is only late sends what an audit has seen within this time
	firstMissingWait = time.Minute     // between two streams that are closed for this reason, at first
	maxMissingWait   = time.Hour
)

// audit is a running audit.
type audit struct {
	cancel context.CancelFunc
	end    chan auditEnd
}

// auditEnd is how an audit ended.
type auditEnd struct {
	err    error // nil where it compared all
	newest int64 // the latest usable time in its rows
}

func (a *audit) ended() <-chan auditEnd {
	if a == nil {
		return nil
	}
	return a.end
}

// scaled returns d times the hundred thousands of positions in the last snapshot.
func (f *Follower) scaled(d time.Duration) time.Duration {
	return d * time.Duration(f.snapshotRows/100_000)
}

// firstAuditAt returns when the first audit after a snapshot begins: soon, because each connection has a gap.
func (f *Follower) firstAuditAt(now time.Time) time.Time {
	every := f.Times.AuditEvery
	switch {
	case every < 0:
		return time.Time{}
	case f.snapshotRows < smallSnapshot:
		return now.Add(min(every, firstAuditSmall))
	}
	return now.Add(spread(min(every, firstAudit)))
}

// nextAuditAt returns when the next audit begins after an audit: later, where the snapshot is larger.
func (f *Follower) nextAuditAt(now time.Time) time.Time {
	if f.Times.AuditEvery < 0 {
		return time.Time{}
	}
	return now.Add(spread(f.Times.AuditEvery + f.scaled(auditPerRows)))
}

// spread returns a random time of 90% to 110% of d, so that clients do not begin at the same time.
func spread(d time.Duration) time.Duration { return d*9/10 + rand.N(d/5+1) }

// bringAuditForward makes the next audit begin earlier, because there is a hint that it will find something.
func (f *Follower) bringAuditForward(now time.Time) {
	if f.audits.current != nil || f.alarms.audit.IsZero() {
		return
	}
	wait := min(hintedAuditAfter, f.Times.AuditEvery) + f.scaled(hintedPerRows)
	if earliest := clock.Later(now, f.link.SnapshotAt.Add(wait)); earliest.Before(f.alarms.audit) {
		f.alarms.audit = earliest
	}
}

// beginAudit starts an audit.
func (f *Follower) beginAudit(ctx context.Context) {
	switch {
	case f.audits.current != nil || f.link.Phase != model.Live:
		return
	case f.probing.unanswered > 0: // the service does not respond: no whole snapshot is requested now
		f.alarms.audit = f.Clock.Now().Add(spread(auditRetry))
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	f.audits.current = &audit{cancel: cancel, end: make(chan auditEnd, 1)}
	f.link.Auditing = true
	f.publish()
	standby := standbySnapshot{
		pool: f.Pool, sink: f.Sink, subscription: f.link.Subscription, address: f.link.Address,
		silence: f.Times.SnapshotSilence, clock: f.Clock, clockOffset: f.link.ClockOffset,
	}
	end := f.audits.current.end
	f.Go(func() {
		defer cancel()
		err := standby.run(ctx)
		end <- auditEnd{err, standby.newest}
	})
}

// endAudit cancels the running audit.
func (f *Follower) endAudit() {
	if f.audits.current != nil {
		f.audits.current.cancel()
		f.audits.current, f.link.Auditing = nil, false
	}
}

// handleAuditEnd handles the end of an audit. Where it failed, the active stream continues, and the audit is tried
// again.
func (f *Follower) handleAuditEnd(end auditEnd) {
	f.endAudit()
	now := f.Clock.Now()
	if end.err != nil {
		f.retryAudit(now, end.err)
		return
	}
	f.audits.failed = 0
	f.link.Audits++
	f.link.SnapshotAt = now
	f.alarms.audit = f.nextAuditAt(now)
	if f.missesUpdates(end.newest) {
		f.alarms.missing = now.Add(catchUpWithin)
		f.times.seen = end.newest
	}
	f.log(slog.LevelInfo, "audit of a positions stream has ended")
	f.publish()
}

// retryAudit sets when an audit that failed is tried again. Where no request was sent, that is as soon as one may be
// sent: only an audit finds what a gap has lost.
func (f *Follower) retryAudit(now time.Time, err error) {
	if postponed, ok := errors.AsType[*endpoint.PostponedError](err); ok {
		f.alarms.audit = clock.Later(now, postponed.Until).Add(rand.N(auditTurn))
		f.publish()
		return
	}
	wait := auditRetry
	for range min(f.audits.failed, 5) {
		wait = min(3*wait, maxAuditRetry)
	}
	f.audits.failed++
	f.alarms.audit = now.Add(spread(wait))
	f.log(slog.LevelWarn, "audit of a positions stream: "+endpoint.Describe(err))
	f.publish()
}

// missesUpdates reports whether an audit has seen a change that the stream should have sent and did not: it is newer
// than all that the stream has sent, and later than the gap that every connection has.
func (f *Follower) missesUpdates(newest int64) bool {
	gapEnd := f.link.ConnectedAt.Add(f.link.ClockOffset + gapAllowance).UnixNano()
	return newest > f.times.newest && newest > gapEnd
}

// checkMissing returns an error where the stream has still not sent what an audit has seen. Where that happens with
// each stream of a service, it is not reconnected each time.
func (f *Follower) checkMissing(now time.Time) error {
	if f.times.newest >= f.times.seen {
		return nil
	}
	if now.Sub(f.audits.givenUpAt) < f.audits.giveUpWait {
		f.times.shown = max(f.times.shown, f.times.seen)
		f.link.RowsBehind = f.times.behind()
		f.publish()
		return nil
	}
	f.audits.givenUpAt = now
	f.audits.giveUpWait = min(max(2*f.audits.giveUpWait, firstMissingWait), maxMissingWait)
	return errors.New("the stream misses updates that a second stream has sent")
}

// standbySnapshot reads the snapshot of a second stream and passes it to the sink to be compared.
type standbySnapshot struct {
	pool         *endpoint.Pool
	sink         Sink
	subscription model.Subscription
	address      string
	silence      time.Duration
	clock        clock.Clock
	clockOffset  time.Duration
	newest       int64
}

// run reads the second stream until its snapshot is whole. The first page of an audit is empty. The stream is opened
// when the screen has taken that page, so that a service does not wait for a screen that is suspended.
func (l *standbySnapshot) run(ctx context.Context) error {
	if err := l.sink.Audit(ctx, book.AuditPage{Subscription: l.subscription, First: true}); err != nil {
		return err
	}
	lease, err := l.pool.TryStandby(l.address)
	if err != nil {
		return err
	}
	err = ReadSnapshot(ctx, lease, l.subscription.Key, l.silence, func(_ *endpoint.Stream, m *wire.Message) error {
		last := m.LastPage || m.IsUpdate
		if len(m.Page) == 0 && !last {
			return nil
		}
		return l.compare(ctx, m.Page, last)
	})
	if err != nil {
		return fmt.Errorf("the second stream: %w", err)
	}
	return nil
}

// compare passes on the rows of a page that belong to the subscription.
func (l *standbySnapshot) compare(ctx context.Context, rows []model.Position, last bool) error {
	notAfter := l.clock.Now().Add(l.clockOffset + model.AheadFor).UnixNano()
	own := rows[:0]
	for i := range rows {
		if !l.subscription.Covers(rows[i].Key) {
			continue
		}
		if at, usable := rows[i].ChangedAt(notAfter); usable {
			l.newest = max(l.newest, at)
		}
		own = append(own, rows[i])
	}
	return l.sink.Audit(ctx, book.AuditPage{Subscription: l.subscription, Positions: own, NotAfter: notAfter, Last: last})
}
