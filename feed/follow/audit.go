package follow

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
	"blotter/model/book"
)

// A service reads its snapshot first and begins to send updates afterwards, without sequence numbers: what changes in
// between is lost on a stream that looks healthy. Only a second snapshot can show it. An audit opens a second stream,
// the standby stream, beside the active one, and each page of its snapshot is compared with the rows that are shown
// (model/book/audit.go has the rules). The active stream continues: its updates are never lost, so an audit causes no
// gap. If the active stream is behind, the standby stream can take its place (judgement.go has the rules).
//
// A second snapshot of a node that is behind is no audit: the rows stay unaudited. The same is true of a node that
// lacks rows, because a service does not delete positions, or that has older states: only if several audits in a row
// lack a row, it no longer exists. While the rows are in doubt, the next audit follows within seconds, slower each
// time, up to longestAgain. Each has a connection of its own, which may reach another node. Many subscriptions share
// audits: see shared_audit.go.

// An audit that gets no message may have reached a node that hangs, so it ends soon: sooner if the last one that has
// compared all was quick. If it was slow, or there was none, and several in a row get no message, the service may be
// slow: the next ones wait as long as other snapshots. After quick ones, one of a few waits longer for this reason.
const (
	auditBegins      = 5 * time.Second
	quickAuditBegins = time.Second
	quickAudits      = 3 // in a row that get no message
)

// beginWithin returns how long the next audit waits for its first message, if other snapshots wait this long.
func (a *audits) beginWithin(longest time.Duration) time.Duration {
	areQuick := a.compared > 0 && a.areQuick
	switch {
	case areQuick && a.failed%(quickAudits+1) < quickAudits:
		return min(quickAuditBegins, longest)
	case areQuick && a.failed%(2*(quickAudits+1)) < 2*quickAudits, !areQuick && a.failed < quickAudits:
		return min(auditBegins, longest)
	}
	return longest
}

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
	err       error         // nil if it compared all
	sent      *sentTimes    // what the standby stream has sent
	shown     int64         // the latest time that was shown when the audit began
	lacking   []model.Key   // the rows that its node lacks, or of which it has older states
	isCurrent bool          // its node is as new as what was shown then, and does not lack rows: else it is no audit
	openedAt  time.Time     // when the standby stream was opened
	node      endpoint.Node // of it
	open      *openStream   // nil if the audit is shared
	shared    *sharedAudit  // nil if it is not

	nothingMissing bool // it has no state that the open stream has not sent, but for those that are excused
}

// level returns the level of a line of the log about the audit. A shared one has a line of its own: see log.go.
func (e *auditEnd) level(alone slog.Level) slog.Level {
	if e.shared != nil {
		return slog.LevelDebug
	}
	return alone
}

// hint is a kind of reasons to expect that an audit will find something. Each kind counts how often it was wrong.
type hint uint8

const (
	ofRow      hint = iota // something newer than a row of the stream is known
	ofLateness             // an update came late: see lateness.go
	ofOthers               // something newer than the rows of its market is known: see news.go
	hints
)

// bringAuditForward makes the next audit begin earlier, because of a hint.
func (f *Follower) bringAuditForward(now time.Time, of hint) {
	earliest := endpoint.Later(now, f.audits.readAt.Add(f.schedule.hinted(f.audits.needless[of])))
	waits := f.audits.turn != nil && f.audits.urgency < of.urgency() // it gets another turn
	switch {
	case waits && f.alarms.audit.IsZero(), earliest.Before(f.alarms.audit):
		f.alarms.audit, f.audits.hinted[of] = earliest, true
	case !f.alarms.audit.IsZero() && f.audits.needless[of] == 0: // it begins soon in any case, and is more urgent now
		f.audits.hinted[of] = true
	}
}

func (h hint) urgency() endpoint.Urgency {
	if h == ofRow {
		return endpoint.InDoubt
	}
	return endpoint.Hinted
}

// areNeeded reports whether the rows are in doubt: no audit has compared them, the last one was none because of its
// node, or the stream is behind.
func (a *audits) areNeeded(lag model.Lag) bool {
	return a.compared == 0 || a.wasNone || lag.Shown != model.NoLag
}

func (a *audits) isHinted() bool { return a.hinted != [hints]bool{} }

// count counts an audit that has ended, with its hints, by whether it has found something.
func (a *audits) count(hasFound, isSilent bool) {
	switch {
	case hasFound, a.wasNone:
		a.ofSilence = 0
	case isSilent:
		a.ofSilence++
	}
	for of, wasHinted := range a.hinted {
		if hasFound {
			a.needless[of] = 0
		} else if wasHinted {
			a.needless[of]++
		}
	}
	a.hinted = [hints]bool{}
}

// nextUrgency returns how urgent the next audit of a stream is.
func (a *audits) nextUrgency(link *model.Link, isSilent bool) endpoint.Urgency {
	switch {
	case a.areNeeded(link.Lag), a.hinted[ofRow]:
		return endpoint.InDoubt
	case a.isHinted(), a.lostTurn, isSilent && link.VerifiedAt.Before(link.MessageAt):
		return endpoint.Hinted
	}
	return endpoint.Routine
}

