package follow

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
	"blotter/model/book"
)

// judging judges the open stream of a subscription, and says so in its link.
type judging struct {
	*subscription
	judgement
	audits *audits
	marked []model.Key // as the Sink was told last
}

// judge records how far the stream is behind. If it is from now on, the next audit comes early.
func (j *judging) judge(now time.Time) {
	before, wasLateBy := j.link.Lag, j.link.LateBy
	j.dropAhead(j.notAfter(now))
	j.judgeAllBlocks(now)
	j.link.Lag = j.lag()
	j.link.LateBy = j.lateness.by
	switch by := j.link.LateBy; {
	case wasLateBy == 0 && by > 0:
		j.log(slog.LevelWarn, "positions stream: its updates come late", "by", by.Round(time.Second))
	case wasLateBy > 0 && by == 0:
		j.log(slog.LevelInfo, "positions stream: its updates no longer come late")
	}
	switch {
	case j.link.Lag.Shown == model.NoLag && before.Shown != model.NoLag:
		j.log(slog.LevelInfo, "positions stream: it is no longer behind")
	case j.link.Lag.Shown != model.NoLag && before.Shown == model.NoLag:
		j.log(slog.LevelWarn, "positions stream: it is behind", "by", j.link.Behind(now).Round(time.Second), "block", j.link.Block.Height)
		j.audits.beginEarly()
	}
}

// judgeAllBlocks judges the stream by the blocks that pages of its address have named: a stream names none. It does not
// count if the stream has sent a row that is newer than all of them.
func (j *judging) judgeAllBlocks(now time.Time) {
	newest := j.Pool.NewestIfOld(j.link.Address)
	if j.allBlocksLag = 0; !newest.IsZero() && j.sent.newest <= newest.UnixNano() {
		j.allBlocksLag = j.serviceNow(now).Sub(newest)
	}
}

// setNode records what the response to the stream says about its node.
func (j *judging) setNode(stream *endpoint.Stream) {
	if !j.link.BlockAt.IsZero() {
		return
	}
	node := stream.Node()
	j.link.Block, j.link.BlockAt = node.Block, node.At
	j.blockLag = node.Lag
}

// keepsRows reports whether the rows, which were known to be right at a time, stay although a whole snapshot has none:
// until a second snapshot. Without audits, none is requested.
func (j *judging) keepsRows(isEmpty bool, rightAt time.Time) bool {
	if !isEmpty || !j.hasRows || j.foundEmpty || j.Times.AuditEvery < 0 {
		j.hasRows, j.foundEmpty = !isEmpty, false
		return false
	}
	j.foundEmpty, j.emptySince = true, rightAt
	j.log(slog.LevelWarn, "positions stream: the snapshot is empty; the rows stay until a second one is empty too")
	return true
}

// isOfGap reports whether a state may have been lost in the gap between the snapshot of the stream and its first
// update.
func (j *judging) isOfGap(at int64) bool {
	begin, end := j.serviceNow(j.link.ConnectedAt).Add(-gapAllowance), j.serviceNow(j.wholeAt).Add(gapAllowance)
	return begin.UnixNano() <= at && at <= end.UnixNano()
}

// judgeAudit judges the stream by an audit that has compared all.
func (j *judging) judgeAudit(end *auditEnd, now time.Time) {
	j.await(end.sent.newerThan(j.sent), len(end.sent.byRow), j.isOfGap, now)
	if len(j.awaited) > 0 {
		j.alarms.missing = j.awaitedBy
	}
	end.nothingMissing = j.missingSince(j.isOfGap) == 0 && !end.sent.untimed
	if isEmpty := j.takeAudit(end); isEmpty {
		j.hasRows, j.foundEmpty = false, false
		j.Sink.Commit(book.Snapshot{Subscription: j.link.Subscription, Rows: book.NewRows(), AsIs: true})
	}
	j.judge(now)
}

// checkMissing returns an error if the stream has still not sent what an audit has shown.
func (j *judging) checkMissing(now time.Time) error {
	if since := j.missingSince(j.isOfGap); since != 0 {
		return j.missesUpdates(now, since)
	}
	return nil
}

