package follow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/wire"
	"blotter/model"
	"blotter/model/book"
)

// A service reads its snapshot first and begins to send updates afterwards, without sequence numbers: what changes in
// between is lost on a stream that looks healthy. Only a second snapshot can show it. An audit opens a second stream,
// the standby stream, beside the active one, and each page of its snapshot is compared with the rows that are shown
// (model/book/audit.go has the rules). The active stream continues: its updates are never lost, so an audit causes no
// gap. If the active stream is behind, the standby stream can take its place (judgement.go has the rules).
//
// A second snapshot of a node that is behind is no audit: the rows stay unaudited. While the rows are in doubt, the
// next audit follows within seconds, slower each time, up to longestAgain. Each has a connection of its own, which may
// reach another node.

// An audit that gets no message may have reached a node that hangs, so it ends soon. If several in a row get none, the
// service may be slow: the next ones wait as long as other snapshots.
const (
	auditBegins = 5 * time.Second
	quickAudits = 3
)

// How a stream is detected that no longer sends all updates.
const (
	gapAllowance     = 5 * time.Second // before a connection, and after its snapshot: changes may be lost in its gap
	catchUpWithin    = 5 * time.Second // a stream that is only late sends what an audit has seen within this time
	firstMissingWait = time.Minute     // between two streams that are closed for this reason, at first
	maxMissingWait   = time.Hour
)

// auditEnd is how an audit ended. If it has compared all, the standby stream is still open: the receiver closes it or
// lets it take over.
type auditEnd struct {
	err       error      // nil if it compared all
	sent      *sentTimes // what the standby stream has sent
	shown     int64      // the latest time that was shown when the audit began
	isCurrent bool       // its node is as new as what was shown then: else it is no audit
	open      *openStream
}

// bringAuditForward makes the next audit begin earlier, because there is a hint that it will find something.
func (f *Follower) bringAuditForward(now time.Time) {
	earliest := endpoint.Later(now, f.audits.readAt.Add(f.schedule.hinted()))
	if earliest.Before(f.alarms.audit) {
		f.alarms.audit = earliest
	}
}

// areNeeded reports whether the rows are in doubt: no audit has compared them, or the stream is behind.
func (a *audits) areNeeded(lag model.Lag) bool { return !a.compared || lag.Shown != model.NoLag }

// awaitAudit waits in the background for the turn of an audit.
func (f *Follower) awaitAudit(ctx context.Context, isUrgent bool) {
	switch {
	case f.link.Auditing, f.audits.turn != nil && (f.audits.isUrgent || !isUrgent):
		return
	case f.audits.turn != nil:
		f.audits.cancel()
	}
	ctx, cancel := context.WithCancel(ctx)
	turn := make(chan struct{})
	f.audits.turn, f.audits.isUrgent, f.audits.cancel = turn, isUrgent, cancel
	f.Go(func() {
		if f.Pool.AwaitAudit(ctx, isUrgent) != nil {
			return
		}
		select {
		case turn <- struct{}{}:
		case <-ctx.Done():
		}
	})
}