// awaitAudit waits in the background for the turn of an audit.
func (f *Follower) awaitAudit(ctx context.Context, urgency endpoint.Urgency) {
	switch {
	case f.link.Auditing, f.audits.turn != nil && f.audits.urgency >= urgency:
		return
	case f.audits.turn != nil:
		f.audits.cancel()
	}
	ctx, cancel := context.WithCancel(ctx)
	turn := make(chan struct{})
	f.audits.turn, f.audits.urgency, f.audits.cancel = turn, urgency, cancel
	f.Go(func() {
		if f.Pool.AwaitAudit(ctx, urgency) != nil {
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
	f.audits.turn = nil
	if f.probing.unanswered > 0 && !f.Pool.AuditsWork(f.link.Address) { // no whole snapshot is requested now
		f.alarms.audit, f.audits.lostTurn = time.Now().Add(endpoint.AuditDelay(1)), true
		return
	}
	var shared *sharedAudit
	if !needsStream(&f.link) {
		shared = f.Shared.begin(f)
	}
	startAudit(ctx, f, shared)
}

// startAudit starts an audit of f, with a stream of its own if shared is nil.
func startAudit(ctx context.Context, f *Follower, shared *sharedAudit) {
	f.audits.byUpdate = false
	ctx, cancel := context.WithCancel(ctx)
	ends := make(chan auditEnd)
	f.audits.end, f.audits.cancel, f.link.Auditing = ends, cancel, true
	f.publish()
	standby := standbySnapshot{
		Config: f.Config, subscription: f.link.Subscription, address: f.link.Address,
		shown: f.judged.shown, sent: newSentTimes(f.judged.seed), mayBeEmpty: !f.hasRows || f.foundEmpty, updates: book.NewRows(),
		expected: f.judged.expected(), mayLack: f.judged.lacking+1 >= lackingAudits,
		beginsWithin: f.audits.beginWithin(f.Times.SnapshotSilence), rows: f.schedule.rows,
	}
	f.Go(func() {
		end := standby.audit(ctx, f, shared)
		if end.open != nil {
			end.open.cancel = cancel
		}
		select {
		case ends <- end:
		case <-ctx.Done():
			end.open.close()
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
	f.audits.end, f.link.Auditing, f.audits.lostTurn = nil, false, false
	f.readClock()
	now := time.Now()
	f.judged.shown = max(f.judged.shown, end.sent.newest)
	f.audits.readAt = now
	if end.err != nil {
		f.audits.cancel()
		f.foundEmpty = f.foundEmpty || errors.Is(end.err, errEmptyAudit)
		f.retryAudit(now, &end)
		f.publish()
		return nil
	}
	f.audits.failed, f.audits.byTrader = 0, false
	f.audits.areQuick = now.Sub(end.openedAt) < quickAuditBegins/2
	f.audits.wasNone, f.audits.wasShared = !end.isCurrent, end.shared != nil
	f.schedule.shared = end.shared.quietAgain()
	wasPartial := f.link.Partial
	if end.isCurrent {
		f.countAudit(&end, now)
	} else {
		f.log(end.level(slog.LevelWarn), "audit of a positions stream: its node is behind what was shown, or lacks rows, so it is no audit",
			"lacking", len(end.lacking))
	}
	f.alarms.audit = f.schedule.next(now, f.audits.compared)
	f.judged.countLacking(&end)
	f.judgeAudit(&end, now)
	f.audits.count(len(f.judged.awaited) > 0, isSilent(f, now))
	verifyWhenSilent(f)
	var next *session
	if f.audits.areNeeded(f.link.Lag) {
		f.auditEarly()
		if end.shared == nil {
			f.audits.unhelpful++
		}
	} else {
		f.audits.unhelpful = 0
	}
	if (f.link.Lag.Shown != model.NoLag || wasPartial) && end.open != nil && f.judged.isBetter(&end) {
		next = f.takeOver(ctx, end, now)
	}
	if next == nil {
		end.open.close()
		f.audits.cancel()
	}
	f.publish()
	return next
}

// countAudit records that an audit of a current node has compared all rows.
func (f *Follower) countAudit(end *auditEnd, now time.Time) {
	f.audits.compared++
	f.link.UnauditedRows = 0
	f.link.Audits++
	f.link.VerifiedAt = end.openedAt
	f.schedule.rows = end.sent.count
	f.link.Committed, f.link.Partial = true, false
	f.staging, f.dropped, f.alarms.page = nil, f.dropped || f.staging != nil, time.Time{}
	if end.sent.count > 0 {
		f.hasRows, f.foundEmpty = true, false
	}
	level := slog.LevelInfo
	if f.audits.compared > 1 {
		level = slog.LevelDebug // there are many of a silent stream
	}
	f.log(level, "audit of a positions stream has ended")
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
func (f *Follower) retryAudit(now time.Time, end *auditEnd) {
	err := end.err
	if postponed, ok := errors.AsType[*endpoint.PostponedError](err); ok {
		f.alarms.audit, f.audits.lostTurn = endpoint.Later(now, postponed.Until).Add(rand.N(auditJitter)), true
		return
	}
	if errors.Is(err, errNotShared) {
		f.alarms.audit, f.audits.lostTurn = now, true
		return
	}
	f.audits.failed++
	f.audits.byTrader, f.audits.lostTurn = false, true
	wait := endpoint.AuditDelay(f.audits.failed)
	stopped, isStopped := errors.AsType[*stoppedError](err)
	switch isCostly := isStopped && stopped.Positions > 0; {
	case isCostly:
		wait += f.schedule.scaled(auditPerRows)
	case end.shared != nil:
		wait = f.schedule.again(0)
	case f.audits.areNeeded(f.link.Lag), isSilent(f, now):
		wait = f.schedule.again(f.audits.failed - 1)
	}
	f.alarms.audit = now.Add(wait)
	f.log(end.level(slog.LevelWarn), "audit of a positions stream: "+endpoint.Describe(err))
}