// missesUpdates returns an error, so that the stream is opened again. If that happens with each stream of a service, it
// is not done each time: the stream stays open, and is behind. The same is done after a shared audit, which may have
// found many such streams at once: the standby streams of their next audits take their places, one after the other.
func (j *judging) missesUpdates(now time.Time, since int64) error {
	if j.audits.wasShared || now.Sub(j.audits.givenUpAt) < j.audits.giveUpWait {
		j.missing = max(j.serviceNow(now).Sub(time.Unix(0, since)), time.Second)
		j.judge(now)
		j.publish()
		return nil
	}
	if now.Sub(j.audits.givenUpAt) > 2*maxMissingWait {
		j.audits.giveUpWait = 0
	}
	j.audits.givenUpAt = now
	j.audits.giveUpWait = min(max(2*j.audits.giveUpWait, firstMissingWait), maxMissingWait)
	return errors.New("the stream misses updates that a second stream has sent")
}

// takeSnapshot notes which rows are in doubt because of the whole snapshot of the stream, whose pages these are. It
// reports whether the snapshot is taken: not if mostDoubts rows are. If olderRows or more are in doubt because of older
// states, the stream should send these newer ones.
func (j *judging) takeSnapshot(s *staging, now time.Time) (isTaken bool) {
	notAfter := j.notAfter(now)
	has := func(key model.Key) bool { return s.pages.Has(key) || s.updates.Has(key) }
	j.standing.takeSnapshot(j.sent, has, notAfter, now)
	j.link.ListsFlat = j.News.noteRows(len(j.sent.byRow), j.standing.lacksFlat(j.sent))
	j.alarms.doubts = now
	if j.audits.schedule.every < 0 {
		j.standing.keepOlderStates(s.pages)
		return true
	}
	if isTaken = j.standing.estimated() <= mostDoubts; !isTaken {
		j.log(slog.LevelWarn, "positions stream: the snapshot has other rows than before; these stay until audits show that too")
		j.refused = max(j.serviceNow(now).Sub(time.Unix(0, j.shown)), time.Second)
	}
	lacking := j.standing.olderStates()
	if j.await(lacking, len(j.sent.byRow), j.isOfGap, now); len(lacking) > 0 {
		j.alarms.missing = j.awaitedBy
	}
	return isTaken
}

// snapshotOf returns a snapshot as the book gets it. One that is empty replaces all rows.
func (j *judging) snapshotOf(rows *book.Rows, isEmpty bool, notAfter int64) book.Snapshot {
	gone, older := j.standing.allBelieved(time.Now())
	return book.Snapshot{Subscription: j.link.Subscription, Rows: rows, NotAfter: notAfter, AsIs: isEmpty,
		Believed: append(gone, older...)}
}

// question is what an audit whose snapshot is whole asks before it passes on the last page.
type question struct {
	sent     *sentTimes
	shown    int64 // the latest time that was shown when it began
	node     endpoint.Node
	openedAt time.Time
	answer   chan<- verdict
}

// verdict is what the audit is.
type verdict struct {
	isCurrent             bool        // its rows are as new as those that were shown
	counts                bool        // the audit counts, also if it is of a node that is behind: see behindFor
	gone                  []model.Key // rows that are believed to be gone
	older                 []model.Key // rows whose older states are believed
	newlyGone, newlyOlder bool        // some of them are from now on. If they are of a sample, so are all others
}

// answer judges the rows of an audit.
func (j *judging) answer(q question) {
	now := time.Now()
	notAfter := j.notAfter(now)
	isNew := j.isNew(&q, true, notAfter)
	switch {
	case isNew:
		j.audits.onlyBehindSince = time.Time{}
		j.link.ListsFlat = j.News.noteRows(len(q.sent.byRow), j.standing.lacksFlat(q.sent))
	case j.audits.onlyBehindSince.IsZero():
		j.audits.onlyBehindSince = now
	}
	v := verdict{counts: isNew || now.Sub(j.audits.onlyBehindSince) >= behindFor}
	gone, older := j.standing.takeAudit(audited{q.sent, q.openedAt, v.counts}, j.News.listsFlat(), notAfter, now)
	j.believe(gone, older, notAfter)
	v.isCurrent = j.isNew(&q, false, notAfter)
	v.newlyGone, v.newlyOlder = gone > 0, older > 0
	v.gone, v.older = j.standing.allBelieved(now)
	j.alarms.doubts = now
	q.answer <- v
}

