package follow

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
)

// A service reads its snapshot first and begins to send updates afterwards, without sequence numbers: what changes in
// between is lost on a stream that looks healthy. Only a second snapshot can show it. An audit opens a second stream,
// the standby stream, beside the active one, and each page of its snapshot is compared with the rows that are shown
// (model/book/audit.go has the rules). The active stream continues: its updates are never lost, so an audit causes no
// gap. If the active stream is behind, the standby stream can take its place (judgement.go has the rules).
//
// A second snapshot of a node that is behind is no audit: the rows stay unaudited. Rows that another node lacks, or of
// which it has older states, are in doubt: standing.go says when that is believed. While rows are in doubt, the next
// audit follows within seconds, and later more slowly, up to longestAgain. Each has a connection of its own, which may
// reach another node. Many subscriptions share audits: see shared_audit.go.

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
	isCurrent bool          // as in verdict
	counts    bool          // as in verdict: else it is no audit
	hasOlder  bool          // older states of a sample are believed
	openedAt  time.Time     // when the standby stream was opened
	node      endpoint.Node // of it
	open      *openStream   // nil if the audit is shared
	shared    *sharedAudit  // nil if it is not

	nothingMissing bool // it has no state that the open stream has not sent, but for those that are excused
}

// level returns the level of a line of the log about the audit. A shared one has a line of its own.
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

func (h hint) urgency() endpoint.Urgency {
	if h == ofRow {
		return endpoint.InDoubt
	}
	return endpoint.Hinted
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
		f.audits.retry(now, &end)
		f.publish()
		return nil
	}
	f.audits.failed, f.audits.byTrader = 0, false
	f.audits.areQuick = now.Sub(end.openedAt) < quickAuditBegins/2
	f.audits.believesOlder = end.hasOlder
	f.audits.wasNone, f.audits.wasShared = !end.counts, end.shared != nil
	f.audits.schedule.shared, f.audits.schedule.isShared = end.shared.quietAgain(), end.shared.isSmall()
	wasPartial := f.link.Partial
	f.countEmpty(&end)
	switch {
	case end.counts:
		f.countAudit(&end)
	case f.link.IsEmptyUnaudited():
		f.log(end.level(slog.LevelInfo), "audit of a positions stream: it has no rows either, and another audit is to show that")
	default:
		f.log(end.level(slog.LevelWarn), "audit of a positions stream: its node is behind what was shown, so it is no audit")
	}
	f.alarms.audit = f.audits.schedule.next(now, f.audits.compared)
	f.judged.judgeAudit(&end, now)
	f.audits.count(len(f.judged.awaited) > 0, f.isSilent(now))
	f.audits.verifyWhenSilent()
	var next *session
	if f.audits.areNeeded(f.link.Lag) {
		f.audits.beginEarly()
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

// countEmpty counts an audit without rows, after a snapshot without rows.
func (f *Follower) countEmpty(end *auditEnd) {
	if end.sent.count > 0 || f.link.EmptySnapshots == 0 {
		f.link.EmptySnapshots = 0
		return
	}
	f.link.EmptySnapshots = min(f.link.EmptySnapshots+1, model.EmptyAudited)
}

// countAudit records that an audit of a current node has compared all rows.
func (f *Follower) countAudit(end *auditEnd) {
	f.audits.compared++
	f.link.UnauditedRows = len(f.judged.standing.doubts)
	f.link.Audits++
	f.link.VerifiedAt = end.openedAt
	f.audits.schedule.rows = end.sent.count
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
	f.audits.schedule.rows = end.sent.count
	f.alarms.missing = time.Time{}
	f.alarms.audit, f.audits.byUpdate = f.audits.schedule.first(now)
	f.progressed(now)
	f.judged.judge(now)
	return f.startSession(ctx, func(ctx context.Context) (*endpoint.Stream, error) {
		context.AfterFunc(ctx, open.cancel)
		return open.Stream, nil
	})
}