// beginAudit starts an audit. While the service does not respond, it is postponed.
func (f *Follower) beginAudit(ctx context.Context) {
	if f.audits.turn != nil {
		f.audits.cancel()
	}
	f.audits.turn, f.audits.byUpdate = nil, false
	if f.probing.unanswered > 0 { // the service does not respond: no whole snapshot is requested now
		f.alarms.audit = time.Now().Add(endpoint.AuditDelay(1))
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	ends := make(chan auditEnd)
	f.audits.end, f.audits.cancel, f.link.Auditing = ends, cancel, true
	f.publish()
	standby := standbySnapshot{
		Config: f.Config, subscription: f.link.Subscription, address: f.link.Address,
		shown: f.judged.shown, sent: newSentTimes(f.judged.seed), mayBeEmpty: !f.hasRows || f.foundEmpty, updates: book.NewRows(),
		beginsWithin: f.Times.SnapshotSilence,
	}
	if f.audits.failed < quickAudits {
		standby.beginsWithin = min(auditBegins, f.Times.SnapshotSilence)
	}
	f.Go(func() {
		open, err := standby.run(ctx)
		if open != nil {
			open.cancel = cancel
		}
		select {
		case ends <- auditEnd{err, standby.sent, standby.shown, standby.isCurrent, open}:
		case <-ctx.Done():
			open.close()
		}
	})
}

// endAudit cancels the audit that waits or is running.
func (f *Follower) endAudit() {
	if f.link.Auditing || f.audits.turn != nil {
		f.audits.cancel()
		f.audits.turn, f.audits.end, f.link.Auditing = nil, nil, false
	}
}

// handleAuditEnd handles the end of an audit. If it failed, the active stream continues, and the audit is tried again.
// If the standby stream takes over, it returns the session of that stream; else nil.
func (f *Follower) handleAuditEnd(ctx context.Context, end auditEnd) *session {
	f.audits.end, f.link.Auditing = nil, false
	f.readClock()
	now := time.Now()
	f.judged.shown = max(f.judged.shown, end.sent.newest)
	f.audits.readAt = now
	if end.err != nil {
		f.audits.cancel()
		f.foundEmpty = f.foundEmpty || errors.Is(end.err, errEmptyAudit)
		f.retryAudit(now, end.err)
		f.publish()
		return nil
	}
	f.audits.failed, f.audits.byTrader = 0, false
	wasPartial := f.link.Partial
	if end.isCurrent {
		f.countAudit(&end, now)
	} else {
		f.log(slog.LevelWarn, "audit of a positions stream: its node is behind what was shown, so it is no audit")
	}
	f.alarms.audit = f.schedule.next(now)
	f.judgeAudit(&end, now)
	var next *session
	if f.audits.areNeeded(f.link.Lag) || !end.isCurrent {
		f.auditEarly()
		f.audits.unhelpful++
	} else {
		f.audits.unhelpful = 0
	}
	if (f.link.Lag.Shown != model.NoLag || wasPartial) && f.judged.isBetter(&end) {
		next = f.takeOver(ctx, end, now)
	}
	if next == nil {
		end.open.close()
	}
	f.publish()
	return next
}

// countAudit records that an audit of a current node has compared all rows.
func (f *Follower) countAudit(end *auditEnd, now time.Time) {
	f.audits.compared, f.link.UnauditedRows = true, 0
	f.link.Audits++
	f.link.SnapshotAt = now
	f.link.Committed, f.link.Partial = true, false
	f.staging, f.dropped, f.alarms.page = nil, f.dropped || f.staging != nil, time.Time{}
	if end.sent.count > 0 {
		f.hasRows, f.foundEmpty = true, false
	}
	f.log(slog.LevelInfo, "audit of a positions stream has ended")
}

// takeOver makes the standby stream of an audit the active one. The audit has compared its snapshot, so the rows are
// those of its node, and its updates follow.
func (f *Follower) takeOver(ctx context.Context, end auditEnd, now time.Time) *session {
	f.log(slog.LevelInfo, "positions stream: a second stream, which is whole and not behind, takes its place")
	open := end.open
	open.lease.Promote(f.lease)
	f.lease = open.lease
	f.judged.restart(end.sent)
	f.judged.wholeAt = now
	f.link.Block, f.link.BlockAt = open.Node().Block, open.Node().At
	f.link.ConnectedAt = open.openedAt
	f.link.Tries++
	f.dropped = false
	f.schedule.rows = end.sent.count
	f.alarms.missing = time.Time{}
	f.alarms.audit, f.audits.byUpdate = f.schedule.first(now)
	f.progressed(now)
	f.judge(now)
	return f.startSession(ctx, func(ctx context.Context) (*endpoint.Stream, error) {
		context.AfterFunc(ctx, open.cancel)
		return open.Stream, nil
	})
}

// auditJitter is the longest random delay that is added for an audit that was postponed, so that many do not begin at
// once.
const auditJitter = time.Second / 10

// retryAudit sets when an audit that failed is tried again. If no request was sent, that is as soon as one may be
// sent: only an audit finds what a gap has lost.
func (f *Follower) retryAudit(now time.Time, err error) {
	if postponed, ok := errors.AsType[*endpoint.PostponedError](err); ok {
		f.alarms.audit = endpoint.Later(now, postponed.Until).Add(rand.N(auditJitter))
		return
	}
	f.audits.failed++
	f.audits.byTrader = false
	wait := endpoint.AuditDelay(f.audits.failed)
	stopped, isStopped := errors.AsType[*stoppedError](err)
	switch isCostly := isStopped && stopped.Positions > 0; {
	case isCostly:
		wait += f.schedule.scaled(auditPerRows)
	case f.audits.areNeeded(f.link.Lag):
		wait = f.schedule.again(f.audits.failed - 1)
	}
	f.alarms.audit = now.Add(wait)
	f.log(slog.LevelWarn, "audit of a positions stream: "+endpoint.Describe(err))
}

// errEmptyAudit is the error of the first audit that finds no rows at all, if there were some.
var errEmptyAudit = errors.New("its snapshot is empty")

// standbySnapshot reads the snapshot of a second stream and passes it to the sink to be compared.
type standbySnapshot struct {
	Config
	subscription model.Subscription
	address      string
	beginsWithin time.Duration // its first message with content must come in this time
	shown        int64         // the latest time that was shown when it began
	mayBeEmpty   bool
	updates      *book.Rows // that came before the last page, at most Rows of them
	sent         *sentTimes
	isCurrent    bool // of a whole snapshot: its node is as new as what was shown
}

// run reads the second stream until its snapshot is whole, and returns it. Updates that come before the last page are
// compared with it: the active stream sends them too, so they are no reason to correct a row earlier. A row of a page
// counts in place of an update that is older. The first page of an audit is empty. The stream is opened when the screen
// has taken that page, so that a service does not wait for a screen that is suspended. If the node is behind, no page
// is the last one: rows that the node lacks stay, and the others do not count as audited.
func (s *standbySnapshot) run(ctx context.Context) (*openStream, error) {
	if err := s.Sink.Audit(ctx, book.AuditPage{Subscription: s.subscription, First: true}); err != nil {
		return nil, err
	}
	lease, err := s.Pool.TryStandby(s.address)
	if err != nil {
		return nil, err
	}
	silence := limits{s.beginsWithin, s.Times.SnapshotSilence}
	open, err := openSnapshot(ctx, lease, s.subscription.Key, silence, func(stream *endpoint.Stream, m *wire.Message) error {
		for i := range m.Updates {
			p := &m.Updates[i]
			hasRoom := s.updates.Len() < s.Rows || s.updates.Has(p.Key)
			if s.subscription.Covers(p.Key) && hasRoom {
				s.updates.Put(p)
			}
		}
		notAfter := s.notAfter()
		rows := slices.DeleteFunc(m.Page, func(p model.Position) bool {
			return !s.subscription.Covers(p.Key) || s.updates.Has(p.Key) && !s.updates.IsOlder(&p, notAfter)
		})
		if !m.LastPage {
			return s.compare(ctx, rows)
		}
		return s.compareLast(ctx, slices.AppendSeq(rows, s.updates.All), stream.Node())
	})
	if err != nil {
		return nil, fmt.Errorf("the second stream: %w", err)
	}
	return open, nil
}

// notAfter returns the latest time of change that counts, as that of a Follower.
func (s *standbySnapshot) notAfter() int64 {
	return time.Now().Add(s.Pool.ClockOffset(s.address) + model.AheadFor).UnixNano()
}

// compareLast passes on the rows of the last page.
func (s *standbySnapshot) compareLast(ctx context.Context, rows []model.Position, node endpoint.Node) error {
	notAfter := s.notAfter()
	s.sent.add(rows, notAfter)
	wasShown := s.shown <= notAfter // else the clock of the service was set back
	s.isCurrent = node.Lag == 0 && (!wasShown || s.sent.newest >= s.shown-int64(commitDelay))
	return s.pass(ctx, rows, notAfter, s.isCurrent)
}

// compare passes on the rows of a page before the last one.
func (s *standbySnapshot) compare(ctx context.Context, rows []model.Position) error {
	if len(rows) == 0 {
		return nil
	}
	notAfter := s.notAfter()
	s.sent.add(rows, notAfter)
	return s.pass(ctx, rows, notAfter, false)
}

func (s *standbySnapshot) pass(ctx context.Context, rows []model.Position, notAfter int64, last bool) error {
	if s.sent.count == 0 && !s.mayBeEmpty {
		return errEmptyAudit
	}
	return s.Sink.Audit(ctx, book.AuditPage{Subscription: s.subscription, Positions: rows, NotAfter: notAfter, Last: last})
}