// believe notes how many rows are believed to be gone, and of how many an older state is.
func (j *judging) believe(gone, older int, notAfter int64) {
	if gone+older > 0 {
		j.log(slog.LevelWarn, "positions stream: it is believed that rows no longer exist, or have older states", "gone", gone, "older", older)
		j.shown = j.standing.newest(nil, notAfter)
		j.shownBefore = min(j.shownBefore, j.shown)
	}
	if j.standing.estimated() <= mostDoubts {
		j.refused = 0
	}
}

// isNew reports whether the rows of an audit are as new as those that were shown, or with its block, the block of its
// node. If the service lists no flat rows, the times of rows that it lacks do not count.
func (j *judging) isNew(q *question, withBlock bool, notAfter int64) bool {
	shown := min(q.shown, j.shown)
	if !j.News.listsFlat() {
		shown = min(shown, j.standing.newest(q.sent, notAfter))
	}
	switch {
	case q.node.Lag > 0:
		return false
	case shown > notAfter: // the clock of the service was set back
		return true
	}
	return q.sent.newest >= shown-int64(commitDelay) || withBlock && q.node.Block.Time.After(time.Unix(0, shown))
}

// sayDoubts says which rows are marked because they have been in doubt for some time.
func (j *judging) sayDoubts(ctx context.Context, now time.Time) {
	if j.audits.schedule.every < 0 {
		j.believeUnaudited(ctx, now)
	}
	keys, next := j.standing.marked(now)
	j.alarms.doubts = endpoint.Later(next, now.Add(marksApart))
	switch {
	case len(j.standing.doubts) > 0 && j.audits.schedule.every < 0:
		j.alarms.doubts = now.Add(unauditedFor / 12)
	case next.IsZero():
		j.alarms.doubts = time.Time{}
	}
	if !slices.Equal(keys, j.marked) {
		j.marked = keys
		j.Sink.Doubt(book.Doubts{Subscription: j.link.Subscription, Keys: keys})
	}
	if unaudited := len(j.standing.doubts); j.audits.compared > 0 && unaudited != j.link.UnauditedRows {
		j.link.UnauditedRows = unaudited
		j.publish()
	}
}

// noteDoubts looks soon which rows are marked, after something has come.
func (j *judging) noteDoubts(now time.Time) {
	if len(j.standing.doubts)+len(j.marked) > 0 || j.link.UnauditedRows > 0 && j.audits.compared > 0 {
		if at := now.Add(marksApart); j.alarms.doubts.IsZero() || at.Before(j.alarms.doubts) {
			j.alarms.doubts = at
		}
	}
}

// believeUnaudited believes doubts after some time, because there are no audits.
func (j *judging) believeUnaudited(ctx context.Context, now time.Time) {
	notAfter := j.notAfter(now)
	var states []model.Position
	gone, older := j.standing.takeBelieved(func(d *doubt, _ bool) bool {
		isBelieved := d.how != rowChanged && now.Sub(d.since) >= unauditedFor
		if isBelieved && d.state != nil {
			states = append(states, *d.state)
		}
		return isBelieved
	}, j.sent, now)
	if j.believe(gone, older, notAfter); gone+older == 0 {
		return
	}
	page := book.AuditPage{Subscription: j.link.Subscription, NotAfter: notAfter, Positions: states}
	page.Removed, page.Believed = j.standing.allBelieved(now)
	sink := j.Sink
	j.Go(func() { // it may wait for the screen
		if sink.Audit(ctx, book.AuditPage{Subscription: page.Subscription, First: true}) == nil {
			_ = sink.Audit(ctx, page)
		}
	})
}
